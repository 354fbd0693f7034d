//! Packages are compiled as strictly as C# can, and programs that use them run.
//!
//! This needs `dotnet`; without it, one loud line says so.

mod bench;
mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use chatstate_codegen::Generator;
use chatstate_generator_dotnet::DotnetGenerator;
use regex::Regex;
use serde_json::json;
use tempfile::TempDir;

use bench::{Bench, add_files, add_package, generated, home, is_required, say, workspace, write};

/// What the programs of the package's page read.
const INPUTS: [(&str, &str); 2] = [
    (
        "chat.json",
        r#"{"history":[{"role":"assistant","items":[{"type":"text","text":"Hello!"},{"type":"hologram","x":1}]}],"channels":[]}"#,
    ),
    (
        "events.json",
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo!"},{"type":"TEXT_MESSAGE_END","messageId":"m"},{"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"#,
    ),
];

/// What they print of that, one after the other.
const PRINTED: [&str; 3] = [
    "Hello!\nsomething newer: hologram\n",
    "Hello!\n6 events are 5 in a log and 4 in a snapshot\nTEXT_MESSAGE_START\nTEXT_MESSAGE_CONTENT\nTEXT_MESSAGE_END\nRUN_FINISHED\n",
    "2 messages, 1 channel\n",
];

/// What the first one writes.
const WRITTEN: &str = r#"{"history":[{"role":"assistant","items":[{"type":"text","text":"Hello!"},{"type":"hologram","x":1}]},{"role":"user","items":[{"type":"text","text":"Thanks!"}]}],"channels":[]}"#;

/// The program that tries every way to save, and the page about them.
const DOORS: &str = "tests/Chatstate.Doors";
const PAGE: &str = "docs/ways-to-save/dotnet.md";

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The program of the examples.
const EXAMPLE: &str = "samples/Example";

/// Where the project that uses the packed package looks for it.
const FEED: &str = r#"<configuration>
  <packageSources>
    <clear />
    <add key="feed" value="../../feed" />
  </packageSources>
  <config><add key="globalPackagesFolder" value="../../packages" /></config>
</configuration>
"#;

#[test]
fn types_behave_as_they_say() {
    let Some(bench) = Bench::new() else { return };
    for name in ["store-scenarios.json", "equality.json", "names.json"] {
        let data = fs::read_to_string(workspace().join("packages/testdata").join(name)).unwrap();
        write(&bench.path(name), &data);
    }
    let schema = workspace().join("tests/schemas/traps.schema.json");
    add_package(&bench, "tests/Traps", "traps", &schema);
    say(&bench.succeed("tests/Chatstate.Tests", &[]));
}

#[test]
fn the_examples_of_the_page_work() {
    let Some(bench) = Bench::new() else { return };
    for (name, text) in INPUTS {
        write(&bench.path(name), text);
    }
    let page = fs::read_to_string(bench.path("src/Chatstate/README.md")).unwrap();
    let examples: Vec<&str> = page.split("```csharp\n").skip(1).collect();
    assert_eq!(examples.len(), PRINTED.len());
    for (rest, printed) in examples.into_iter().zip(PRINTED) {
        let (example, _) = rest.split_once("```").unwrap();
        write(&bench.path(EXAMPLE).join("Program.cs"), example);
        let ran = bench.run(EXAMPLE);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), printed, "{said}");
    }
    let written = fs::read_to_string(bench.path("chat.json")).unwrap();
    assert_eq!(written, WRITTEN);
}

/// What a program that is trimmed or compiled ahead may lack is used by no member that does not say so.
const TRIMMING: &str = "tests/Chatstate.Trimming";

/// The programs that the drafts of the format show.
const DRAFTS: &str = "tests/Chatstate.Drafts";

/// The package is compiled once for all of these.
#[test]
fn programs_that_take_the_package_as_it_is_succeed() {
    let Some(bench) = Bench::new() else { return };
    for program in [TRIMMING, DRAFTS] {
        say(&bench.succeed(program, &[]));
    }
    check_ways_to_save(&bench);
}

/// Every way to save, over every public type, is as the page says, which has the table that the program prints. The
/// documents that a round trip keeps are kept by every serializer that takes any type.
fn check_ways_to_save(bench: &Bench) {
    let said = bench.succeed(DOORS, &[]);
    assert!(
        !is_required("newtonsoft") || !said.contains("NOT RUN"),
        "lane `newtonsoft` is required, but {said}"
    );
    say(&said);
    let table = bench.succeed(DOORS, &["--no-build", "--", "table"]);
    let page = fs::read_to_string(workspace().join(PAGE)).unwrap();
    assert!(
        page.contains(&table),
        "{PAGE} has another table than\n{table}"
    );
    let cases = workspace().join("corpus/round-trip");
    let cases = fs::canonicalize(cases).unwrap();
    let cases = ["--no-build", "--", "corpus", cases.to_str().unwrap()];
    say(&bench.succeed(DOORS, &cases));
}

/// A package for `NuGet` that a project takes from a folder. It takes what only the SDK has.
#[test]
fn the_packed_package_is_used_from_a_folder() {
    let Some(bench) = Bench::new() else { return };
    let sdks = Command::new("dotnet").arg("--list-sdks").output().unwrap();
    if sdks.stdout.trim_ascii().is_empty() {
        say("SKIPPED dotnet pack: the `dotnet` on this machine is no .NET SDK");
        return;
    }
    let example = bench.path(EXAMPLE);
    let project = fs::read_to_string(example.join("Example.csproj")).unwrap();
    let reference = r#"<PackageReference Include="Chatstate" Version="0.1.0" />"#;
    let packed = project.replace(
        r#"<ProjectReference Include="../../src/Chatstate/Chatstate.csproj" />"#,
        reference,
    );
    assert!(packed.contains(reference));
    write(&example.join("Example.csproj"), &packed);
    write(&example.join("nuget.config"), FEED);
    let program =
        "using Chatstate;\nSystem.Console.WriteLine(new EventStream().Compact().ToJson());\n";
    write(&example.join("Program.cs"), program);
    let mut pack = Command::new("dotnet");
    pack.args(["pack", "src/Chatstate", "-c", "Release", "-o", "feed"]);
    let ran = pack.current_dir(bench.path(".")).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    let ran = bench.run(EXAMPLE);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "[]\n", "{said}");
}

/// The laws over generated streams; `CHATSTATE_STREAMS` and `CHATSTATE_SEED` say which.
#[test]
fn laws_hold_over_generated_streams() {
    let Some(bench) = Bench::new() else { return };
    let setting = |name, default: &str| std::env::var(name).unwrap_or(default.to_owned());
    let (streams, seed) = (
        setting("CHATSTATE_STREAMS", "100"),
        setting("CHATSTATE_SEED", "1"),
    );
    let arguments = ["-c", "Release", "--", &streams, &seed];
    say(&bench.succeed("tests/Chatstate.Laws", &arguments));
}

#[test]
fn traps_compile_without_a_warning() {
    check_compiles(&workspace().join("tests/schemas/traps.schema.json"));
}

/// Tuples of all lengths, lists of what may be null, and other types in places where few have them.
#[test]
fn unusual_types_compile_without_a_warning() {
    check_compiles(&home().join("tests/unusual.schema.json"));
}

/// The package of a schema compiles, and plain declarations of its types do.
fn check_compiles(schema: &Path) {
    let Some(bench) = Bench::new() else { return };
    add_package(&bench, "others", "others", schema);
    let declared = generated(schema, "others", |ir, package| {
        DotnetGenerator.declarations(ir, package)
    });
    add_files(&bench, "declared", &declared);
    for (check, folder) in [("check", "others"), ("check-types", "declared")] {
        let tools = workspace().join("packages/dotnet/tools");
        let mut command = Command::new(tools.join(check));
        let checked = command.arg(bench.path(folder)).output().unwrap();
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{said}");
    }
}

#[test]
fn definitions_may_have_the_names_of_the_runtime() {
    check_definitions_compile(&["AllOfThem"], &schema_of(&words()));
}

/// Also those that a union has for its variants.
#[test]
fn unions_may_have_the_names_of_the_runtime() {
    let mut words = words();
    for variant in ["Boolean", "List", "Number", "Object", "Text", "First"] {
        words.extend([format!("As{variant}"), format!("Of{variant}")]);
    }
    let kinds = json!({"type": ["array", "boolean", "number", "object", "string"]});
    let mut definitions: serde_json::Map<_, _> = words
        .iter()
        .map(|word| (word.clone(), kinds.clone()))
        .collect();
    let object = |member: &str| json!({"type": "object", "required": [member], "properties": {member: {"type": "string"}}});
    definitions.insert("First".to_owned(), object("a"));
    definitions.insert("Second".to_owned(), object("b"));
    for name in ["AsFirst", "OfSecond"] {
        let either = json!({"anyOf": [{"$ref": "#/$defs/First"}, {"$ref": "#/$defs/Second"}]});
        definitions.insert(name.to_owned(), either);
    }
    check_definitions_compile(&[], &definitions);
}

/// A pattern of ten thousand values took the compiler a minute, one of 65,536 did not end.
#[test]
fn enumerations_of_many_values_compile() {
    let values: Vec<String> = (0..10_000).map(|value| format!("value-{value}")).collect();
    let numbers: Vec<u32> = (0..1_000).collect();
    let closed = json!({"type": "string", "enum": values});
    let definitions = json!({
        "Closed": closed,
        "Open": {"anyOf": [closed, {"type": "string"}]},
        "Numbers": {"type": "integer", "enum": numbers},
    });
    let serde_json::Value::Object(definitions) = definitions else {
        unreachable!("it is an object")
    };
    check_definitions_compile(&[], &definitions);
}

/// The name of the package is that of its root in most schemas: both are the title.
#[test]
fn a_root_is_found_by_its_name_alone() {
    let Some(bench) = Bench::new() else { return };
    let schema = bench.path("orders.schema.json");
    let text = json!({
        "$schema": DIALECT,
        "title": "Orders",
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
    });
    write(&schema, &text.to_string());
    add_package(&bench, "orders", "orders", &schema);
    let project = bench.path(EXAMPLE).join("Example.csproj");
    let text = fs::read_to_string(&project).unwrap();
    let text = text.replace("src/Chatstate/Chatstate.csproj", "orders/Orders.csproj");
    write(&project, &text);
    let program = "using Orders;\nvar read = OrdersType.FromJson(\"{\\\"lines\\\":[\\\"a\\\"]}\");\nSystem.Console.WriteLine(read.ToJson());\n";
    write(&bench.path(EXAMPLE).join("Program.cs"), program);
    let ran = bench.run(EXAMPLE);
    let said = String::from_utf8_lossy(&ran.stderr);
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(printed, "{\"lines\":[\"a\"]}\n", "{said}");
}

fn check_definitions_compile(
    roots: &[&str],
    definitions: &serde_json::Map<String, serde_json::Value>,
) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("names.schema.json");
    let mut schema = json!({"$schema": DIALECT, "$defs": definitions});
    if !roots.is_empty() {
        schema["x-roots"] = json!(roots);
    }
    write(&path, &schema.to_string());
    check_compiles(&path);
}

/// Every word with a capital letter in the files that are written by hand.
fn words() -> BTreeSet<String> {
    let word = Regex::new(r"\b[A-Z][A-Za-z0-9]*\b").unwrap();
    let runtime = workspace().join("packages/dotnet/src/Chatstate/Runtime");
    let folders = [runtime, home().join("templates")];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path());
    // What is written for people has words of its own.
    let code = files
        .filter(|path| !path.ends_with("README.md.hbs") && !path.ends_with("project.csproj.hbs"));
    let texts = code.map(|path| fs::read_to_string(path).unwrap());
    // Of two that are one name, the later one counts, such as `Json`.
    let mut words = BTreeMap::new();
    for text in texts {
        let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
        let found = lines.flat_map(|line| word.find_iter(line));
        words.extend(found.map(|found| (found.as_str().to_lowercase(), found.as_str().to_owned())));
    }
    assert!(words.len() > 200, "there are only {} words", words.len());
    words.into_values().collect()
}

/// Definitions in which each word is a definition, a member, one beside a text with a format, and a
/// value of an enumeration.
fn schema_of(words: &BTreeSet<String>) -> serde_json::Map<String, serde_json::Value> {
    let one = json!({"type": "object", "properties": {"value": {"type": "string"}}});
    let all = words
        .iter()
        .map(|word| (word.clone(), json!({"$ref": format!("#/$defs/{word}")})));
    let all: serde_json::Map<_, _> = all.collect();
    let definitions = words.iter().map(|word| (word.clone(), one.clone()));
    let mut definitions: serde_json::Map<_, _> = definitions.collect();
    definitions.insert(
        "AllOfThem".to_owned(),
        json!({"type": "object", "properties": all}),
    );
    let texts = words
        .iter()
        .map(|word| (word.clone(), json!({"type": "string"})));
    let mut texts: serde_json::Map<_, _> = texts.collect();
    texts.insert(
        "moment".to_owned(),
        json!({"type": "string", "format": "date-time"}),
    );
    let texts = json!({"type": "object", "properties": texts});
    let closed = json!({"type": "string", "enum": words});
    let open = json!({"anyOf": [closed, {"type": "string"}]});
    for (name, schema) in [
        ("AllTexts", texts),
        ("AllValues", closed),
        ("AllOpenValues", open),
    ] {
        definitions.insert(name.to_owned(), schema);
    }
    definitions
}

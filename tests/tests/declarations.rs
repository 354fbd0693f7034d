//! `chatstate generate --only types`: plain declarations, which compile alone in every language.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::document::Document;
use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{FinishedProgram, chatstate, finish};
use chatstate_tests::workspace;
use serde_json::Value;

/// The schemas that are declared beside chatstate's own.
const SCHEMAS: &[&str] = &[
    "generators/dotnet/tests/unusual.schema.json",
    "generators/rust/tests/schema/obstacles.schema.json",
    "tests/schemas/choices.schema.json",
    "tests/schemas/conditions.schema.json",
    "tests/schemas/forms.schema.json",
    "tests/schemas/traps.schema.json",
];

/// The file of each language. In Python it is called as the package is: `types` is a module of Python.
const FILES: [&str; 4] = [
    "dotnet/Types.cs",
    "python/small.py",
    "rust/types.rs",
    "typescript/types.ts",
];

/// A schema with a pattern that no engine but those of JavaScript and .NET knows, and that these need
/// too long for: what is not checked needs no engine.
const SMALL: &str = r#"{"title": "Small", "type": "object", "properties": {"text": {"type": "string", "pattern": "^(?!x)(a+)+$"}}}"#;

/// The declarations of a schema in a folder; without one, of chatstate's own.
fn declare(language: &str, schema: Option<&Path>, name: &str, out: &Path) -> FinishedProgram {
    let out = out.display().to_string();
    let mut arguments = vec!["generate", language, "--only", "types"];
    arguments.extend(["--name", name, "--out", &out]);
    let schema = schema.map(|path| path.display().to_string());
    if let Some(schema) = &schema {
        arguments.extend(["--schema", schema]);
    }
    chatstate(&arguments, b"")
}

/// Compilers and checkers judge the declarations of all schemas.
fn check(language: &LanguagePackage) {
    if !language.has_toolchain() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    let schemas = SCHEMAS.iter().map(|schema| Some(workspace::path(schema)));
    for (number, schema) in schemas.chain([None]).enumerate() {
        let name = format!("declared-{number}");
        let out = folder.path().join(&name);
        let declared = declare(language.language, schema.as_deref(), &name, &out);
        assert_eq!(declared.code, 0, "{schema:?}: {}", declared.stderr);
        outputs.push(out);
    }
    let checked = judged(language, &outputs);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

/// What compilers and checkers say of declarations.
fn judged(language: &LanguagePackage, folders: &[PathBuf]) -> FinishedProgram {
    let mut command = Command::new(workspace::path(language.check_types));
    command.args(folders);
    finish(command, b"")
}

#[test]
fn declarations_compile_in_rust() {
    check(&RUST);
}

#[test]
fn declarations_compile_in_python() {
    check(&PYTHON);
}

#[test]
fn declarations_compile_in_typescript() {
    check(&TYPESCRIPT);
}

#[test]
fn declarations_compile_in_dotnet() {
    check(&DOTNET);
}

/// A closed union.
const FRAMES: &str = r##"{
  "title": "Frames",
  "$defs": {
    "Frame": {"anyOf": [{"$ref": "#/$defs/Open"}, {"$ref": "#/$defs/Close"}]},
    "Open": {"type": "object", "properties": {"op": {"const": "open"}, "depth": {"type": "integer"}}, "required": ["op", "depth"]},
    "Close": {"type": "object", "properties": {"op": {"const": "close"}, "reason": {"type": "string"}}, "required": ["op"]}
  }
}"##;

/// Code that uses it: each variant has its own members, and there is no third one. One member is there,
/// and the other may be absent.
struct UsedUnion {
    language: &'static LanguagePackage,
    file: &'static str,
    code: &'static str,
    /// What is right in it, and what is wrong in its place: a name, a value of another kind, a member that
    /// is not there, a variant that no union has.
    wrong: [(&'static str, &'static str); 4],
}

const OF_FRAMES: [UsedUnion; 4] = [
    UsedUnion {
        language: &TYPESCRIPT,
        file: "types.ts",
        code: r#"
export function told(frame: Frame): string {
  switch (frame.op) {
    case "open":
      return frame.depth.toFixed();
    case "close":
      return frame.reason ?? "";
  }
}

export const open: Frame = { "op": "open", "depth": 1 };
export const close: Frame = { "op": "close" };
"#,
        wrong: [
            ("reason", "cause"),
            (r#""depth": 1"#, r#""depth": "1""#),
            (r#", "depth": 1"#, ""),
            (r#""op": "close""#, r#""op": "shut""#),
        ],
    },
    UsedUnion {
        language: &PYTHON,
        file: "frames.py",
        code: r#"

def told(frame: Frame) -> str:
    if frame["op"] == "open":
        return str(frame["depth"])
    return frame.get("reason", "")


open_one: Frame = {"op": "open", "depth": 1}
close_one: Frame = {"op": "close"}
"#,
        wrong: [
            ("reason", "cause"),
            (r#""depth": 1"#, r#""depth": "1""#),
            (r#", "depth": 1"#, ""),
            (r#""op": "close""#, r#""op": "shut""#),
        ],
    },
    UsedUnion {
        language: &RUST,
        file: "types.rs",
        code: r"
pub fn told(frame: &Frame) -> String {
    match frame {
        Frame::Open(open) => open.depth.to_string(),
        Frame::Close(close) => close.reason.clone().unwrap_or_default(),
    }
}

pub fn all() -> [Frame; 2] {
    [
        Frame::Open(Open { depth: 1, extra: serde_json::Map::new() }),
        Frame::Close(Close { reason: None, ..Close::default() }),
    ]
}
",
        wrong: [
            ("reason", "cause"),
            ("depth: 1", "depth: \"1\""),
            ("depth: 1, ", ""),
            ("Frame::Close", "Frame::Shut"),
        ],
    },
    UsedUnion {
        language: &DOTNET,
        file: "Types.cs",
        code: r#"
internal static class Use
{
    internal static string Told(Frame frame) => frame switch
    {
        Open open => $"{open.Op} {open.Depth + 1L}",
        Close close => close.Reason ?? "",
        _ => "",
    };

    internal static Frame[] All => [new Open { Depth = 1 }, new Close()];
}
"#,
        wrong: [
            ("Reason", "Cause"),
            ("Depth = 1", "Depth = \"1\""),
            ("new Open { Depth = 1 }", "new Open()"),
            ("new Close()", "new Shut()"),
        ],
    },
];

#[test]
fn unions_are_told_apart_by_their_discriminator() {
    for used in OF_FRAMES {
        if used.language.has_toolchain() {
            check_use(&used);
        }
    }
}

fn check_use(used: &UsedUnion) {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("frames.json");
    std::fs::write(&schema, FRAMES).unwrap();
    let out = folder.path().join("out");
    let declared = declare(used.language.language, Some(&schema), "frames", &out);
    assert_eq!(declared.code, 0, "{}", declared.stderr);
    let file = out.join(used.file);
    let text = std::fs::read_to_string(&file).unwrap();
    let check = |right: bool, code: &str| {
        std::fs::write(&file, format!("{text}{code}")).unwrap();
        let checked = judged(used.language, std::slice::from_ref(&out));
        let said = format!("{code}{}{}", checked.stdout, checked.stderr);
        assert_eq!(checked.code == 0, right, "{said}");
    };
    check(true, used.code);
    for (right, wrong) in used.wrong {
        assert!(used.code.contains(right), "{right}");
        check(false, &used.code.replace(right, wrong));
    }
}

/// A template of the user's prints declarations, too, and what it has is in the schema of views.
#[test]
fn templates_print_declarations() {
    let schema = workspace::text("schema/kit/view.schema.json");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let views = jsonschema::validator_for(&schema).unwrap();
    for (language, template) in [
        ("dotnet", "declarations.cs"),
        ("python", "module.py"),
        ("typescript", "declarations.ts"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let mine = path("mine");
        let templates = chatstate(&["generate", "templates", language, "--out", &mine], b"");
        assert_eq!(templates.code, 0, "{}", templates.stderr);
        let file = format!("{mine}/{language}/{template}.hbs");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(
            &file,
            text + "MARK {{#each header.schemas}}{{name}} {{/each}}\n",
        )
        .unwrap();
        let out = path("out");
        let words = [
            "generate",
            language,
            "--only",
            "types",
            "--templates",
            &mine,
        ];
        let printed = chatstate(&[&words[..], &["--out", &out]].concat(), b"");
        assert_eq!(printed.code, 0, "{}", printed.stderr);
        let written = written(Path::new(&out));
        let texts = written
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap());
        let marked = "MARK chat-state.schema.json event.schema.json session.schema.json \n";
        assert_eq!(
            texts.filter(|text| text.contains(marked)).count(),
            1,
            "{language}"
        );
        let view = chatstate(&[&words[..4], &["--emit", "view"]].concat(), b"");
        assert_eq!(view.code, 0, "{}", view.stderr);
        let view: Value = serde_json::from_str(&view.stdout).unwrap();
        assert_eq!(view[0]["template"], template);
        assert!(views.is_valid(&view), "{language}");
    }
}

fn written(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(written(&path));
        } else {
            found.insert(path);
        }
    }
    found
}

/// One file for each language, and the lock file. A package that was there is gone.
#[test]
fn nothing_but_declarations_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("small.json");
    std::fs::write(&schema, SMALL.replace("(?!x)", "")).unwrap();
    let out = folder.path().join("out");
    let name = schema.display().to_string();
    let place = out.display().to_string();
    let package = ["generate", "all", "--schema", &name, "--out", &place];
    let package = chatstate(&package, b"");
    assert_eq!(package.code, 0, "{}", package.stderr);
    std::fs::write(&schema, SMALL).unwrap();
    let declared = declare("all", Some(&schema), "small", &out);
    assert_eq!((declared.code, declared.stderr.as_str()), (0, ""));
    let expected = FILES.iter().chain(&["chatstate.lock"]);
    let expected: BTreeSet<PathBuf> = expected.map(|path| out.join(path)).collect();
    assert_eq!(written(&out), expected);
}

/// The command of a comparison is the one that was called.
#[test]
fn a_comparison_names_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let words = [
        "generate", "rust", "--only", "types", "--out", &out, "--check",
    ];
    let compared = chatstate(&words, b"");
    assert_eq!(compared.code, 1);
    assert!(
        compared.stderr.contains("`types.rs` is missing")
            && compared.stderr.contains("--only types"),
        "{}",
        compared.stderr
    );
}

/// The page about generators has a schema, its declarations in all languages, and the command.
#[test]
fn the_page_shows_what_is_written() {
    let page = Document::read("docs/generators.md");
    let block = |language: &str, word: &str| {
        let blocks = page.blocks(language);
        let mut blocks = blocks.into_iter().filter(|block| block.contains(word));
        let found = blocks.next();
        found
            .unwrap_or_else(|| panic!("no block of {language} has `{word}`"))
            .to_owned()
    };
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("shop.json");
    std::fs::write(&schema, block("json", "\"Shop\"")).unwrap();
    let shown = block("sh", "--only types");
    let out = folder.path().join("shop");
    let (schema, folder) = (schema.display().to_string(), out.display().to_string());
    let words = shown.split_whitespace().skip(1).map(|word| match word {
        "shop.json" => schema.as_str(),
        "shop" => folder.as_str(),
        word => word,
    });
    let written = chatstate(&words.collect::<Vec<_>>(), b"");
    assert_eq!(written.code, 0, "{}", written.stderr);
    for (language, file) in [
        ("csharp", "dotnet/Types.cs"),
        ("python", "python/shop.py"),
        ("rust", "rust/types.rs"),
        ("typescript", "typescript/types.ts"),
    ] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        let shown = block(language, "What is ordered.");
        assert!(
            text.ends_with(&shown),
            "the page has another `{file}` than\n{text}"
        );
    }
}

/// Every definition has a declaration; in C#, names of types that it has need none.
#[test]
fn every_definition_is_declared() {
    let model = chatstate(&["generate", "--emit", "ir"], b"");
    let model: Value = serde_json::from_str(&model.stdout).unwrap();
    let definitions = model["definitions"].as_object().unwrap();
    assert!(definitions.len() > 100, "only {}", definitions.len());
    for (language, begins) in [
        ("dotnet", &["class ", "struct "][..]),
        ("python", &["class ", "\n"]),
        ("rust", &["pub struct ", "pub enum ", "pub type "]),
        ("typescript", &["export interface ", "export type "]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let declared = declare(language, None, "chatstate", folder.path());
        assert_eq!(declared.code, 0, "{}", declared.stderr);
        let file = written(folder.path());
        let file = file.iter().find(|path| !path.ends_with("chatstate.lock"));
        let text = std::fs::read_to_string(file.unwrap()).unwrap();
        let is_declared = |name: &&String| {
            let ends = [" ", ":", "(", "\n", ";"];
            let found = |begin: &&str| {
                ends.iter()
                    .any(|end| text.contains(&format!("{begin}{name}{end}")))
            };
            begins.iter().any(found)
        };
        let is_inline = |name: &&String| {
            let alias = &definitions[*name]["kind"]["alias"];
            language == "dotnet"
                && !alias.is_null()
                && alias["list"].is_null()
                && alias["map"].is_null()
        };
        let missing = definitions
            .keys()
            .filter(|name| !is_declared(name) && !is_inline(name));
        assert_eq!(
            missing.collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{language}"
        );
    }
}

/// What is about a package has no meaning without one.
#[test]
fn options_of_packages_are_rejected() {
    let check = |words: &[&str], said: &str| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let place = out.display().to_string();
        let words = [&["generate", "--only", "types", "--out", &place], words].concat();
        let finished = chatstate(&words, b"");
        assert_eq!(finished.code, 2, "{words:?}");
        assert!(finished.stderr.contains(said), "{}", finished.stderr);
        assert!(!out.exists(), "{words:?}");
    };
    let conflict = |other: &str| format!("'--only <WHAT>' cannot be used with '{other}'");
    check(
        &["rust", "--runtime", "vendored"],
        &conflict("--runtime <HOW>"),
    );
    check(
        &["rust", "--license", "MIT"],
        &conflict("--license <EXPRESSION>"),
    );
    check(
        &["rust", "--description", "d"],
        &conflict("--description <TEXT>"),
    );
    check(
        &["rust", "--repository", "r"],
        &conflict("--repository <URL>"),
    );
    check(&["adapter", "python"], "`adapter` makes none");
    check(&["templates", "python"], "`templates` makes none");
    check(&["--emit", "ir"], "`--emit ir` makes none");
    let other = chatstate(
        &["generate", "rust", "--only", "values", "--out", "never"],
        b"",
    );
    assert_eq!(other.code, 2);
    let said = "`values` is no value of `--only <WHAT>`";
    assert!(other.stderr.contains(said), "{}", other.stderr);
}

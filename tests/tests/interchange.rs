//! A chat that one SDK has saved is loaded by another: each SDK's own code writes and reads, and what
//! is lost on the way is exactly what is listed here.

use std::process::Command;

use chatstate_tests::program::{chatstate, finish};
use chatstate_tests::samples::{self, Sample};
use chatstate_tests::sdk::{AGENT_FRAMEWORK, SEMANTIC_KERNEL, Sdk};
use serde::Deserialize;
use serde_json::value::RawValue;
use tempfile::TempDir;

/// The name of a loss and its place.
type Loss = (&'static str, &'static str);

/// A chat on its way to another SDK and back.
struct Journey {
    /// A sample that the first SDK makes.
    sample: &'static str,
    /// What the other SDK cannot keep.
    there: &'static [Loss],
    /// What the first SDK cannot keep of what the other one saved.
    back: &'static [Loss],
}

/// The session is the other SDK's own, and it needs a name.
const NEW_SESSION: Loss = ("made-up", "");
const OLD_SESSION: Loss = ("member", "/session_id");

const FROM_SEMANTIC_KERNEL: &[Journey] = &[
    Journey {
        sample: "plain",
        there: &[NEW_SESSION, ("member", "/messages/2/ai_model_id")],
        back: &[OLD_SESSION],
    },
    Journey {
        sample: "unicode",
        there: &[NEW_SESSION],
        back: &[OLD_SESSION],
    },
    Journey {
        sample: "tools",
        there: &[
            NEW_SESSION,
            ("member", "/messages/0/finish_reason"),
            ("member", "/messages/0/items/0/index"),
            ("form", "/messages/0/items/0/plugin_name"),
            ("form", "/messages/0/items/1/plugin_name"),
            ("member", "/messages/0/status"),
            ("member", "/messages/3/items/0/encoding"),
            ("member", "/messages/4/finish_reason"),
        ],
        back: &[OLD_SESSION],
    },
    Journey {
        sample: "numbers",
        there: &[NEW_SESSION],
        back: &[OLD_SESSION],
    },
    Journey {
        sample: "reasoning",
        there: &[
            NEW_SESSION,
            ("member", "/messages/0/finish_reason"),
            ("member", "/messages/0/status"),
        ],
        back: &[OLD_SESSION],
    },
];

const FROM_AGENT_FRAMEWORK: &[Journey] = &[
    Journey {
        sample: "session-unicode",
        there: &[OLD_SESSION],
        back: &[NEW_SESSION],
    },
    Journey {
        sample: "session-tools",
        there: &[
            OLD_SESSION,
            ("member", "/state/in_memory/messages/0/contents/1/status"),
            ("member", "/state/in_memory/messages/0/contents/2/exception"),
            ("member", "/state/in_memory/messages/0/contents/3/hosted"),
            (
                "member",
                "/state/in_memory/messages/0/contents/3/informational_only",
            ),
            (
                "member",
                "/state/in_memory/messages/0/contents/3/server_name",
            ),
            ("member", "/state/in_memory/messages/3/contents/0/exception"),
            ("made-up", "/state/in_memory/messages/4/contents/0"),
            ("foreign", "/state/in_memory/messages/4/contents/0/items"),
        ],
        back: &[NEW_SESSION, ("member", "/messages/4/items/0/function_name")],
    },
];

#[test]
fn semantic_kernel_to_the_agent_framework_and_back() {
    check(&SEMANTIC_KERNEL, &AGENT_FRAMEWORK, FROM_SEMANTIC_KERNEL);
}

#[test]
fn the_agent_framework_to_semantic_kernel_and_back() {
    check(&AGENT_FRAMEWORK, &SEMANTIC_KERNEL, FROM_AGENT_FRAMEWORK);
}

/// What the .NET SDKs saved, and the SDK for Python that is to read it.
const FROM_DOTNET: [(&str, &Sdk, &str); 2] = [
    ("agent-framework-dotnet", &AGENT_FRAMEWORK, "session"),
    ("semantic-kernel-dotnet", &SEMANTIC_KERNEL, "history"),
];

#[test]
fn what_was_saved_in_dotnet_is_read_in_python() {
    for (dialect, sdk, kind) in FROM_DOTNET {
        if !sdk.can_run() {
            continue;
        }
        let comes_home = |it: &Sample| it.dialect == dialect && it.exception().is_none();
        let saved = samples::all().into_iter().filter(comes_home);
        let written: Vec<_> = saved.filter_map(|it| as_python(&it, sdk, kind)).collect();
        assert!(written.len() > 20, "{dialect}: {}", written.len());
        let again = ask(sdk, &["again"], &written);
        assert_eq!(again.lines().count(), written.len(), "{dialect}: {again}");
    }
}

/// A sample as a document of an SDK for Python, with what it loses. Nothing if the SDK has no kind of
/// document for it.
fn as_python(sample: &Sample, sdk: &Sdk, kind: &str) -> Option<String> {
    let fixed = ["convert", "--from", &sample.dialect, "--to", sdk.name];
    let flags = ["--allow-loss", "--document", kind];
    let finished = chatstate(
        &[fixed.as_slice(), &flags].concat(),
        sample.text().as_bytes(),
    );
    if finished.stderr.contains("has no kind of document") {
        return None;
    }
    assert_eq!(finished.code, 0, "{}: {}", sample.file, finished.stderr);
    Some(finished.stdout.trim_end().to_owned())
}

fn check(from: &Sdk, to: &Sdk, journeys: &[Journey]) {
    if !from.can_run() || !to.can_run() {
        return;
    }
    let samples = TempDir::new().unwrap();
    let folder = samples.path().to_str().unwrap();
    ask(from, &["write", folder], &[]);
    let text = |journey: &Journey| {
        let file = samples.path().join(format!("{}.json", journey.sample));
        std::fs::read_to_string(file).unwrap()
    };
    let texts: Vec<_> = journeys.iter().map(text).collect();
    let said = ask(from, &["tell"], &texts);
    let there = convert_all(from, to, &texts, journeys, |it| it.there);
    assert_eq!(ask(to, &["tell"], &there), said, "there");
    let saved = ask(to, &["again"], &there);
    let saved: Vec<String> = saved
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let back = convert_all(to, from, &saved, journeys, |it| it.back);
    assert_eq!(ask(from, &["tell"], &back), said, "back");
}

/// Has an SDK do something with its own code, with all documents at once: starting it takes long.
fn ask(sdk: &Sdk, arguments: &[&str], documents: &[String]) -> String {
    let mut command = Command::new(sdk.adapter());
    command.arg("samples.py").args(arguments);
    let line = |text: &String| serde_json::to_string(text).unwrap() + "\n";
    let stdin: String = documents.iter().map(line).collect();
    let finished = finish(command, stdin.as_bytes());
    assert_eq!(finished.code, 0, "{}: {}", sdk.name, finished.stderr);
    finished.stdout
}

fn convert_all(
    from: &Sdk,
    to: &Sdk,
    texts: &[String],
    journeys: &[Journey],
    losses: fn(&Journey) -> &'static [Loss],
) -> Vec<String> {
    assert_eq!(texts.len(), journeys.len());
    let pairs = texts.iter().zip(journeys);
    let converted =
        pairs.map(|(text, journey)| convert(from, to, text, losses(journey), journey.sample));
    converted.collect()
}

/// What `chatstate convert --json` prints. The document is kept as it is, with its big numbers.
#[derive(Deserialize)]
struct Converted {
    document: Box<RawValue>,
    losses: Vec<Lost>,
}

#[derive(Deserialize)]
struct Lost {
    class: String,
    at: String,
}

/// Converts a document, and holds what is lost against a list.
fn convert(from: &Sdk, to: &Sdk, text: &str, losses: &[Loss], name: &str) -> String {
    let kind: &[&str] = match to.name {
        "agent-framework-python" => &["--document", "session"],
        _ => &[],
    };
    let fixed = ["convert", "--from", from.name, "--to", to.name, "--json"];
    let finished = chatstate(&[&fixed, kind].concat(), text.as_bytes());
    let converted: Converted = serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}: {}", finished.stderr));
    let found = converted.losses.iter();
    let found: Vec<_> = found.map(|it| (&*it.class, &*it.at)).collect();
    assert_eq!(found, losses, "{name} from {} to {}", from.name, to.name);
    assert_eq!(finished.code, i32::from(!losses.is_empty()), "{name}");
    converted.document.get().to_owned()
}

//! Conversions between every two dialects, of every sample: what is not told is not lost.

use chatstate::Rejection;
use chatstate::dialect::{CANONICAL, Conversion, DIALECTS, convert, convert_bytes, names, same};
use chatstate::json::{Value, parse};
use chatstate_tests::program::chatstate;
use chatstate_tests::samples::{self, Sample, SampleOutcome};

/// Formats that are recognised and rejected, each with what it is called.
const STRANGERS: [(&str, &str); 14] = [
    (
        "agent-framework-checkpoint",
        r#"{"workflow_name":"w","checkpoint_id":"c","messages":{},"state":{}}"#,
    ),
    (
        "durable-agent-state",
        r#"{"schemaVersion":"1.1.0","data":{"conversationHistory":[]}}"#,
    ),
    (
        "agent-framework-updates",
        r#"[{"agentId":"a","contents":[]}]"#,
    ),
    ("agent-framework-go", r#"{"State":{},"ServiceID":""}"#),
    (
        "langchain-messages",
        r#"[{"type":"human","data":{"content":"hi"}}]"#,
    ),
    (
        "langchain-objects",
        r#"[{"lc":1,"type":"constructor","id":["langchain","HumanMessage"],"kwargs":{}}]"#,
    ),
    (
        "langgraph-checkpoint",
        r#"{"v":4,"channel_values":{},"channel_versions":{}}"#,
    ),
    (
        "semantic-kernel-updates",
        r#"{"Content":"part","Role":{"Label":"assistant"},"ChoiceIndex":0,"Metadata":null}"#,
    ),
    (
        "openai-agents-run-state",
        r#"{"$schemaVersion":"1.22","currentAgent":{"name":"a"}}"#,
    ),
    (
        "openai-chat-messages",
        r#"[{"role":"user","content":"hi"}]"#,
    ),
    ("pydantic-ai-messages", r#"[{"kind":"request","parts":[]}]"#),
    (
        "vercel-ai-messages",
        r#"[{"id":"1","role":"user","parts":[]}]"#,
    ),
    (
        "ag-ui-events",
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"}]"#,
    ),
    (
        "autogen-state",
        r#"{"type":"TeamState","version":"1.0.0","agent_states":{}}"#,
    ),
];

/// Every sample that is read, with its dialect and its file.
fn samples() -> Vec<(String, String, Value)> {
    let is_read = |sample: &Sample| match sample.exception().map(|it| it.ends) {
        None | Some(SampleOutcome::Changed(_)) => true,
        Some(SampleOutcome::Rejected(..) | SampleOutcome::NotWritten(_)) => false,
    };
    let read = samples::all().into_iter().filter(is_read);
    let parsed = |sample: Sample| {
        let document = parse(&sample.text()).unwrap();
        (sample.dialect, sample.file, document)
    };
    read.map(parsed).collect()
}

fn converted(document: &Value, from: &str, to: &str) -> Result<Conversion, Rejection> {
    convert(document.clone(), from, to).unwrap_or_else(|| panic!("no `{from}` or no `{to}`"))
}

/// A sample in another dialect is a document of that dialect; what that says comes back from it
/// without loss; and if nothing was lost on the way, nothing is missing when it comes home.
#[track_caller]
fn check(from: &str, file: &str, document: &Value, to: &str) -> bool {
    let there = match converted(document, from, to) {
        Ok(there) => there,
        Err(rejection) => {
            assert_eq!(
                rejection.rule, "convert.document",
                "{file} to `{to}`: {rejection}"
            );
            return false;
        }
    };
    let again = converted(&there.document, to, CANONICAL)
        .and_then(|canonical| converted(&canonical.document, CANONICAL, to))
        .unwrap_or_else(|rejection| panic!("{file} in `{to}` is no document: {rejection}"));
    assert_eq!(again.losses, [], "{file} in `{to}` loses more");
    if !there.losses.is_empty() {
        return false;
    }
    let dialect = chatstate::dialect::dialect(from).unwrap();
    let mut kinds = dialect.documents.iter();
    let kind = kinds
        .find(|kind| (kind.matches)(document))
        .map(|kind| kind.name);
    let text = there.document.to_json();
    let home = convert_bytes(text.as_bytes(), to, from, kind)
        .unwrap()
        .unwrap_or_else(|rejection| panic!("{file} from `{to}`: {rejection}"));
    assert!(
        home.losses.is_empty() && same(dialect, document, &home.document),
        "{file} was in `{to}` without a loss, and came home as {} with {:?}",
        home.document.to_json(),
        home.losses,
    );
    true
}

#[test]
fn what_is_not_told_is_not_lost() {
    let mut exact = 0;
    let mut lossy = 0;
    for (from, file, document) in samples() {
        for to in DIALECTS.iter().filter(|to| to.name != from) {
            if check(&from, &file, &document, to.name) {
                exact += 1;
            } else {
                lossy += 1;
            }
        }
    }
    // A law that is never asked, or asked of nothing but losses, says nothing.
    assert!(exact > 0 && lossy > 0, "{exact} exact, {lossy} lossy");
}

/// The canonical session has the members of the .NET one, so that a session without messages is both.
const ALSO_CANONICAL: &str = "agent-framework-dotnet";

#[test]
fn a_document_is_rejected_as_one_of_another_dialect() {
    let mut both = 0;
    // An empty list is a history without messages, and a list without sessions.
    let is_told = |document: &Value| *document != Vec::new().into();
    let told = samples().into_iter().filter(|(.., it)| is_told(it));
    for (from, file, document) in told {
        for to in names().filter(|to| *to != from) {
            match converted(&document, to, CANONICAL) {
                Err(it) => assert_eq!(it.class.as_str(), "schema", "{file} as `{to}`: {it}"),
                Ok(_) if to == CANONICAL && from == ALSO_CANONICAL => both += 1,
                Ok(_) => panic!("{file} is read as `{to}`"),
            }
        }
    }
    assert!(
        both > 0,
        "`{ALSO_CANONICAL}` is told from `{CANONICAL}` now"
    );
}

#[test]
fn strangers_are_called_by_their_names() {
    for (name, text) in STRANGERS {
        for dialect in names() {
            let Err(rejection) = converted(&parse(text).unwrap(), dialect, CANONICAL) else {
                panic!("`{name}` is read as `{dialect}`");
            };
            assert_eq!(rejection.rule, "convert.dialect", "{rejection}");
            assert!(
                rejection.message.contains(&format!("looks like `{name}`")),
                "as `{dialect}`: {rejection}"
            );
        }
    }
}

const HISTORY: &str = r#"{"messages":[{"content_type":"message","role":"user","status":"failed","items":[{"content_type":"text","text":"hi"}]}]}"#;

/// What the program prints, says and answers.
#[track_caller]
fn check_program(flags: &[&str], input: &str, code: i32, prints: &str, says: &str) {
    let ran = chatstate(&[&["convert"], flags].concat(), input.as_bytes());
    assert_eq!(ran.code, code, "{flags:?}: {}", ran.stderr);
    assert_eq!(ran.stdout.trim_end(), prints, "{flags:?}");
    assert!(ran.stderr.contains(says), "{flags:?}: {}", ran.stderr);
}

#[test]
fn the_program_converts() {
    let to_dotnet = [
        "--from",
        "semantic-kernel-python",
        "--to",
        "semantic-kernel-dotnet",
    ];
    let dotnet = r#"[{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"hi"}]}]"#;
    let lost = "lost (member): a message of this SDK has no status, at `/messages/0/status`";
    check_program(&to_dotnet, HISTORY, 1, dotnet, lost);
    check_program(
        &[&to_dotnet[..], &["--allow-loss"]].concat(),
        HISTORY,
        0,
        dotnet,
        lost,
    );
    let json = format!(
        r#"{{"document":{dotnet},"losses":[{{"class":"member","at":"/messages/0/status","why":"a message of this SDK has no status"}}]}}"#
    );
    check_program(
        &[&to_dotnet[..], &["--json"]].concat(),
        HISTORY,
        1,
        &json,
        "",
    );
    let to_canonical = ["--from", "semantic-kernel-dotnet", "--to", "canonical"];
    let marked = format!("\u{feff}{dotnet}");
    let canonical =
        r#"{"history":[{"role":"user","items":[{"type":"text","text":"hi"}]}],"channels":[]}"#;
    check_program(&to_canonical, &marked, 0, canonical, "");
}

#[test]
fn the_program_rejects() {
    let from = |name| ["--from", name, "--to", "canonical"];
    check_program(
        &from("semantic-kernel-dotnet"),
        HISTORY,
        1,
        "",
        "this looks like `semantic-kernel-python`, not `semantic-kernel-dotnet`",
    );
    check_program(
        &from("semantic-kernel"),
        HISTORY,
        2,
        "",
        "semantic-kernel-python",
    );
    for log in ["ag-ui-draft", "ag-ui-0.0.x"] {
        check_program(&from(log), "[]", 2, "", "only written as `ag-ui`");
    }
    check_program(
        &[
            "--from",
            "canonical",
            "--to",
            "semantic-kernel-python",
            "--document",
            "session",
        ],
        r#"{"history":[],"channels":[]}"#,
        1,
        "",
        "has no kind of document `session`",
    );
}

/// A chat of Semantic Kernel whose channel keeps its history, and the agent that restores it.
const CHAT: &str = r#"{"Participants":[{"Id":"a","Type":"ChatCompletionAgent"}],"History":[{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"hi"}]}],"Channels":[{"ChannelKey":"Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=","ChannelType":"ChatHistoryChannel","ChannelState":[{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"hi"}]}]}]}"#;
const AGENTS: &str = r#"{"target":{"agents":[{"id":"a","type":"ChatCompletionAgent","channelkeys":["Microsoft.SemanticKernel.Agents.ChatHistoryChannel"],"channel":"history"}]}}"#;

#[test]
fn a_converted_chat_is_restored() {
    let to_canonical = [
        "convert",
        "--from",
        "semantic-kernel-dotnet",
        "--to",
        "canonical",
    ];
    let canonical = chatstate(&to_canonical, CHAT.as_bytes());
    assert_eq!(canonical.code, 0, "{}", canonical.stderr);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target.json");
    std::fs::write(&target, AGENTS).unwrap();
    let target = target.display().to_string();
    let restored = chatstate(
        &["restore", "--target", &target],
        canonical.stdout.as_bytes(),
    );
    assert_eq!(restored.code, 0, "{}", restored.stderr);
}

//! What the helps show beside the options: the verbs in groups, and examples.

use chatstate::generated::ROOT_NAMES;
use clap::Command;
use std::fmt::Write;

/// The verbs by what they are for. A verb that can be seen is in one of them, which a test checks.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Test an SDK",
        &[
            "new", "test", "expect", "report", "interop", "fuzz", "explain",
        ],
    ),
    (
        "Logs of events",
        &["verify", "replay", "compact", "attach", "lineage"],
    ),
    (
        "Documents",
        &[
            "validate",
            "canonicalize",
            "diff",
            "convert",
            "restore",
            "encode",
            "decode",
            "seal",
            "unseal",
        ],
    ),
    ("Code", &["generate"]),
    (
        "The corpus of cases",
        &["list", "show", "copy", "lint", "selftest"],
    ),
    ("This program", &["completions", "man"]),
];

/// What a verb is used for, and the command. A test runs each of them.
type Example = (&'static str, &'static str);

const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "new",
        &[
            (
                "an adapter, in which you call your SDK",
                "chatstate new adapter python --out my-adapter",
            ),
            (
                "a case of your own",
                "chatstate new case round-trip/one --op round-trip --type ChatState",
            ),
        ],
    ),
    (
        "test",
        &[
            (
                "with cases of your own beside the corpus",
                "chatstate test --corpus my-cases -- python3 adapter.py",
            ),
            (
                "show what fails",
                "chatstate test --suite round-trip -- python3 adapter.py",
            ),
            (
                "write a page",
                "chatstate test --report html=run.html -- python3 adapter.py",
            ),
            (
                "run conformance data of AG-UI",
                "chatstate test --fixtures hello.json -- python3 adapter.py",
            ),
        ],
    ),
    (
        "fuzz",
        &[
            (
                "look for what no case has",
                "chatstate fuzz --op replay --cases 50 -- python3 adapter.py",
            ),
            (
                "hold an SDK to its own answers",
                "chatstate fuzz --laws --cases 50 -- python3 adapter.py",
            ),
        ],
    ),
    (
        "interop",
        &[(
            "what one SDK loses of another",
            "chatstate interop -- python3 adapter.py -- python3 other.py",
        )],
    ),
    (
        "explain",
        &[
            (
                "what a failure of a run is about",
                "chatstate explain replay.messages-snapshot",
            ),
            (
                "what a class of differences means",
                "chatstate explain number-rounded",
            ),
        ],
    ),
    (
        "verify",
        &[
            ("one log", "chatstate verify events.jsonl"),
            ("every log in a folder", "chatstate verify ."),
            (
                "what another program writes",
                "cat events.jsonl | chatstate verify --json",
            ),
        ],
    ),
    (
        "replay",
        &[
            (
                "the messages and the state at the end",
                "chatstate replay events.jsonl",
            ),
            (
                "as people read it, at the end of a run",
                "chatstate replay --format text --at r1 events.jsonl",
            ),
        ],
    ),
    (
        "compact",
        &[
            (
                "join deltas, and keep every item",
                "chatstate compact events.jsonl --output smaller.jsonl",
            ),
            (
                "keep the results of finished runs",
                "chatstate compact --level snapshot events.jsonl > smallest.jsonl",
            ),
        ],
    ),
    (
        "attach",
        &[(
            "what a client needs that joins now",
            "chatstate attach events.jsonl > prelude.jsonl",
        )],
    ),
    (
        "lineage",
        &[
            ("the runs as a tree", "chatstate lineage events.jsonl"),
            (
                "as a graph",
                "chatstate lineage --format dot events.jsonl > runs.dot",
            ),
            (
                "the events of one branch as a log of its own",
                "chatstate lineage --branch r1 events.jsonl > branch.jsonl",
            ),
        ],
    ),
    (
        "validate",
        &[
            (
                "a saved chat, with what may be a typing error",
                "chatstate validate --strict chat.json",
            ),
            (
                "all documents in a folder, as chats",
                "chatstate validate --type ChatState saved",
            ),
            (
                "an event from another program",
                "head -n 1 events.jsonl | chatstate validate --type Event",
            ),
        ],
    ),
    (
        "canonicalize",
        &[(
            "the same text for equal documents",
            "chatstate canonicalize chat.json | sha256sum",
        )],
    ),
    (
        "diff",
        &[
            (
                "what a program lost",
                "chatstate diff --type ChatState chat.json saved.json",
            ),
            (
                "two logs, one from a pipe",
                "chatstate compact events.jsonl | chatstate diff events.jsonl -",
            ),
        ],
    ),
    (
        "convert",
        &[
            (
                "to the form of an SDK",
                "chatstate convert --to semantic-kernel-python chat.json",
            ),
            (
                "from a form that is named",
                "chatstate convert --from canonical --to ag-ui chat.json",
            ),
        ],
    ),
    (
        "restore",
        &[(
            "into the chat that `target.json` describes",
            "chatstate restore --target target.json chat.json",
        )],
    ),
    (
        "encode",
        &[("and back", "chatstate encode chat.json | chatstate decode")],
    ),
    (
        "seal",
        &[(
            "and verify it",
            "chatstate seal --key-file key chat.json | chatstate unseal --key-file key",
        )],
    ),
    (
        "generate",
        &[
            (
                "types of your own schema, in four languages",
                "chatstate generate all --schema order.schema.json --out types",
            ),
            (
                "fail when they are out of date",
                "chatstate generate all --schema order.schema.json --out types --check",
            ),
            (
                "the skeleton of an adapter",
                "chatstate generate adapter typescript --out adapter",
            ),
        ],
    ),
    (
        "list",
        &[(
            "the cases of a requirement",
            "chatstate list --requirement replay.messages-snapshot",
        )],
    ),
    ("show", &[("one case", "chatstate show replay/snapshot")]),
    (
        "completions",
        &[("for bash", "chatstate completions bash > chatstate.bash")],
    ),
    (
        "man",
        &[("the pages of all verbs", "chatstate man --out man")],
    ),
];

/// The command with its verbs in groups and with examples.
pub fn complete(command: Command) -> Command {
    let command = with_examples(command);
    let overview = overview(&command);
    command.help_template(overview)
}

/// The command with examples of its verbs.
pub fn with_examples(mut command: Command) -> Command {
    for (verb, examples) in EXAMPLES {
        command = command.mut_subcommand(verb, |command| {
            let before = match *verb {
                verb if WITH_TYPES.contains(&verb) => types(),
                "restore" => TARGET.to_owned(),
                _ => String::new(),
            };
            command.after_help(before + &examples_text(examples))
        });
    }
    command
}

/// What `restore --target` reads.
const TARGET: &str = r#"A target has the agents of the chat, what the chat holds already (`history`,
`channels`), and those who join after the restore:
  {"target":{"agents":[{"id":"a","type":"Guide","channelkeys":["k"]}]},
   "join":[{"id":"b","type":"Desk","channelkeys":["d"]}]}

"#;

/// The verbs with `--type`.
const WITH_TYPES: [&str; 3] = ["validate", "canonicalize", "diff"];

/// The types of the schema, in lines that fit a terminal.
fn types() -> String {
    let mut lines = vec![String::from(" ")];
    for name in ROOT_NAMES {
        let last = lines.len() - 1;
        if lines[last].len() + name.len() > MAX_LINE {
            lines.push(format!("  {name}"));
        } else {
            lines[last] = format!("{} {name}", lines[last]);
        }
    }
    format!("Types:\n{}\n\n", lines.join("\n"))
}

/// The longest line of names.
const MAX_LINE: usize = 72;

fn examples_text(examples: &[Example]) -> String {
    let mut text = String::from("Examples:\n");
    for (purpose, command) in examples {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  # {purpose}\n  {command}");
    }
    text
}

/// The template of the overview: clap lists verbs in one block, so ours stand in their groups.
fn overview(command: &Command) -> String {
    let mut text = String::from("{about}\n\n{usage-heading} {usage}\n");
    for (group, verbs) in GROUPS {
        let _ = writeln!(text, "\n{group}:");
        for verb in *verbs {
            let about = command.find_subcommand(verb).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {verb:13} {about}");
        }
    }
    text.push_str("\nOptions:\n{options}\n\n`chatstate VERB --help` has examples.\n{after-help}");
    text
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, GROUPS, complete};
    use crate::arguments::Arguments;
    use clap::CommandFactory;

    #[test]
    fn each_verb_is_in_one_group() {
        let command = complete(Arguments::command());
        let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let mut verbs: Vec<_> = verbs
            .map(clap::Command::get_name)
            .filter(|name| *name != "help")
            .collect();
        let mut grouped: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, verbs)| verbs.iter().copied())
            .collect();
        verbs.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, verbs);
    }

    #[test]
    fn helps_fit_a_terminal() {
        let mut command = complete(Arguments::command());
        command.build();
        let mut verbs: Vec<_> = command.get_subcommands().cloned().collect();
        for help in verbs.iter_mut().chain([&mut command]) {
            for line in help.render_help().to_string().lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn examples_are_of_their_verb() {
        for (verb, examples) in EXAMPLES {
            let call = format!("chatstate {verb}");
            let own = examples.iter().filter(|(_, text)| text.contains(&call));
            assert!(own.count() > 0, "`{verb}`");
        }
    }
}

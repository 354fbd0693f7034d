//! What the helps show beside the options: the verbs in groups, and examples.

mod examples;

use chatstate::generated::ROOT_NAMES;
use clap::Command;
use std::fmt::Write;

use examples::{EXAMPLES, Example};

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

/// The command with its verbs in groups and with examples.
pub fn complete(command: Command) -> Command {
    let command = with_examples(command);
    let overview = overview(&command);
    command.help_template(overview)
}

/// The command with examples of its verbs and of those below them.
pub fn with_examples(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (verb, examples)| {
        let before = match *verb {
            verb if WITH_TYPES.contains(&verb) => types(),
            "restore" => TARGET.to_owned(),
            _ => String::new(),
        };
        let text = before + &examples_text(examples);
        match verb.split_once(' ') {
            None => command.mut_subcommand(verb, |verb| verb.after_help(text)),
            Some((above, verb)) => command.mut_subcommand(above, |above| {
                above.mut_subcommand(verb, |verb| verb.after_help(text))
            }),
        }
    })
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

    /// Checks a verb that can be seen and those below it.
    fn check(verb: &clap::Command, called: &str) {
        let help = verb.clone().render_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let below = verb.get_subcommands();
        for below in below.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
            let called = format!("{called} {}", below.get_name());
            let help = below.clone().render_help().to_string();
            assert!(help.contains("\nExamples:\n"), "`{called}` has none");
            check(below, &called);
        }
    }

    #[test]
    fn helps_fit_a_terminal_and_have_examples() {
        let mut command = complete(Arguments::command());
        command.build();
        check(&command, "chatstate");
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

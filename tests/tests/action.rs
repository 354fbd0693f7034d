//! The action of this repository: what its script does with inputs of all kinds, and whether the two files
//! say the same.

use std::collections::BTreeSet;
use std::process::Command;

use chatstate_tests::program::{Finished, chatstate_program, finish};
use chatstate_tests::report_folder::ReportFolder;
use chatstate_tests::workspace;
use regex::Regex;

/// One step, and what comes of it. `PROGRAM` is `chatstate`, and `LIST` a list that is out of date.
struct Step {
    name: &'static str,
    inputs: &'static [(&'static str, &'static str)],
    code: i32,
    /// What the outputs of the step hold.
    outputs: &'static [&'static str],
    says: &'static [&'static str],
}

const SUITE: (&str, &str) = ("CHATSTATE_ARGUMENTS", "--suite\nchannel-key\n");

const STEPS: &[Step] = &[
    Step {
        name: "as expected",
        inputs: &[("CHATSTATE_ADAPTER", "PROGRAM\nadapter\n"), SUITE],
        code: 0,
        outputs: &[
            "outcome=as-expected\n",
            "exit-code=0\n",
            "report=reports/run.jsonl\n",
        ],
        says: &["::notice title=chatstate::", "result: as expected"],
    },
    Step {
        name: "line ends of another system, and an argument with a space",
        inputs: &[
            (
                "CHATSTATE_ADAPTER",
                "sh\r\n-c\r\nexec \"$0\" adapter\r\nPROGRAM\r\n",
            ),
            SUITE,
        ],
        code: 0,
        outputs: &["outcome=as-expected\n"],
        says: &["result: as expected"],
    },
    Step {
        name: "a failure",
        inputs: &[
            (
                "CHATSTATE_ADAPTER",
                "PROGRAM\nadapter\n--mutant\ndrop-unknown-variant",
            ),
            ("CHATSTATE_ARGUMENTS", "--only\nround-trip/unknown-event"),
        ],
        code: 1,
        outputs: &["outcome=unexpected\n"],
        says: &["::error title=round-trip/unknown-event::"],
    },
    Step {
        name: "an adapter that does not start",
        inputs: &[("CHATSTATE_ADAPTER", "no-such-program"), SUITE],
        code: 5,
        outputs: &["outcome=not-started\n"],
        says: &[],
    },
    Step {
        name: "a list that is out of date",
        inputs: &[
            ("CHATSTATE_ADAPTER", "PROGRAM\nadapter"),
            SUITE,
            ("CHATSTATE_EXPECT", "LIST"),
        ],
        code: 4,
        outputs: &["outcome=stale\n"],
        says: &[",line=1,title=out of date::"],
    },
    Step {
        name: "a list that is out of date, and is forgiven",
        inputs: &[
            ("CHATSTATE_ADAPTER", "PROGRAM\nadapter"),
            SUITE,
            ("CHATSTATE_EXPECT", "LIST"),
            ("CHATSTATE_FAIL_ON_STALE", "false"),
        ],
        code: 0,
        outputs: &["outcome=stale\n", "exit-code=4\n"],
        says: &[],
    },
    Step {
        name: "no adapter",
        inputs: &[("CHATSTATE_ADAPTER", "\n\n")],
        code: 2,
        outputs: &[],
        says: &["::error title=chatstate::the input `adapter` is empty"],
    },
    Step {
        name: "what looks like a command is a word",
        inputs: &[
            ("CHATSTATE_ADAPTER", "PROGRAM\nadapter"),
            (
                "CHATSTATE_ARGUMENTS",
                "--only\n$(touch evaluated)`touch evaluated`; touch evaluated",
            ),
        ],
        code: 2,
        outputs: &["outcome=error\n"],
        says: &[],
    },
];

#[test]
fn steps() {
    for step in STEPS {
        let folder = ReportFolder::create();
        let _ = folder.write("outputs", "");
        let list = "[[expect]]\ncase = \"channel-key/two-parts\"\nreason = \"it did once\"\n";
        let _ = folder.write("list.toml", list);
        let finished = run(step, &folder);
        let (name, said) = (step.name, &finished.stdout);
        assert_eq!(
            finished.code, step.code,
            "{name}: {said}{}",
            finished.stderr
        );
        for words in step.says {
            assert!(
                said.contains(words),
                "{name} does not say `{words}`: {said}"
            );
        }
        let outputs = folder.text("outputs");
        for line in step.outputs {
            assert!(outputs.contains(line), "{name} has no `{line}`: {outputs}");
        }
        if matches!(step.code, 0 | 1 | 4) {
            for file in [
                "run.jsonl",
                "junit.xml",
                "run.sarif",
                "report.html",
                "badge.json",
            ] {
                assert!(
                    !folder.text(&format!("reports/{file}")).is_empty(),
                    "{name}: {file}"
                );
            }
            assert!(
                folder.text("summary").starts_with("## chatstate "),
                "{name}"
            );
        }
        let evaluated = std::path::Path::new(&folder.path("evaluated")).exists();
        assert!(!evaluated, "{name}: an input was evaluated");
    }
}

fn run(step: &Step, folder: &ReportFolder) -> Finished {
    let program = chatstate_program().display().to_string();
    let mut command = Command::new("bash");
    command
        .arg(workspace::path("action.sh"))
        .current_dir(folder.path(""));
    command.env("CHATSTATE_PROGRAM", &program);
    command.env("CHATSTATE_REPORTS", "reports");
    command.env("GITHUB_OUTPUT", folder.path("outputs"));
    command.env("GITHUB_STEP_SUMMARY", folder.path("summary"));
    for (variable, value) in step.inputs {
        command.env(
            variable,
            value
                .replace("PROGRAM", &program)
                .replace("LIST", "list.toml"),
        );
    }
    finish(command, b"")
}

fn named(text: &str, pattern: &str) -> BTreeSet<String> {
    let pattern = Regex::new(pattern).expect("a pattern of this test");
    pattern
        .captures_iter(text)
        .map(|found| found[1].to_owned())
        .collect()
}

#[test]
fn the_two_files_agree() {
    let (action, script) = (workspace::text("action.yml"), workspace::text("action.sh"));
    let given = named(&action, r"(?m)^ +(CHATSTATE_\w+):");
    let taken = named(&script, r"\$\{(CHATSTATE_\w+)");
    assert_eq!(given, taken, "variables");
    let promised = named(&action, r"steps\.test\.outputs\.([\w-]+)");
    let written = named(&script, r#"echo "([\w-]+)=\$"#);
    assert_eq!(promised, written, "outputs");
    let declared = named(
        &action,
        r"(?m)^  ([\w-]+):\n    description: .+\n    (?:required|default)",
    );
    let used = named(&action, r"inputs\.([\w-]+)");
    assert_eq!(declared, used, "inputs");
    let scripts = named(&action, r"(?m)^      run: (.*)$");
    assert!(
        scripts.iter().all(|line| !line.contains("${{")),
        "{scripts:?}"
    );
    assert!(!named(&script, r"(?m)^[^#]*\b(eval)\b").contains("eval"));
}

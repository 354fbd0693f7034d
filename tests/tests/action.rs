//! The action of this repository: what its steps do with inputs of all kinds, and whether its two files say
//! the same.

use std::collections::BTreeSet;

use chatstate_tests::action::{StepEnd, is_there, run};
use chatstate_tests::program::chatstate_program;
use chatstate_tests::report_folder::ReportFolder;
use chatstate_tests::workspace;
use regex::Regex;

/// One step, and what comes of it. `PROGRAM` is `chatstate`, and `LIST` a list that is out of date.
struct Step {
    name: &'static str,
    inputs: &'static [(&'static str, &'static str)],
    code: i32,
    /// Some of the outputs.
    outputs: &'static [(&'static str, &'static str)],
    says: &'static [&'static str],
}

const SUITE: (&str, &str) = ("arguments", "--suite\nchannel-key\n");

const STEPS: &[Step] = &[
    Step {
        name: "as expected",
        inputs: &[("adapter", "PROGRAM\nadapter\n"), SUITE],
        code: 0,
        outputs: &[
            ("outcome", "as-expected"),
            ("exit-code", "0"),
            ("report", "chatstate-reports/run.jsonl"),
        ],
        says: &["::notice title=chatstate::", "result: as expected"],
    },
    Step {
        name: "line ends of another system, and an argument with a space",
        inputs: &[
            ("adapter", "sh\r\n-c\r\nexec \"$0\" adapter\r\nPROGRAM\r\n"),
            SUITE,
        ],
        code: 0,
        outputs: &[("outcome", "as-expected")],
        says: &["result: as expected"],
    },
    Step {
        name: "a failure",
        inputs: &[
            (
                "adapter",
                "PROGRAM\nadapter\n--mutant\ndrop-unknown-variant",
            ),
            ("arguments", "--only\nround-trip/unknown-event"),
            ("code-scanning", "true"),
        ],
        code: 1,
        outputs: &[("outcome", "unexpected")],
        says: &["::error title=round-trip/unknown-event::"],
    },
    Step {
        name: "an adapter that does not start",
        inputs: &[("adapter", "no-such-program"), SUITE],
        code: 5,
        outputs: &[("outcome", "not-started")],
        says: &[],
    },
    Step {
        name: "a list that is out of date",
        inputs: &[("adapter", "PROGRAM\nadapter"), SUITE, ("expect", "LIST")],
        code: 4,
        outputs: &[("outcome", "stale")],
        says: &[",line=1,title=out of date::"],
    },
    Step {
        name: "a list that is out of date, and is forgiven",
        inputs: &[
            ("adapter", "PROGRAM\nadapter"),
            SUITE,
            ("expect", "LIST"),
            ("fail-on-stale", "false"),
        ],
        code: 0,
        outputs: &[("outcome", "stale"), ("exit-code", "4")],
        says: &[],
    },
    Step {
        name: "no adapter",
        inputs: &[("adapter", "\n\n")],
        code: 2,
        outputs: &[],
        says: &["::error title=chatstate::the input `adapter` is empty"],
    },
    Step {
        name: "what looks like a command is a word",
        inputs: &[
            ("adapter", "PROGRAM\nadapter"),
            (
                "arguments",
                "--only\n$(touch evaluated)`touch evaluated`; touch evaluated",
            ),
        ],
        code: 2,
        outputs: &[("outcome", "error")],
        says: &[],
    },
];

#[test]
fn steps() {
    STEPS.iter().for_each(check);
}

fn check(step: &Step) {
    let folder = ReportFolder::create();
    let list = "[[expect]]\ncase = \"channel-key/two-parts\"\nreason = \"it did once\"\n";
    let _ = folder.write("list.toml", list);
    let program = chatstate_program().display().to_string();
    let words = |value: &str| {
        value
            .replace("PROGRAM", &program)
            .replace("LIST", "list.toml")
    };
    let mut inputs = vec![("program", program.clone())];
    inputs.extend(
        step.inputs
            .iter()
            .map(|(name, value)| (*name, words(value))),
    );
    let finished = run(&inputs, &folder);
    let (name, said) = (step.name, &finished.said);
    assert_eq!(finished.code, step.code, "{name}: {said}");
    for words in step.says {
        assert!(
            said.contains(words),
            "{name} does not say `{words}`: {said}"
        );
    }
    for (output, value) in step.outputs {
        let found = finished.outputs.get(*output).map(String::as_str);
        assert_eq!(found, Some(*value), "{name}: {output}");
    }
    assert_eq!(
        finished.steps["Build chatstate"],
        StepEnd::Skipped,
        "{name}"
    );
    let kept = StepEnd::Used(
        "actions/upload-artifact@v4".to_owned(),
        [("name", "chatstate--"), ("path", "chatstate-reports")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
    );
    assert_eq!(finished.steps["Keep the reports"], kept, "{name}");
    let scanned = &finished.steps["Hand the failures to code scanning"];
    if matches!(step.code, 0 | 1 | 4) {
        for output in ["reports", "report", "page", "badge"] {
            let path = &finished.outputs[output];
            assert!(
                is_there(&folder, path),
                "{name}: there is no {output} at `{path}`"
            );
        }
        for file in ["junit.xml", "run.sarif"] {
            let text = folder.text(&format!("chatstate-reports/{file}"));
            assert!(!text.is_empty(), "{name}: {file}");
        }
        assert!(
            folder.text("summary").starts_with("## chatstate "),
            "{name}"
        );
        if let StepEnd::Used(_, inputs) = scanned {
            assert!(
                is_there(&folder, &inputs["sarif_file"]),
                "{name}: {inputs:?}"
            );
        }
    }
    let scans = step.inputs.contains(&("code-scanning", "true"));
    assert_eq!(*scanned != StepEnd::Skipped, scans, "{name}");
    assert!(
        !is_there(&folder, "evaluated"),
        "{name}: an input was evaluated"
    );
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

//! `chatstate interop`: are losses between implementations attributed, and those that cannot be?

use chatstate_tests::call::check_words;
use chatstate_tests::program::{FinishedProgram, chatstate, chatstate_program};
use chatstate_tests::sdk::{PYTHON, SEMANTIC_KERNEL, Sdk, TYPESCRIPT};
use serde_json::Value;

/// Hands documents from each to each: the reference, or a mutant of it.
fn interop(more: &[&str], mutants: &[Option<&str>]) -> FinishedProgram {
    let program = chatstate_program().display().to_string();
    let mut arguments = vec!["interop"];
    arguments.extend(more);
    for mutant in mutants {
        arguments.extend(["--", &program, "adapter"]);
        arguments.extend(mutant.iter().flat_map(|id| ["--mutant", id]));
    }
    let finished = chatstate(&arguments, b"");
    check_words(&finished);
    finished
}

/// What a call comes to: the exit code, and what it tells.
fn check(finished: &FinishedProgram, code: i32, says: &[&str]) {
    let said = format!("{}{}", finished.stdout, finished.stderr);
    assert_eq!(finished.code, code, "{said}");
    for words in says {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }
}

#[test]
fn the_reference_understands_itself() {
    let words = &["result: nothing is lost between any two"];
    check(&interop(&[], &[None, None]), 0, words);
}

#[test]
fn a_reader_that_loses_is_told_from_a_writer_that_does() {
    let documents = &["--only", "round-trip/unknown-event*"];
    let finished = interop(documents, &[None, Some("drop-unknown-variant")]);
    // What the mutant drops from a stream is lost once. What it writes in the place of an event is
    // not an event.
    let says = &[
        "5 documents of corpus 1",
        "1 -> 2: ",
        "unknown-variant-dropped, such as round-trip/unknown-event",
        "2 -> 1: 3 of 5 not kept\n     3 rejected:schema, such as round-trip/unknown-event\n",
        "result: ",
    ];
    check(&finished, 1, says);
    assert!(!finished.stdout.contains("1 -> 1"), "{}", finished.stdout);
}

#[test]
fn who_echoes_takes_no_part() {
    let finished = interop(&[], &[None, Some("accept-all")]);
    check(
        &finished,
        1,
        &["2: the adapter echoes all", "it took no part"],
    );
}

#[test]
fn who_breaks_is_asked_no_more() {
    let program = chatstate_program().display().to_string();
    // It takes a hundred requests and no more.
    let some = "for _ in $(seq 100); do IFS= read -r line; printf '%s\\n' \"$line\"; done";
    let ends = format!("{some} | '{program}' adapter");
    let options = ["interop", "--suite", "round-trip", "--crash-budget", "1"];
    let adapters = ["--", &program, "adapter", "--", "sh", "-c", &ends];
    let finished = chatstate(&[&options[..], &adapters].concat(), b"");
    let says = &[
        "2: stopped early: 1 case crashed the adapter",
        "result: incomplete",
    ];
    check(&finished, 3, says);
}

#[test]
fn wrong_usage() {
    let one = chatstate(&["interop", "--", "adapter"], b"");
    check(&one, 2, &["give two adapters or more"]);
    let empty = chatstate(&["interop", "--", "adapter", "--"], b"");
    check(&empty, 2, &["give two adapters or more"]);
    check(&chatstate(&["interop"], b""), 2, &["ADAPTER"]);
    let none = interop(&["--only", "no-such-case"], &[None, None]);
    check(&none, 2, &["matches no case"]);
    let missing = chatstate(&["interop", "--", "no-such-adapter", "--", "nor-this"], b"");
    check(&missing, 5, &["cannot start the adapter `no-such-adapter`"]);
}

#[test]
fn nothing_in_common_is_no_result() {
    let finished = interop(&["--suite", "channel-key"], &[None, None]);
    check(&finished, 3, &["0 documents"]);
}

#[test]
fn as_data() {
    let documents = &["--json", "--only", "round-trip/unknown-event"];
    let finished = interop(documents, &[None, Some("drop-unknown-variant")]);
    let report: Value = serde_json::from_str(&finished.stdout).expect("it is JSON");
    let pairs = report["pairs"].as_array().expect("a list");
    let pair = pairs.iter().find(|it| it["from"] == 0 && it["to"] == 1);
    let pair = pair.expect("they have a document in common");
    assert_eq!(
        (&pair["documents"], &pair["losses"][0]["case"]),
        (&1.into(), &"round-trip/unknown-event".into())
    );
    assert_eq!(
        pair["losses"][0]["signs"],
        serde_json::json!(["kind-changed@"])
    );
}

/// An SDK that rounds, one that does not, and one with a format of its own.
#[test]
fn real_sdks() {
    let sdks = [PYTHON, TYPESCRIPT, SEMANTIC_KERNEL];
    if !sdks.iter().all(Sdk::can_run) {
        return;
    }
    let program = chatstate_program().display().to_string();
    let paths: Vec<_> = sdks
        .iter()
        .map(|sdk| sdk.adapter().display().to_string())
        .collect();
    let mut arguments = vec!["interop", "--json", "--", &program, "adapter"];
    arguments.extend(paths.iter().flat_map(|path| ["--", path.as_str()]));
    let finished = chatstate(&arguments, b"");
    let report: Value = serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", finished.stderr));
    let losses = |from: usize, to: usize| -> Vec<(&str, &str)> {
        let pairs = report["pairs"].as_array().expect("a list").iter();
        let of_pair = pairs.filter(|it| it["from"] == from && it["to"] == to);
        let losses = of_pair.flat_map(|it| it["losses"].as_array().expect("a list"));
        losses
            .map(|it| {
                (
                    it["case"].as_str().expect("text"),
                    it["signs"][0].as_str().expect("text"),
                )
            })
            .collect()
    };
    let rounded = (
        "round-trip/integer-beyond-double",
        "number-rounded@/snapshot/id",
    );
    assert!(losses(0, 2).contains(&rounded) && losses(1, 2).contains(&rounded));
    // What TypeScript has written is rounded already, so no later reader rounds again.
    assert!(!losses(2, 0).contains(&rounded) && !losses(2, 1).contains(&rounded));
    assert!(
        losses(0, 3)
            .iter()
            .any(|(case, _)| case.starts_with("round-trip/"))
    );
    assert_eq!(finished.code, 1);
}

//! Good and bad compactors through the whole runner: each law is broken, and found broken for the
//! right reason. The binary is its own adapter: the tests start it with `--adapter BEHAVIOUR`.

mod scripted;

use std::env;
use std::time::Duration;

use chatstate_corpus::{VERSION, load_dir, specification};
use chatstate_runner::report::text::{TextDetail, render};
use chatstate_runner::{
    AdapterCommand, Expectations, RunOptions, RunReport, RunWork, Verdict, report, run,
};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<_> = env::args().collect();
    if let [_, flag, behaviour] = arguments.as_slice()
        && flag == "--adapter"
    {
        return scripted::serve(behaviour);
    }
    let bad = TABLE
        .iter()
        .map(|row| Trial::test(row.name(), || check(row)));
    let good = Trial::test("well", good_compactor);
    let cases = Trial::test("a broken law is told in both reports", told);
    libtest_mimic::run(&Arguments::from_args(), bad.chain([good, cases]).collect()).exit();
}

/// What a bad compactor breaks.
struct Row {
    behaviour: &'static str,
    law: &'static str,
    verdict: Verdict,
    /// The fingerprint of the failure.
    known_as: &'static str,
    /// What the report says.
    says: &'static str,
}

impl Row {
    fn name(&self) -> String {
        format!("{} against {}", self.behaviour, self.law)
    }
}

const fn broken(
    behaviour: &'static str,
    law: &'static str,
    known_as: &'static str,
    says: &'static str,
) -> Row {
    Row {
        behaviour,
        law,
        verdict: Verdict::Fail,
        known_as,
        says,
    }
}

const TABLE: &[Row] = &[
    broken(
        "counts-its-passes",
        "idempotent",
        "idempotent:text-changed@/0/metadata/pass",
        "when its answer is compacted again, compacting again gives other events",
    ),
    broken(
        "refuses-its-own-answer",
        "idempotent",
        "idempotent:text.not-open@/3",
        "when its answer is compacted again, the document is rejected: not mine",
    ),
    broken(
        "loses-the-last-character",
        "replay",
        "replay:text-changed@/messages/1/content",
        "at the end of run `r1`, the compacted events replay to something else",
    ),
    broken(
        "loses-the-state",
        "replay",
        "replay:member-dropped@/state/a",
        "at the end of run `r1`, the compacted events replay to something else",
    ),
    broken("joins-runs", "replay", "replay", "2 runs became 1"),
    broken(
        "removes-a-run",
        "replay",
        "replay",
        "a run was removed, and this level removes none",
    ),
    broken(
        "forgets-an-end",
        "closed",
        "closed:run.open-item@/5",
        "the compacted events do not verify",
    ),
    broken(
        "answers-no-events",
        "closed",
        "closed:required@/0/threadId",
        "the answer is no valid event stream",
    ),
    broken(
        "moves-an-event",
        "contained",
        "contained:item-dropped@/4",
        "run `r1` does not hold the events that it held",
    ),
    broken(
        "moves-an-event-behind-the-end",
        "contained",
        "contained:item-added@/6",
        "a `CUSTOM` is between two runs",
    ),
    broken(
        "joins-short-deltas",
        "incremental",
        "incremental:text-changed@/3/delta",
        "compacted up to event 6 and then with the rest",
    ),
    broken(
        "repeats-an-event",
        "never-larger",
        "never-larger",
        "events became",
    ),
    broken("adds-bytes", "never-larger", "never-larger", "bytes became"),
    broken(
        "empties-inputs",
        "minimal-input",
        "minimal-input:item-dropped@/0/input/messages/0",
        "the input of a run lost a message that the log does not hold at that point",
    ),
    broken(
        "invents-input",
        "minimal-input",
        "minimal-input:item-added@/0/input/messages/0",
        "a message that was not sent",
    ),
    broken(
        "does-nothing",
        "effective",
        "effective:item-added@/5",
        "two deltas of `m` have no barrier between them",
    ),
    broken(
        "keeps-states",
        "effective",
        "effective:item-added@/5",
        "a run with a snapshot of the state holds a second state event",
    ),
    broken(
        "keeps-inputs",
        "effective",
        "effective:item-added@/7/input/messages/0",
        "the input of a run repeats a message that the log holds at that point",
    ),
    broken(
        "forgets-everything",
        "attach",
        "attach:run.first-event@/0",
        "cut off before event 3, the prelude and what follows it do not verify",
    ),
    broken(
        "restates-open-text",
        "attach",
        "attach:text-changed@/messages/1/content",
        "the prelude and what follows it replay to something else",
    ),
    broken(
        "refuses-what-is-cut-off",
        "attach",
        "attach:run.open@/0",
        "cut off before event 1, the document is rejected",
    ),
    Row {
        verdict: Verdict::Error,
        ..broken(
            "crashes-the-second-time",
            "idempotent",
            "crashed",
            "exited with status 9",
        )
    },
    broken(
        "faults-the-second-time",
        "idempotent",
        "fault",
        "the SDK or its adapter broke",
    ),
];

/// A log with all that the laws are about.
fn log() -> Value {
    json!([
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r1",
         "input": {"threadId": "t", "runId": "r1", "messages": [{"id": "u", "role": "user", "content": "hi"}]}},
        {"type": "STATE_SNAPSHOT", "snapshot": {"a": 1}},
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a"},
        {"type": "CUSTOM", "name": "n", "value": 1},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "b"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "c"},
        {"type": "STATE_DELTA", "delta": []},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r1"},
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r2",
         "input": {"threadId": "t", "runId": "r2", "messages": [{"id": "u", "role": "user", "content": "hi"}]}},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r2"}
    ])
}

fn case(laws: &[&str]) -> Value {
    let attach = laws == ["attach"];
    let (op, args) = if attach {
        ("attach", json!({}))
    } else {
        ("compact", json!({"level": "stream"}))
    };
    json!({
        "title": "a log", "requirements": ["test.one"], "needs": ["events"], "why": "it matters",
        "op": op, "args": args, "input": log(), "expect": {"laws": laws}, "since": "1"
    })
}

fn run_case(behaviour: &str, case: &Value) -> Result<RunReport, Failed> {
    let files = vec![("suite/one.json".to_owned(), case.to_string().into_bytes())];
    let (corpus, requirements) = (
        load_dir(VERSION, files)?,
        specification::parse("**[test.one]** It MUST hold.\n")?,
    );
    let command = AdapterCommand::new(env::current_exe()?, ["--adapter", behaviour]);
    let work = RunWork {
        command: &command,
        corpus: &corpus,
        cases: corpus.cases().iter().collect(),
        requirements: &requirements,
        expectations: &Expectations::default(),
    };
    let options = RunOptions {
        canaries: false,
        timeout: Duration::from_mins(1),
        start_timeout: Duration::from_mins(1),
        ..RunOptions::default()
    };
    Ok(run(&work, &options, &mut |_| {})?)
}

fn text_of(report: &RunReport) -> String {
    render(report, TextDetail::Everything.coloured(false))
}

fn expect(holds: bool, report: &RunReport) -> Result<(), Failed> {
    if holds {
        Ok(())
    } else {
        Err(text_of(report).into())
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let report = run_case(row.behaviour, &case(&[row.law]))?;
    let [judged] = report.cases.as_slice() else {
        return Err(text_of(&report).into());
    };
    let known_as = judged
        .detail
        .as_ref()
        .and_then(|it| it.fingerprint.as_deref());
    let text = text_of(&report);
    expect(judged.verdict == row.verdict, &report)?;
    expect(known_as == Some(row.known_as), &report)?;
    expect(text.contains(row.says), &report)
}

/// A compactor that keeps all laws passes by each, at every level.
fn good_compactor() -> Result<(), Failed> {
    let all = [
        "idempotent",
        "replay",
        "closed",
        "contained",
        "incremental",
        "never-larger",
        "minimal-input",
        "effective",
    ];
    for (level, retain) in [("stream", "tips"), ("snapshot", "runs")] {
        let mut case = case(&all);
        case["args"] = json!({"level": level, "retain": retain});
        let report = run_case("well", &case)?;
        expect(report.count(Verdict::Pass) == 1, &report)?;
    }
    let report = run_case("well", &case(&["attach"]))?;
    expect(report.count(Verdict::Pass) == 1, &report)
}

/// Every law that is broken is reported, in the order of the case, with what was asked beside it.
fn told() -> Result<(), Failed> {
    let report = run_case(
        "counts-its-passes",
        &case(&["closed", "contained", "idempotent"]),
    )?;
    let text = text_of(&report);
    for words in [
        "law       `contained`: run `r1` does not hold",
        "law       `idempotent`: when its answer",
        "asked     [{\"type\":\"RUN_STARTED\"",
        "known as  contained:item-dropped@/0 idempotent:text-changed@/0/metadata/pass",
    ] {
        expect(text.contains(words), &report)?;
    }
    let json: Value = serde_json::from_str(&report::json::render(&report))?;
    let laws = &json["cases"][0]["detail"]["laws"];
    let names: Vec<_> = laws
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| &it["law"])
        .collect();
    expect(names == ["contained", "idempotent"], &report)
}

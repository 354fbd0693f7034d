//! Good and bad adapters through the whole runner. The binary is its own adapter: the tests start
//! it with `--adapter BEHAVIOUR`.

mod scripted;

use std::collections::BTreeMap;
use std::env;
use std::num::NonZeroUsize;
use std::time::Duration;

use chatstate_corpus::{Corpus, Requirement, VERSION, load_dir, specification};
use chatstate_runner::report::text::{TextDetail, render};
use chatstate_runner::{
    AdapterCommand, Expectations, Limits, RunOptions, RunReport, RunWork, StartError, Verdict, run,
};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments: Vec<_> = env::args().collect();
    if let [_, flag, behaviour] = arguments.as_slice()
        && flag == "--adapter"
    {
        return scripted::serve(behaviour);
    }
    let trials = TABLE
        .iter()
        .map(|row| Trial::test(row.name(), || check(row)));
    let others = OTHERS.iter().map(|(name, test)| Trial::test(*name, *test));
    libtest_mimic::run(&Arguments::from_args(), trials.chain(others).collect()).exit();
}

/// What a run with one behaviour must come to.
#[derive(Debug, Default)]
struct Row {
    behaviour: &'static str,
    jobs: Option<usize>,
    /// Turns the canaries off, to see what the cases alone find.
    unguarded: bool,
    /// What the adapter may use; an answer may then take a minute.
    limits: Limits,
    exit: u8,
    /// The verdict of the marked case.
    marked: Option<Verdict>,
    /// How many of the other cases pass; all of them when absent.
    others_pass: Option<usize>,
    /// What the text report, or the error, must say.
    says: &'static [&'static str],
}

impl Row {
    fn name(&self) -> String {
        let jobs = self
            .jobs
            .map_or(String::new(), |jobs| format!(" with {jobs} jobs"));
        let canaries = if self.unguarded { " unguarded" } else { "" };
        format!("{}{jobs}{canaries}", self.behaviour)
    }
}

/// How many cases there are beside the marked one.
const OTHERS_COUNT: usize = 19;

const TABLE: &[Row] = &[
    Row {
        behaviour: "well",
        marked: Some(Verdict::Pass),
        says: &["result: as expected"],
        ..ROW
    },
    Row {
        behaviour: "well",
        jobs: Some(3),
        marked: Some(Verdict::Pass),
        ..ROW
    },
    Row {
        behaviour: "one-at-a-time",
        marked: Some(Verdict::Pass),
        ..ROW
    },
    Row {
        behaviour: "reversed",
        marked: Some(Verdict::Pass),
        ..ROW
    },
    Row {
        behaviour: "declares-a-typing-error",
        marked: Some(Verdict::Pass),
        says: &["declares `round_trip`, which this kit does not know"],
        ..ROW
    },
    // The adapter does not start or shake hands.
    Row {
        behaviour: "exits-at-once",
        exit: 5,
        says: &["exited with status 3", "no such module"],
        ..ROW
    },
    Row {
        behaviour: "hangs-at-start",
        exit: 5,
        says: &["did not answer `start` within 2 s"],
        ..ROW
    },
    Row {
        behaviour: "garbage-at-start",
        exit: 5,
        says: &["Welcome to the adapter!", "stderr"],
        ..ROW
    },
    Row {
        behaviour: "malformed-start",
        exit: 5,
        says: &["`implementation`"],
        ..ROW
    },
    Row {
        behaviour: "other-protocol",
        exit: 5,
        says: &["I speak protocol 7"],
        ..ROW
    },
    Row {
        behaviour: "wrong-protocol",
        exit: 5,
        says: &["protocol 2"],
        ..ROW
    },
    Row {
        behaviour: "no-window",
        exit: 5,
        says: &["`maxInFlight` is 0"],
        ..ROW
    },
    Row {
        behaviour: "speaks-no-dialect",
        exit: 5,
        says: &["`dialect` names `klingon`"],
        ..ROW
    },
    // The adapter is bad as a whole.
    Row {
        behaviour: "declares-nothing",
        exit: 1,
        says: &["skips all"],
        ..CANARY
    },
    Row {
        behaviour: "declares-no-operation",
        exit: 1,
        says: &["skips all"],
        ..CANARY
    },
    Row {
        behaviour: "unsupported",
        exit: 1,
        says: &["skips all"],
        ..CANARY
    },
    Row {
        behaviour: "echoes",
        exit: 1,
        says: &["echoes all"],
        ..CANARY
    },
    Row {
        behaviour: "accepts",
        exit: 1,
        says: &["accepts all"],
        ..CANARY
    },
    Row {
        behaviour: "refuses",
        exit: 1,
        says: &["rejects all", "a valid document"],
        ..CANARY
    },
    Row {
        behaviour: "crashes-always",
        exit: 1,
        says: &[
            "breaks on a document that is not JSON",
            "exited with status 9",
        ],
        ..CANARY
    },
    Row {
        behaviour: "garbage-always",
        exit: 1,
        says: &["DEBUG: reading the event"],
        ..CANARY
    },
    Row {
        behaviour: "twice-always",
        exit: 1,
        says: &["a second answer"],
        ..CANARY
    },
    // The adapter is bad in one case; all others keep their true answers.
    Row {
        behaviour: "crashes",
        says: &[
            "exited with status 9",
            "segmentation fault, or so",
            "--only suite/case-07 -- ",
        ],
        ..ONE_ERROR
    },
    Row {
        behaviour: "crashes",
        jobs: Some(2),
        ..ONE_ERROR
    },
    Row {
        behaviour: "crashes-in-company",
        says: &["none did it again alone"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "exits-cleanly",
        says: &["exited with status 0"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "hangs",
        says: &["no answer within 2000 ms"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "garbage",
        says: &["a line that is not an answer", "DEBUG"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "not-utf8",
        says: &["not UTF-8"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "endless-line",
        says: &["longer than 64 MiB"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "wrong-seq",
        says: &["never sent"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "twice",
        says: &["a second answer"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "bad-reply",
        says: &["more than one of"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "no-reply",
        says: &["none of `ok`"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "reply-of-wrong-type",
        says: &["a malformed answer"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "leaves-a-child",
        says: &["no answer within 2000 ms"],
        ..ONE_ERROR
    },
    Row {
        behaviour: "talks-after-stop",
        exit: 1,
        marked: Some(Verdict::Pass),
        others_pass: Some(OTHERS_COUNT - 1),
        says: &["a line after the last answer", "good bye"],
        ..ROW
    },
    #[cfg(target_os = "linux")]
    Row {
        behaviour: "takes-memory",
        limits: Limits {
            memory: Some(256 * 1024 * 1024),
            processor_time: None,
        },
        says: &["was ended by a signal: 6 (SIGABRT)"],
        ..ONE_ERROR
    },
    #[cfg(target_os = "linux")]
    Row {
        behaviour: "takes-time",
        limits: Limits {
            memory: None,
            processor_time: Some(Duration::from_millis(500)),
        },
        says: &["was ended by a signal: 24 (SIGXCPU)"],
        ..ONE_ERROR
    },
    // Without canaries the crash budget ends it, and what was judged is kept.
    Row {
        behaviour: "crashes-always",
        unguarded: true,
        exit: 3,
        others_pass: Some(0),
        says: &["5 cases crashed the adapter", "not judged: suite/case-19"],
        ..ROW
    },
    Row {
        behaviour: "echoes",
        unguarded: true,
        exit: 0,
        marked: Some(Verdict::Pass),
        ..ROW
    },
    Row {
        behaviour: "declares-canonicalize",
        unguarded: true,
        exit: 3,
        marked: Some(Verdict::Skip),
        others_pass: Some(0),
        says: &["20 cases for want of `events`"],
        ..ROW
    },
];

const ROW: Row = Row {
    behaviour: "",
    jobs: None,
    unguarded: false,
    limits: NO_LIMITS,
    exit: 0,
    marked: None,
    others_pass: None,
    says: &[],
};

const NO_LIMITS: Limits = Limits {
    memory: None,
    processor_time: None,
};

const CANARY: Row = Row {
    others_pass: Some(0),
    ..ROW
};

const ONE_ERROR: Row = Row {
    exit: 1,
    marked: Some(Verdict::Error),
    ..ROW
};

type Test = fn() -> Result<(), Failed>;

/// Tests that need something else than a row.
const OTHERS: &[(&str, Test)] = &[
    ("a program that does not exist", program_that_does_not_exist),
    ("an expected crash is excused", expected_crash),
    (
        "entries that pass, match nothing or are skipped are stale",
        stale_entries,
    ),
    (
        "a rejection without a class is unclassified",
        rejection_without_a_class,
    ),
    ("nothing selected is incomplete", nothing_selected),
    ("equal runs give equal reports", equal_reports),
    (
        "members that a replay leaves out are counted",
        replay_members,
    ),
    (
        "an adapter with a dialect sees it alone",
        adapter_with_a_dialect,
    ),
];

const SPECIFICATION: &str = "**[test.one]** It MUST hold.\n\n**[test.two]** It MUST hold, too.\n";

/// Twenty cases about events, of which number 7 is marked.
fn corpus() -> Result<Corpus, Failed> {
    let file = |index: usize| {
        let event = if index == 7 {
            "marked".to_owned()
        } else {
            format!("plain {index}")
        };
        let text = format!(
            r#"{{"title":"case {index}","requirements":["test.one"],"needs":["events"],"why":"it matters",
            "op":"round-trip","type":"Event","input":{{"type":"RAW","event":"{event}"}},"since":"1"}}"#
        );
        (format!("suite/case-{index:02}.json"), text.into_bytes())
    };
    corpus_of((0..=OTHERS_COUNT).map(file).collect())
}

fn corpus_of(files: Vec<(String, Vec<u8>)>) -> Result<Corpus, Failed> {
    Ok(load_dir(VERSION, files)?)
}

fn requirements() -> Result<Vec<Requirement>, Failed> {
    Ok(specification::parse(SPECIFICATION)?)
}

fn adapter(behaviour: &str) -> Result<AdapterCommand, Failed> {
    Ok(AdapterCommand::new(
        env::current_exe()?,
        ["--adapter", behaviour],
    ))
}

fn options() -> RunOptions {
    RunOptions {
        timeout: Duration::from_secs(2),
        start_timeout: Duration::from_secs(20),
        ..RunOptions::default()
    }
}

/// Runs all cases of a corpus against one behaviour.
fn run_all(
    behaviour: &str,
    corpus: &Corpus,
    expectations: &Expectations,
    options: &RunOptions,
) -> Result<Result<RunReport, StartError>, Failed> {
    run_limited(behaviour, NO_LIMITS, corpus, expectations, options)
}

fn run_limited(
    behaviour: &str,
    limits: Limits,
    corpus: &Corpus,
    expectations: &Expectations,
    options: &RunOptions,
) -> Result<Result<RunReport, StartError>, Failed> {
    let command = AdapterCommand {
        limits,
        ..adapter(behaviour)?
    };
    let requirements = requirements()?;
    let work = RunWork {
        command: &command,
        corpus,
        cases: corpus.cases().iter().collect(),
        requirements: &requirements,
        expectations,
    };
    Ok(run(&work, options, &mut |_| {}))
}

fn text_of(report: &RunReport) -> String {
    render(report, TextDetail::Everything.coloured(false))
}

fn check(row: &Row) -> Result<(), Failed> {
    let mut options = RunOptions {
        canaries: !row.unguarded,
        jobs: row
            .jobs
            .and_then(NonZeroUsize::new)
            .unwrap_or(NonZeroUsize::MIN),
        ..options()
    };
    if row.behaviour == "hangs-at-start" {
        options.start_timeout = Duration::from_secs(2);
    }
    if row.limits != NO_LIMITS {
        options.timeout = Duration::from_mins(1);
    }
    let result = run_limited(
        row.behaviour,
        row.limits,
        &corpus()?,
        &Expectations::default(),
        &options,
    )?;
    let (exit, text, verdicts) = match &result {
        Ok(report) => (report.exit_code(), text_of(report), verdicts(report)),
        Err(error) => (5, error.to_string(), BTreeMap::new()),
    };
    for words in row.says {
        expect(text.contains(words), || {
            format!("`{words}` is not in:\n{text}")
        })?;
    }
    expect(exit == row.exit, || {
        format!("exit {exit} and not {}:\n{text}", row.exit)
    })?;
    let marked = verdicts.get("suite/case-07").copied();
    if let (Some(expected), Some(marked)) = (row.marked, marked) {
        expect(marked == expected, || {
            format!("the marked case is {marked:?}:\n{text}")
        })?;
    }
    expect(row.marked.is_none() || marked.is_some(), || {
        "the marked case has no verdict".to_owned()
    })?;
    let passing = verdicts
        .iter()
        .filter(|(id, verdict)| id.as_str() != "suite/case-07" && **verdict == Verdict::Pass);
    let (passing, wanted) = (passing.count(), row.others_pass.unwrap_or(OTHERS_COUNT));
    let wanted = if result.is_ok() { wanted } else { 0 };
    expect(passing == wanted, || {
        format!("{passing} other cases pass:\n{text}")
    })
}

fn verdicts(report: &RunReport) -> BTreeMap<String, Verdict> {
    let cases = report.cases.iter();
    cases.map(|case| (case.id.clone(), case.verdict)).collect()
}

fn expect(holds: bool, message: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(message().into()) }
}

fn program_that_does_not_exist() -> Result<(), Failed> {
    let corpus = corpus()?;
    let requirements = requirements()?;
    let expectations = Expectations::default();
    let work = RunWork {
        command: &AdapterCommand::new("./no-such-program", ["with space"]),
        corpus: &corpus,
        cases: corpus.cases().iter().collect(),
        requirements: &requirements,
        expectations: &expectations,
    };
    let Err(error) = run(&work, &options(), &mut |_| {}) else {
        return Err("it started".into());
    };
    let text = error.to_string();
    let words = "cannot start the adapter `./no-such-program 'with space'`";
    expect(text.starts_with(words), || text.clone())
}

fn expected_crash() -> Result<(), Failed> {
    let text =
        "[[expect]]\ncase = 'suite/case-07'\nreason = 'it crashes'\nfingerprint = 'crashed'\n";
    let expectations = Expectations::parse("expected-failures.toml", text)?;
    let report = run_all("crashes", &corpus()?, &expectations, &options())??;
    expect(report.count(Verdict::ExpectedFailure) == 1, || {
        text_of(&report)
    })?;
    expect(report.exit_code() == 0, || text_of(&report))
}

fn stale_entries() -> Result<(), Failed> {
    let text = "
[[expect]]
case = 'suite/case-01'
reason = 'it passes by now'
[[expect]]
case = 'suite/case-99'
reason = 'there is no such case'
[[expect]]
requirement = 'test.none'
reason = 'nothing tests it'
[[expect]]
case = 'suite/case-02'
reason = 'over'
until = 2020-01-01
[[expect]]
case = 'suite/case-03'
reason = 'another implementation'
when = { name = 'other' }
";
    let expectations = Expectations::parse("expected-failures.toml", text)?;
    let report = run_all("well", &corpus()?, &expectations, &options())??;
    let lines: Vec<_> = report.stale.iter().map(|entry| entry.line).collect();
    expect(lines == [2, 5, 8, 11], || text_of(&report))?;
    expect(report.count(Verdict::UnexpectedPass) == 1, || {
        text_of(&report)
    })?;
    expect(report.exit_code() == 4, || text_of(&report))
}

fn rejection_without_a_class() -> Result<(), Failed> {
    let case = r#"{"title":"refused","requirements":["test.one"],"needs":["events"],"why":"it matters",
        "op":"round-trip","type":"Event","input":{"type":"RUN_STARTED"},"expect":{"rejected":{"class":"schema"}},"since":"1"}"#;
    let corpus = corpus_of(vec![(
        "suite/refused.json".to_owned(),
        case.as_bytes().to_vec(),
    )])?;
    let report = run_all("no-class", &corpus, &Expectations::default(), &options())??;
    expect(report.count(Verdict::Unclassified) == 1, || {
        text_of(&report)
    })?;
    expect(report.exit_code() == 0, || text_of(&report))
}

fn nothing_selected() -> Result<(), Failed> {
    let corpus = corpus_of(Vec::new())?;
    let report = run_all("well", &corpus, &Expectations::default(), &options())??;
    expect(report.exit_code() == 3, || text_of(&report))
}

fn equal_reports() -> Result<(), Failed> {
    let report = |jobs| {
        let jobs = NonZeroUsize::new(jobs).unwrap_or(NonZeroUsize::MIN);
        let options = RunOptions { jobs, ..options() };
        let report = run_all("reversed", &corpus()?, &Expectations::default(), &options)??;
        Ok::<_, Failed>(chatstate_runner::report::json::render(&report))
    };
    let (one, two) = (report(1)?, report(2)?);
    expect(one == two, || format!("{one}\n{two}"))
}

fn replay_members() -> Result<(), Failed> {
    let case = r#"{"title":"replayed","requirements":["test.one"],"needs":["events"],"why":"it matters",
        "op":"replay","input":[],"expect":{"ok":{"messages":[],"state":{},"runs":[],"open":[]}},"since":"1"}"#;
    let corpus = corpus_of(vec![(
        "suite/replayed.json".to_owned(),
        case.as_bytes().to_vec(),
    )])?;
    let report = run_all("well", &corpus, &Expectations::default(), &options())??;
    let text = text_of(&report);
    expect(report.count(Verdict::Pass) == 1, || text.clone())?;
    expect(text.contains("2 members of replays were left out"), || {
        text.clone()
    })?;
    let reference = RunOptions {
        reference: true,
        ..options()
    };
    let report = run_all("well", &corpus, &Expectations::default(), &reference)??;
    expect(report.count(Verdict::Fail) == 1, || text_of(&report))
}

/// What becomes of a document that the adapter gets in its dialect: it comes back, it cannot be said
/// there, it comes back as something else, and it is no document at all.
fn adapter_with_a_dialect() -> Result<(), Failed> {
    let message =
        |text: &str| format!(r#"{{"role":"user","items":[{{"type":"text","text":"{text}"}}]}}"#);
    let chat = |messages: &str, participants: &str| {
        format!(r#"{{"history":[{messages}],"participants":[{participants}],"channels":[]}}"#)
    };
    let case = |name: &str, input: &str, expect: &str| {
        let text = format!(
            r#"{{"title":"{name}","requirements":["test.one"],"needs":["chat"],"why":"it matters",
            "op":"round-trip","type":"ChatState","input":{input}{expect},"since":"1"}}"#
        );
        (format!("suite/{name}.json"), text.into_bytes())
    };
    let same = chat(&message("hi"), "");
    let same = same.replace(r#""participants":[],"#, "");
    let rejected = r#","expect":{"rejected":{"class":"schema"}}"#;
    let corpus = corpus_of(vec![
        case("kept", &same, ""),
        case("lost", &chat("", r#"{"id":"a","type":"T"}"#), ""),
        case("other", &chat(&message("marked"), ""), ""),
        case("refused", &chat("5", ""), rejected),
    ])?;
    let report = run_all(
        "speaks-a-dialect",
        &corpus,
        &Expectations::default(),
        &options(),
    )??;
    let text = text_of(&report);
    let wanted = [Verdict::Pass, Verdict::Fail, Verdict::Fail, Verdict::Skip];
    let found: Vec<_> = verdicts(&report).into_values().collect();
    expect(found == wanted, || format!("{found:?}\n{text}"))?;
    for words in [
        "known as  member@/participants\n",
        "fault:\n                the answer is no `semantic-kernel-python`",
        "skipped: 1 case that cannot be put in `semantic-kernel-python`",
    ] {
        expect(text.contains(words), || {
            format!("`{words}` is not in:\n{text}")
        })?;
    }
    Ok(())
}

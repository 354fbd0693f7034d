//! Whether a report that was cut off, changed, or is about a part of the corpus is taken for the whole,
//! and what is found between two of them.

use chatstate_tests::program::chatstate_program;
use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME, report};
use serde_json::Value;

/// A report and what `report verify` says of it after a change of its text.
struct Damage {
    name: &'static str,
    change: fn(&str) -> String,
    code: i32,
    says: &'static str,
}

const DAMAGES: &[Damage] = &[
    Damage {
        name: "none",
        change: str::to_owned,
        code: 3,
        says: "only a part of the corpus was selected: --only round-trip/unknown-event* --suite round-trip",
    },
    Damage {
        name: "other line ends",
        change: |text| text.replace('\n', "\r\n"),
        code: 3,
        says: "only a part",
    },
    Damage {
        name: "the header alone, as a killed run leaves it",
        change: |text| text.lines().next().unwrap_or("").to_owned() + "\n",
        code: 1,
        says: "has no footer",
    },
    Damage {
        name: "no footer",
        change: |text| text.split("{\"footer\"").next().unwrap_or("").to_owned(),
        code: 1,
        says: "has no footer",
    },
    Damage {
        name: "half a line",
        change: |text| text[..text.len() / 2].to_owned(),
        code: 1,
        says: "has no footer",
    },
    Damage {
        name: "nothing",
        change: |_| String::new(),
        code: 1,
        says: "line 1 is no part of a report",
    },
    Damage {
        name: "a case less",
        change: |text| {
            let lines = text.lines().enumerate().filter(|(index, _)| *index != 2);
            lines.map(|(_, line)| line.to_owned() + "\n").collect()
        },
        code: 1,
        says: "the footer counts 5 cases, and 4 are there",
    },
    Damage {
        name: "another verdict",
        change: |text| text.replacen("\"verdict\":\"fail\"", "\"verdict\":\"pass\"", 1),
        code: 1,
        says: "the digest of the footer does not fit",
    },
    Damage {
        name: "another count in the footer",
        change: |text| text.replace("\"fail\":5", "\"fail\":0"),
        code: 1,
        says: "the digest of the footer does not fit",
    },
    Damage {
        name: "a verdict that there is not",
        change: |text| text.replacen("\"verdict\":\"fail\"", "\"verdict\":\"fine\"", 1),
        code: 1,
        says: "line 2 is no part of a report: unknown variant `fine`",
    },
    Damage {
        name: "two runs in one file",
        change: |text| text.repeat(2),
        code: 1,
        says: "line 8 comes after the footer",
    },
    Damage {
        name: "a later format",
        change: |text| text.replacen("\"format\":1", "\"format\":2", 1),
        code: 1,
        says: "the report has format 2, and this program reads format 1",
    },
    Damage {
        name: "something else",
        change: |_| "{\"a\":1}\n".to_owned(),
        code: 1,
        says: "missing field `implementation`",
    },
];

#[test]
fn a_damaged_report_is_rejected() {
    let folder = ReportFolder::create();
    let _ = folder.run("run.jsonl", SOME, Some(MUTANT));
    let whole = folder.text("run.jsonl");
    for Damage {
        name,
        change,
        code,
        says,
    } in DAMAGES
    {
        let file = folder.write("damaged.jsonl", &change(&whole));
        let finished = report(&["verify", &file]);
        let said = finished.stdout + &finished.stderr;
        assert_eq!(finished.code, *code, "{name}: {said}");
        assert!(said.contains(says), "{name} does not say `{says}`: {said}");
        // What is rejected is rejected by every verb.
        let shown = report(&["show", &file]);
        assert_eq!(shown.code == 1, *code == 1, "{name}: {}", shown.stderr);
    }
}

/// A change of a JSON report, which has no digest, and what gives it away.
type Forgery = (&'static str, fn(&mut Value), &'static str);

const FORGERIES: &[Forgery] = &[
    (
        "the summary",
        |report| report["summary"]["fail"] = 0.into(),
        "`summary` does not count",
    ),
    (
        "a verdict",
        |report| {
            report["cases"][0]["verdict"] = "pass".into();
            report["summary"]["fail"] = 4.into();
            report["summary"]["pass"] = 1.into();
        },
        "`round-trip/unknown-event` is `pass`, and there is evidence against it",
    ),
    (
        "a skip",
        |report| {
            let cause = serde_json::json!({"not-declared": ["events"]});
            report["cases"][0]["verdict"] = "skip".into();
            report["cases"][0]["detail"] = serde_json::json!({ "cause": cause });
            report["summary"]["fail"] = 4.into();
            report["summary"]["skip"] = 1.into();
        },
        "`round-trip/unknown-event` is `skip`, and `events` is declared",
    ),
    (
        "a case left out",
        |report| {
            report["cases"].as_array_mut().map(|cases| cases.remove(0));
            report["summary"]["fail"] = 4.into();
        },
        "`round-trip/unknown-event` is selected and not there",
    ),
    (
        "a case twice",
        |report| {
            let case = report["cases"][0].clone();
            if let Some(cases) = report["cases"].as_array_mut() {
                cases.insert(0, case);
            }
            report["summary"]["fail"] = 6.into();
        },
        "one occurs twice",
    ),
    (
        "the selection",
        |report| {
            report
                .as_object_mut()
                .map(|members| members.remove("selection"));
        },
        "is selected and not there, and so are",
    ),
    (
        "the requirements",
        |report| report["cases"][0]["requirements"] = serde_json::json!([]),
        "the requirements are not those of the case",
    ),
];

#[test]
fn a_forged_report_is_found_out() {
    let folder = ReportFolder::create();
    let _ = folder.run("run.json", SOME, Some(MUTANT));
    let whole: Value = serde_json::from_str(&folder.text("run.json")).expect("it is JSON");
    for (name, forge, says) in FORGERIES {
        let mut forged = whole.clone();
        forge(&mut forged);
        let file = folder.write("forged.json", &forged.to_string());
        let finished = report(&["verify", &file]);
        assert_eq!(
            finished.code, 1,
            "{name}: {}{}",
            finished.stdout, finished.stderr
        );
        assert!(
            finished.stdout.contains(says),
            "{name}: {}",
            finished.stdout
        );
    }
}

#[test]
fn a_whole_run_is_a_claim() {
    let folder = ReportFolder::create();
    let finished = folder.run("run.jsonl", &[], None);
    assert_eq!(finished.code, 0, "{}", finished.stdout);
    let file = folder.path("run.jsonl");
    let verified = report(&["verify", &file]);
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    assert!(
        verified
            .stdout
            .contains("whole, unchanged, and about the whole corpus")
    );
    let badge = report(&["show", "--report", "badge", &file]).stdout;
    assert!(badge.contains("\"color\": \"brightgreen\""), "{badge}");
    // The same run as JSON is the same report.
    let json = folder.path("run.json");
    let _ = report(&["show", "--report", &format!("json={json}"), &file]);
    let compared = report(&["diff", &file, &json]);
    assert_eq!(compared.code, 0, "{}", compared.stdout);
    // Of another corpus, nothing can be claimed.
    let other = folder
        .text("run.json")
        .replace("\"digest\": \"", "\"digest\": \"0");
    let verified = report(&["verify", &folder.write("other.json", &other)]);
    assert_eq!(verified.code, 3, "{}", verified.stdout);
    assert!(
        verified
            .stdout
            .contains("no claim: it is about corpus 1 with digest 0")
    );
}

#[test]
fn two_runs_are_compared() {
    let folder = ReportFolder::create();
    let _ = folder.run("good.jsonl", SOME, None);
    let _ = folder.run("bad.jsonl", SOME, Some(MUTANT));
    let _ = folder.run("less.jsonl", &["--only", "round-trip/unknown-event"], None);
    let [good, bad, less] = ["good", "bad", "less"].map(|it| folder.path(&format!("{it}.jsonl")));
    let worse = "worse     round-trip/unknown-event: pass -> fail (kind-changed@)";
    let better = "better    round-trip/unknown-event: fail (kind-changed@) -> pass";
    let none = "0 worse, 0 otherwise, 0 better, 0 added, 0 removed";
    let rows: [(&[&str], i32, &str); 7] = [
        (&[&good, &good], 0, none),
        (&[&good, &bad], 1, worse),
        (&[&bad, &good], 1, better),
        (&["--only-worse", &bad, &good], 0, none),
        (&["--only-worse", &good, &bad], 1, worse),
        (
            &[&good, &less],
            1,
            "removed   round-trip/unknown-event-former: pass -> not there",
        ),
        (&["--json", &good, &bad], 1, "\"direction\": \"worse\""),
    ];
    for (arguments, code, says) in rows {
        let all: Vec<_> = ["diff"].iter().chain(arguments).copied().collect();
        let finished = report(&all);
        assert_eq!(finished.code, code, "{arguments:?}: {}", finished.stdout);
        assert!(
            finished.stdout.contains(says),
            "{arguments:?}: {}",
            finished.stdout
        );
    }
}

#[test]
fn shards_are_put_together() {
    let folder = ReportFolder::create();
    let suite = ["--suite", "channel-key"];
    let _ = folder.run("whole.jsonl", &suite, None);
    for shard in ["1/3", "2/3", "3/3"] {
        let name = format!("{}.jsonl", &shard[..1]);
        let _ = folder.run(&name, &[suite[0], suite[1], "--shard", shard], None);
    }
    let _ = folder.run("other.jsonl", &["--suite", "json", "--shard", "3/3"], None);
    let [whole, one, two, three, other] =
        ["whole", "1", "2", "3", "other"].map(|it| folder.path(&format!("{it}.jsonl")));
    let merged = format!("jsonl={}", folder.path("merged.jsonl"));
    let finished = report(&["merge", "--report", &merged, &three, &one, &two]);
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
    assert_eq!(folder.text("merged.jsonl"), folder.text("whole.jsonl"));
    let rows: [(&[&str], &str); 5] = [
        (&[&one, &two], "shard 3/3 is missing"),
        (&[&one, &two, &two], "shard 2/3 occurs twice"),
        (
            &[&one, &two, &other],
            "report 3 is of another run than the first: `selection`",
        ),
        (&[&whole, &one], "report 1 is of a whole run"),
        (&[&one], "shard 2/3 is missing"),
    ];
    for (files, says) in rows {
        let all: Vec<_> = ["merge"].iter().chain(files).copied().collect();
        let finished = report(&all);
        assert_eq!(finished.code, 2, "{files:?}: {}", finished.stdout);
        assert!(
            finished.stderr.contains(says),
            "{files:?}: {}",
            finished.stderr
        );
    }
}

/// A run that cannot come to its end leaves no report of an earlier one.
#[test]
fn a_killed_run_leaves_no_old_report() {
    let folder = ReportFolder::create();
    let _ = folder.run("run.jsonl", SOME, None);
    let before = folder.text("run.jsonl");
    let file = folder.path("run.jsonl");
    let mut command = std::process::Command::new(chatstate_program());
    let option = format!("jsonl={file}");
    command.args(["test", "--timeout", "600", "--report", &option, "--"]);
    let adapter = folder.write("hangs.py", HANGS);
    command
        .args(["python3", &adapter])
        .stdout(std::process::Stdio::null());
    let mut child = command.spawn().expect("chatstate starts");
    while folder.text("run.jsonl") == before || folder.text("run.jsonl").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it is gone");
    let finished = report(&["verify", &file]);
    assert_eq!(finished.code, 1, "{}", finished.stdout);
    assert!(
        finished.stderr.contains("has no footer"),
        "{}",
        finished.stderr
    );
}

/// An adapter that introduces itself and then says nothing more.
const HANGS: &str = r#"import sys
sys.stdin.readline()
print('{"protocol":1,"implementation":{"name":"hangs","version":"1","language":"python"},'
      '"capabilities":["round-trip","events"]}', flush=True)
sys.stdin.read()
"#;

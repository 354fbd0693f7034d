//! Logs as bytes: framing, blocks of any size, torn ends, rejections.

use chatstate_streams::compact::{Failed, Finished, Options, Stopped, TextCompactor};
use chatstate_streams::replay::read_stream;
use chatstate_types::generated::{Event, EventStream};

const RUN: [&str; 6] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"ä🚀"}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m\u00e9"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m\u00e9","delta":"a]} \"\\"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"mé","delta":"[{ü"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"mé"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"ä🚀"}"#,
];

const OPEN: [&str; 2] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#,
    r#"{"type":"CUSTOM","name":"n","value":[1, 2]}"#,
];

type Outcome = (Result<Finished, Stopped>, String);

fn compacted(options: Options<'_>, log: &[u8], block: usize) -> Outcome {
    let (mut compactor, mut out) = (TextCompactor::new(options), Vec::new());
    let pushed = log
        .chunks(block)
        .try_for_each(|block| compactor.push(block, &mut out));
    let finished = compactor.finish(&mut out);
    assert_eq!(
        pushed.clone().err(),
        finished.clone().err().filter(|_| pushed.is_err())
    );
    (
        finished,
        String::from_utf8(out).expect("the output is text"),
    )
}

/// The same, read by another thread.
fn read_ahead(options: Options<'_>, log: &[u8], block: usize) -> Outcome {
    let (mut blocks, mut out) = (log.chunks(block), Vec::new());
    let mut read = |block: &mut [u8]| {
        let next = blocks.next().unwrap_or_default();
        block[..next.len()].copy_from_slice(next);
        Ok(next.len())
    };
    let mut write = |settled: &[u8]| {
        out.extend_from_slice(settled);
        Ok(())
    };
    let finished = TextCompactor::new(options).compact::<()>(&mut read, &mut write);
    let finished = finished.map_err(|failed| match failed {
        Failed::Stopped(stopped) => stopped,
        Failed::Caller(()) => panic!("the log can be read and written"),
    });
    let out = String::from_utf8(out).expect("the output is text");
    (finished, out)
}

/// What comes of a log, whatever the size of the blocks and whoever reads it.
fn check_with(options: Options<'_>, log: &[u8]) -> Outcome {
    let whole = compacted(options, log, usize::MAX);
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(compacted(options, log, size), whole, "in blocks of {size}");
        assert_eq!(read_ahead(options, log, size), whole, "ahead, in {size}");
    }
    whole
}

fn check(log: &str) -> (Finished, String) {
    let (finished, out) = check_with(Options::default(), log.as_bytes());
    (finished.unwrap_or_else(|stopped| panic!("{stopped}")), out)
}

fn log(framing: [&str; 3]) -> String {
    let [before, between, after] = framing;
    let events = [&RUN[..], &OPEN].concat();
    format!("{before}{}{after}", events.join(between))
}

#[test]
fn framings_mean_the_same_and_are_kept() {
    let lines = check(&log(["", "\n", "\n"])).1;
    assert_eq!(lines.lines().count(), 7);
    assert!(lines.ends_with("[1, 2]}\n"), "{lines}");
    for framing in [
        ["", "\n", ""],
        ["\n\r\n ", "\r\n", "\r\n"],
        ["", "\n\n \n", "\n "],
    ] {
        assert_eq!(check(&log(framing)).1, lines, "{framing:?}");
    }
    let array = check(&log(["[", ",", "]"])).1;
    assert!(array.starts_with('[') && array.ends_with("]\n"), "{array}");
    let events = read_stream(&lines).expect("the output can be read");
    let read = EventStream::from_json(array.trim_end()).expect("the output can be read");
    assert_eq!(read.0, events);
    for framing in [[" \n[\n", "\n,\r\n", "\n]\n"], ["[  ", " , ", "\t]  "]] {
        assert_eq!(check(&log(framing)).1, array, "{framing:?}");
    }
    assert_eq!(check("[ ]").1, "[]\n");
}

/// Logs come in blocks that end anywhere, also where a parser would say that a number is invalid.
#[test]
fn an_array_may_be_cut_anywhere() {
    let number = r#"{"type":"CUSTOM","name":"n","value":[-0.5,1.25e+10,2E-7,"\u00e9\ud83d\ude00",true,null]}"#;
    let log = format!(
        "[{},\n {}, {number}]",
        RUN.join(","),
        [OPEN[0], number].join(",")
    );
    let whole = compacted(Options::default(), log.as_bytes(), usize::MAX);
    assert!(whole.0.is_ok(), "{whole:?}");
    for cut in 0..log.len() {
        let (mut compactor, mut out) = (TextCompactor::new(Options::default()), Vec::new());
        for block in [&log.as_bytes()[..cut], &log.as_bytes()[cut..]] {
            let pushed = compactor.push(block, &mut out);
            assert_eq!(
                pushed,
                Ok(()),
                "cut before `{}`",
                String::from_utf8_lossy(&log.as_bytes()[cut..])
            );
        }
        assert_eq!(compactor.finish(&mut out), whole.0, "cut at byte {cut}");
        assert_eq!(String::from_utf8_lossy(&out), whole.1, "cut at byte {cut}");
    }
}

#[test]
fn counts_are_told() {
    let (finished, out) = check(&log(["", "\n", "\n"]));
    assert_eq!((finished.events_read, finished.events_written), (8, 7));
    assert_eq!(finished.bytes_written, out.len() as u64);
    assert_eq!((finished.torn, finished.violation), (None, None));
}

#[test]
fn a_torn_tail_is_told_and_what_stands_before_is_used() {
    for (framing, torn) in [
        (["", "\n", "\n"], r#"{"type":"CUS"#),
        (["", "\n", "\n"], r#"{"type":"CUSTOM","name":"né"#),
        (["[", ", ", ", "], r#"{"type":"CUSTOM","value":[1]"#),
        (["[", ", ", " "], ""),
        (["[", ", ", ", "], ""),
    ] {
        let whole = log(framing);
        let (finished, out) = check(&format!("{whole}{torn}"));
        let offset = finished.torn.map(|torn| torn.offset);
        assert_eq!(offset, Some(whole.len() as u64), "{whole}{torn}");
        assert_eq!(read_stream(&out).map(|events| events.len()), Ok(7), "{out}");
    }
    // In the middle of a character.
    let mut bytes = log(["", "\n", "\n{\"type\":\"CUSTOM\",\"name\":\"é"]).into_bytes();
    bytes.pop();
    let (finished, _) = check_with(Options::default(), &bytes);
    assert!(finished.is_ok_and(|finished| finished.torn.is_some()));
}

#[test]
fn very_many_deltas_of_a_run_become_one() {
    let count = 130_000;
    let (mut log, mut expected) = (format!("{}\n{}\n", OPEN[0], RUN[1]), String::new());
    for number in 0..count {
        let delta = format!("{number} \\u00e9\\n");
        log += r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"mé","delta":""#;
        log += &delta;
        log += "\"}\n";
        expected += &delta.replace("\\u00e9", "é");
    }
    for block in [usize::MAX, 100_000] {
        let (finished, out) = compacted(Options::default(), log.as_bytes(), block);
        assert_eq!(finished.map(|finished| finished.events_read), Ok(count + 2));
        assert_eq!(out.lines().count(), 3);
        assert!(
            out.contains(&expected),
            "the text is not that of the deltas"
        );
    }
}

/// What is wrong is told of the same event when a second thread has read ahead.
#[test]
fn a_violation_among_very_many_events_is_told_of_its_event() {
    let mut events = vec![OPEN[0]];
    events.resize(5000, OPEN[1]);
    events[3000] = r#"{"type":"TEXT_MESSAGE_END","messageId":"x"}"#;
    events[4000] = "{";
    let log = events.join("\n");
    for block in [usize::MAX, 50_000, 1000] {
        let (finished, _) = compacted(Options::default(), log.as_bytes(), block);
        let stopped = finished.expect_err("the log is rejected");
        assert_eq!(stopped.rejection.at, "/3000");
    }
}

/// A lenient compactor passes on what a second thread has read ahead, and what comes later.
#[test]
fn very_many_events_after_a_violation_are_passed_on() {
    let options = Options {
        lenient: true,
        ..Options::default()
    };
    let mut events = vec![OPEN[0]];
    events.resize(5000, OPEN[1]);
    events[3000] = r#"{"type":"TEXT_MESSAGE_END","messageId":"x"}"#;
    events[4000] = r#"{"type":"TEXT_MESSAGE_END","messageId":"y"}"#;
    let log = events.join("\n") + "\n";
    for block in [usize::MAX, 50_000, 1000] {
        let (finished, out) = compacted(options, log.as_bytes(), block);
        let violation = finished.expect("the log is passed on").violation;
        assert_eq!(violation.map(|it| it.at), Some("/3000".to_owned()));
        assert_eq!(out, log, "in blocks of {block}");
    }
}

/// The class, rule, place and message that a log is rejected with.
fn rejection(options: Options<'_>, log: &[u8]) -> ([String; 4], String) {
    let (finished, out) = check_with(options, log);
    let stopped = finished.expect_err("the log is rejected");
    assert_eq!(stopped.bytes_written, out.len() as u64);
    let rejection = stopped.rejection;
    let class = rejection.class.to_string();
    let rule = rejection.rule.into_owned();
    ([class, rule, rejection.at, rejection.message], out)
}

#[test]
fn rejections_are_in_the_words_of_the_reader_of_streams() {
    let first = RUN.join("\n");
    for bad in [
        format!("{first}\n{{\"type\":\n"),
        format!("{first}\n\n{{}}\n"),
        format!("{first}\n{{\"type\":\"CUSTOM\",\"type\":\"RAW\"}}\n"),
        format!("{first}\n{{\"type\":\"RUN_STARTED\",\"threadId\":1,\"runId\":\"r\"}}"),
        format!("[{},{{\"type\":\"RUN_STARTED\"}}]", RUN.join(",")),
    ] {
        let expected = read_stream(&bad).expect_err("the log is rejected");
        let (found, _) = rejection(Options::default(), bad.as_bytes());
        let class = expected.class.to_string();
        let expected = [
            class,
            expected.rule.into_owned(),
            expected.at,
            expected.message,
        ];
        assert_eq!(found, expected, "{bad}");
    }
}

#[test]
fn an_array_that_is_none_is_rejected_where_it_breaks() {
    for (bad, place) in [
        ("[1 2]", "`,` or `]`"),
        ("[] x", "the end of the document"),
        ("[{\"type\" 1}]", "begins at byte 1"),
        ("[ ,]", "begins at byte 2"),
    ] {
        let (finished, _) = check_with(Options::default(), bad.as_bytes());
        let stopped = finished.expect_err("the log is rejected").to_string();
        let is_value = bad == "[1 2]";
        assert!(stopped.contains(place) || is_value, "{bad}: {stopped}");
    }
}

#[test]
fn bytes_that_are_no_text_are_rejected_where_they_stand() {
    let mut bytes = log(["", "\n", "\n"]).into_bytes();
    let at = bytes.len();
    bytes.extend_from_slice(b"\xff\n");
    let ([class, rule, _, message], out) = rejection(Options::default(), &bytes);
    assert_eq!((class.as_str(), rule.as_str()), ("syntax", "utf-8"));
    assert!(message.contains(&format!("byte {at} ")), "{message}");
    assert_eq!(out.lines().count(), 5);
    let ([_, rule, ..], _) = rejection(Options::default(), "\u{feff}{}".as_bytes());
    assert_eq!(rule, "byte-order-mark");
}

#[test]
fn a_violation_stops_behind_the_last_finished_run() {
    let end = r#"{"type":"TEXT_MESSAGE_END","messageId":"x"}"#;
    for framing in [["", "\n", "\n"], ["[", ",", "]"]] {
        let [before, between, after] = framing;
        let events = [&RUN[..], &OPEN, &[end, OPEN[1]]].concat();
        let log = format!("{before}{}{after}", events.join(between));
        let ([class, rule, at, _], out) = rejection(Options::default(), log.as_bytes());
        assert_eq!([class, rule, at], ["sequence", "text.not-open", "/8"]);
        assert_eq!(read_stream(&out).map(|events| events.len()), Ok(5));
    }
}

#[test]
fn a_lenient_compactor_passes_the_run_through_and_what_follows() {
    let end = "{ \"type\":\"TEXT_MESSAGE_END\",  \"messageId\":\"x\" }";
    let events = [&RUN[..], &OPEN, &[end, "no event at all", OPEN[1]]].concat();
    let options = Options {
        lenient: true,
        ..Options::default()
    };
    let (finished, out) = check_with(options, events.join("\n").as_bytes());
    let finished = finished.expect("a lenient compactor goes on");
    let violation = finished.violation.expect("the violation is told");
    assert_eq!(
        (violation.rule.as_ref(), violation.at.as_str()),
        ("text.not-open", "/8")
    );
    let rest: Vec<&str> = out.lines().skip(5).collect();
    assert_eq!(rest, events[6..]);
}

/// What the caller cannot read or write ends a compaction, and the thread that reads ahead.
#[test]
fn a_log_that_cannot_be_read_or_written_is_told() {
    let log = log(["", "\n", "\n"]);
    let mut lines = log.split_inclusive('\n');
    let mut read = |block: &mut [u8]| {
        let line = lines.next().filter(|line| !line.contains("CUSTOM"));
        let line = line.ok_or("unreadable")?;
        block[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    };
    let mut compactor = TextCompactor::new(Options::default());
    let read = compactor.compact(&mut read, &mut |_| Ok(()));
    assert!(
        matches!(read, Err(Failed::Caller("unreadable"))),
        "{read:?}"
    );

    let mut endless = |block: &mut [u8]| {
        block[..log.len()].copy_from_slice(log.as_bytes());
        Ok(log.len())
    };
    let mut compactor = TextCompactor::new(Options::default());
    let written = compactor.compact(&mut endless, &mut |_| Err("full"));
    assert!(
        matches!(written, Err(Failed::Caller("full"))),
        "{written:?}"
    );
}

/// A log of one run with these events in it, each of which has a long text in place of `LONG`.
fn log_of_long(events: &[&str]) -> String {
    let [start, .., end] = RUN;
    let long = "long ".repeat(100);
    let events = events.iter().map(|event| event.replace("LONG", &long));
    let events: Vec<String> = events.collect();
    format!("{start}\n{}\n{end}\n", events.join("\n"))
}

/// Long events are read ahead into their types, and mean what they mean where they are pushed.
#[test]
fn long_events_are_read_ahead() {
    let (finished, out) = check(&log_of_long(&[
        RUN[1],
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"mé","delta":"LONG"}"#,
        r#"{"delta":"\u000aLONG","messageId":"mé","type":"TEXT_MESSAGE_CONTENT"}"#,
        RUN[4],
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":"LONG"}}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/b","value":"LONG"}]}"#,
        r#"{"type":"A_NEW_ONE","text":"LONG"}"#,
    ]));
    assert_eq!((finished.events_read, finished.events_written), (9, 7));
    assert_eq!(out.matches("long ").count(), 5 * 100, "{out}");
    let open = "[".repeat(510);
    let deep = format!(
        r#"{{"type":"CUSTOM","name":"n","value":{open}{}}}"#,
        open.replace('[', "]")
    );
    assert_eq!(check(&log_of_long(&[&deep])).0.events_written, 3);
}

#[test]
fn long_events_that_are_wrong_are_rejected_where_they_come() {
    for (wrong, class, rule, at) in [
        (
            r#"{"type":"CUSTOM","name":5,"value":"LONG"}"#,
            "schema",
            "type",
            "/2/name",
        ),
        (r#"{"type":5,"name":"LONG"}"#, "schema", "type", "/2/type"),
        (r#"["type","LONG"]"#, "schema", "type", "/2"),
        (r#"{"type":"LONG"]"#, "syntax", "json", "/2"),
    ] {
        let log = log_of_long(&[OPEN[1], wrong]);
        let stopped = check_with(Options::default(), log.as_bytes()).0;
        let rejection = stopped.expect_err("it is rejected").rejection;
        assert_eq!(rejection.class.as_str(), class, "{wrong}: {rejection}");
        assert_eq!(
            (rejection.rule.as_ref(), rejection.at.as_str()),
            (rule, at),
            "{wrong}"
        );
    }
}

const SAID: [&str; 4] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","input":{"threadId":"t","runId":"r1","messages":[{"id":"u","role":"user","content":"hi"}],"tools":[],"context":[]}}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}"#,
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[{"id":"u","role":"user","content":"hi"}],"tools":[],"context":[]}}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#,
];

/// What the path holds leaves the input of a run, however the type is spelled, unless the caller
/// keeps that very event (requirement `compact.minimal-input`).
#[test]
fn only_a_kept_start_repeats_what_its_path_holds() {
    let repeats = |log: &str, keep: Option<&dyn Fn(&Event) -> bool>| {
        let options = Options {
            keep,
            ..Options::default()
        };
        let out = check_with(options, log.as_bytes()).1;
        out.matches(r#""id":"u""#).count() == 2
    };
    let log = SAID.join("\n");
    let escaped = log.replace("RUN_STARTED", "RUN\\u005fSTARTED");
    assert!(!repeats(&log, None));
    assert!(!repeats(&escaped, None));
    assert!(!repeats(&log, Some(&|event| event.tag() == "CUSTOM")));
    assert!(repeats(&log, Some(&|event| event.tag() == "RUN_STARTED")));
}

/// An empty file is a log before its first event.
#[test]
fn a_log_of_blanks_is_empty() {
    for log in ["", "\n", " \r\n"] {
        let (finished, out) = check(log);
        assert_eq!(
            (finished.events_read, finished.torn, out.as_str()),
            (0, None, "")
        );
    }
}

/// A power failure leaves zeros; they and the event that they cut are a torn tail.
#[test]
fn zeros_at_the_end_are_a_torn_tail() {
    for (framing, torn) in [
        (["", "\n", "\n"], "\0\0\0"),
        (["", "\n", "\n"], "{\"type\":\"CUS\0\0"),
        (["", "\n", "\n"], "{\"type\":\"RAW\",\"event\":1}\0"),
        (["[", ",", ","], "\0\0"),
        (["[", ",", ","], "{\"type\":\"CUS\0"),
        (["[", ",", ""], "\0"),
    ] {
        let whole = log(framing);
        let (finished, out) = check(&format!("{whole}{torn}"));
        let offset = finished.torn.map(|torn| torn.offset);
        assert_eq!(offset, Some(whole.len() as u64), "{torn:?}");
        assert_eq!(read_stream(&out).map(|events| events.len()), Ok(7), "{out}");
    }
}

#[test]
fn brackets_that_do_not_match_are_no_torn_tail() {
    let (finished, _) = check_with(Options::default(), b"[{\"type\":[1},{\"type\":1}]");
    let stopped = finished.expect_err("the log is rejected");
    assert_eq!(stopped.rejection.rule, "json");
}

//! One case and one outcome each: what the verdict is, and what it says.

use chatstate_corpus::{Case, RequirementLevel};
use chatstate_protocol::Rejected;
use chatstate_runner::{JudgeOptions, Outcome, Verdict, judge, not_applicable};
use serde_json::{Value, json};

const BAR: JudgeOptions = JudgeOptions {
    level: RequirementLevel::Must,
    reference: false,
    writes_back: true,
};

/// A round-trip case about an event, with members replaced.
fn case(changes: Value) -> Case {
    let mut case = json!({
        "title": "a title", "requirements": ["a.b"], "why": "it matters", "op": "round-trip",
        "needs": ["events"], "type": "Event", "since": "1",
        "input": {"type": "RAW", "event": {"a": [1, null]}, "other": 1}
    });
    if let Value::Object(changes) = changes {
        case.as_object_mut().expect("an object").extend(changes);
    }
    serde_json::from_str(&case.to_string()).expect("the case is well-formed")
}

fn rejected(class: Option<&str>, at: Option<&str>, rule: Option<&str>) -> Outcome {
    Outcome::Rejected(Rejected {
        class: class.map(str::to_owned),
        at: at.map(str::to_owned),
        rule: rule.map(str::to_owned),
        message: None,
    })
}

fn ok(text: &str) -> Outcome {
    Outcome::Ok(text.to_owned())
}

/// Judges; `expected` is the verdict and the fingerprint, which is empty where there is none.
fn check(changes: Value, outcome: &Outcome, bar: JudgeOptions, expected: (Verdict, &str)) {
    let judgement = judge(&case(changes), std::slice::from_ref(outcome), bar);
    let fingerprint = judgement
        .detail
        .as_ref()
        .and_then(|detail| detail.fingerprint.as_deref());
    let found = (judgement.verdict, fingerprint.unwrap_or(""));
    assert_eq!(found, expected, "{outcome:?}: {judgement:#?}");
}

#[test]
fn a_round_trip_is_compared_by_value() {
    let none = || json!({});
    let same = r#"{"other":1.0, "event":{"\u0061":[1e0,null]},"type":"RAW"}"#;
    check(none(), &ok(same), BAR, (Verdict::Pass, ""));
    let dropped = r#"{"type":"RAW","event":{"a":[1,null]}}"#;
    check(
        none(),
        &ok(dropped),
        BAR,
        (Verdict::Fail, "unknown-dropped@/other"),
    );
    check(none(), &ok("{"), BAR, (Verdict::Fail, "not-json"));
    check(
        none(),
        &rejected(Some("schema"), Some("/event"), None),
        BAR,
        (Verdict::Fail, "rejected:schema@/event"),
    );
}

#[test]
fn a_rejection_is_compared_by_its_reason() {
    let expect =
        || json!({"expect": {"rejected": {"class": "schema", "at": "/a", "rule": "type"}}});
    let pass = (Verdict::Pass, "");
    check(expect(), &rejected(Some("schema"), None, None), BAR, pass);
    check(
        expect(),
        &rejected(Some("schema"), Some("/a"), Some("type")),
        BAR,
        pass,
    );
    check(
        expect(),
        &rejected(Some("schema"), Some("/b"), None),
        BAR,
        (Verdict::Fail, "rejected:schema@/b"),
    );
    check(
        expect(),
        &rejected(Some("schema"), None, Some("enum")),
        BAR,
        (Verdict::Fail, "rejected:schema@"),
    );
    check(
        expect(),
        &rejected(Some("syntax"), None, None),
        BAR,
        (Verdict::Fail, "rejected:syntax@"),
    );
    check(
        expect(),
        &rejected(None, None, None),
        BAR,
        (Verdict::Unclassified, "rejected:unclassified@"),
    );
    let same = r#"{"type":"RAW","event":{"a":[1,null]},"other":1}"#;
    check(expect(), &ok(same), BAR, (Verdict::Fail, "accepted"));
    let class_only = json!({"expect": {"rejected": {"class": "schema"}}});
    check(
        class_only,
        &rejected(Some("schema"), Some("/b"), Some("enum")),
        BAR,
        pass,
    );
}

#[test]
fn a_canonical_text_is_compared_byte_by_byte() {
    let expect = || json!({"op": "canonicalize", "expect": {"ok": "{\"a\":1}"}});
    check(expect(), &ok(r#"{"a":1}"#), BAR, (Verdict::Pass, ""));
    check(expect(), &ok(r#"{"a": 1}"#), BAR, (Verdict::Fail, "ok"));
    check(expect(), &ok(r#"{"a":1.0}"#), BAR, (Verdict::Fail, "ok"));
}

#[test]
fn a_choice_passes_with_any_of_its_answers() {
    let expect = || {
        json!({"expect": {"anyOf": [
            {"ok": {"a": 1}, "note": "kept"},
            {"ok": {}, "note": "dropped"},
            {"rejected": {"class": "syntax"}, "note": "refused"}
        ]}})
    };
    check(expect(), &ok("{}"), BAR, (Verdict::Pass, ""));
    check(
        expect(),
        &rejected(Some("syntax"), None, None),
        BAR,
        (Verdict::Pass, ""),
    );
    check(
        expect(),
        &rejected(None, None, None),
        BAR,
        (Verdict::Unclassified, "rejected:unclassified@"),
    );
    check(
        expect(),
        &rejected(Some("schema"), None, None),
        BAR,
        (Verdict::Fail, "rejected:schema@"),
    );
    check(expect(), &ok("[]"), BAR, (Verdict::Fail, "kind-changed@"));
}

#[test]
fn an_open_question_is_recorded() {
    let expect = || json!({"expect": {"either": "RFC 8259 leaves it open"}});
    check(expect(), &ok("{}"), BAR, (Verdict::Recorded, ""));
    check(
        expect(),
        &rejected(None, None, None),
        BAR,
        (Verdict::Recorded, ""),
    );
    check(
        expect(),
        &Outcome::Fault("x".to_owned()),
        BAR,
        (Verdict::Fail, "fault"),
    );
}

#[test]
fn what_is_no_answer_never_passes() {
    let crashed = Outcome::Crashed {
        ending: "exited with status 1".to_owned(),
        stderr: String::new(),
        certain: true,
    };
    let either = json!({"expect": {"either": "open"}});
    check(either, &crashed, BAR, (Verdict::Error, "crashed"));
    check(
        json!({}),
        &Outcome::Unsupported("no".to_owned()),
        BAR,
        (Verdict::Fail, "unsupported"),
    );
    check(
        json!({}),
        &Outcome::Fault("no".to_owned()),
        BAR,
        (Verdict::Fail, "fault"),
    );
}

#[test]
fn advice_warns() {
    let advice = JudgeOptions {
        level: RequirementLevel::Should,
        ..BAR
    };
    check(
        json!({}),
        &ok("{}"),
        advice,
        (
            Verdict::Warn,
            "discriminator-lost@/type member-dropped@/event unknown-dropped@/other",
        ),
    );
}

#[test]
fn a_replay_may_leave_out_what_is_not_required() {
    let stated = json!({"messages": [], "state": {"a": 1}, "runs": []});
    let replay = || json!({"op": "replay", "type": null, "expect": {"ok": stated.clone()}});
    let reference = JudgeOptions {
        reference: true,
        ..BAR
    };
    let bare = ok(r#"{"messages":[],"state":{"a":1},"later":true}"#);
    check(replay(), &bare, BAR, (Verdict::Pass, ""));
    check(
        replay(),
        &bare,
        reference,
        (Verdict::Fail, "member-dropped@/runs"),
    );
    check(
        replay(),
        &ok(r#"{"messages":[]}"#),
        BAR,
        (Verdict::Fail, "member-dropped@/state"),
    );
    let wrong = ok(r#"{"messages":[],"state":{"a":1},"runs":[1]}"#);
    check(replay(), &wrong, BAR, (Verdict::Fail, "item-added@/runs/0"));
    let judgement = judge(&case(replay()), &[bare], BAR);
    assert_eq!(judgement.uncompared, ["runs"]);
}

#[test]
fn errors_and_usage_of_runs_are_compared_where_a_case_states_them() {
    let run = |id: &str, more: &str| format!(r#"{{"runId":"{id}","status":"failed"{more}}}"#);
    let answer = |runs: &[String]| {
        let runs = runs.join(",");
        format!(r#"{{"messages":[],"state":{{}},"runs":[{runs}]}}"#)
    };
    let reason = r#","error":{"message":"m"}"#;
    let silent = answer(&[run("r1", ""), run("r2", "")]);
    let one = answer(&[run("r1", reason), run("r2", "")]);
    let both = answer(&[run("r1", reason), run("r2", reason)]);
    let replay = |expected: &str| {
        let expected: serde_json::Value = serde_json::from_str(expected).expect("an answer");
        json!({"op": "replay", "type": null, "expect": {"ok": expected}})
    };
    let dropped = "member-dropped@/runs/1/error";
    let added = "member-added@/runs/1/error";
    check(replay(&silent), &ok(&both), BAR, (Verdict::Pass, ""));
    check(replay(&both), &ok(&one), BAR, (Verdict::Fail, dropped));
    check(replay(&one), &ok(&both), BAR, (Verdict::Fail, added));
}

#[test]
fn what_is_not_declared_is_skipped() {
    let skipped = |case: &Case, words: &[&str], reference| {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        not_applicable(case, &words, reference).map(|it| it.verdict)
    };
    let plain = case(json!({}));
    assert_eq!(skipped(&plain, &["round-trip", "events"], false), None);
    assert_eq!(skipped(&plain, &["round-trip"], false), Some(Verdict::Skip));
    assert_eq!(skipped(&plain, &["events"], false), Some(Verdict::Skip));
    let binding = case(json!({"profile": "reference"}));
    assert_eq!(
        skipped(&binding, &["round-trip", "events"], false),
        Some(Verdict::Skip)
    );
    assert_eq!(skipped(&binding, &["round-trip", "events"], true), None);
}

/// A case about a document without a required member, or about a valid one.
fn asked_back(expect: &Value) -> Case {
    case(json!({"op": "validate", "input": {"type": "RAW"}, "expect": expect}))
}

#[test]
fn what_is_accepted_and_written_back_is_named() {
    let defect = json!({"rejected": {"class": "schema", "at": "/event", "rule": "required"}});
    let valid = json!({"ok": true});
    let filled_in = r#"{"type":"RAW","event":null}"#;
    let fault = Outcome::Fault("no".to_owned());
    let unsupported = Outcome::Unsupported("no".to_owned());
    let refused = || rejected(Some("schema"), Some("/event"), None);
    let crashed = Outcome::Crashed {
        ending: "exited with status 1".to_owned(),
        stderr: String::new(),
        certain: true,
    };
    let pass = (Verdict::Pass, "");
    let fail = |sign| (Verdict::Fail, sign);
    let otherwise = "written-otherwise discriminator-lost@/type";
    for (expect, written, expected) in [
        (&defect, None, fail("accepted")),
        (&defect, Some(ok(r#"{ "type" : "RAW" }"#)), fail("accepted")),
        (&defect, Some(refused()), fail("accepted")),
        (
            &defect,
            Some(ok(filled_in)),
            fail("made-valid null-for-absent@/event"),
        ),
        (&defect, Some(ok("{}")), fail(otherwise)),
        (&defect, Some(ok("{")), fail("cannot-be-written:not-json")),
        (
            &defect,
            Some(fault.clone()),
            fail("cannot-be-written:fault"),
        ),
        (&defect, Some(crashed.clone()), (Verdict::Error, "crashed")),
        (&valid, None, pass),
        (&valid, Some(ok(r#"{ "type" : "RAW" }"#)), pass),
        (&valid, Some(ok("{}")), fail(otherwise)),
        (
            &valid,
            Some(refused()),
            fail("cannot-be-written:rejected:schema@/event"),
        ),
        (&valid, Some(fault), fail("cannot-be-written:fault")),
        (
            &valid,
            Some(unsupported),
            fail("cannot-be-written:unsupported"),
        ),
        (&valid, Some(crashed), (Verdict::Error, "crashed")),
    ] {
        let outcomes: Vec<Outcome> = [Some(ok("true")), written].into_iter().flatten().collect();
        let judgement = judge(&asked_back(expect), &outcomes, BAR);
        let detail = judgement.detail.as_ref();
        let fingerprint = detail.and_then(|it| it.fingerprint.as_deref());
        let found = (judgement.verdict, fingerprint.unwrap_or(""));
        assert_eq!(found, expected, "{expect}: {outcomes:?}");
    }
}

#[test]
fn a_round_trip_that_should_be_refused_is_its_own_evidence() {
    let defect = |input| json!({"input": input, "expect": {"rejected": {"class": "schema"}}});
    let check = |input: Value, answer: &str, expected: &str| {
        check(defect(input), &ok(answer), BAR, (Verdict::Fail, expected));
    };
    check(json!({"type": "RAW"}), r#"{"type":"RAW"}"#, "accepted");
    let filled_in = r#"{"type":"RAW","event":null}"#;
    check(
        json!({"type": "RAW"}),
        filled_in,
        "made-valid null-for-absent@/event",
    );
}

/// A text with a doubled member cannot be compared, and what is written can still be valid.
#[test]
fn a_defect_that_is_no_json_can_be_made_valid() {
    let doubled = json!({
        "op": "validate", "inputText": r#"{"type":"RAW","event":1,"event":2}"#, "input": null,
        "expect": {"rejected": {"class": "syntax"}}
    });
    let mut case = case(json!({}));
    case.op = "validate".to_owned();
    case.input = None;
    case.input_text = doubled["inputText"].as_str().map(str::to_owned);
    case.expect = serde_json::from_value(doubled["expect"].clone()).expect("an expectation");
    for (written, sign) in [
        (r#"{"type":"RAW","event":2}"#, "made-valid"),
        (r#"{"type":"RAW"}"#, "written-otherwise"),
        (r#"{"type":"RAW","event":1,"event":2}"#, "accepted"),
    ] {
        let judgement = judge(&case, &[ok("true"), ok(written)], BAR);
        let signs = judgement.detail.map(|it| it.signs().join(" "));
        assert_eq!(signs.as_deref(), Some(sign), "{written}");
    }
}

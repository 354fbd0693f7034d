//! CBOR: the encodings that the standard gives, bad input, and the same value on both sides.

use std::fmt::Write;

use chatstate_arbitrary::texts;
use chatstate_json::Class;
use chatstate_json::Rejection;
use chatstate_json::cbor::{from_cbor, to_cbor};
use chatstate_json::{Surrogates, Value, canonical, parse, parse_with};
use proptest::prelude::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("memory takes it");
        text
    })
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16);
    digits
        .map(|pair| byte(pair).expect("hexadecimal"))
        .collect()
}

fn json(text: &str) -> Value {
    parse_with(text, Surrogates::AllowUnpairedAtEnds)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Texts with the encoding of their value, both ways.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let value = json(text);
        let encoded = to_cbor(&value).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(hex(&encoded), *expected, "the encoding of {text}");
        assert_eq!(from_cbor(&encoded), Ok(value), "the value of {expected}");
    }
}

#[test]
fn each_value_has_one_encoding() {
    check(&[
        ("0", "00"),
        ("23", "17"),
        ("24", "1818"),
        ("1000000", "1a000f4240"),
        ("18446744073709551615", "1bffffffffffffffff"),
        ("18446744073709551616", "c249010000000000000000"),
        ("-18446744073709551616", "3bffffffffffffffff"),
        ("-18446744073709551617", "c349010000000000000000"),
        ("-1", "20"),
        ("-1000", "3903e7"),
        ("-0", "00"),
        ("1.0", "01"),
        ("1e2", "1864"),
        ("1.5", "f93e00"),
        ("1.1", "fb3ff199999999999a"),
        ("0.00006103515625", "f90400"),
        ("3.4028234663852886e+38", "fa7f7fffff"),
        ("1e300", "fb7e37e43c8800759c"),
        ("-4.1", "fbc010666666666666"),
        ("5e-324", "fb0000000000000001"),
        ("false", "f4"),
        ("true", "f5"),
        ("null", "f6"),
        (r#""""#, "60"),
        (r#""IETF""#, "6449455446"),
        (r#""\u00fc\u6c34\ud800\udd51""#, "69c3bce6b0b4f0908591"),
        ("[]", "80"),
        ("[1,[2,3]]", "8201820203"),
        ("{}", "a0"),
        // The shorter name first, and then by bytes.
        (r#"{"b":1,"aa":2,"a":3,"":4}"#, "a4600461610361620162616102"),
    ]);
}

#[test]
fn numbers_that_no_double_is_keep_their_digits() {
    check(&[
        // A decimal is a pair of an exponent of ten and an integer.
        ("0.12345678901234567890", "c482321b112210f47de98115"),
        ("-1e-400", "c48239018f20"),
        ("12e1000", "c4821903e80c"),
        ("1e1000", "c4821903e801"),
        ("1e999999999999999999", "c4821b0de0b6b3a763ffff01"),
        (
            "1234567890123456789012345678901234567890.5",
            "c48220c2512447db449988978536bf5bbbe40e766c39",
        ),
    ]);
    // An integer of a thousand digits is one, and a longer one is written with an exponent.
    let digits = format!("{}7", "9".repeat(999));
    for text in [digits.clone(), format!("-{digits}"), format!("{digits}123")] {
        let encoded = to_cbor(&json(&text)).expect("a number");
        assert_eq!(from_cbor(&encoded), Ok(json(&text)));
    }
}

#[test]
fn halves_of_characters_are_kept() {
    check(&[
        (r#""\ud83d""#, "d9011143eda0bd"),
        (r#""\ude00""#, "d9011143edb880"),
        (r#""\ude00a\ud83d""#, "d9011147edb88061eda0bd"),
        // The first and the last of each.
        (r#""\udc00\ud800""#, "d9011146edb080eda080"),
        (r#""\udfff\udbff""#, "d9011146edbfbfedafbf"),
        (r#"["\ud83d","\ude00"]"#, "82d9011143eda0bdd9011143edb880"),
    ]);
}

/// What other encoders write, too: any width, any order.
#[test]
fn encodings_of_other_programs_are_read() {
    let cases = [
        ("1800", "0"),
        ("1b0000000000000001", "1"),
        ("3800", "-1"),
        ("fb3ff0000000000000", "1"),
        ("f98000", "0"),
        ("fa47c35000", "100000"),
        ("f97bff", "65504"),
        ("7800", "\"\""),
        ("a2616201616102", r#"{"b":1,"a":2}"#),
        ("9b0000000000000001f6", "[null]"),
        ("c240", "0"),
        ("c2420001", "1"),
        ("c340", "-1"),
        ("c4820005", "5"),
        ("c48221196ab3", "273.15"),
        ("c48203c24101", "1000"),
    ];
    for (hex, text) in cases {
        let value = from_cbor(&bytes(hex)).unwrap_or_else(|error| panic!("{hex}: {error}"));
        assert_eq!(value, json(text), "{hex}");
    }
}

/// A rejection: its class, rule and place, and the byte that its message names.
fn check_rejected(hex: &str, class: Class, rule: &str, at: &str, byte: usize) {
    let rejection: Rejection = from_cbor(&bytes(hex)).expect_err(hex);
    assert_eq!(
        (
            rejection.class,
            rejection.rule.as_ref(),
            rejection.at.as_str()
        ),
        (class, rule, at),
        "{hex}: {rejection}"
    );
    let place = format!("(byte {byte})");
    assert!(rejection.message.ends_with(&place), "{hex}: {rejection}");
}

#[test]
fn bad_bytes_are_rejected_where_they_stand() {
    let cases: [(&str, &str, &str, usize); 46] = [
        // Cut off: nothing at all, a head, a length, a text, an array, a map, a tag, a bignum.
        ("", "cbor", "", 0),
        ("18", "cbor", "", 0),
        ("1b00", "cbor", "", 0),
        ("fb3ff0", "cbor", "", 0),
        ("6261", "cbor", "", 0),
        ("8201", "cbor", "/1", 2),
        ("9bffffffffffffffff01", "cbor", "/1", 10),
        ("a1", "cbor", "", 1),
        ("a16161", "cbor", "/a", 3),
        ("bbffffffffffffffff", "cbor", "", 9),
        ("c2", "cbor", "", 1),
        ("c24201", "cbor", "", 1),
        ("7bffffffffffffffff61", "cbor", "", 0),
        // No value begins like this.
        ("1c", "cbor", "", 0),
        ("ff", "cbor", "", 0),
        ("81ff", "cbor", "/0", 1),
        ("fc", "cbor", "", 0),
        // More than one value.
        ("0000", "cbor", "", 1),
        // Lengths that are left open.
        ("9f01ff", "cbor.indefinite", "", 0),
        ("bf616101ff", "cbor.indefinite", "", 0),
        ("7f6161ff", "cbor.indefinite", "", 0),
        ("5f4101ff", "cbor.indefinite", "", 0),
        ("a17f6161ff01", "cbor.indefinite", "", 1),
        // Keys that are no text.
        ("a10102", "cbor.key", "", 1),
        ("a1f602", "cbor.key", "", 1),
        ("a1416102", "cbor.key", "", 1),
        ("a1616181a1f501", "cbor.key", "/a/0", 5),
        // One key twice, in two spellings of its length, too.
        ("a2616101616102", "duplicate-member", "/a", 4),
        ("a261610178016102", "duplicate-member", "/a", 4),
        // Text that is none.
        ("61ff", "utf-8", "", 0),
        ("63eda0bd", "utf-8", "", 0),
        ("a161ff01", "utf-8", "", 1),
        ("d9011143616263", "utf-8", "", 0),
        ("d9011143eda0", "cbor", "", 3),
        ("d9011146eda0bdedb880", "utf-8", "", 0),
        // What JSON does not have.
        ("f7", "cbor.value", "", 0),
        ("e0", "cbor.value", "", 0),
        ("f818", "cbor.value", "", 0),
        ("4101", "cbor.value", "", 0),
        ("f97e00", "cbor.value", "", 0),
        ("f97c00", "cbor.value", "", 0),
        ("fbfff0000000000000", "cbor.value", "", 0),
        // Tags that say something else.
        ("c11a514b67b0", "cbor.tag", "", 0),
        ("d9d9f700", "cbor.tag", "", 0),
        ("c26161", "cbor.tag", "", 1),
        ("c4830001 02", "cbor.tag", "", 0),
    ];
    for (hex, rule, at, byte) in cases {
        check_rejected(&hex.replace(' ', ""), Class::Syntax, rule, at, byte);
    }
    for (hex, at) in [
        ("c482f90000 01", 2),
        ("c48200 6131", 3),
        ("c48200c10a", 3),
        ("c401", 0),
    ] {
        check_rejected(&hex.replace(' ', ""), Class::Syntax, "cbor.tag", "", at);
    }
}

fn check_limit<T: std::fmt::Debug>(result: Result<T, Rejection>, rule: &str) {
    let rejection = result.expect_err("there is a limit");
    assert_eq!(
        (rejection.class, rejection.rule.as_ref()),
        (Class::Limit, rule)
    );
}

#[test]
fn limits_hold_on_both_sides() {
    let deepest = json(&format!("{}{}", "[".repeat(512), "]".repeat(512)));
    let encoded = to_cbor(&deepest).expect("as deep as a document may be");
    assert_eq!(from_cbor(&encoded), Ok(deepest.clone()));
    check_limit(to_cbor(&Value::Array(vec![deepest])), "depth");
    for depth in [513, 100_000] {
        let mut bytes = vec![0x81; depth];
        bytes.push(0);
        check_limit(from_cbor(&bytes), "depth");
    }
    check_limit(to_cbor(&json(&"7".repeat(100_001))), "number-digits");
    let mut long = bytes("c25a00100000");
    long.resize(6 + (1 << 20), 1);
    check_limit(from_cbor(&long), "number-digits");
    // An exponent that no document may have is rejected as in JSON.
    check_limit(
        from_cbor(&bytes("c4821b7fffffffffffffff01")),
        "number-exponent",
    );
}

/// The laws of one text: the value survives, and the encoding depends on nothing but the value.
fn check_laws(text: &str) {
    let value = json(text);
    let encoded = to_cbor(&value).unwrap_or_else(|error| panic!("{text}: {error}"));
    let decoded = from_cbor(&encoded).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(canonical(&decoded), canonical(&value), "{text}");
    assert_eq!(to_cbor(&decoded).as_ref(), Ok(&encoded), "{text}");
    let respelled = json(&canonical(&value));
    assert_eq!(to_cbor(&respelled), Ok(encoded), "{text}");
}

/// Documents of each kind, with what is hard in them.
#[test]
fn documents_keep_their_meaning() {
    let documents = [
        r#"{"sessionId":"s","conversationId":{"id":"c"},"stateBag":{"h":{"$type":"InMemoryChatMessageStoreState","messages":[]},"n":null,"amount":0.12345678901234567890,"id":123456789012345678901234567890}}"#,
        r#"{"schemaVersion":"1","history":[{"role":"user","items":[{"type":"text","text":null}]}],"participants":[{"id":"a","type":"A"}],"channels":[{"channelkey":"k","channelstate":"[1,"}]}"#,
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ude00"},{"type":"TEXT_MESSAGE_END","messageId":"m"},{"type":"STATE_SNAPSHOT","snapshot":1e400},{"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"#,
    ];
    documents.into_iter().for_each(check_laws);
}

/// A string with unpaired surrogates at its ends, as in the deltas of a stream.
fn split() -> impl Strategy<Value = String> {
    (
        "(\\\\ud[c-f][0-9a-f]{2})?",
        any::<String>(),
        "(\\\\ud[89ab][0-9a-f]{2})?",
    )
        .prop_map(|(leading, body, trailing)| {
            let body = serde_json::Value::String(body).to_string();
            format!("\"{leading}{}{trailing}\"", &body[1..body.len() - 1])
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_survives(text in texts::json()) {
        check_laws(&text);
    }

    #[test]
    fn any_number_survives(text in texts::number()) {
        check_laws(&text);
    }

    #[test]
    fn any_half_survives(text in split()) {
        check_laws(&format!("[{text}]"));
    }

    #[test]
    fn any_session_survives(bag in texts::object(texts::json())) {
        check_laws(&format!(r#"{{"stateBag":{bag}}}"#));
    }

    #[test]
    fn what_is_read_of_any_bytes_survives(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = from_cbor(&bytes) {
            check_laws(&value.to_json());
        }
    }

    #[test]
    fn no_beginning_of_an_encoding_is_one(text in texts::json(), cut in any::<prop::sample::Index>()) {
        let encoded = to_cbor(&parse(&text).expect("JSON")).expect("an encoding");
        prop_assert!(from_cbor(&encoded[..cut.index(encoded.len())]).is_err());
    }
}

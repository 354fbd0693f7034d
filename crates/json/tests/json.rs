//! The exact reader, the canonical form and the text rules, as data and as laws.

use chatstate_json::Class;
use chatstate_json::{SplitText, Surrogates, Value, canonical, check, digest, parse, parse_with};
use proptest::prelude::*;

fn check_canonical(cases: &[(&str, &str)]) {
    for (input, expected) in cases {
        let value = parse(input).unwrap_or_else(|error| panic!("{input}: {error}"));
        assert_eq!(canonical(&value), *expected, "canonical form of {input}");
    }
}

#[test]
fn numbers_have_one_canonical_spelling() {
    check_canonical(&[
        ("0.1", "0.1"),
        ("1e2", "100"),
        ("1.0", "1"),
        ("-0", "0"),
        ("-0.0e5", "0"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740993"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("1e21", "1e+21"),
        ("100000000000000000000000", "1e+23"),
        ("1e-7", "1e-7"),
        ("0.000001", "0.000001"),
        ("0.12345678901234567890", "1.234567890123456789e-1"),
        ("-12.50e-3", "-0.0125"),
        ("1e400", &format!("1{}", "0".repeat(400))),
        ("1e999", &format!("1{}", "0".repeat(999))),
        ("1e1000", "1e+1000"),
        ("12e1000", "1.2e+1001"),
        ("-1e-400", "-1e-400"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("1e999999999999999999", "1e+999999999999999999"),
    ]);
}

#[test]
fn members_are_sorted_by_utf_16_and_text_is_escaped_as_little_as_possible() {
    check_canonical(&[
        (r#"{"b":1,"a":[ ],"":{}}"#, r#"{"":{},"a":[],"b":1}"#),
        // U+10000 is d800 dc00 in UTF-16 and is before U+FF5E, though its UTF-8 is after.
        (
            "{\"\u{ff5e}\":1,\"\u{10000}\":2}",
            "{\"\u{10000}\":2,\"\u{ff5e}\":1}",
        ),
        (
            r#""\u0041\/\u001F\u007f\n\ud83d\ude00""#,
            "\"A/\\u001f\u{7f}\\n😀\"",
        ),
        (
            r#"{"10":1,"2":2,"__proto__":3}"#,
            r#"{"10":1,"2":2,"__proto__":3}"#,
        ),
    ]);
}

#[test]
fn the_digest_is_the_sha_256_of_the_canonical_bytes() {
    let value = parse(" { } ").expect("an object");
    assert_eq!(
        digest(&value),
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    );
}

#[test]
fn rejections_name_class_rule_and_place() {
    let deep = format!("{}{}", "[".repeat(513), "]".repeat(513));
    let deeper = "[".repeat(10_000);
    let cases: &[(&str, Class, &str, &str)] = &[
        ("", Class::Syntax, "json", ""),
        ("[1,", Class::Syntax, "json", "/1"),
        ("[1}", Class::Syntax, "json", "/1"),
        ("01", Class::Syntax, "json", ""),
        ("1.", Class::Syntax, "json", ""),
        ("+1", Class::Syntax, "json", ""),
        ("NaN", Class::Syntax, "json", ""),
        ("nul", Class::Syntax, "json", ""),
        ("\"a", Class::Syntax, "json", ""),
        ("\"\n\"", Class::Syntax, "json", ""),
        ("\"\\x\"", Class::Syntax, "json", ""),
        ("\"\\u12g4\"", Class::Syntax, "json", ""),
        ("{} {}", Class::Syntax, "json", ""),
        (
            "{\"a\":{\"b\":1,\"\\u0062\":2}}",
            Class::Syntax,
            "duplicate-member",
            "/a/b",
        ),
        ("[\"\\ud83d\"]", Class::Syntax, "unpaired-surrogate", "/0"),
        ("[\"a\\ud83db\"]", Class::Syntax, "unpaired-surrogate", "/0"),
        // A name that cannot be read is no place.
        ("{\"\\ud83d\":1}", Class::Syntax, "unpaired-surrogate", ""),
        ("{\"a\":{\"b\":1", Class::Syntax, "json", "/a"),
        (&deep, Class::Limit, "depth", ""),
        (&deeper, Class::Limit, "depth", ""),
        ("1e1000000000000000000", Class::Limit, "number-exponent", ""),
    ];
    for (input, class, rule, at) in cases {
        let shown: String = input.chars().take(40).collect();
        let rejection = parse(input).expect_err(&shown);
        assert_eq!(
            (rejection.class, rejection.rule.as_ref()),
            (*class, *rule),
            "{shown}"
        );
        if *class != Class::Limit {
            assert_eq!(rejection.at, *at, "{shown}");
        }
        assert!(!rejection.message.is_empty());
    }
    assert!(parse(&format!("{}{}", "[".repeat(512), "]".repeat(512))).is_ok());
}

#[test]
fn halves_of_a_surrogate_pair_are_kept_only_at_the_ends() {
    let kept = |input: &str| parse_with(input, Surrogates::AllowUnpairedAtEnds);
    for text in [
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ude00abc\ud83d""#,
        r#""a\ud83d""#,
    ] {
        let value = kept(text).expect(text);
        assert_eq!(canonical(&value), text, "a half stays as its escape");
    }
    for text in [
        r#""\ud83dabc""#,
        r#""a\ude00""#,
        r#""\ud83d\ud83d""#,
        r#""\ude00\ude00""#,
    ] {
        assert!(kept(text).is_err(), "{text}");
        assert!(check(text).is_err(), "{text}");
    }
}

#[test]
fn two_halves_that_meet_are_one_character() {
    let half = |text: &str| match parse_with(text, Surrogates::AllowUnpairedAtEnds) {
        Ok(Value::Split(text)) => *text,
        other => panic!("{text}: {other:?}"),
    };
    let mut text = SplitText::from("a");
    text.push(&half(r#""b\ud83d""#))
        .expect("a half may end text");
    text.push(&SplitText::default())
        .expect("an empty text completes nothing");
    text.push(&half(r#""\ude00c""#)).expect("the halves meet");
    assert_eq!(text.as_str(), Some("ab😀c"));
    assert!(
        text.push(&half(r#""\ude00""#)).is_err(),
        "a low half needs a high one before it"
    );
}

/// JSON text with whitespace, escapes and odd numbers, without duplicates or depth.
fn json_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just(" true ".to_owned()),
        "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
        any::<String>().prop_map(|text| serde_json::Value::String(text).to_string()),
        Just(r#""\u00e9\ud83d\ude00\/\b""#.to_owned()),
    ];
    scalar.prop_recursive(5, 48, 6, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..6)
            .prop_map(|items| format!("[ {} ]", items.join(" ,\n")));
        let members =
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(name, value)| format!("{} :\t{value}", serde_json::Value::String(name)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            });
        prop_oneof![items, members]
    })
}

/// The tree that `serde_json` sees when it reads what we wrote.
fn through_serde(text: &str) -> serde_json::Result<serde_json::Value> {
    serde_json::from_str(text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn reading_agrees_with_serde_json(text in json_text()) {
        let ours = parse(&text).expect("generated text is JSON");
        prop_assert_eq!(check(&text), Ok(()));
        prop_assert_eq!(through_serde(&ours.to_json()).ok(), through_serde(&text).ok());
    }

    #[test]
    fn canonical_form_is_a_normal_form(text in json_text()) {
        let value = parse(&text).expect("generated text is JSON");
        let form = canonical(&value);
        let again = parse(&form).expect("the canonical form is JSON");
        prop_assert_eq!(&again, &value);
        prop_assert_eq!(canonical(&again), form);
    }

    #[test]
    fn broken_text_is_rejected_exactly_when_serde_json_rejects_it(
        text in json_text(), cut in any::<prop::sample::Index>(), junk in "[\\[\\]{},:\"0-9eE.+\\-truefalsn\\\\ ]{0,3}",
    ) {
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let broken = format!("{}{junk}{}", &text[..at], &text[at..]);
        let theirs = through_serde(&broken);
        match parse(&broken) {
            Ok(_) => prop_assert!(theirs.is_ok() || number_out_of_range(&theirs), "{broken}: {theirs:?}"),
            // serde_json keeps the last of two members with one name; we reject them.
            Err(rejection) => prop_assert!(
                theirs.is_err() || rejection.rule == "duplicate-member",
                "{broken}: {rejection}"
            ),
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = parse(&text);
        let _ = check(&text);
    }
}

/// `serde_json` rejects numbers that no double holds; we keep them.
fn number_out_of_range(result: &serde_json::Result<serde_json::Value>) -> bool {
    matches!(result, Err(error) if error.to_string().contains("number out of range"))
}

//! Seals: codes that another program made, and every change noticed.

use chatstate_chats::seal::{SealKey, seal, unseal, verify};
use chatstate_json::Class;
use chatstate_json::{Value, canonical, parse};
use chatstate_types::validate::validate;

/// A key, its name, a document, and the code that Python's `hmac` gives for it.
type Vector = (
    &'static [u8],
    Option<&'static str>,
    &'static str,
    &'static str,
);

const SECRET: &[u8] = b"a key of some bytes\n";

const VECTORS: &[Vector] = &[
    (
        SECRET,
        Some("desk"),
        r#"{ "b": 1.0, "a": "\u0078" }"#,
        "SVYou9GRS3Wx31mmmSLdRGDPyljmhW1IeFT+0n0zp8Q=",
    ),
    (
        SECRET,
        None,
        r#"{"history":[],"channels":[]}"#,
        "xyENHSMPx2Ea/hlOxMhwUjcUonh5uB4MCxYw/KZ3ZJg=",
    ),
];

fn key(secret: &[u8], id: Option<&str>) -> SealKey {
    let key = SealKey::new(secret).expect("it is not empty");
    match id {
        Some(id) => key.named(id),
        None => key,
    }
}

fn document(text: &str) -> Value {
    parse(text).expect("it is JSON")
}

#[test]
fn codes_are_those_of_another_program() {
    for (secret, id, text, code) in VECTORS {
        let key = key(secret, *id);
        let sealed = seal(&document(text), &key).expect("it can be sealed");
        let mac = sealed.get("seal").and_then(|seal| seal.get("mac"));
        assert_eq!(mac.and_then(Value::as_str), Some(*code), "{text}");
        let opened = unseal(&sealed, &key).expect("the seal fits");
        assert_eq!(opened.to_json(), document(text).to_json());
    }
    let long: Vec<u8> = (0..=255).collect();
    let text = format!(
        r#"{{"é":9007199254740993,"seal":{{"mac":"{}","algorithm":"HMAC-SHA256"}}}}"#,
        "YRPZM/n/LDjlSd2Ea8WW3QR8RflAvEbmQ0ZgJwyj3yk="
    );
    assert_eq!(verify(&document(&text), &key(&long, None)), Ok(()));
}

#[test]
fn the_spelling_of_a_sealed_document_may_change() {
    let key = key(SECRET, None);
    let sealed = seal(&document(r#"{"b":[1.0,"\u00e9"],"a":1e2}"#), &key).expect("it is sealed");
    let canonical = document(&canonical(&sealed));
    assert_eq!(verify(&canonical, &key), Ok(()));
}

const SEALED: &str = r#"{"a":"x","b":1,"seal":{"algorithm":"HMAC-SHA256","keyId":"desk","mac":"SVYou9GRS3Wx31mmmSLdRGDPyljmhW1IeFT+0n0zp8Q="}}"#;

/// What becomes of the sealed document, and how it is rejected: class, rule, place.
type Change = (
    &'static str,
    &'static str,
    Class,
    &'static str,
    &'static str,
);

const CHANGES: &[Change] = &[
    (
        r#""x""#,
        r#""y""#,
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""b":1"#,
        r#""b":2"#,
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""b":1"#,
        r#""b":"1""#,
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""b":1,"#,
        "",
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""b":1"#,
        r#""b":1,"c":null"#,
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        "SVYou",
        "SVYov",
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""keyId":"desk","#,
        "",
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        r#""keyId""#,
        r#""t":1,"keyId""#,
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    (
        "SVYou9GRS3Wx31mmmSLdRGDPyljmhW1IeFT+0n0zp8Q=",
        "",
        Class::Semantic,
        "seal.mismatch",
        "/seal/mac",
    ),
    ("p8Q=", "p8Q", Class::Schema, "pattern", "/seal/mac"),
    (
        r#""mac":"#,
        r#""tac":"#,
        Class::Schema,
        "required",
        "/seal/mac",
    ),
    ("SHA256", "MD5", Class::Schema, "const", "/seal/algorithm"),
    (
        r#""algorithm":"HMAC-SHA256","#,
        "",
        Class::Schema,
        "required",
        "/seal/algorithm",
    ),
    (
        r#""HMAC-SHA256""#,
        "[]",
        Class::Schema,
        "type",
        "/seal/algorithm",
    ),
    (
        r#""desk""#,
        r#""shop""#,
        Class::Semantic,
        "seal.other-key",
        "/seal/keyId",
    ),
    (r#""desk""#, "7", Class::Schema, "type", "/seal/keyId"),
    (
        r#""seal""#,
        r#""Seal""#,
        Class::Semantic,
        "seal.missing",
        "/seal",
    ),
    (
        r#""seal":{"#,
        r#""seal":"none","rest":{"#,
        Class::Schema,
        "type",
        "/seal",
    ),
];

#[test]
fn every_change_is_noticed() {
    let key = key(SECRET, Some("desk"));
    assert_eq!(verify(&document(SEALED), &key), Ok(()));
    for (from, to, class, rule, at) in CHANGES {
        let changed = SEALED.replacen(from, to, 1);
        assert_ne!(changed, SEALED, "{from}");
        let rejected = unseal(&document(&changed), &key).expect_err(&changed);
        let found = (rejected.class, rejected.rule.as_ref(), rejected.at.as_str());
        assert_eq!(found, (*class, *rule, *at), "{changed}");
    }
}

#[test]
fn other_keys_are_rejected() {
    let rejected =
        |key: &SealKey| verify(&document(SEALED), key).map_err(|it| it.rule.into_owned());
    for secret in [
        &b"a key of some bytes"[..],
        b"a key of some bytes\r\n",
        b"another key of bytes",
    ] {
        assert_eq!(
            rejected(&key(secret, None)),
            Err("seal.mismatch".to_owned())
        );
    }
    assert_eq!(
        rejected(&key(SECRET, None)),
        Ok(()),
        "a name is for those who ask"
    );
    let other = rejected(&key(SECRET, Some("shop")));
    assert_eq!(other, Err("seal.other-key".to_owned()));
}

#[test]
fn what_cannot_be_sealed_is_rejected() {
    let key = key(SECRET, None);
    for (text, rule) in [(SEALED, "seal.present"), ("[]", "type"), ("null", "type")] {
        let rejected = seal(&document(text), &key).expect_err(text);
        assert_eq!(rejected.rule, rule, "{text}");
    }
    for secret in [&b""[..], b"fifteen bytes..", &[0; 32]] {
        let rejection = SealKey::new(secret).expect_err("it can be guessed");
        assert_eq!(rejection.rule, "seal.key", "{secret:?}");
    }
}

#[test]
fn documents_stay_valid_under_a_seal() {
    let key = key(SECRET, Some("desk"));
    for (name, text) in [
        ("ChatState", r#"{"history":[],"channels":[]}"#),
        (
            "EncodedChatState",
            r#"{"encoding":"base64","history":"W10=","channels":[]}"#,
        ),
        ("AgentSession", r#"{"sessionId":"s","stateBag":{"a":null}}"#),
    ] {
        let sealed = seal(&document(text), &key).expect("it can be sealed");
        assert_eq!(validate(name, &sealed.to_json()), Some(Ok(())), "{name}");
        assert_eq!(verify(&sealed, &key), Ok(()), "{name}");
    }
}

#[test]
fn nothing_shows_a_key() {
    let shown = format!("{:?}", key(SECRET, Some("desk")));
    assert!(
        shown.contains("desk") && !shown.contains("bytes"),
        "{shown}"
    );
}

//! The generated code of a schema full of obstacles is compiled here and run against the runtime.

use chatstate_json::{self as json, Rejection};
use chatstate_types::definition;
use chatstate_types::validate::check_definition;
use json::Presence;

#[rustfmt::skip]
#[allow(dead_code, unused_imports, reason = "a library would export all of it")]
mod generated;

use generated::{
    Body, Choice, Closed, Constant, Constrained, ConstrainedFixed, Document, Kind_, Mood,
    Obstacles, Option_,
};

/// Reading the root type and writing it again gives the same text.
fn kept(type_name: &str, text: &str) {
    let document = Document::read(type_name, text).expect("a root type");
    let document = document.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(document.to_json().as_deref(), Ok(text));
    assert_eq!(by_the_tables(type_name, text), Ok(()), "{text}");
}

/// What the tables say of a document.
fn by_the_tables(type_name: &str, text: &str) -> Result<(), Rejection> {
    let mut roots = generated::definitions::ROOTS.iter();
    let root = roots.find(|root| root.name == type_name);
    check_definition(root.expect("a root type"), &json::parse(text)?)
}

/// Reading is rejected for this reason at this place.
fn rejected(type_name: &str, text: &str, rule: &str, at: &str) {
    let rejection = match Document::read(type_name, text).expect("a root type") {
        Ok(document) => panic!("{text}: read as {document:?}"),
        Err(rejection) => rejection,
    };
    assert_eq!(
        (rejection.rule.as_ref(), rejection.at.as_str()),
        (rule, at),
        "{text}: {rejection}"
    );
    assert_eq!(by_the_tables(type_name, text), Err(rejection), "{text}");
}

#[test]
fn awkward_names_are_read_and_written() {
    let text = r#"{"type":"a","$type":"b","self":"c","crate":"d","extra":"e","2d":"f","":"g","@id":"h","dashed-name":"i","HTTPServer":"j","größe":"k","say \"hi\"\\":"l","more":1}"#;
    kept("Obstacles", text);
    let obstacles = Obstacles::from_json(text).expect("it is read");
    assert_eq!(obstacles.r#type, "a");
    assert_eq!(obstacles.self_, "c");
    assert_eq!(obstacles.say_hi.as_deref(), Some("l"));
    assert_eq!(obstacles.extra.keys().collect::<Vec<_>>(), ["more"]);
    let nested = r#"{"value":{"value":{}}}"#;
    kept("Option", nested);
    assert!(Option_::from_json(nested).is_ok_and(|outer| outer.value.is_some()));
}

#[test]
fn documents_survive() {
    for (type_name, text) in [
        ("Kind", r#""+1""#),
        ("Kind", r#""""#),
        ("Mood", r#""Other""#),
        ("Mood", r#""other""#),
        ("Choice", r#"{"$kind":"unknown","x":null}"#),
        (
            "Choice",
            r#"{"$kind":"self","next":{"$kind":"self","next":{"$kind":"3d"}}}"#,
        ),
        ("Choice", r#"{"$kind":"Unknown","next":5}"#),
        ("Closed", r#"{"side":"right","old":"x"}"#),
        ("Constant", r#""always""#),
        ("Numbers", r#"{"b":1.50,"a":1e400}"#),
        ("Constrained", r#"{"level":null}"#),
        (
            "Constrained",
            r#"{"ratio":null,"level":-2000,"fixed":null,"anything":null,"body":{"side":"left"}}"#,
        ),
        (
            "Constrained",
            r#"{"code":"ab","codes":["a",null],"codesByName":{"x":"a"},"ratio":0.5,"count":99999999999999999999,"level":2000,"mode":"fast","fixed":"yes","tags":["tag","tag"],"present":[],"body":10}"#,
        ),
        (
            "Large",
            r#"{"m0":"","m1":"","m2":"","m3":"","m4":"","m5":"","m6":"","m7":"","m8":""}"#,
        ),
    ] {
        kept(type_name, text);
    }
}

/// Root type, document, the keyword that rejects it, and where.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("Kind", r#""none""#, "enum", ""),
    ("Kind", "5", "type", ""),
    ("Mood", "5", "type", ""),
    ("Constant", r#""never""#, "const", ""),
    ("Closed", r#"{"side":"middle"}"#, "oneOf", "/side"),
    ("Closed", "{}", "required", "/side"),
    (
        "Choice",
        r#"{"$kind":"self","next":{"$kind":5}}"#,
        "type",
        "/next/$kind",
    ),
    ("Numbers", r#"{"a/b":"1"}"#, "type", "/a~1b"),
    ("Constrained", "{}", "required", "/level"),
    ("Constrained", r#"{"level":2001}"#, "maximum", "/level"),
    ("Constrained", r#"{"level":-2001}"#, "minimum", "/level"),
    ("Constrained", r#"{"level":0.5}"#, "type", "/level"),
    (
        "Constrained",
        r#"{"level":null,"code":"a"}"#,
        "minLength",
        "/code",
    ),
    (
        "Constrained",
        r#"{"level":null,"code":"A"}"#,
        "pattern",
        "/code",
    ),
    (
        "Constrained",
        r#"{"level":null,"codes":[]}"#,
        "minItems",
        "/codes",
    ),
    (
        "Constrained",
        r#"{"level":null,"codes":["a","B"]}"#,
        "pattern",
        "/codes/1",
    ),
    (
        "Constrained",
        r#"{"level":null,"codesByName":{"x":"B"}}"#,
        "pattern",
        "/codesByName/x",
    ),
    (
        "Constrained",
        r#"{"level":null,"ratio":-0.1}"#,
        "minimum",
        "/ratio",
    ),
    (
        "Constrained",
        r#"{"level":null,"ratio":1.1}"#,
        "maximum",
        "/ratio",
    ),
    (
        "Constrained",
        r#"{"level":null,"count":0}"#,
        "minimum",
        "/count",
    ),
    (
        "Constrained",
        r#"{"level":null,"count":1.5}"#,
        "type",
        "/count",
    ),
    (
        "Constrained",
        r#"{"level":null,"count":null}"#,
        "type",
        "/count",
    ),
    (
        "Constrained",
        r#"{"level":null,"mode":"slow"}"#,
        "const",
        "/mode",
    ),
    (
        "Constrained",
        r#"{"level":null,"tags":["tag","gat"]}"#,
        "const",
        "/tags/1",
    ),
    (
        "Constrained",
        r#"{"level":null,"present":null}"#,
        "type",
        "/present",
    ),
    (
        "Constrained",
        r#"{"level":null,"body":11}"#,
        "maximum",
        "/body",
    ),
    (
        "Constrained",
        r#"{"level":null,"body":"text"}"#,
        "oneOf",
        "/body",
    ),
];

#[test]
fn every_constraint_is_checked_where_it_stands() {
    for &(type_name, text, rule, at) in REFUSED {
        rejected(type_name, text, rule, at);
    }
}

#[test]
fn absent_null_and_value_are_three_things() {
    let read = |text| Constrained::from_json(text).expect(text).fixed;
    assert_eq!(read(r#"{"level":0}"#), Presence::Absent);
    assert_eq!(read(r#"{"level":0,"fixed":null}"#), Presence::Null);
    assert_eq!(
        read(r#"{"level":0,"fixed":"yes"}"#),
        Presence::Value(ConstrainedFixed::Yes)
    );
    assert_eq!(
        Constrained::new(Some(1)).to_json().as_deref(),
        Ok(r#"{"level":1}"#)
    );
}

#[test]
fn awkward_values_have_variants() {
    assert_eq!(Kind_::from_json(r#""Self""#), Ok(Kind_::SelfValue));
    assert_eq!(Mood::from("other"), Mood::OtherValue);
    assert_eq!(Mood::from("x"), Mood::Other("x".to_owned()));
    assert_eq!(Constant::Always.as_str(), "always");
    let unknown = Choice::from_json(r#"{"$kind":"unknown"}"#);
    assert!(matches!(&unknown, Ok(Choice::ArmUnknown(_))), "{unknown:?}");
    assert!(matches!(
        Body::from_json(r#"{"side":"left"}"#),
        Ok(Body::Object(Closed::Left(_)))
    ));
}

#[test]
fn enumerations_have_the_usual_traits() {
    assert_eq!("Self".parse(), Ok(Kind_::SelfValue));
    assert_eq!(Kind_::try_from("Self"), Ok(Kind_::SelfValue));
    assert_eq!(format!("{:>5}", Kind_::SelfValue), " Self");
    let rejection = Kind_::try_from("none").expect_err("no such value");
    assert_eq!(
        rejection,
        Kind_::from_json(r#""none""#).expect_err("no such value")
    );
    assert_eq!("other".parse(), Ok(Mood::OtherValue));
    assert_eq!("x".parse(), Ok(Mood::Other("x".to_owned())));
    assert_eq!(Mood::OtherValue.to_string(), "other");
    let rejection = "never".parse::<Constant>().expect_err("another text");
    assert_eq!(rejection.rule, "const");
}

/// A value that was made is written and validated as its reader says of its text.
fn judged<T: json::ReadJson + json::WriteJson>(value: &T, expected: Result<(), (&str, &str)>) {
    let text = json::to_text(value);
    let read = json::from_text::<T>(&text).map(drop);
    assert_eq!(
        json::to_valid_text(value),
        read.clone().map(|()| text.clone())
    );
    assert_eq!(json::validate(value), read.clone());
    let found = match &read {
        Ok(()) => Ok(()),
        Err(rejection) => Err((rejection.rule.as_ref(), rejection.at.as_str())),
    };
    assert_eq!(found, expected, "{text}");
}

/// A value of the type that is asked most, after a change.
fn changed(change: impl FnOnce(&mut Constrained), expected: Result<(), (&str, &str)>) {
    let mut constrained = Constrained::new(Some(2000));
    change(&mut constrained);
    judged(&constrained, expected);
}

#[test]
fn values_that_were_made_are_validated() {
    let number = |value: i64| json::Number::from(value);
    let text = |text: &str| text.to_owned();
    changed(|_| {}, Ok(()));
    changed(|it| it.level = Some(2001), Err(("maximum", "/level")));
    changed(|it| it.code = Some(text("?")), Err(("pattern", "/code")));
    changed(
        |it| it.codes = Some(vec![None, Some(text("?"))]),
        Err(("pattern", "/codes/1")),
    );
    changed(
        |it| it.ratio = Presence::Value(number(-1)),
        Err(("minimum", "/ratio")),
    );
    changed(|it| it.ratio = Presence::Null, Ok(()));
    changed(
        |it| it.count = Some(json::Number::of_f64(0.5)),
        Err(("type", "/count")),
    );
    changed(
        |it| it.present = Some(json::Value::Null),
        Err(("type", "/present")),
    );
    let known = |it: &mut Constrained| {
        it.extra.insert("level".to_owned(), json::Value::Null);
    };
    changed(known, Err(("duplicate-member", "/level")));
    let unknown = |it: &mut Constrained| {
        it.extra.insert("levels".to_owned(), json::Value::Null);
    };
    changed(unknown, Ok(()));
    let deep = (0..json::MAX_DEPTH).fold(json::Value::Null, |inner, _| {
        json::Value::Array(vec![inner])
    });
    changed(|it| it.present = Some(deep.clone()), Err(("depth", "")));
    let wide = json::Value::Array(vec![json::Value::Array(Vec::new()); json::MAX_DEPTH]);
    changed(|it| it.present = Some(wide), Ok(()));
    judged(&Kind_::SelfValue, Ok(()));
    judged(&Mood::Other(text("other")), Ok(()));
}

#[test]
fn the_tables_say_the_same() {
    let constrained = generated::definitions::CONSTRAINED;
    let member = |name| constrained.member(name).expect("a member");
    let bits = |name| (member(name).required, member(name).nullable);
    assert_eq!(bits("level"), (true, true));
    assert_eq!(bits("ratio"), (false, true));
    assert_eq!(bits("code"), (false, false));
    assert_eq!(member("body").default, Some("\"\""));
    assert_eq!(generated::definitions::DEFINITIONS.len(), 19);
}

//! What a generated crate reads, writes and rejects.

use kinds::{Document, Everything, Level, Port, Prices, Shape, json};

/// Reading and writing gives the same text.
fn kept(type_name: &str, text: &str) {
    let document = Document::read(type_name, text).expect("a root type");
    let document = document.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(document.to_json().as_deref(), Ok(text));
}

/// Reading is rejected for this rule at this place.
fn rejected(type_name: &str, text: &str, rule: &str, at: &str) {
    let read = Document::read(type_name, text).expect("a root type");
    let rejection = read.expect_err(text);
    let found = (rejection.rule.as_ref(), rejection.at.as_str());
    assert_eq!(found, (rule, at), "{text}: {rejection}");
}

/// The beginning of every valid document of the root that has most.
const HEAD: &str = r#"{"version":2,"strict":true"#;

#[test]
fn documents_survive() {
    for member in [
        r#""kind":"kind""#,
        r#""edition":7"#,
        r#""pair":["a",null]"#,
        r#""pair":["a",9007199254740993]"#,
        r#""level":-1"#,
        r#""port":443"#,
        r#""port":8080"#,
        r#""port":99999999999999999999"#,
        r#""ratio":0.75"#,
        r#""ratio":1.250"#,
        r#""large":18446744073709551615"#,
        r#""names":["a","b"]"#,
        r#""short":"äöü""#,
        r#""shape":{"side":1,"colour":"red"}"#,
        r#""more":[null]"#,
    ] {
        kept("Everything", &format!("{HEAD},{member}}}"));
    }
    for (type_name, text) in [
        ("Closed", r#"{"name":"a","note":"b"}"#),
        ("Closed", r#"{"name":"a","a \"b\"\\\n":"c"}"#),
        ("Prices", r#"{"currency":"EUR","tea":2.50,"water":null}"#),
        ("Label", r#""text""#),
        ("Anything", "null"),
        ("Deep", r#"{"inner":[{"inner":[{"inner":["end"]}]}]}"#),
    ] {
        kept(type_name, text);
    }
}

#[test]
fn what_breaks_the_schema_is_rejected_at_its_place() {
    for (member, rule, at) in [
        (r#""kind":"other""#, "const", "/kind"),
        (r#""edition":8"#, "const", "/edition"),
        (r#""edition":"7""#, "type", "/edition"),
        (r#""pair":["a"]"#, "minItems", "/pair"),
        (r#""pair":["a",1,2]"#, "maxItems", "/pair"),
        (r#""pair":[1,1]"#, "type", "/pair/0"),
        (r#""pair":["",1]"#, "minLength", "/pair/0"),
        (r#""pair":["a",-1]"#, "minimum", "/pair/1"),
        (r#""level":2"#, "enum", "/level"),
        (r#""level":0.5"#, "enum", "/level"),
        (r#""level":"1""#, "type", "/level"),
        (r#""port":80.5"#, "type", "/port"),
        (r#""ratio":0.5"#, "exclusiveMinimum", "/ratio"),
        (r#""ratio":1.5"#, "maximum", "/ratio"),
        (r#""ratio":0.8"#, "multipleOf", "/ratio"),
        (r#""large":18446744073709551616"#, "maximum", "/large"),
        (r#""large":-1"#, "minimum", "/large"),
        (r#""names":["a","b","c"]"#, "maxItems", "/names"),
        (r#""names":["a","a"]"#, "uniqueItems", "/names"),
        (r#""short":"äöüß""#, "maxLength", "/short"),
        (r#""shape":{"edge":1}"#, "anyOf", "/shape"),
    ] {
        rejected("Everything", &format!("{HEAD},{member}}}"), rule, at);
    }
    for (type_name, text, rule, at) in [
        ("Everything", r#"{"version":3,"strict":true}"#, "const", "/version"),
        ("Everything", r#"{"version":2,"strict":false}"#, "const", "/strict"),
        ("Everything", r#"{"version":2}"#, "required", "/strict"),
        ("Closed", r#"{"name":"a","other/1":1}"#, "additionalProperties", "/other~11"),
        ("Prices", r#"{"currency":"EUR","tea":"2"}"#, "type", "/tea"),
        ("Prices", r#"{"currency":"EUR","tea":-2}"#, "minimum", "/tea"),
        ("Label", "1", "type", ""),
    ] {
        rejected(type_name, text, rule, at);
    }
}

#[test]
fn integers_have_the_usual_traits() {
    assert_eq!(Level::try_from(-1), Ok(Level::Minus1));
    assert_eq!(Level::try_from(2).map_err(|it| it.rule), Err("enum".into()));
    assert_eq!(Level::Minus1.to_string(), "-1");
    assert_eq!(Port::from(443), Port::N443);
    assert_eq!(Port::from(8080).to_string(), "8080");
    let numbers: [json::Number; 3] = [(-1).into(), u64::MAX.into(), i128::MIN.into()];
    assert_eq!(numbers[1].as_str(), "18446744073709551615");
    assert_eq!(numbers.map(|number| number.is_integer()), [true; 3]);
    let half = json::Number::try_from(0.5).expect("a number");
    assert_eq!(half.as_str(), "0.5");
    assert!(json::Number::try_from(f64::NAN).is_err());
}

/// Each level is read by an alternative that fails after it has read the levels below.
#[test]
fn nested_alternatives_that_fail_late_come_to_an_end() {
    let text = format!("{}{{}}{}", r#"{"inner":"#.repeat(60), "}".repeat(60));
    kept("Late", &text);
    let wrong = text.replace("{}", r#"{"inner":1}"#);
    rejected("Late", &wrong, "anyOf", "");
}

#[test]
fn values_are_at_hand() {
    let text = r#"{"version":2.0,"strict":true,"level":-1,"port":80,"shape":{"side":1}}"#;
    let everything = Everything::from_json(text).expect(text);
    assert_eq!(everything.level, Some(Level::Minus1));
    assert_eq!(everything.level.map(Level::as_i64), Some(-1));
    assert_eq!(everything.port, Some(Port::N80));
    assert_eq!(Port::from(json::Number::from(443_i64)), Port::N443);
    assert!(matches!(everything.shape, Some(Shape::Square(_))));
    let prices = Prices::from_json(r#"{"currency":"EUR","tea":null}"#).expect("prices");
    assert_eq!(prices.extra.get("tea"), Some(&None));
    let written = Everything::default().to_json();
    assert_eq!(written.as_deref(), Ok(r#"{"version":2,"strict":true}"#));
}

/// A value that was made is written as its reader says of its text.
fn judged<T: json::ReadJson + json::WriteJson>(value: &T, expected: Result<(), (&str, &str)>) {
    let text = json::to_text(value);
    let read = json::from_text::<T>(&text).map(drop);
    assert_eq!(json::to_valid_text(value), read.clone().map(|()| text.clone()));
    let found = match &read {
        Ok(()) => Ok(()),
        Err(rejection) => Err((rejection.rule.as_ref(), rejection.at.as_str())),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn values_that_were_made_are_validated() {
    let number = |spelled: &str| json::from_text::<json::Number>(spelled).expect(spelled);
    let everything = |change: fn(&mut Everything)| {
        let mut everything = Everything::default();
        change(&mut everything);
        everything
    };
    let pair = |it: &mut Everything| it.pair = Some((String::new(), None));
    judged(&everything(pair), Err(("minLength", "/pair/0")));
    let names = |it: &mut Everything| it.names = Some(vec!["a".to_owned(); 2]);
    judged(&everything(names), Err(("uniqueItems", "/names")));
    let port = |it: &mut Everything| it.port = json::from_text("80").map(Port::Other).ok();
    judged(&everything(port), Ok(()));
    judged(&Port::Other(number("80.5")), Err(("type", "")));
    let mut prices = Prices::new("EUR");
    prices.extra.insert("tea".to_owned(), Some(number("2.5")));
    judged(&prices, Ok(()));
    prices.extra.insert("tea".to_owned(), Some(number("-2.5")));
    judged(&prices, Err(("minimum", "/tea")));
    prices.extra.clear();
    prices.extra.insert("currency".to_owned(), None);
    judged(&prices, Err(("duplicate-member", "/currency")));
    assert_eq!(prices.to_json().map_err(|it| it.at), Err("/currency".to_owned()));
}

//! Generated JSON texts with odd numbers, escapes and whitespace, for laws of any JSON.

use proptest::prelude::*;

/// A number of any size and spelling.
pub fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
        "-?[1-9][0-9]{15,60}",
        "-?[1-9][0-9]{0,3}\\.[0-9]{15,40}",
        "-?[1-9]\\.[0-9]{0,3}[1-9][eE][+-]?[1-9][0-9]{2,4}",
        any::<i64>().prop_map(|value| value.to_string()),
        any::<u64>().prop_map(|value| value.to_string()),
        any::<f64>().prop_filter_map("no number of JSON", |value| {
            value.is_finite().then(|| format!("{value:e}"))
        }),
        any::<f32>().prop_filter_map("no number of JSON", |value| {
            value.is_finite().then(|| format!("{value:e}"))
        }),
    ]
}

/// Any JSON text, without duplicates.
pub fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number(),
        any::<String>().prop_map(|text| serde_json::Value::String(text).to_string()),
        Just(r#""\u00e9\ud83d\ude00\/\b""#.to_owned()),
    ];
    scalar.prop_recursive(5, 48, 6, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..6)
            .prop_map(|items| format!("[ {} ]", items.join(" ,\n")));
        prop_oneof![items, object(inner)]
    })
}

/// An object with members of any names.
pub fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::btree_map(any::<String>(), value, 0..6).prop_map(|members| {
        let members = members.into_iter();
        let members =
            members.map(|(name, value)| format!("{}:{value}", serde_json::Value::String(name)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    })
}

//! The scanner that only knows what is right against the reader that says what is wrong: both take
//! the same texts, and a tape gives the values that the reader gives.

use chatstate_json::{
    self as json, MAX_DEPTH, Raw, ReadJson, SplitText, Surrogates, Tape, Tokenizer, Value, check,
};
use proptest::prelude::*;

/// The tape takes a text exactly when the reader does, and rejects it in the same words.
fn agree(text: &str) -> Result<(), TestCaseError> {
    let mut tape = Tape::default();
    match (tape.read(text), check(text)) {
        (Err(ours), Err(reader)) => prop_assert_eq!(ours, reader, "{}", text),
        (Ok(raw), Ok(())) => {
            let tree = json::parse_with(text, Surrogates::Reject);
            let canonical = json::canonical_text(text, Surrogates::Reject);
            prop_assert_eq!(
                canonical,
                tree.as_ref().map(json::canonical).map_err(Clone::clone),
                "{}",
                text
            );
            prop_assert_eq!(Value::read(raw).ok(), tree.ok(), "{}", text);
        }
        (ours, reader) => {
            let ours = ours.map(|_| ());
            return Err(TestCaseError::fail(format!("{text}: {ours:?}, {reader:?}")));
        }
    }
    Ok(())
}

#[test]
fn a_tape_takes_what_the_reader_takes() {
    let many = |last: &str| {
        let members = (0..20).map(|index| format!("\"name {index}\":{index},"));
        format!("{{{}{last}:0}}", members.collect::<String>())
    };
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let deep_objects =
        |levels: usize| format!("{}0{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let texts = [
        many("\"name 20\""),
        many("\"name 3\""),
        many("\"name \\u0033\""),
        many("\"name 19\""),
        deep(MAX_DEPTH),
        deep(MAX_DEPTH + 1),
        deep_objects(MAX_DEPTH),
        deep_objects(MAX_DEPTH + 1),
        format!("[{}]", "[],{},".repeat(MAX_DEPTH) + "1"),
        "{\"a\":1,\"\\u0061\":2}".to_owned(),
        "{\"\\ud83d\":1}".to_owned(),
        "{\"\\ud83d\\ude00\":1,\"😀\":1}".to_owned(),
        "[\"\\ude00a\\ud83d\"]".to_owned(),
        "[\"a\\ude00\"]".to_owned(),
        "1e999999999999999999".to_owned(),
        "1e0000000000000000000000999".to_owned(),
        "-0.5e-1000000000000000000".to_owned(),
        "\"a\u{1f}\"".to_owned(),
        "\"1234567\u{1f}89012345\"".to_owned(),
        "\"12345678\\".to_owned(),
        "\"\\u12\"".to_owned(),
        " \t\r\n".to_owned(),
        "\u{feff}1".to_owned(),
    ];
    for text in texts {
        agree(&text).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Pieces of documents, of which most fit somewhere.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"\\n\"",
        "\"\\ud83d\\ude00\"",
        "\"x\\ud83d\"",
        "\"\\ude00x\"",
        "\"x\\ud83dx\"",
        "\"eight by\\u00\"",
        "\"longer than sixteen bytes\"",
        "\"é\"",
        "\"\t\"",
        "0",
        "-1.5",
        "1e5",
        "1e9999999999999999999",
        "01",
        "-",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\n",
        "\"",
    ])
}

fn document() -> impl Strategy<Value = String> {
    let leaf = piece().prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 5, |inner| {
        let names = prop::collection::vec((piece(), inner.clone()), 0..5);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            names.prop_map(|members| {
                let members = members
                    .iter()
                    .map(|(name, value)| format!("{name}:{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(" ,"))
            }),
        ]
    })
}

/// `raw(one) == tree(two)` is `tree(one) == tree(two)`, where both are documents.
fn is_equal_as_its_tree_is(one: &str, two: &str) -> Result<(), TestCaseError> {
    let mut tape = Tape::default();
    let other = json::parse_with(two, Surrogates::AllowUnpairedAtEnds);
    if let (Ok(raw), Ok(other)) = (tape.read(one), other) {
        prop_assert_eq!(raw == other, raw.tree() == other, "{} and {}", one, two);
    }
    Ok(())
}

#[test]
fn values_are_equal_as_their_trees_are() {
    let texts = [
        "null",
        "true",
        "false",
        "1",
        "1.0",
        "10e-1",
        "1e400",
        "\"a\"",
        "\"ab\"",
        "\"\\u0061\"",
        "\"\\u0061b\"",
        "\"a\\ud83d\"",
        "\"\\ude00a\"",
        "[]",
        "[1,2]",
        "[2,1]",
        "[1,2,3]",
        "{}",
        "{\"a\":1,\"b\":2}",
        "{\"b\":2.0,\"\\u0061\":1}",
        "{\"a\":1,\"b\":3}",
        "{\"a\":1,\"c\":2}",
        "{\"a\":1}",
    ];
    for (one, two) in texts.iter().flat_map(|one| texts.map(|two| (one, two))) {
        is_equal_as_its_tree_is(one, two).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn what_is_no_object_has_no_members() {
    for text in ["[1,2]", "[\"a\",1]", "\"a\"", "null"] {
        let object = Tape::default().read(text).map(|raw| raw.object().len());
        assert_eq!(object, Ok(0), "{text}");
    }
}

/// What is read after other documents is what is read alone: `add(text) == read(text)`, and for
/// strings `decode_into(memory) == decoded()`.
fn is_read_after_others_as_alone(texts: &[String]) -> Result<(), TestCaseError> {
    let (mut tape, mut tokenizer) = (Tape::default(), Tokenizer::default());
    let added = texts.iter().map(|text| tape.add(text, &mut tokenizer));
    let added: Vec<_> = added.collect();
    let mut memory = SplitText::default();
    for (text, added) in texts.iter().zip(added) {
        let added = added.map(|document| tape.document(text, document));
        let mut alone = Tape::default();
        let alone = alone.read(text);
        let trees = [&added, &alone].map(|raw| raw.as_ref().map(|raw| Raw::tree(*raw)));
        prop_assert_eq!(&trees[0], &trees[1], "{}", text);
        if let Ok(raw) = added {
            let decoded = raw.decode_into(&mut memory).cloned();
            prop_assert_eq!(decoded, raw.decoded(), "{}", text);
        }
    }
    Ok(())
}

#[test]
fn documents_are_read_after_others_as_alone() {
    let texts = [
        "{\"a\":[1,{\"b\":",
        "{\"a\":1,\"b\":2}",
        "{\"\\u0061\":1}",
        "{\"a\":1,\"\\u0061\":1}",
        "{\"a\":{\"a\":1,\"a\":2}}",
        "\"x\\ud83d\"",
        "\"a\"",
        "\"\\ude00\"",
        "[]",
        "\"\"",
    ];
    let many: Vec<_> = (0..20).map(|name| format!("\"{name}\":0")).collect();
    let many = many.join(",");
    let many = [format!("{{{many},"), format!("{{{many},\"20\":0}}")];
    let texts: Vec<_> = texts.map(str::to_owned).into_iter().chain(many).collect();
    is_read_after_others_as_alone(&texts).unwrap_or_else(|error| panic!("{error}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn any_values_are_equal_as_their_trees_are(one in document(), two in document()) {
        is_equal_as_its_tree_is(&one, &one)?;
        is_equal_as_its_tree_is(&one, &two)?;
    }

    #[test]
    fn any_documents_are_read_after_others_as_alone(
        texts in prop::collection::vec((document(), any::<prop::sample::Index>()), 1..6),
    ) {
        let cut = |(text, at): &(String, prop::sample::Index)| {
            let mut at = at.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            [text.clone(), text[..at].to_owned()]
        };
        let texts: Vec<_> = texts.iter().flat_map(cut).collect();
        is_read_after_others_as_alone(&texts)?;
    }

    #[test]
    fn a_tape_takes_a_text_exactly_when_the_reader_does(
        text in document(), cut in any::<prop::sample::Index>(), junk in "[\\[\\]{},:\"0-9eE.\\\\ ]{0,2}",
    ) {
        agree(&text)?;
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        agree(&format!("{}{junk}{}", &text[..at], &text[at..]))?;
        agree(&text[..at])?;
    }
}

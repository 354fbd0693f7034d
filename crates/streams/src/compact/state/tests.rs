//! The lazy tree against patches on values: the same documents, and the same patches that fail.

use super::apply::apply;
use super::operation::operations;
use super::tree::Tree;
use chatstate_json::{Value, canonical, canonical_of_text, compact_length, parse};
use chatstate_types::generated::JsonPatch;
use proptest::prelude::*;

/// Documents that patches can reach into: few names and small numbers, in several spellings.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "1",
        "1.0",
        "10e-1",
        "\"a\"",
        "\"\\u0061\"",
        "\"\\ud83d\\ude00\"",
        "[]",
        "{ }",
        "12345678901234567890.5",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 40, 5, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..5);
        let members = prop::collection::btree_map(0..NAMES.len(), inner, 0..5);
        prop_oneof![
            items.prop_map(|items| format!("[ {} ]", items.join(" ,"))),
            members.prop_map(|members| {
                let member = |(name, value): (usize, String)| format!("{}:{value}", NAMES[name].0);
                let members: Vec<_> = members.into_iter().map(member).collect();
                format!("{{{}}}", members.join(", "))
            }),
        ]
    })
}

/// Names as text and as pointers have them.
const NAMES: [(&str, &str); 6] = [
    ("\"a\"", "a"),
    ("\"\\u0062\"", "b"),
    ("\"m/n\"", "m~1n"),
    ("\"~\"", "~0"),
    ("\"0\"", "0"),
    ("\"\"", ""),
];

fn path() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        6 => prop::sample::select(NAMES.map(|(_, segment)| segment).to_vec()),
        4 => prop::sample::select(vec!["0", "1", "2", "-", "01", "~01"]),
    ];
    let path = prop::collection::vec(segment, 0..4);
    path.prop_map(|segments| {
        let segments = segments.into_iter();
        segments.fold(String::new(), |path, segment| path + "/" + segment)
    })
}

fn operation() -> impl Strategy<Value = String> {
    let names = vec![
        "add", "add", "replace", "remove", "move", "copy", "test", "later",
    ];
    (prop::sample::select(names), path(), path(), document()).prop_map(
        |(name, path, from, value)| {
            format!(r#"{{"op":"{name}","path":"{path}","from":"{from}","value":{value},"x":1}}"#)
        },
    )
}

/// What both ways make of a document: the value, and for each patch whether it applied.
fn check(document: &str, patches: &[Vec<String>]) {
    let mut tree = Tree::of(document.to_owned());
    let mut value = parse(document).expect("the document is JSON");
    for patch in patches {
        let patch = format!("[{}]", patch.join(","));
        let expected = crate::patch::apply(
            &mut value,
            &JsonPatch::from_json(&patch).expect("the patch is one"),
        );
        let operations = operations(&patch).expect("the patch can be read");
        let found = apply(&mut tree, &operations).expect("nothing is refused");
        assert_eq!(found, expected.is_ok(), "{document}\n{patch}");
        let text = tree.to_text();
        assert_eq!(
            parse(&text),
            Ok(value.clone()),
            "{document}\n{patch}\n{text}"
        );
        assert_eq!(compact_length(&text), Ok(value.to_json().len()), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn a_lazy_tree_patches_as_values_do_and_its_text_has_their_canonical_form(
        document in document(),
        patches in prop::collection::vec(prop::collection::vec(operation(), 0..4), 1..6),
    ) {
        check(&document, &patches);
        let canonical = parse(&document).map(|value| canonical(&value));
        prop_assert_eq!(canonical_of_text(&document), canonical.ok());
    }
}

#[test]
fn a_test_of_what_is_there_holds() {
    let patch = |text: &str| vec![vec![text.to_owned()]];
    check(
        r#"{"a":1.0}"#,
        &patch(r#"{"op":"test","path":"/a","value":10e-1}"#),
    );
    check(
        r#"{"a":[1,{"b":2}]}"#,
        &patch(r#"{"op":"test","path":"","value":{"a":[1,{"b":2.0}]}}"#),
    );
}

#[test]
fn a_patch_that_no_reader_takes_is_refused_in_its_words() {
    for patch in [
        r#"[{"op":"add","path":"/a"}]"#,
        r#"[{"op":"add","path":"a","value":1}]"#,
        r#"[{"op":"add","path":"/a","path":"/b","value":1}]"#,
        "[1]",
        r#"[{"op":"move","path":"/a"}]"#,
        r#"[{"path":"/a"}]"#,
    ] {
        let expected = JsonPatch::from_json(patch).expect_err("the patch is none");
        let found = operations(patch).err().expect("the patch is none");
        assert_eq!(found, expected.within("delta"), "{patch}");
    }
}

#[test]
fn doubling_copies_end_at_a_limit() {
    let mut tree = Tree::of(format!(r#"{{"a":["{}"]}}"#, "x".repeat(1_000_000)));
    let patch = r#"[{"op":"copy","from":"/a","path":"/a/-"}]"#;
    let operations = operations(patch).expect("the patch can be read");
    let refused = (0..64).find_map(|_| apply(&mut tree, &operations).err());
    let refused = refused.expect("the state would be larger than any memory");
    assert_eq!(
        (refused.class.as_str(), refused.rule.as_ref()),
        ("limit", "patch-copy")
    );
}

#[test]
fn text_that_was_replaced_is_let_go() {
    let mut tree = Tree::of(r#"{"a":0}"#.to_owned());
    let value: Value = "x".repeat(1000).into();
    let patch = format!(
        r#"[{{"op":"replace","path":"/a","value":{}}}]"#,
        value.to_json()
    );
    let operations = operations(&patch).expect("the patch can be read");
    for _ in 0..10_000 {
        assert_eq!(apply(&mut tree, &operations), Ok(true));
    }
    assert!(tree.text.len() < 200_000, "{}", tree.text.len());
}

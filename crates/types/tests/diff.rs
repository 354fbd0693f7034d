//! Every loss class, found where it is.

use chatstate_json::parse;
use chatstate_types::definition::{Definition, Member, Shape};
use chatstate_types::diff::{LossClass, diff, diff_lexical};

static TEXT: Definition = Definition {
    name: "TextPart",
    file: "test.schema.json",
    shape: Shape::Object(&[
        member("type", Shape::Constant("text"), true),
        member("text", Shape::Text, true),
    ]),
};
static OTHER: Definition = Definition {
    name: "UnknownPart",
    file: "test.schema.json",
    shape: Shape::Object(&[member("type", Shape::Text, true)]),
};
static PART: Definition = Definition {
    name: "Part",
    file: "test.schema.json",
    shape: Shape::Union {
        tag: "type",
        arms: &[("text", &TEXT)],
        unknown: Some(&OTHER),
    },
};
static MESSAGE: Definition = Definition {
    name: "Message",
    file: "test.schema.json",
    shape: Shape::Object(&[
        member("id", Shape::Text, true),
        Member {
            default: Some("true"),
            ..member("replace", Shape::Boolean, false)
        },
        member("kind", Shape::Constant("function"), false),
        member(
            "content",
            Shape::Kinds(&[Shape::Text, Shape::List(&Shape::Reference(&PART))]),
            false,
        ),
    ]),
};

const fn member(name: &'static str, shape: Shape, required: bool) -> Member {
    Member {
        name,
        shape,
        required,
        nullable: false,
        recursive: false,
        default: None,
    }
}

/// Before, after, and the losses between them with their places.
type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const CASES: &[Case] = &[
    (r#"{"id":"a","x":1.0}"#, r#"{"x":1,"id":"a"}"#, &[]),
    (
        r#"{"id":"a","x":1}"#,
        r#"{"id":"a"}"#,
        &[("unknown-dropped", "/x")],
    ),
    (
        r#"{"id":"a","content":"c"}"#,
        r#"{"id":"a"}"#,
        &[("member-dropped", "/content")],
    ),
    (
        r#"{"id":"a"}"#,
        r#"{"id":"a","replace":true}"#,
        &[("default-injected", "/replace")],
    ),
    (
        r#"{"id":"a"}"#,
        r#"{"id":"a","kind":"function"}"#,
        &[("default-injected", "/kind")],
    ),
    (
        r#"{"id":"a"}"#,
        r#"{"id":"a","replace":false}"#,
        &[("member-added", "/replace")],
    ),
    (
        r#"{"id":"a"}"#,
        r#"{"id":"a","content":null}"#,
        &[("null-for-absent", "/content")],
    ),
    (
        r#"{"id":"a","x":null}"#,
        r#"{"id":"a"}"#,
        &[("absent-for-null", "/x")],
    ),
    (
        r#"{"messageId":"a"}"#,
        r#"{"message_id":"a"}"#,
        &[("member-renamed", "/messageId")],
    ),
    (
        r#"{"content":[{"type":"text","text":"a"}]}"#,
        r#"{"content":[{"text":"a"}]}"#,
        &[("discriminator-lost", "/content/0/type")],
    ),
    (
        r#"{"content":[{"type":"text","text":"a"},{"type":"hologram"}]}"#,
        r#"{"content":[{"type":"text","text":"a"}]}"#,
        &[("unknown-variant-dropped", "/content/1")],
    ),
    (
        r#"{"content":[{"type":"hologram","y":1}]}"#,
        r#"{"content":[{"type":"hologram"}]}"#,
        &[("unknown-dropped", "/content/0/y")],
    ),
    (
        "9007199254740993",
        "9007199254740992",
        &[("number-rounded", "")],
    ),
    ("1", "2", &[("number-changed", "")]),
    ("5", "\"5\"", &[("number-retyped", "")]),
    ("1", "true", &[("number-retyped", "")]),
    (
        r#"{"a/b~":"x"}"#,
        r#"{"a/b~":"y"}"#,
        &[("text-changed", "/a~1b~0")],
    ),
    ("[true]", "[false]", &[("boolean-changed", "/0")]),
    ("[null]", "[[]]", &[("kind-changed", "/0")]),
    ("[1,2,3]", "[3,1,2]", &[("array-reordered", "")]),
    ("[1,2,3]", "[1,3]", &[("item-dropped", "/1")]),
    ("[1,3]", "[1,2,3]", &[("item-added", "/1")]),
    (
        r#"[{"id":"a"},{"id":"b"}]"#,
        r#"[{"id":"b","x":1}]"#,
        &[("item-dropped", "/0"), ("member-added", "/1/x")],
    ),
    (
        r#"["a","b","c","d","e"]"#,
        r#"["b","c","d","e","f"]"#,
        &[("item-dropped", "/0"), ("item-added", "/4")],
    ),
    (
        r#"[{"id":"1","t":"a"},{"id":"2","t":"b"},{"id":"3","t":"c"}]"#,
        r#"[{"id":"3","t":"c"},{"id":"1","t":"a"},{"id":"2","t":"B"}]"#,
        &[("text-changed", "/1/t"), ("item-moved", "/2")],
    ),
    (
        r#"[{"id":"1","t":"a"},{"id":"2"},{"id":"2"}]"#,
        r#"[{"id":"2"},{"id":"2"},{"id":"1","t":"b"}]"#,
        &[("item-moved", "/0"), ("text-changed", "/0/t")],
    ),
    (
        r#"["a","b","c"]"#,
        r#"["a","d","c"]"#,
        &[("text-changed", "/1")],
    ),
    (
        "[0,0,1,0]",
        "[0,1,0,0,0]",
        &[("item-added", "/2"), ("item-moved", "/2")],
    ),
];

#[test]
fn each_loss_has_its_class_and_place() {
    let mut seen = Vec::new();
    for (before, after, expected) in CASES {
        let (left, right) = (parse(before).expect(before), parse(after).expect(after));
        let found = diff(&left, &right, Some(&MESSAGE));
        let found: Vec<_> = found
            .found
            .iter()
            .map(|loss| (loss.class.as_str(), loss.at.as_str()))
            .collect();
        assert_eq!(found, *expected, "{before} -> {after}");
        assert_eq!(
            found.is_empty(),
            left == right,
            "no difference means equal by value"
        );
        seen.extend(expected.iter().map(|(class, _)| *class));
    }
    let lexical = diff_lexical(&parse("1.0").expect("1.0"), &parse("1").expect("1"), None);
    seen.extend(lexical.found.iter().map(|loss| loss.class.as_str()));
    for class in LossClass::ALL {
        assert!(seen.contains(&class.as_str()), "no case shows `{class}`");
    }
}

#[test]
fn a_difference_at_a_place_that_is_too_long_to_keep_is_still_found() {
    let name = "long".repeat(5 * 1024 * 1024);
    let document = |value: &str| parse(&format!(r#"{{"{name}":[{value}]}}"#)).expect("JSON");
    let found = diff(&document("1,1"), &document("2,2"), None);
    assert_eq!((found.found.len(), found.more), (1, 1));
}

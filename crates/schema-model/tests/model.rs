//! What a schema becomes: kinds, the two bits of a member, recursion, and equal bytes.

use chatstate_schema_model::{
    Bounds, DefinitionKind, Ir, Literal, MemberDefinition, NamedDefinition, ObjectDefinition,
    SchemaText, Type, read, with_generated_lists,
};

/// One definition of each kind, with the obstacles of real schemas.
const SCHEMA: &str = include_str!("every-kind.schema.json");

fn every_kind() -> Ir {
    read(&[SchemaText {
        name: "every-kind.schema.json",
        text: SCHEMA,
    }])
    .unwrap_or_else(|error| panic!("{error}"))
}

fn definition<'a>(ir: &'a Ir, name: &str) -> &'a NamedDefinition {
    ir.definitions
        .get(name)
        .unwrap_or_else(|| panic!("`{name}` is defined"))
}

fn object<'a>(ir: &'a Ir, name: &str) -> &'a ObjectDefinition {
    match &definition(ir, name).kind {
        DefinitionKind::Object(object) => object,
        other => panic!("`{name}` is {other:?}"),
    }
}

fn member<'a>(ir: &'a Ir, path: &str) -> &'a MemberDefinition {
    let (name, member) = path.split_once('.').expect("definition and member");
    object(ir, name)
        .member(member)
        .unwrap_or_else(|| panic!("`{path}` is there"))
}

fn bounds(minimum: Option<i64>, maximum: Option<i64>) -> Bounds {
    Bounds {
        minimum: minimum.map(Into::into),
        maximum: maximum.map(Into::into),
        ..Bounds::default()
    }
}

#[test]
fn presence_and_nullability_are_two_bits() {
    let ir = every_kind();
    for (path, required, nullable) in [
        ("Node.id", true, false),
        ("Node.label", false, false),
        ("Node.parent", false, true),
        ("Node.note", true, true),
        ("Node.weight", false, true),
        ("Node.value", true, true),
        ("Node.payload", false, true),
        ("Node.present", false, false),
    ] {
        let member = member(&ir, path);
        assert_eq!(
            (member.required, member.nullable),
            (required, nullable),
            "{path}"
        );
    }
}

#[test]
fn types_keep_their_constraints() {
    let ir = every_kind();
    let text = |pattern: Option<&str>, minimum_length, format: Option<&str>| Type::Text {
        conditions: Vec::new(),
        pattern: pattern.map(str::to_owned),
        minimum_length,
        maximum_length: None,
        format: format.map(str::to_owned),
    };
    for (path, expected) in [
        ("Node.id", text(Some("^n"), Some(2), None)),
        ("Node.label", text(None, None, Some("uri"))),
        ("Node.weight", Type::Number(bounds(Some(0), None))),
        ("Node.count", Type::Integer(bounds(Some(-1), Some(9)))),
        ("Node.delta", Type::SplitText),
        ("Node.bag", Type::OpenObject),
        ("Node.value", Type::Any { nullable: true }),
        ("Node.present", Type::Any { nullable: false }),
        (
            "Node.kind",
            Type::Constant(Literal::Text("node".to_owned())),
        ),
        (
            "UnknownShape.$type",
            Type::UnknownTag(vec!["node".to_owned(), "leaf".to_owned()]),
        ),
    ] {
        assert_eq!(member(&ir, path).ty, expected, "{path}");
    }
    assert_eq!(
        member(&ir, "Node.count").default,
        Some(serde_json::json!(3))
    );
    assert!(member(&ir, "Node.label").deprecated);
    assert!(definition(&ir, "Leaf").deprecated);
}

#[test]
fn unions_and_enumerations_know_whether_they_are_open() {
    let ir = every_kind();
    let DefinitionKind::Union(open) = &definition(&ir, "Shape").kind else {
        panic!("a union")
    };
    let tags: Vec<&str> = open.arms.iter().map(|arm| arm.tag.as_str()).collect();
    assert_eq!((open.tag.as_str(), tags), ("$type", vec!["node", "leaf"]));
    assert_eq!(open.unknown.as_deref(), Some("UnknownShape"));
    let DefinitionKind::Union(closed) = &definition(&ir, "Known").kind else {
        panic!("a union")
    };
    assert_eq!((closed.tag.as_str(), &closed.unknown), ("$type", &None));
    for (name, is_open) in [("Colour", true), ("Size", false)] {
        let DefinitionKind::Enumeration(enumeration) = &definition(&ir, name).kind else {
            panic!("{name}")
        };
        assert_eq!(enumeration.open, is_open, "{name}");
    }
    let DefinitionKind::Kinds(arms) = &definition(&ir, "TextOrShapes").kind else {
        panic!("kinds")
    };
    let kinds: Vec<&str> = arms.iter().map(|arm| arm.kind.as_str()).collect();
    assert_eq!(kinds, ["string", "array", "object"]);
}

#[test]
fn recursion_is_found_and_only_direct_references_are_cyclic() {
    let ir = every_kind();
    for (name, recursive) in [
        ("Shape", true),
        ("Node", true),
        ("TextOrShapes", true),
        ("Leaf", false),
        ("Known", false),
        ("Size", false),
    ] {
        assert_eq!(definition(&ir, name).recursive, recursive, "{name}");
    }
    for (path, expected) in [
        ("Node.parent", true),
        ("Node.body", true),
        ("Node.size", false),
    ] {
        assert!(
            matches!(member(&ir, path).ty, Type::Reference { cyclic, .. } if cyclic == expected),
            "{path}: {:?}",
            member(&ir, path).ty
        );
    }
    let Type::List { items, .. } = &member(&ir, "Node.children").ty else {
        panic!("a list")
    };
    assert!(
        matches!(items.ty, Type::Reference { cyclic: false, .. }),
        "a list is an indirection"
    );
    assert!(items.nullable);
}

#[test]
fn order_and_places_are_those_of_the_file() {
    let ir = every_kind();
    let names: Vec<&str> = ir.definitions.keys().map(String::as_str).collect();
    assert_eq!(names[..3], ["Shape", "Known", "Node"]);
    assert_eq!(ir.roots().collect::<Vec<_>>(), ["Shape", "Known"]);
    assert_eq!(definition(&ir, "Leaf").pointer, "/$defs/Leaf");
    assert_eq!(ir.schemas[0].digest.len(), 64);
}

#[test]
fn two_reads_give_equal_bytes_and_the_model_survives_json() {
    let bytes = |ir: &Ir| serde_json::to_string(ir).expect("the model is JSON");
    let ir = every_kind();
    assert_eq!(bytes(&ir), bytes(&every_kind()));
    let back: Ir = serde_json::from_str(&bytes(&ir)).expect("the model is read back");
    assert_eq!(back, ir);
}

#[test]
fn generated_lists_are_put_right_and_nothing_else_changes() {
    let put_right = |text: &str| {
        with_generated_lists(&SchemaText {
            name: "x.json",
            text,
        })
        .expect("JSON")
    };
    assert_eq!(
        put_right(SCHEMA),
        SCHEMA,
        "the file is in its generated form"
    );
    let list = "\"enum\": [\n              \"node\",\n              \"leaf\"\n            ]";
    assert!(SCHEMA.contains(list));
    for fault in ["\"enum\": []", "\"enum\": [\"leaf\", \"node\", \"gone\"]"] {
        let drifted = SCHEMA.replace(list, fault);
        let error = read(&[SchemaText {
            name: "x.json",
            text: &drifted,
        }])
        .expect_err("drifted");
        assert_eq!(
            error.pointer,
            "/$defs/UnknownShape/properties/$type/not/enum"
        );
        assert_eq!(put_right(&drifted), SCHEMA);
    }
}

//! Unions by tag.

use serde_json::{Value, json};

use crate::{check, file};

fn arm(tag: &Value, required: &Value) -> Value {
    let mut tag = tag.clone();
    tag["description"] = json!("The tag.");
    json!({"description": "An arm.", "type": "object", "properties": {"type": tag}, "required": required})
}

fn unknown(list: &Value) -> Value {
    arm(
        &json!({"type": "string", "not": {"enum": list}}),
        &json!(["type"]),
    )
}

fn union(arms: &[&str]) -> Value {
    let arms: Vec<Value> = arms
        .iter()
        .map(|arm| json!({"$ref": format!("#/$defs/{arm}")}))
        .collect();
    json!({"description": "A union.", "oneOf": arms})
}

#[test]
fn unions_that_cannot_be_told_apart() {
    let (yes, no) = (json!(["type"]), json!([]));
    let tagged = |tag: &str, required: &Value| arm(&json!({"const": tag}), required);
    let (a, b, u) = (
        tagged("a", &yes),
        tagged("b", &yes),
        unknown(&json!(["a", "b"])),
    );
    for (a, b, u, arms, pointer, message, help) in [
        (
            &a,
            &tagged("b", &no),
            &u,
            &["A", "B"][..],
            "/$defs/X/oneOf/1",
            "arm `B` has no required constant `type`",
            "`const` of its own",
        ),
        (
            &tagged("a", &no),
            &b,
            &u,
            &["A", "B"],
            "/$defs/X/oneOf/0",
            "arm `A` has no required constant",
            "give every arm",
        ),
        (
            &a,
            &tagged("b", &no),
            &u,
            &["A", "B", "U"],
            "/$defs/X/oneOf/1",
            "arm `B` has no required constant `type`",
            "`const` of its own",
        ),
        (
            &a,
            &tagged("a", &yes),
            &u,
            &["A", "B"],
            "/$defs/X/oneOf/1",
            "arms `A` and `B` both have `type` `a`",
            "a tag of its own",
        ),
        (
            &a,
            &b,
            &u,
            &["A", "U", "B"],
            "/$defs/X/oneOf/1",
            "`U` takes unknown tags but is not the last arm",
            "end of `oneOf`",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["a"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "not the tags of the known arms",
            "write `a`, `b`",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["b", "a"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "in their order",
            "generated",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["a", "b", "c"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "not the tags",
            "run the code generator",
        ),
    ] {
        let definitions = json!({"X": union(arms), "A": a, "B": b, "U": u});
        check(&file(&definitions, None), pointer, message, help);
    }
}

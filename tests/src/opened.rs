//! A schema whose closed choices are open, made by rewriting its text: what `generate --unknown keep`
//! does, told again without the model.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The schema with a further variant in each union with a discriminator, and any text in each
/// enumeration of several texts.
#[must_use]
pub fn opened(schema: &Value) -> Value {
    let mut opened = schema.clone();
    open(&mut opened, schema);
    opened
}

fn open(node: &mut Value, schema: &Value) {
    match node {
        Value::Object(members) => {
            members.values_mut().for_each(|value| open(value, schema));
            if members.get("enum").is_some_and(is_of_texts) {
                let values = members.shift_remove("enum").unwrap_or_default();
                let has_null = values
                    .as_array()
                    .is_some_and(|all| all.contains(&Value::Null));
                let types = if has_null {
                    json!(["string", "null"])
                } else {
                    json!("string")
                };
                members.insert("type".to_owned(), types);
            }
            for choice in ["oneOf", "anyOf"] {
                let Some(Value::Array(variants)) = members.get_mut(choice) else {
                    continue;
                };
                if let Some((tag, tags)) = discriminator(variants, schema) {
                    variants.push(json!({
                        "type": "object",
                        "required": [tag],
                        "properties": {tag: {"type": "string", "not": {"enum": tags}}},
                    }));
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| open(item, schema)),
        _ => {}
    }
}

/// Whether the values are several texts, or such and null.
fn is_of_texts(values: &Value) -> bool {
    let values = values.as_array().map_or(&[][..], Vec::as_slice);
    let texts = values.iter().filter(|value| value.is_string()).count();
    let nulls = values.iter().filter(|value| value.is_null()).count();
    texts > 1 && texts + nulls == values.len()
}

/// The member whose value distinguishes all variants, with these values; null beside them is none.
fn discriminator(variants: &[Value], schema: &Value) -> Option<(String, BTreeSet<String>)> {
    let objects = variants.iter().filter(|variant| variant["type"] != "null");
    let variants = objects.map(|variant| resolved(variant, schema));
    let variants = variants.collect::<Option<Vec<_>>>()?;
    let first = variants.first()?["properties"].as_object()?;
    first.keys().find_map(|name| {
        let tags = variants.iter().map(|variant| required_text(variant, name));
        let tags = tags.collect::<Option<BTreeSet<_>>>()?;
        (tags.len() == variants.len() && tags.len() > 1).then(|| (name.clone(), tags))
    })
}

/// What a reference leads to.
fn resolved<'s>(variant: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    match variant["$ref"].as_str() {
        Some(reference) => resolved(schema.pointer(reference.strip_prefix('#')?)?, schema),
        None => Some(variant),
    }
}

/// The only text that a required member may be.
fn required_text(variant: &Value, name: &str) -> Option<String> {
    let is_required = variant["required"].as_array()?.contains(&json!(name));
    let member = &variant["properties"][name];
    let only = match member["enum"].as_array().map(Vec::as_slice) {
        Some([only]) => only,
        _ => &member["const"],
    };
    is_required.then(|| only.as_str().map(str::to_owned))?
}

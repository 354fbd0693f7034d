//! Types that need no name: scalars, lists, maps, and what may be `null`.

use crate::form::{Form, FormSubject, Formed};
use crate::keywords::{ARRAY, NUMBER, OBJECT, TEXT};
use crate::node::Node;
use crate::reader::SchemaReader;
use crate::{Bounds, IrError, Slot, Type};

impl<'a> SchemaReader<'a> {
    /// Reads what is at a place: a type, or a reference to what needs a name.
    pub fn slot(&mut self, node: &Node<'a>) -> Result<Slot, IrError> {
        let formed = self.forms.of_schema(node)?;
        let ty = match formed.form {
            Form::Choice(_) | Form::Object(_) | Form::Enumeration(_) => {
                let to = self.hoist(node)?;
                Type::Reference { to, cyclic: false }
            }
            form => self.unnamed(node, form, formed.nullable)?,
        };
        let nullable = formed.nullable;
        Ok(Slot { ty, nullable })
    }

    /// The type of a form that needs no name.
    pub fn unnamed(
        &mut self,
        node: &Node<'a>,
        form: Form<'a>,
        nullable: bool,
    ) -> Result<Type, IrError> {
        match form {
            Form::Any => Ok(Type::Any { nullable }),
            Form::Reference(reference) => {
                let to = self.target_name(&reference)?;
                Ok(Type::Reference { to, cyclic: false })
            }
            Form::Constant(value) => Ok(Type::Constant(value)),
            Form::Typed(node, kind) => self.typed(&node, kind),
            Form::Null => {
                let help = "say what the value is when it is not `null`, or leave it out";
                Err(node.fail("`null` alone cannot be represented", help))
            }
            Form::Enumeration(_) | Form::Choice(_) | Form::Object(_) => Err(node.fail(
                "this needs a name",
                "move it to `$defs` and refer to it with `$ref`",
            )),
        }
    }

    /// A scalar, a list or a map by the name of its type.
    pub fn typed(&mut self, node: &Node<'a>, kind: &str) -> Result<Type, IrError> {
        check_keywords(node)?;
        match kind {
            "string" => text(node),
            "boolean" => Ok(Type::Boolean),
            "integer" => bounds(node).map(Type::Integer),
            "number" => bounds(node).map(Type::Number),
            "array" => self.list(node),
            _ => self.map(node),
        }
    }

    fn list(&mut self, node: &Node<'a>) -> Result<Type, IrError> {
        let tuple = node
            .get("prefixItems")
            .or_else(|| node.get("items").filter(|items| items.value.is_array()));
        if let Some(places) = tuple {
            return self.tuple(node, &places);
        }
        let items = match node.get("items") {
            Some(items) => self.slot(&items)?,
            None => anything(),
        };
        let (minimum_items, maximum_items) = limits(node, "minItems", "maxItems")?;
        Ok(Type::List {
            items: Box::new(items),
            minimum_items,
            maximum_items,
            unique: node.flag("uniqueItems")?,
        })
    }

    /// An array with a type for each place, all of which must be there and no others.
    fn tuple(&mut self, node: &Node<'a>, places: &Node<'a>) -> Result<Type, IrError> {
        let items = places.items()?;
        let count = items.len() as u64;
        let closed = ["items", "additionalItems", "unevaluatedItems"]
            .iter()
            .any(|name| node.get(name).is_some_and(|value| value.value == false));
        let (minimum, maximum) = limits(node, "minItems", "maxItems")?;
        if !closed && maximum != Some(count) {
            let help = format!("write `\"items\": false` or `\"maxItems\": {count}` beside it");
            return Err(places.fail("an array with further items after the described ones", help));
        }
        if minimum != Some(count) {
            let help = format!("write `\"minItems\": {count}` beside it");
            return Err(places.fail("an array that may end before the described items do", help));
        }
        let slots = items.iter().map(|item| self.slot(item));
        slots.collect::<Result<_, _>>().map(Type::Tuple)
    }

    fn map(&mut self, node: &Node<'a>) -> Result<Type, IrError> {
        check_names(node)?;
        match node.get("additionalProperties") {
            Some(values) if values.value != true => {
                let slot = self.slot(&values)?;
                Ok(Type::Map(Box::new(slot)))
            }
            _ => Ok(Type::OpenObject),
        }
    }

    /// The type of a variant of a choice; what needs a name is called after the label.
    pub fn arm_type(
        &mut self,
        parent: &str,
        label: &str,
        subject: &FormSubject<'a>,
    ) -> Result<Type, IrError> {
        let Formed { form, nullable } = self.forms.of(subject)?;
        match form {
            Form::Choice(_) | Form::Object(_) | Form::Enumeration(_) => {
                let to = self.part(parent, label, subject)?;
                Ok(Type::Reference { to, cyclic: false })
            }
            form => self.unnamed(subject.node(), form, nullable),
        }
    }
}

/// Any value.
pub(crate) fn anything() -> Slot {
    Slot {
        ty: Type::Any { nullable: true },
        nullable: true,
    }
}

/// Rejects keywords that are about none of the types that the schema lists.
fn check_keywords(node: &Node<'_>) -> Result<(), IrError> {
    let mut keywords = vec!["type", "nullable"];
    let mut add = |name: &str| {
        keywords.extend_from_slice(match name {
            "string" => TEXT,
            "integer" | "number" => NUMBER,
            "array" => ARRAY,
            "object" => OBJECT,
            _ => &[],
        });
    };
    match node.member("type") {
        Some(serde_json::Value::Array(kinds)) => {
            kinds.iter().filter_map(|kind| kind.as_str()).for_each(add);
        }
        Some(kind) => add(kind.as_str().unwrap_or_default()),
        None => ["array", "object"].into_iter().for_each(add),
    }
    node.allow(&keywords)
}

/// The names of the members of a map may be any text.
pub(crate) fn check_names(node: &Node<'_>) -> Result<(), IrError> {
    let Some(names) = node.get("propertyNames") else {
        return Ok(());
    };
    if names.value == true || (names.value.is_object() && names.allow(&["type"]).is_ok()) {
        return Ok(());
    }
    Err(names.fail(
        "names of members cannot be limited",
        "remove `propertyNames`, or name the members under `properties`",
    ))
}

fn limits(node: &Node<'_>, least: &str, most: &str) -> Result<(Option<u64>, Option<u64>), IrError> {
    let (minimum, maximum) = (node.optional_count(least)?, node.optional_count(most)?);
    match (minimum, maximum) {
        (Some(minimum), Some(maximum)) if minimum > maximum => Err(crossed(node, least, most)),
        _ => Ok((minimum, maximum)),
    }
}

fn crossed(node: &Node<'_>, least: &str, most: &str) -> IrError {
    let message = format!("`{least}` is greater than `{most}`");
    node.fail(message, "correct one of the two")
}

fn bounds(node: &Node<'_>) -> Result<Bounds, IrError> {
    let number = |name: &str| {
        let Some(place) = node.get(name) else {
            return Ok(None);
        };
        match place.value.as_number() {
            Some(number) => Ok(Some(number.clone())),
            None => Err(place.fail(
                "expected a number",
                "write a number, or leave the limit out",
            )),
        }
    };
    let bounds = Bounds {
        minimum: number("minimum")?,
        maximum: number("maximum")?,
        exclusive_minimum: number("exclusiveMinimum")?,
        exclusive_maximum: number("exclusiveMaximum")?,
        multiple_of: number("multipleOf")?,
    };
    let above =
        |low: &Option<serde_json::Number>, high: &Option<serde_json::Number>| match (low, high) {
            (Some(low), Some(high)) => low.as_f64() > high.as_f64(),
            _ => false,
        };
    if above(&bounds.minimum, &bounds.maximum) {
        return Err(crossed(node, "minimum", "maximum"));
    }
    if above(&bounds.exclusive_minimum, &bounds.exclusive_maximum) {
        return Err(crossed(node, "exclusiveMinimum", "exclusiveMaximum"));
    }
    match &bounds.multiple_of {
        Some(step) if step.as_f64().is_none_or(|step| step <= 0.0) => {
            Err(node.fail("`multipleOf` is not above 0", "write a number above 0"))
        }
        _ => Ok(bounds),
    }
}

fn text(node: &Node<'_>) -> Result<Type, IrError> {
    if let Some(not) = node.get("not") {
        not.allow(&["enum"])?;
        let tags = not.require("enum")?.texts()?;
        return Ok(Type::UnknownTag(
            tags.into_iter().map(str::to_owned).collect(),
        ));
    }
    let format = node.optional_text("format")?;
    if format.as_deref() == Some("split-text") {
        node.allow(&["type"])?;
        return Ok(Type::SplitText);
    }
    let (minimum_length, maximum_length) = limits(node, "minLength", "maxLength")?;
    Ok(Type::Text {
        pattern: node.optional_text("pattern")?,
        minimum_length,
        maximum_length,
        format,
    })
}

//! Types that need no name: scalars, lists, maps, and what may be `null`.

use serde_json::Number;

use crate::condition::condition;
use crate::exclusion::excluded_kinds;
use crate::form::{Form, FormSubject, Formed};
use crate::keywords::{ARRAY, NUMBER, OBJECT, TEXT};
use crate::node::Node;
use crate::reader::SchemaReader;
use crate::{Bounds, IrError, Slot, Type};

impl<'a> SchemaReader<'a> {
    /// Reads what is at a place: a type, or a reference to what needs a name; any JSON value if it
    /// cannot be represented.
    pub fn slot(&mut self, node: &Node<'a>) -> Slot {
        self.read_slot(node).unwrap_or_else(|error| {
            self.forms.stumble(node, error);
            anything()
        })
    }

    fn read_slot(&mut self, node: &Node<'a>) -> Result<Slot, IrError> {
        let formed = self.forms.of_schema(node);
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
            Form::Null => Ok(nothing()),
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
            "string" => self.text(node),
            "boolean" => Ok(Type::Boolean),
            "integer" => bounds(node).map(Type::Integer),
            "number" => bounds(node).map(Type::Number),
            "array" => self.list(node),
            _ => Ok(self.map(node)),
        }
    }

    fn text(&self, node: &Node<'a>) -> Result<Type, IrError> {
        let mut conditions = Vec::new();
        if let Some(not) = node.get("not").filter(|_| excluded_kinds(node).is_none()) {
            if let (Some(tags), false) = (listed_texts(&not), node.has_any(LIMITS)) {
                let tags = tags.into_iter().map(str::to_owned);
                return Ok(Type::UnknownTag(tags.collect()));
            }
            conditions.push(condition(&self.forms.documents, node, "not")?);
        }
        let format = node.optional_text("format")?;
        if format.as_deref() == Some("split-text") {
            node.allow(&["type"])?;
            return Ok(Type::SplitText);
        }
        let (minimum_length, maximum_length) = lengths(node)?;
        Ok(Type::Text {
            pattern: node.optional_text("pattern")?,
            minimum_length,
            maximum_length,
            format,
            conditions,
        })
    }

    fn list(&mut self, node: &Node<'a>) -> Result<Type, IrError> {
        let (minimum_items, maximum_items) = counts(node)?;
        let mut conditions = Vec::new();
        if node.has("contains") {
            conditions.push(condition(&self.forms.documents, node, "contains")?);
        }
        let places = ["prefixItems", "items"].into_iter().find_map(|keyword| {
            let places = node.get(keyword)?;
            places.value.is_array().then_some((keyword, places))
        });
        let rest = ["items", "additionalItems", "unevaluatedItems"];
        let rest = rest.iter().find_map(|keyword| {
            let rest = node.get(keyword)?;
            (!rest.value.is_array()).then_some(rest)
        });
        if let (Some(rest), true) = (&rest, node.has("contains"))
            && rest.pointer.ends_with("/unevaluatedItems")
        {
            let help = "describe the items with `items`";
            return Err(rest.fail("`unevaluatedItems` beside `contains`", help));
        }
        let items = match (places, rest) {
            (Some((keyword, places)), rest) => {
                let count = places.items()?.len() as u64;
                let is_closed = rest.is_some_and(|rest| rest.value == false);
                let is_whole =
                    minimum_items == Some(count) && (is_closed || maximum_items == Some(count));
                if is_whole && conditions.is_empty() && !node.flag("uniqueItems")? {
                    return self.tuple(&places);
                }
                // A tuple has all of its items; of other arrays, a condition asks.
                conditions.insert(0, condition(&self.forms.documents, node, keyword)?);
                anything()
            }
            (None, Some(rest)) if rest.value == false => {
                conditions.insert(0, condition(&self.forms.documents, node, "items")?);
                anything()
            }
            (None, Some(rest)) => self.slot(&rest),
            (None, None) => anything(),
        };
        Ok(Type::List {
            items: Box::new(items),
            minimum_items,
            maximum_items,
            unique: node.flag("uniqueItems")?,
            conditions,
        })
    }

    /// An array with a type for each place, all of which must be there and no others.
    fn tuple(&mut self, places: &Node<'a>) -> Result<Type, IrError> {
        let items = places.items()?;
        let slots = items.iter().map(|item| self.slot(item));
        Ok(Type::Tuple(slots.collect()))
    }

    fn map(&mut self, node: &Node<'a>) -> Type {
        match node.get("additionalProperties") {
            Some(values) if values.value != true => {
                let slot = self.slot(&values);
                Type::Map(Box::new(slot))
            }
            _ => Type::OpenObject,
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

/// The limits of a text.
const LIMITS: &[&str] = &["pattern", "minLength", "maxLength"];

/// The texts that a schema lists, if it says nothing else.
fn listed_texts<'a>(node: &Node<'a>) -> Option<Vec<&'a str>> {
    node.allow(&["enum"]).ok()?;
    node.get("enum")?.texts().ok()
}

/// No value, so that `null` beside it is alone: a text that is both longer and shorter than any.
pub(crate) fn nothing() -> Type {
    Type::Text {
        pattern: None,
        minimum_length: Some(1),
        maximum_length: Some(0),
        format: None,
        conditions: Vec::new(),
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
    // What is beside listed values was judged with them.
    if node.has("enum") {
        return Ok(());
    }
    let mut keywords = vec!["type", "nullable"];
    if excluded_kinds(node).is_some() {
        keywords.push("not");
    }
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

/// The texts that a schema of names lists.
pub(crate) fn listed_names<'a>(names: &Node<'a>) -> Option<Vec<&'a str>> {
    if let Some(only) = names.member("const") {
        return Some(vec![only.as_str()?]);
    }
    if let Some(listed) = names.get("enum") {
        return listed.texts().ok();
    }
    let arms = names.get("anyOf").or_else(|| names.get("oneOf"))?;
    let arms = arms.items().ok()?;
    let names = arms.iter().map(listed_names);
    Some(names.collect::<Option<Vec<_>>>()?.concat())
}

fn limits(node: &Node<'_>, least: &str, most: &str) -> Result<(Option<u64>, Option<u64>), IrError> {
    let (minimum, maximum) = (node.optional_count(least)?, node.optional_count(most)?);
    match (minimum, maximum) {
        (Some(minimum), Some(maximum)) if minimum > maximum => Err(crossed(node, least, most)),
        _ => Ok((minimum, maximum)),
    }
}

/// The fewest and the most items of a list.
pub(crate) fn counts(node: &Node<'_>) -> Result<(Option<u64>, Option<u64>), IrError> {
    limits(node, "minItems", "maxItems")
}

/// The fewest and the most characters of a text.
pub(crate) fn lengths(node: &Node<'_>) -> Result<(Option<u64>, Option<u64>), IrError> {
    limits(node, "minLength", "maxLength")
}

fn crossed(node: &Node<'_>, least: &str, most: &str) -> IrError {
    let message = format!("`{least}` is greater than `{most}`");
    node.fail(message, "correct one of the two")
}

fn number(node: &Node<'_>, name: &str) -> Result<Option<Number>, IrError> {
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
}

/// A limit and what it excludes. Up to draft 4 the second was a word about the first.
fn bound(
    node: &Node<'_>,
    name: &str,
    exclusive: &str,
) -> Result<(Option<Number>, Option<Number>), IrError> {
    let limit = number(node, name)?;
    match node.member(exclusive).and_then(serde_json::Value::as_bool) {
        Some(true) => Ok((None, limit)),
        Some(false) => Ok((limit, None)),
        None => Ok((limit, number(node, exclusive)?)),
    }
}

/// The limits of a number.
pub(crate) fn bounds(node: &Node<'_>) -> Result<Bounds, IrError> {
    let (minimum, exclusive_minimum) = bound(node, "minimum", "exclusiveMinimum")?;
    let (maximum, exclusive_maximum) = bound(node, "maximum", "exclusiveMaximum")?;
    let bounds = Bounds {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of: number(node, "multipleOf")?,
    };
    let above = |low: &Option<Number>, high: &Option<Number>| match (low, high) {
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

//! One place in a schema file: a value and the way to it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::IrError;
use crate::keywords::{KEYWORDS, REFERENCES};

/// The most members among which one is found by looking at each.
const FEW: usize = 8;

/// A value in a schema file together with its JSON pointer, so that every complaint can say where.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    pub file: &'a str,
    pub pointer: String,
    pub value: &'a Value,
}

impl<'a> Node<'a> {
    /// The whole file.
    pub fn root(file: &'a str, value: &'a Value) -> Self {
        Self {
            file,
            pointer: String::new(),
            value,
        }
    }

    /// A complaint about this place.
    pub fn fail(&self, message: impl Into<String>, help: impl Into<String>) -> IrError {
        IrError {
            file: self.file.to_owned(),
            pointer: self.pointer.clone(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// The value as an object.
    pub fn object(&self) -> Result<&'a Map<String, Value>, IrError> {
        self.value
            .as_object()
            .ok_or_else(|| self.fail("expected an object", "write a schema object here"))
    }

    /// Whether this is an object with the member `name`.
    pub fn has(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// The value of the member `name`, if this is an object that has it.
    pub fn member(&self, name: &str) -> Option<&'a Value> {
        let members = self.value.as_object()?;
        // Most schemas have a few keywords, which are looked at sooner than a name is hashed.
        if members.len() > FEW {
            return members.get(name);
        }
        let mut members = members.iter();
        members.find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Whether this is an object with one of these members.
    pub fn has_any(&self, names: &[&str]) -> bool {
        let mut members = self.value.as_object().into_iter().flat_map(Map::keys);
        members.any(|member| names.contains(&member.as_str()))
    }

    /// The member `name`, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        Some(self.child(name, self.member(name)?))
    }

    /// The reference to another schema, by whichever keyword.
    pub fn reference(&self) -> Option<Node<'a>> {
        REFERENCES.iter().find_map(|keyword| self.get(keyword))
    }

    /// The member `name`, which must be there.
    pub fn require(&self, name: &str) -> Result<Node<'a>, IrError> {
        self.get(name).ok_or_else(|| {
            self.fail(
                format!("`{name}` is missing"),
                format!("add `{name}`; the profile requires it here"),
            )
        })
    }

    /// The members of an object, in order.
    pub fn members(&self) -> Result<Vec<(&'a str, Node<'a>)>, IrError> {
        let members = self.object()?.iter();
        Ok(members
            .map(|(name, value)| (name.as_str(), self.child(name, value)))
            .collect())
    }

    /// The items of an array.
    pub fn items(&self) -> Result<Vec<Node<'a>>, IrError> {
        let items = self
            .value
            .as_array()
            .ok_or_else(|| self.fail("expected an array", "write an array here"))?;
        Ok(items
            .iter()
            .enumerate()
            .map(|(index, value)| self.child(&index.to_string(), value))
            .collect())
    }

    /// The value as text.
    pub fn text(&self) -> Result<&'a str, IrError> {
        self.value
            .as_str()
            .ok_or_else(|| self.fail("expected a string", "write a string here"))
    }

    /// The items of an array of different texts.
    pub fn texts(&self) -> Result<Vec<&'a str>, IrError> {
        let mut texts = indexmap::IndexSet::new();
        for item in self.items()? {
            let text = item.text()?;
            if !texts.insert(text) {
                return Err(item.fail(format!("`{text}` is listed twice"), "remove one of the two"));
            }
        }
        Ok(texts.into_iter().collect())
    }

    /// The member `name` as a truth value; absent is false.
    pub fn flag(&self, name: &str) -> Result<bool, IrError> {
        let Some(node) = self.get(name) else {
            return Ok(false);
        };
        node.value.as_bool().ok_or_else(|| {
            node.fail(
                "expected `true` or `false`",
                "write `true`, or leave it out",
            )
        })
    }

    /// The member `name` as text, if it is there.
    pub fn optional_text(&self, name: &str) -> Result<Option<String>, IrError> {
        self.get(name)
            .map(|node| node.text().map(str::to_owned))
            .transpose()
    }

    /// The member `name` as a count, if it is there.
    pub fn optional_count(&self, name: &str) -> Result<Option<u64>, IrError> {
        self.get(name)
            .map(|node| {
                node.value.as_u64().ok_or_else(|| {
                    node.fail("expected a count", "write an integer that is not negative")
                })
            })
            .transpose()
    }

    /// The description; empty where there is none.
    pub fn description(&self) -> Result<String, IrError> {
        Ok(self.optional_text("description")?.unwrap_or_default())
    }

    /// Rejects every keyword that says something about values and is not in the list. Annotations
    /// and keywords that are not known pass, as JSON Schema has it.
    pub fn allow(&self, keywords: &[&str]) -> Result<(), IrError> {
        let Some(object) = self.value.as_object() else {
            return Ok(());
        };
        for name in object.keys() {
            // Without a list of items, there are none after them.
            if name == "additionalItems" && !object.get("items").is_some_and(Value::is_array) {
                continue;
            }
            if KEYWORDS.contains(&name.as_str()) && !keywords.contains(&name.as_str()) {
                return Err(self.rejected_keyword(name, keywords));
            }
        }
        Ok(())
    }

    fn rejected_keyword(&self, name: &str, keywords: &[&str]) -> IrError {
        let help = if keywords.is_empty() {
            "remove it; no keyword with a meaning is known here".to_owned()
        } else {
            format!("remove it; this place takes {}", listed(keywords))
        };
        let place = self.get(name).unwrap_or_else(|| self.clone());
        place.fail(format!("keyword `{name}` cannot be represented here"), help)
    }

    /// The place below this one at the end of a JSON pointer's step.
    pub fn step(&self, segment: &str) -> Option<Node<'a>> {
        let value = match self.value {
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
            _ => self.member(segment)?,
        };
        Some(self.child(segment, value))
    }

    /// The place at the end of a JSON pointer from here.
    pub fn at(&self, pointer: &str) -> Option<Node<'a>> {
        if pointer.is_empty() {
            return Some(self.clone());
        }
        let mut steps = pointer.strip_prefix('/')?.split('/');
        steps.try_fold(self.clone(), |place, step| place.step(&unescaped(step)))
    }

    fn child(&self, segment: &str, value: &'a Value) -> Node<'a> {
        let mut pointer = String::with_capacity(self.pointer.len() + 1 + segment.len());
        pointer += &self.pointer;
        pointer.push('/');
        if segment.contains(['~', '/']) {
            pointer += &segment.replace('~', "~0").replace('/', "~1");
        } else {
            pointer += segment;
        }
        Node {
            file: self.file,
            pointer,
            value,
        }
    }
}

/// A step of a JSON pointer without its escapes.
pub(crate) fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        step.replace("~1", "/").replace("~0", "~").into()
    } else {
        step.into()
    }
}

/// Names in back quotes with commas between.
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    quoted.join(", ")
}

//! One place in a schema file: a value and the way to it.

use serde_json::{Map, Value};

use crate::IrError;

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

    /// The member `name`, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        Some(self.child(name, self.value.get(name)?))
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
    pub fn texts(&self) -> Result<Vec<String>, IrError> {
        let mut texts: Vec<String> = Vec::new();
        for item in self.items()? {
            let text = item.text()?;
            if texts.iter().any(|earlier| earlier == text) {
                return Err(item.fail(format!("`{text}` is listed twice"), "remove one of the two"));
            }
            texts.push(text.to_owned());
        }
        Ok(texts)
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

    /// The member `name` as an integer, if it is there.
    pub fn optional_integer(&self, name: &str) -> Result<Option<i64>, IrError> {
        self.get(name)
            .map(|node| {
                node.value.as_i64().ok_or_else(|| {
                    node.fail(
                        "expected an integer of at most 64 bits",
                        "write a smaller integer, or leave the bound out",
                    )
                })
            })
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

    /// The description, which every definition and member has.
    pub fn description(&self) -> Result<String, IrError> {
        match self.optional_text("description")? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(self.fail(
                "`description` is missing",
                "add a sentence that the generators print as documentation",
            )),
        }
    }

    /// Refuses every keyword that is not in one of the two lists.
    pub fn allow(&self, annotations: &[&str], keywords: &[&str]) -> Result<(), IrError> {
        for (name, node) in self.members()? {
            if !annotations.contains(&name) && !keywords.contains(&name) {
                return Err(node.refused_keyword(name, keywords));
            }
        }
        Ok(())
    }

    fn refused_keyword(&self, name: &str, keywords: &[&str]) -> IrError {
        let help = match name {
            "additionalProperties" | "unevaluatedProperties" => {
                "remove it: objects are open, so that members of newer writers survive".to_owned()
            }
            _ if keywords.is_empty() => {
                "remove it; no keyword with a meaning is known here".to_owned()
            }
            _ => format!(
                "remove it; next to the annotations, this place takes {}",
                listed(keywords)
            ),
        };
        self.fail(format!("keyword `{name}` cannot be represented here"), help)
    }

    fn child(&self, segment: &str, value: &'a Value) -> Node<'a> {
        let escaped = segment.replace('~', "~0").replace('/', "~1");
        Node {
            file: self.file,
            pointer: format!("{}/{escaped}", self.pointer),
            value,
        }
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

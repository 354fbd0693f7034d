//! What a variant of a choice is called when it has no name of its own.

use crate::form::{Form, FormSubject};
use crate::node::Node;
use crate::reader::SchemaReader;
use crate::tag::constants;
use crate::union::kind_word;
use crate::{IrError, Literal};

impl<'a> SchemaReader<'a> {
    /// What a variant of the choice at `at` is called: the titles of the choices around it that
    /// have no name, and a word or two of its own.
    pub fn label(&self, at: &Node<'a>, subject: &FormSubject<'a>) -> Result<String, IrError> {
        let mut words = match subject {
            FormSubject::Composed(composed) => composed.within.iter().map(outer_label).collect(),
            _ => titles_between(at, subject.node()),
        };
        words.push(self.own_label(subject)?);
        Ok(words.join(" "))
    }

    /// Its title, the definition that it is made of, a constant, a member, or its type.
    fn own_label(&self, subject: &FormSubject<'a>) -> Result<String, IrError> {
        let node = subject.node();
        if let (Some(title), FormSubject::Schema(_) | FormSubject::Composed(..)) =
            (title(node), subject)
        {
            return Ok(title.to_owned());
        }
        if let FormSubject::Listed(_, kind) = subject {
            return Ok(format!("known {}", kind_word(*kind)));
        }
        Ok(match self.forms.of(subject)?.form {
            Form::Any | Form::Null => "any".to_owned(),
            Form::Reference(reference) => last_step(&reference),
            Form::Constant(value) => constant(&value),
            Form::Enumeration(_) => "known".to_owned(),
            Form::Choice(_) => "choice".to_owned(),
            Form::Object(schemas) => object(node, &schemas),
            Form::Typed(typed, kind) => self.typed_label(&typed, kind)?,
        })
    }

    fn typed_label(&self, node: &Node<'a>, kind: &str) -> Result<String, IrError> {
        let format = node.member("format").and_then(|format| format.as_str());
        Ok(match (kind, format) {
            ("string", Some(format)) => format.to_owned(),
            ("string", None) => limited(node, "text"),
            ("boolean", _) => "flag".to_owned(),
            ("array", _) => match node.get("items").filter(|items| items.value.is_object()) {
                Some(items) => format!("{} list", self.own_label(&FormSubject::Schema(items))?),
                None => "list".to_owned(),
            },
            ("object", _) => match node
                .get("additionalProperties")
                .filter(|values| values.value.is_object())
            {
                Some(values) => format!("{} map", self.own_label(&FormSubject::Schema(values))?),
                None => "object".to_owned(),
            },
            (number, _) => limited(node, number),
        })
    }
}

/// A word for a scalar that distinguishes one with limits from one without.
fn limited(node: &Node<'_>, word: &str) -> String {
    if node.has_any(&["maxLength", "maximum", "exclusiveMaximum"]) {
        format!("small {word}")
    } else if node.has_any(&["minLength", "minimum", "exclusiveMinimum"]) {
        format!("large {word}")
    } else if node.has_any(&["pattern", "multipleOf"]) {
        format!("certain {word}")
    } else {
        word.to_owned()
    }
}

/// The titles of the schemas that are between two places.
fn titles_between(outer: &Node<'_>, inner: &Node<'_>) -> Vec<String> {
    let below = inner.pointer.strip_prefix(outer.pointer.as_str());
    let steps: Vec<&str> = below.unwrap_or_default().split('/').skip(1).collect();
    let mut titles = Vec::new();
    let mut place = outer.clone();
    for step in steps.iter().take(steps.len().saturating_sub(1)) {
        let Some(next) = place.step(step) else { break };
        titles.extend(title(&next).map(str::to_owned));
        place = next;
    }
    titles
}

/// A variant that is a choice itself, by its title or the name of the choice.
fn outer_label(arm: &Node<'_>) -> String {
    let reference = || composed_reference(arm).map(|reference| last_step(&reference));
    title(arm)
        .map(str::to_owned)
        .or_else(reference)
        .unwrap_or_default()
}

/// The reference that a schema is mostly made of.
fn composed_reference<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let composed = node.get("allOf").and_then(|all| all.items().ok());
    let composed = composed
        .into_iter()
        .flatten()
        .find_map(|part| part.reference());
    node.reference().or(composed)
}

fn title<'a>(node: &Node<'a>) -> Option<&'a str> {
    let title = node.member("title")?.as_str()?;
    title
        .contains(|character: char| character.is_ascii_alphanumeric())
        .then_some(title)
}

fn last_step(reference: &Node<'_>) -> String {
    let text = reference.value.as_str().unwrap_or_default();
    let last = text.rsplit(['/', '#']).next().unwrap_or(text);
    last.replace("~1", "/").replace("~0", "~")
}

fn constant(value: &Literal) -> String {
    match value {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string().replace('-', "minus "),
        Literal::Text(text) => text.clone(),
    }
}

/// An object by a constant that it has, by what it is made of, or by a member that it has to have.
fn object(node: &Node<'_>, schemas: &[Node<'_>]) -> String {
    let own = constants(std::slice::from_ref(node));
    if let Some((_, value)) = own.first().or(constants(schemas).first()) {
        return (*value).to_owned();
    }
    if let Some(reference) = composed_reference(node) {
        return last_step(&reference);
    }
    let own = |keyword: &str| node.member(keyword);
    let required = own("required").and_then(|names| names.as_array()?.first()?.as_str());
    let first = || {
        own("properties")?
            .as_object()?
            .keys()
            .next()
            .map(String::as_str)
    };
    match required.or_else(first) {
        Some(member) => format!("with {member}"),
        None => "object".to_owned(),
    }
}

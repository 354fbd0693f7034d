//! What is asked of an adapter, before the answer is known.

use std::collections::BTreeSet;

use chatstate_arbitrary::variants::{Spelling, spelled};
use chatstate_corpus::Law;
use chatstate_json::{Object, Value};
use chatstate_protocol::{RunRequest, vocabulary};
use chatstate_streams::lineage::lineage;
use chatstate_types::definition::{Definition, ObjectShape, Shape, definition_of};
use chatstate_types::generated::{Event, EventStream};
use serde_json::Map;

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    pub(crate) op: String,
    pub(crate) document_type: Option<String>,
    pub(crate) args: Map<String, serde_json::Value>,
    pub(crate) document: Value,
    /// How the document is spelled; plainly where nothing is said.
    pub(crate) spelling: Option<Spelling>,
    /// The laws by which an answer is judged that may be one of several.
    pub(crate) laws: Vec<Law>,
}

/// The operations whose document is a list of events.
const OF_EVENTS: [&str; 5] = ["attach", "compact", "lineage", "replay", "verify"];

/// Whether the document of an operation is a list of events.
pub(crate) fn takes_events(op: &str) -> bool {
    OF_EVENTS.contains(&op)
}

impl Question {
    /// A question without arguments about a document of no type.
    pub(crate) fn new(op: &str, document: Value) -> Self {
        Self {
            op: op.to_owned(),
            document_type: None,
            args: Map::new(),
            document,
            spelling: None,
            laws: Vec::new(),
        }
    }

    /// The same question about another document.
    pub(crate) fn about(&self, document: Value) -> Self {
        Self {
            document,
            ..self.clone()
        }
    }

    /// The text of the document.
    pub(crate) fn input(&self) -> String {
        match self.spelling {
            Some(spelling) => spelled(&self.document, spelling),
            None => self.document.to_json(),
        }
    }

    /// The request that asks it.
    pub(crate) fn request(&self) -> RunRequest {
        RunRequest {
            seq: 0,
            op: self.op.clone(),
            document_type: self.document_type.clone(),
            input: Some(self.input()),
            input_base64: None,
            arguments: self.args.clone(),
        }
    }

    /// The definition that the document is to be one of, if there is one.
    pub(crate) fn definition(&self) -> Option<&'static Definition> {
        let of_operation = match self.op.as_str() {
            op if takes_events(op) => Some("EventStream"),
            "encode" => Some("ChatState"),
            "decode" => Some("EncodedChatState"),
            _ => None,
        };
        definition_of(self.document_type.as_deref().or(of_operation)?)
    }

    /// What an adapter must declare, beside the operation, so that it is fair to ask this.
    pub(crate) fn needs(&self) -> Vec<String> {
        let mut needs = NeededCapabilities::default();
        let definition = self.definition();
        if let Some(area) = definition.and_then(|it| vocabulary::capability_of_type(it.name)) {
            needs.0.insert(area);
        }
        match self.op.as_str() {
            "restore" | "convert" => drop(needs.0.insert("chat")),
            "session" => drop(needs.0.insert("sessions")),
            _ => {}
        }
        needs.value(&self.document, definition.map(|it| &it.shape));
        for (argument, value, capability) in vocabulary::VALUES {
            let asked = self
                .args
                .get(*argument)
                .is_some_and(|it| match it.as_str() {
                    Some(text) => text == *value,
                    None => *value == "true" && it.as_bool() == Some(true),
                });
            if asked {
                needs.0.insert(capability);
            }
        }
        if takes_events(&self.op) {
            needs.stream(&self.document);
        }
        if self.args.contains_key("run") {
            needs.0.insert("branches");
        }
        needs.0.into_iter().map(str::to_owned).collect()
    }
}

/// The capabilities that a document asks for.
#[derive(Default)]
struct NeededCapabilities(BTreeSet<&'static str>);

impl NeededCapabilities {
    fn value(&mut self, value: &Value, shape: Option<&'static Shape>) {
        match value {
            Value::Split(_) => drop(self.0.insert("split-surrogates")),
            Value::Number(number) if number.canonical() != number.canonical_of_nearest() => {
                self.0.insert("big-numbers");
            }
            Value::String(text) if is_unknown_word(text, shape) => {
                self.0.insert("unknown-variants");
            }
            Value::Array(items) => {
                let item = shape.and_then(Shape::item);
                for it in items {
                    self.value(it, item);
                }
            }
            Value::Object(members) => self.members(members, shape),
            _ => {}
        }
    }

    fn members(&mut self, members: &Object, shape: Option<&'static Shape>) {
        let object = ObjectShape::of(shape, members);
        if object.unknown_variant {
            self.0.insert("unknown-variants");
        }
        for (name, value) in members.iter() {
            if !object.unknown_variant && object.is_unknown(name) {
                self.0.insert("unknown-members");
            }
            let member = object.member(name).map(|member| &member.shape);
            self.value(value, member.or(shape.and_then(of_map)));
        }
    }

    fn stream(&mut self, events: &Value) {
        let Ok(EventStream(events)) = EventStream::from_json(&events.to_json()) else {
            return;
        };
        let is_chunk = |event: &Event| event.tag().ends_with("_CHUNK");
        if events.iter().any(is_chunk) {
            self.0.insert("chunks");
        }
        let runs = lineage(&events).runs;
        let mut predecessors = runs.iter().map(|run| run.predecessor).enumerate();
        if predecessors.any(|(place, it)| it != place.checked_sub(1)) {
            self.0.insert("branches");
        }
    }
}

/// The shape of the values of a map.
fn of_map(shape: &'static Shape) -> Option<&'static Shape> {
    match shape {
        Shape::Map(value) => Some(value),
        Shape::Reference(definition) => of_map(&definition.shape),
        Shape::Constrained { shape, .. } | Shape::Nullable(shape) => of_map(shape),
        _ => None,
    }
}

/// Whether a text is where the schema names words, leaves the set open and does not name this one.
fn is_unknown_word(text: &str, shape: Option<&'static Shape>) -> bool {
    match shape {
        Some(Shape::Enumeration { values, open: true }) => !values.contains(&text),
        Some(Shape::Reference(definition)) => is_unknown_word(text, Some(&definition.shape)),
        Some(Shape::Constrained { shape, .. } | Shape::Nullable(shape)) => {
            is_unknown_word(text, Some(shape))
        }
        _ => false,
    }
}

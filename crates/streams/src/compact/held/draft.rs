//! Messages that the events of the run in progress build.

use std::borrow::Cow;

use crate::compact::metadata::FoldedMetadata;
use crate::head::Digest;
use chatstate_json::{Surrogates, canonical, is_canonical_string, parse_with, write_string};

/// A message that an item of this run made and only this run has written to.
#[derive(Default)]
pub(super) struct Draft {
    pub id: String,
    pub role: String,
    pub name: Option<String>,
    pub subagent_run_id: Option<String>,
    /// Still escaped; a message that only makes calls has none.
    pub content: Option<String>,
    pub metadata: Option<FoldedMetadata>,
    pub encrypted: Option<Encrypted>,
    pub calls: Vec<CallDraft>,
}

/// A tool call of such a message.
#[derive(Default)]
pub(super) struct CallDraft {
    pub id: String,
    pub name: String,
    /// Still escaped.
    pub arguments: String,
    pub metadata: Option<FoldedMetadata>,
    pub encrypted: Option<Encrypted>,
}

/// An encrypted value with its type, both as JSON text.
pub(super) struct Encrypted {
    pub value: String,
    pub kind: Option<String>,
}

/// What a message takes beside its texts, roughly.
const FRAME: usize = 512;

impl Draft {
    /// The digest of the message as replay builds it.
    pub fn digest(&self) -> Digest {
        let calls = self.calls.iter().map(|call| call.arguments.len());
        let length = self.content.as_ref().map_or(0, String::len) + calls.sum::<usize>();
        let mut out = String::with_capacity(length + FRAME);
        let mut writer = Canonical::new(&mut out);
        if let Some(content) = &self.content {
            writer.escaped("content", content);
        }
        writer.encrypted(self.encrypted.as_ref());
        writer.text("id", &self.id);
        writer.metadata(self.metadata.as_ref());
        if let Some(name) = &self.name {
            writer.text("name", name);
        }
        writer.text("role", &self.role);
        if let Some(owner) = &self.subagent_run_id {
            writer.text("subagentRunId", owner);
        }
        if !self.calls.is_empty() {
            writer.name("toolCalls");
            writer.out.push('[');
            for (index, call) in self.calls.iter().enumerate() {
                if index > 0 {
                    writer.out.push(',');
                }
                call.write(writer.out);
            }
            writer.out.push(']');
        }
        writer.out.push('}');
        Digest::of_canonical(&out)
    }
}

impl CallDraft {
    fn write(&self, out: &mut String) {
        let mut writer = Canonical::new(out);
        writer.encrypted(self.encrypted.as_ref());
        writer.name("function");
        let mut function = Canonical::new(writer.out);
        function.escaped("arguments", &self.arguments);
        function.text("name", &self.name);
        function.out.push('}');
        writer.text("id", &self.id);
        writer.metadata(self.metadata.as_ref());
        writer.text("type", "function");
        writer.out.push('}');
    }
}

/// Writes the members of an object in canonical form; the caller knows their order.
pub(super) struct Canonical<'o> {
    pub out: &'o mut String,
    is_empty: bool,
}

impl<'o> Canonical<'o> {
    pub fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self {
            out,
            is_empty: true,
        }
    }

    pub fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    pub fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        write_string(self.out, text);
    }

    /// Writes a string from the text between its quotes. Without other escapes than the canonical
    /// ones, as nearly all are, it is canonical as it stands.
    pub fn escaped(&mut self, name: &str, text: &str) {
        if !is_canonical_string(text) {
            return self.value(name, &format!("\"{text}\""));
        }
        self.name(name);
        self.out.push('"');
        self.out.push_str(text);
        self.out.push('"');
    }

    /// Writes a value from its text.
    pub fn value(&mut self, name: &str, text: &str) {
        self.name(name);
        self.out.push_str(&canonical_of(text));
    }

    pub fn metadata(&mut self, metadata: Option<&FoldedMetadata>) {
        if let Some(metadata) = metadata {
            let mut text = String::new();
            metadata.write(&mut text);
            self.value("metadata", &text);
        }
    }

    fn encrypted(&mut self, encrypted: Option<&Encrypted>) {
        let Some(encrypted) = encrypted else { return };
        self.value("encryptedValue", &encrypted.value);
        if let Some(kind) = &encrypted.kind {
            self.value("encryptedValueType", kind);
        }
    }
}

/// The canonical text of a value. A text that no reader takes is told apart as it is.
fn canonical_of(text: &str) -> Cow<'_, str> {
    if text.starts_with('"') && is_canonical_string(text) {
        return Cow::Borrowed(text);
    }
    match parse_with(text, Surrogates::AllowUnpairedAtEnds) {
        Ok(value) => Cow::Owned(canonical(&value)),
        Err(_) => Cow::Borrowed(text),
    }
}

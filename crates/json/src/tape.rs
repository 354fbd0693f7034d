//! Typed reading: all values of a document with their places, in one flat list.
//!
//! A tape is filled by one pass of the tokenizer. To step over a value is to continue after its
//! last node, whatever is in it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use super::string::{self, StringSpelling};
use super::tokenizer::{Token, Tokenizer};
use super::{Kind, Number, Object, SplitText, Surrogates, Value};
use crate::rejection::{Class, Rejection};

/// A value or a member's name. A name is a node before that of its value.
#[derive(Debug, Clone, Copy)]
struct TapeNode {
    /// Where it begins in the text, a string with its quotes.
    start: u32,
    /// How many nodes the value takes, itself and all in it.
    size: u32,
    /// Where it ends in the text. Beside `start`, both would be copied at once, which waits until both
    /// are stored.
    end: u32,
    kind: NodeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    Null,
    Boolean,
    Number,
    String(StringSpelling),
    Array,
    Object,
}

impl TapeNode {
    /// The place in the text, of a string with its quotes.
    #[inline]
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The string of a document that is spelled without escapes.
    #[inline]
    fn plain<'a>(&self, document: &'a str) -> Option<&'a str> {
        let Range { start, end } = self.range();
        let is_plain = self.kind == NodeKind::String(StringSpelling::Plain);
        is_plain.then(|| &document[start + 1..end - 1])
    }

    /// The name of a member, which has no unpaired surrogates.
    #[inline]
    fn name<'a>(&self, document: &'a str) -> Cow<'a, str> {
        match self.plain(document) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(string::well_formed(&document[self.range()])),
        }
    }

    /// Whether this string, or this name of a member, is the given text.
    #[inline]
    fn is_text(&self, document: &str, text: &str) -> bool {
        match self.kind {
            NodeKind::String(StringSpelling::Plain) => {
                let Range { start, end } = self.range();
                document.as_bytes()[start + 1..end - 1] == *text.as_bytes()
            }
            NodeKind::String(StringSpelling::Escaped) => {
                string::is_text(&document[self.range()], text)
            }
            _ => false,
        }
    }
}

/// The variant of an untagged union that accepts a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accepted {
    Unknown,
    None,
    Variant(usize),
}

/// A document on a tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TapedDocument(u32);

/// Where everything in some documents is.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    nodes: Vec<TapeNode>,
    /// The innermost container that is open, if one is. Until its own is known, the size of an open
    /// container is the index of the container around it.
    innermost: u32,
    /// Which variant of an untagged union has accepted the value of a node.
    accepted: RefCell<HashMap<(u32, &'static str), Accepted>>,
}

/// About how many bytes of a document there are for each value and name in it.
const USUAL_LENGTH: usize = 16;

/// How many more nodes a small document may have.
const FEW_NODES: usize = 8;

/// The longest text that a tape can hold the places of.
pub(super) const MAX_LENGTH: usize = u32::MAX as usize;

impl Tape {
    /// Checks one document as [`check`](super::check()) does, and gives its values.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Result<Raw<'a>, Rejection> {
        self.read_with(text, Surrogates::AllowUnpairedAtEnds)
    }

    pub(super) fn read_with<'a>(
        &'a mut self,
        text: &'a str,
        surrogates: Surrogates,
    ) -> Result<Raw<'a>, Rejection> {
        self.clear();
        let document = self.add_tokens(&mut Tokenizer::new(text, surrogates))?;
        Ok(self.document(text, document))
    }

    /// Checks one more document, and notes its values after those of the documents before.
    ///
    /// The tokenizer, at first [`Tokenizer::default`], may have read other documents.
    pub fn add<'a>(
        &mut self,
        text: &'a str,
        tokenizer: &mut Tokenizer<'a>,
    ) -> Result<TapedDocument, Rejection> {
        tokenizer.restart(text);
        self.add_tokens(tokenizer)
    }

    /// The values of a document that was added, of which this is the text.
    #[must_use]
    pub fn document<'a>(&'a self, text: &'a str, document: TapedDocument) -> Raw<'a> {
        Raw {
            text,
            tape: self,
            index: document.0,
        }
    }

    fn add_tokens(&mut self, tokenizer: &mut Tokenizer<'_>) -> Result<TapedDocument, Rejection> {
        let text = tokenizer.text;
        // There are no more nodes than bytes.
        let room = MAX_LENGTH - self.nodes.len();
        if text.len() > room {
            let message = format!("the document is longer than {room} bytes");
            return Err(Rejection::new(Class::Limit, "size", message));
        }
        let document = TapedDocument(narrow(self.nodes.len()));
        self.nodes.reserve(FEW_NODES + text.len() / USUAL_LENGTH);
        self.innermost = 0;
        let read = tokenizer.document(|token, tokenizer| self.add_node(token, tokenizer));
        read.map(|()| document).map_err(|rejection| *rejection)
    }

    /// Discards all documents.
    pub fn clear(&mut self) {
        self.nodes.clear();
        // To clear a map takes the time of the largest that it was.
        self.accepted.take();
    }

    /// Adds the node of a token, or completes that of a container.
    #[inline]
    fn add_node(&mut self, token: Token, tokenizer: &Tokenizer<'_>) {
        let (start, end) = (tokenizer.start(), tokenizer.end());
        let kind = match token {
            Token::StartObject => NodeKind::Object,
            Token::StartArray => NodeKind::Array,
            Token::EndObject | Token::EndArray => {
                return self.complete(end);
            }
            Token::Name(spelling) | Token::String(spelling) => NodeKind::String(spelling),
            Token::Number => NodeKind::Number,
            Token::Boolean => NodeKind::Boolean,
            Token::Null => NodeKind::Null,
        };
        let mut size = 1;
        if let NodeKind::Object | NodeKind::Array = kind {
            size = std::mem::replace(&mut self.innermost, narrow(self.nodes.len()));
        }
        self.nodes.push(TapeNode {
            start: narrow(start),
            end: narrow(end),
            size,
            kind,
        });
    }

    #[inline]
    fn complete(&mut self, end: usize) {
        let nodes = narrow(self.nodes.len());
        let node = &mut self.nodes[self.innermost as usize];
        let outer = std::mem::replace(&mut node.size, nodes - self.innermost);
        node.end = narrow(end);
        self.innermost = outer;
    }
}

/// A place in a text that is no longer than places can be; nor are there more nodes than bytes.
#[expect(clippy::cast_possible_truncation, reason = "texts have a limit")]
fn narrow(place: usize) -> u32 {
    place as u32
}

/// One value of a document on a tape.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'a> {
    text: &'a str,
    tape: &'a Tape,
    index: u32,
}

impl<'a> Raw<'a> {
    #[inline]
    fn node(self) -> &'a TapeNode {
        &self.tape.nodes[self.index as usize]
    }

    /// The text of the value.
    #[must_use]
    pub fn get(self) -> &'a str {
        &self.text[self.range()]
    }

    /// The bytes of the document that hold the value.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.node().range()
    }

    /// The JSON kind of the value.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.node().kind {
            NodeKind::Null => Kind::Null,
            NodeKind::Boolean => Kind::Boolean,
            NodeKind::Number => Kind::Number,
            NodeKind::String(_) => Kind::String,
            NodeKind::Array => Kind::Array,
            NodeKind::Object => Kind::Object,
        }
    }

    /// The text of a string without escapes.
    #[must_use]
    pub fn plain(self) -> Option<&'a str> {
        self.node().plain(self.text)
    }

    /// The text of a string, which may have unpaired surrogates at its ends; none if the value is
    /// no string.
    #[must_use]
    pub fn decoded(self) -> Option<SplitText> {
        match self.node().kind {
            NodeKind::String(StringSpelling::Plain) => self.plain().map(SplitText::from),
            NodeKind::String(_) => Some(string::unquoted(self.get())),
            _ => None,
        }
    }

    /// The same in place of another text, whose memory is used again.
    pub fn decode_into(self, text: &mut SplitText) -> Option<&SplitText> {
        if self.kind() != Kind::String {
            return None;
        }
        string::unquote_into(self.get(), text);
        Some(text)
    }

    /// The text of a string without unpaired surrogates.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self.node().kind {
            NodeKind::String(StringSpelling::Plain) => self.plain().map(Cow::Borrowed),
            NodeKind::String(StringSpelling::Escaped) => {
                Some(Cow::Owned(string::well_formed(self.get())))
            }
            _ => None,
        }
    }

    /// Whether this string, or this name of a member, is the given text.
    #[inline]
    pub(super) fn is_text(self, text: &str) -> bool {
        self.node().is_text(self.text, text)
    }

    /// Whether a string in the value has an unpaired surrogate.
    #[must_use]
    pub fn has_unpaired_surrogate(self) -> bool {
        let nodes = &self.tape.nodes[self.index as usize..][..self.node().size as usize];
        let unpaired = NodeKind::String(StringSpelling::Unpaired);
        nodes.iter().any(|node| node.kind == unpaired)
    }

    /// The number of elements of an array, or of members of an object.
    #[must_use]
    pub fn length(self) -> usize {
        let children = Children::of(self).count();
        match self.kind() {
            Kind::Object => children / 2,
            _ => children,
        }
    }

    /// The elements of an array.
    pub fn elements(self) -> impl Iterator<Item = Raw<'a>> {
        Children::of(self)
    }

    /// The names and values of an object's members.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> {
        self.named()
            .map(move |(name, value)| (name.node().name(self.text), value))
    }

    /// The member of this name among an object's members, with its index.
    #[must_use]
    pub fn member(self, name: &str) -> Option<(usize, Raw<'a>)> {
        let mut members = self.named().enumerate();
        let (index, (_, value)) = members.find(|(_, (known, _))| known.is_text(name))?;
        Some((index, value))
    }

    /// The members of an object, whose names are not read yet.
    #[inline]
    pub(super) fn named(self) -> Named<'a> {
        Named {
            next: Raw {
                index: self.index + 1,
                ..self
            },
            end: self.index + self.node().size,
        }
    }

    /// The value as a tree.
    ///
    /// This recurses as deep as the value is nested, which the tokenizer has limited.
    #[must_use]
    pub fn tree(self) -> Value {
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.get() == "true"),
            Kind::Number => Value::Number(Number::from_grammatical(self.get())),
            Kind::String => self.string(),
            Kind::Array => {
                let mut elements = Vec::with_capacity(self.length());
                for element in self.elements() {
                    elements.push(element.tree());
                }
                Value::Array(elements)
            }
            Kind::Object => Value::Object(self.object()),
        }
    }

    /// The members as trees; of another value than an object there are none.
    #[must_use]
    pub fn object(self) -> Object {
        if self.kind() != Kind::Object {
            return Object::new();
        }
        let mut members = Vec::with_capacity(self.length());
        for (name, value) in self.members() {
            members.push((name.into(), value.tree()));
        }
        Object::of_different(members)
    }

    fn string(self) -> Value {
        match self.text() {
            Some(text) => Value::String(text.into_owned()),
            None => Value::from(string::unquoted(self.get())),
        }
    }

    /// Which variant of an untagged union accepts this value, by the name of the union.
    pub(super) fn accepted(self, union: &'static str) -> Accepted {
        let accepted = self.tape.accepted.borrow();
        let known = accepted.get(&(self.index, union)).copied();
        known.unwrap_or(Accepted::Unknown)
    }

    /// Notes the variant that accepts this value.
    pub(super) fn set_accepted(self, union: &'static str, accepted: Accepted) {
        let mut known = self.tape.accepted.borrow_mut();
        known.insert((self.index, union), accepted);
    }
}

/// Equality by value, as of two trees: `raw == value` is `raw.tree() == value`, but nothing is copied.
impl PartialEq<Value> for Raw<'_> {
    fn eq(&self, value: &Value) -> bool {
        match (self.kind(), value) {
            (Kind::Null, Value::Null) => true,
            (Kind::Boolean, Value::Bool(known)) => (self.get() == "true") == *known,
            (Kind::Number, Value::Number(known)) => {
                self.get() == known.as_str() || Number::from_grammatical(self.get()) == *known
            }
            (Kind::String, Value::String(known)) => self.is_text(known),
            (Kind::String, Value::Split(known)) => {
                self.decoded().is_some_and(|text| text == **known)
            }
            (Kind::Array, Value::Array(known)) => {
                self.length() == known.len() && self.elements().zip(known).all(|(a, b)| a == *b)
            }
            (Kind::Object, Value::Object(known)) => *self == *known,
            _ => false,
        }
    }
}

impl PartialEq<Object> for Raw<'_> {
    fn eq(&self, object: &Object) -> bool {
        let is_known = |(name, value): (Cow<'_, str>, Raw<'_>)| {
            object.get(&name).is_some_and(|known| value == *known)
        };
        self.kind() == Kind::Object && self.length() == object.len() && self.members().all(is_known)
    }
}

/// The members of an object from one on: the name of each, and its value.
#[derive(Debug, Clone)]
pub(super) struct Named<'a> {
    next: Raw<'a>,
    end: u32,
}

impl<'a> Iterator for Named<'a> {
    type Item = (Raw<'a>, Raw<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let name = self.next;
        if name.index >= self.end {
            return None;
        }
        let value = Raw {
            index: name.index + 1,
            ..name
        };
        self.next.index += 1 + value.node().size;
        Some((name, value))
    }
}

/// The elements of an array.
struct Children<'a> {
    next: Raw<'a>,
    end: u32,
}

impl<'a> Children<'a> {
    fn of(raw: Raw<'a>) -> Self {
        let next = Raw {
            index: raw.index + 1,
            ..raw
        };
        let end = raw.index + raw.node().size;
        Self { next, end }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Raw<'a>;

    #[inline]
    fn next(&mut self) -> Option<Raw<'a>> {
        let child = self.next;
        if child.index >= self.end {
            return None;
        }
        self.next.index += child.node().size;
        Some(child)
    }
}

//! The state as a tree whose branches stay text until a patch touches them.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use chatstate_json::{
    self as json, Value, compact_length, each_item, each_member, pointer, range_within,
    write_string,
};
use chatstate_json::{Class, Rejection};

/// The state: all its text in one place, and what is known of its structure.
///
/// Text that was replaced stays in its place until [`Tree::tidy`] finds that there is too much.
pub(super) struct Tree {
    pub text: String,
    pub root: Node,
    /// The length of the state's text when it was tidied.
    tidied: usize,
    /// What the text and the structure have grown by since.
    grown: usize,
    /// The state's compact text is not longer than this.
    bound: usize,
}

/// A value of the state.
pub(super) enum Node {
    /// A piece of the tree's text, which no patch has reached into.
    Text { start: usize, end: usize },
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Box<Members>),
}

/// The members of an object. One that was removed leaves its place behind, so that removing costs
/// the same in an object of any size.
pub(super) type Members = IndexMap<Box<str>, Option<Node>, RandomState>;

/// Less than this is not worth tidying.
const TOLERATED: usize = 64 * 1024;

/// What a place takes beside its value, roughly. It is more than the punctuation in text.
const PLACE: usize = 64;

impl Tree {
    /// The tree of a value's text, which is JSON.
    pub fn of(text: String) -> Self {
        let root = Node::Text {
            start: 0,
            end: text.len(),
        };
        Self {
            root,
            tidied: text.len(),
            grown: 0,
            bound: text.len(),
            text,
        }
    }

    /// A value to be put into the tree.
    pub fn keep(&mut self, value: &str) -> Node {
        let start = self.text.len();
        self.text.push_str(value);
        self.note_growth(value.len());
        Node::Text {
            start,
            end: self.text.len(),
        }
    }

    /// Notes that a member of this name was added; as text, a character takes six bytes at most.
    pub fn note_name(&mut self, name: &str) {
        self.note_growth(6 * name.len());
    }

    fn note_growth(&mut self, length: usize) {
        self.grown += length + PLACE;
        self.bound += length + PLACE;
    }

    /// Whether the state's compact text is longer than this. It is only looked at if it may be.
    pub fn is_longer_than(&mut self, limit: usize) -> Result<bool, Rejection> {
        if self.bound > limit {
            self.bound = compact_length(&self.to_text())?;
        }
        Ok(self.bound > limit)
    }

    /// Lets go of text that was replaced, if there is much of it.
    pub fn tidy(&mut self) {
        if self.grown > self.tidied.max(TOLERATED) {
            *self = Self::of(self.to_text());
        }
    }

    /// The state as text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends the state as text.
    pub fn write(&self, out: &mut String) {
        // What was added and what was replaced nearly cancel out.
        out.reserve(self.text.len());
        self.root.write(&self.text, out);
    }
}

impl Node {
    /// The value at a place below, which is reached by looking into what is on the way.
    pub fn find(&mut self, text: &str, path: &[String]) -> Result<Option<&mut Self>, Rejection> {
        let mut node = self;
        for segment in path {
            node.look_into(text)?;
            let next = match node {
                Self::Object(members) => members.get_mut(segment.as_str()).and_then(Option::as_mut),
                Self::Array(items) => {
                    pointer::index(segment).and_then(|index| items.get_mut(index))
                }
                Self::Text { .. } => None,
            };
            match next {
                Some(next) => node = next,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }

    /// The same, and the value found is looked into.
    pub fn find_container(
        &mut self,
        text: &str,
        path: &[String],
    ) -> Result<Option<&mut Self>, Rejection> {
        match self.find(text, path)? {
            None => Ok(None),
            Some(node) => node.look_into(text).map(|()| Some(node)),
        }
    }

    /// Appends the value as text.
    pub fn write(&self, text: &str, out: &mut String) {
        match self {
            Self::Text { start, end } => out.push_str(&text[*start..*end]),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(text, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                let mut separator = "";
                for (name, value) in members.iter() {
                    let Some(value) = value else { continue };
                    out.push_str(separator);
                    separator = ",";
                    write_string(out, name);
                    out.push(':');
                    value.write(text, out);
                }
                out.push('}');
            }
        }
    }

    /// Whether the value equals the value that a text is.
    pub fn equals(&self, text: &str, other: &str) -> Result<bool, Rejection> {
        let mut own = String::new();
        let own = if let Self::Text { start, end } = self {
            &text[*start..*end]
        } else {
            self.write(text, &mut own);
            &own
        };
        if own == other {
            return Ok(true);
        }
        let (own, other): (Value, Value) = (json::parse(own)?, json::parse(other)?);
        Ok(own == other)
    }

    /// How deep containers are nested: 0 for a scalar, 1 for `[]`.
    pub fn depth(&self, text: &str) -> usize {
        match self {
            Self::Text { start, end } => depth_of(&text[*start..*end]),
            Self::Array(items) => {
                let depths = items.iter().map(|item| item.depth(text));
                1 + depths.max().unwrap_or(0)
            }
            Self::Object(members) => {
                let depths = members.values().flatten().map(|value| value.depth(text));
                1 + depths.max().unwrap_or(0)
            }
        }
    }

    /// Splits the text of a container into its items or members.
    fn look_into(&mut self, text: &str) -> Result<(), Rejection> {
        let Self::Text { start, end } = *self else {
            return Ok(());
        };
        let piece = &text[start..end];
        let place = |raw: &str| {
            let range = range_within(text, raw).unwrap_or_default();
            Self::Text {
                start: range.start,
                end: range.end,
            }
        };
        match piece.as_bytes().first() {
            Some(b'[') => {
                let mut items = Vec::new();
                each_item(piece, |raw| items.push(place(raw)))?;
                *self = Self::Array(items);
            }
            Some(b'{') => {
                let (mut members, mut twice) = (Members::default(), None);
                each_member(piece, |name, raw| {
                    let before = members.insert(name.as_ref().into(), Some(place(raw)));
                    if before.is_some() {
                        twice = Some(name);
                    }
                })?;
                if let Some(name) = twice {
                    return Err(duplicate(&name));
                }
                *self = Self::Object(Box::new(members));
            }
            _ => {}
        }
        Ok(())
    }
}

/// How deep the containers in a text are nested.
pub(super) fn depth_of(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn duplicate(name: &str) -> Rejection {
    let message = format!(
        "the member name `{name}` stands twice in one object of the state; readers disagree about which one counts, so remove one"
    );
    Rejection::new(Class::Syntax, "duplicate-member", message)
}

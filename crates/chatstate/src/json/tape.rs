//! One pass over a document that notes where its values stand, so that no part is scanned again.

use std::borrow::Cow;
use std::ops::Range;

use super::reader::{self, Scalar, Sink};
use super::{Kind, Number, Object, SplitText, Value};
use crate::rejection::Rejection;

/// Where a value or a member name stands in its text.
#[derive(Debug, Clone, Copy)]
struct Node {
    range: (u32, u32),
    /// How many nodes the value takes, itself and all in it. A member's name is a node before that
    /// of its value.
    size: u32,
    /// Whether this is a string whose text stands for itself.
    is_plain: bool,
}

/// Where everything in one document stands. One tape reads many documents, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    /// The places of the containers that are open.
    open: Vec<usize>,
}

impl Tape {
    /// Checks one document as [`check`](super::check()) does, and gives its text by values.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Result<Raw<'a>, Rejection> {
        self.nodes.clear();
        self.open.clear();
        reader::note(text, self)?;
        Ok(Raw {
            text,
            nodes: &self.nodes,
        })
    }

    /// Hands on the items of the array that a text is, one after the other, so that no more than
    /// one stands on the tape. `None` if the text is none, or as soon as an item is not taken.
    pub(crate) fn each_item(
        &mut self,
        text: &str,
        mut take: impl FnMut(Raw<'_>) -> Option<()>,
    ) -> Option<()> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        // The next byte that is no white space, with the place after it.
        let next = |at: usize| {
            let space = text.as_bytes().get(at..)?.iter();
            let space = space.take_while(|byte| b" \t\n\r".contains(byte)).count();
            let byte = text.as_bytes().get(at + space).copied();
            Some((byte, at + space + 1))
        };
        let (Some(b'['), start) = next(0)? else {
            return None;
        };
        let mut after = match next(start)? {
            (Some(b']'), after) => after,
            _ => start,
        };
        let mut is_over = after > start;
        while !is_over {
            self.nodes.clear();
            self.open.clear();
            let end = reader::note_item(text, after, self).ok()?;
            take(Raw {
                text,
                nodes: &self.nodes,
            })?;
            (is_over, after) = match next(end)? {
                (Some(b','), after) => (false, after),
                (Some(b']'), after) => (true, after),
                _ => return None,
            };
        }
        matches!(next(after)?, (None, _)).then_some(())
    }

    fn add(&mut self, range: Range<usize>, is_plain: bool) {
        self.nodes.push(Node {
            range: (narrow(range.start), narrow(range.end)),
            size: 1,
            is_plain,
        });
    }
}

/// Longer texts than this can count are refused before they are read.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// The longest text that a tape can note the places of.
pub(super) const MAX_LENGTH: usize = u32::MAX as usize;

impl Sink for &mut Tape {
    type Value = ();
    type Array = ();
    type Object = ();

    fn scalar(&self, _: Scalar<'_>) {}
    fn push((): &mut (), (): ()) {}
    fn insert((): &mut (), _: Cow<'_, str>, (): ()) {}
    fn close_array((): ()) {}
    fn close_object((): ()) {}

    fn stands(&mut self, range: Range<usize>, is_plain: bool) {
        self.add(range, is_plain);
    }

    fn opens(&mut self, at: usize) {
        self.open.push(self.nodes.len());
        self.add(at..at, false);
    }

    fn closes(&mut self, end: usize) {
        if let Some(place) = self.open.pop() {
            let size = narrow(self.nodes.len() - place);
            let node = &mut self.nodes[place];
            node.range.1 = narrow(end);
            node.size = size;
        }
    }
}

/// One value of a document that is noted on a tape.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'a> {
    text: &'a str,
    /// The nodes from this value on; there is at least one.
    nodes: &'a [Node],
}

impl<'a> Raw<'a> {
    /// The text of the value.
    #[must_use]
    pub fn get(self) -> &'a str {
        self.text.get(self.range()).unwrap_or_default()
    }

    /// The bytes of the document that hold the value.
    pub(crate) fn range(self) -> Range<usize> {
        let (start, end) = self.nodes.first().map_or((0, 0), |node| node.range);
        start as usize..end as usize
    }

    /// The JSON kind of the value.
    #[must_use]
    pub fn kind(self) -> Kind {
        Kind::of_text(self.get())
    }

    /// The text between the quotes of a string that holds no escapes.
    pub(super) fn plain(self) -> Option<&'a str> {
        let is_plain = self.nodes.first().is_some_and(|node| node.is_plain);
        let Range { start, end } = self.range();
        is_plain.then(|| self.text.get(start + 1..end - 1))?
    }

    /// The decoded text of a string.
    pub(super) fn decoded(self) -> Result<SplitText, Rejection> {
        match self.plain() {
            Some(text) => Ok(SplitText::from(text)),
            None => reader::string(self.get()),
        }
    }

    /// The decoded text of a member name, which is well-formed.
    fn name(self) -> Cow<'a, str> {
        match self.plain() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(
                reader::string(self.get())
                    .map(|text| text.body().to_owned())
                    .unwrap_or_default(),
            ),
        }
    }

    /// Whether this member name is the given one.
    fn is_named(self, name: &str) -> bool {
        match self.plain() {
            Some(text) => text == name,
            None => self.name() == name,
        }
    }

    /// The items of an array.
    pub(crate) fn items(self) -> Children<'a> {
        Children::of(self)
    }

    /// The names and values of an object's members.
    pub(crate) fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> {
        let mut children = Children::of(self);
        std::iter::from_fn(move || Some((children.next()?.name(), children.next()?)))
    }

    /// How many members an object has.
    pub(super) fn members_length(self) -> usize {
        Children::of(self).count() / 2
    }

    /// The value as a tree; `None` if a text in it holds half a surrogate pair.
    ///
    /// This recurses as deep as the value nests, which the reader has limited.
    pub(super) fn tree(self) -> Option<Value> {
        Some(match self.kind() {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.get() == "true"),
            Kind::Number => Value::Number(Number::from_grammatical(self.get())),
            Kind::String => Value::String(match self.plain() {
                Some(text) => text.to_owned(),
                None => self.decoded().ok()?.into_string().ok()?,
            }),
            Kind::Array => Value::Array(self.items().map(Self::tree).collect::<Option<_>>()?),
            Kind::Object => Value::Object(self.object()?),
        })
    }

    /// The object as a tree; its names are known to be different.
    fn object(self) -> Option<Object> {
        let mut object = Object::new();
        for (name, value) in self.members() {
            object.insert_at(usize::MAX, name, value.tree()?);
        }
        Some(object)
    }

    /// The member of this name among an object's members, with its place.
    pub(crate) fn member(self, name: &str) -> Option<(usize, Raw<'a>)> {
        let mut children = Children::of(self);
        let mut place = 0;
        while let Some(known) = children.next() {
            let value = children.next()?;
            if known.is_named(name) {
                return Some((place, value));
            }
            place += 1;
        }
        None
    }
}

/// The values right below one, names of members included.
pub(crate) struct Children<'a> {
    text: &'a str,
    nodes: &'a [Node],
}

impl<'a> Children<'a> {
    fn of(raw: Raw<'a>) -> Self {
        let size = raw.nodes.first().map_or(0, |node| node.size as usize);
        Self {
            text: raw.text,
            nodes: raw.nodes.get(1..size).unwrap_or_default(),
        }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        let (nodes, text) = (self.nodes, self.text);
        let size = nodes.first()?.size as usize;
        self.nodes = nodes.get(size..).unwrap_or_default();
        Some(Raw { text, nodes })
    }
}

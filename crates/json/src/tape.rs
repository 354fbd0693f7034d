//! One pass over a document that notes where its values stand, so that no part is scanned again.

use std::borrow::Cow;
use std::ops::Range;

use super::reader::{self, MAX_EXPONENT_DIGITS};
use super::scan::{Scanner, Spelling, Token, decoded_name};
use super::{Kind, Number, Object, SplitText, Value};
use crate::rejection::{Class, Rejection};

/// Where a value or a member name stands in its text.
#[derive(Debug, Clone, Copy)]
struct Node {
    range: (u32, u32),
    /// How many nodes the value takes, itself and all in it. A member's name is a node before that
    /// of its value.
    size: u32,
    shape: Shape,
}

/// What is known of a value beside its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A string whose text stands for itself.
    Plain,
    /// An object with so many members.
    Object(u32),
    Other,
}

impl Shape {
    fn of(spelling: Spelling) -> Self {
        match spelling {
            Spelling::Plain => Self::Plain,
            _ => Self::Other,
        }
    }
}

/// A container that is not over.
#[derive(Debug, Clone, Copy)]
struct Open {
    place: usize,
    /// Where the names of an object begin among those of all open objects; none for an array.
    names: Option<usize>,
    /// The marks of these names, of which most are different, so that most names need not be
    /// compared.
    marks: u64,
}

/// Where everything in one document stands. One tape reads many documents, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// The places of the names of all open objects, the innermost last.
    names: Vec<usize>,
}

/// How many names of one object are looked through as they come. Most objects are small; the names
/// of others are sorted in the end.
const FEW_NAMES: usize = 12;

/// How many nodes a tape may have room for and be kept.
const SMALL: usize = 4096;

/// The longest text that a tape can note the places of.
const MAX_LENGTH: usize = u32::MAX as usize;

impl Tape {
    /// Checks one document as [`check`](super::check()) does, and gives its text by values.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Result<Raw<'a>, Rejection> {
        if text.len() > MAX_LENGTH {
            let message = format!("the document is longer than {MAX_LENGTH} bytes");
            return Err(Rejection::new(Class::Limit, "size", message));
        }
        let mut scanner = Scanner::of(text);
        let noted = self.note(text, &mut scanner);
        if noted.and_then(|()| scanner.end()).is_none() {
            return Err(refusal(text));
        }
        Ok(Raw {
            text,
            nodes: &self.nodes,
        })
    }

    /// Whether the tape takes so little memory that it may be kept for the next document.
    pub(super) fn is_small(&self) -> bool {
        self.nodes.capacity() <= SMALL
            && self.open.capacity() <= SMALL
            && self.names.capacity() <= SMALL
    }

    /// Hands on the items of the array that a text is, one after the other, so that no more than
    /// one stands on the tape. `None` if the text is none, or as soon as an item is not taken.
    pub fn each_item(
        &mut self,
        text: &str,
        mut take: impl FnMut(Raw<'_>) -> Option<()>,
    ) -> Option<()> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut scanner = Scanner::of(text);
        scanner.items(|scanner| {
            self.note(text, scanner)?;
            take(Raw {
                text,
                nodes: &self.nodes,
            })
        })?;
        scanner.end()
    }

    /// Notes the value that is next.
    fn note(&mut self, text: &str, scanner: &mut Scanner<'_>) -> Option<()> {
        self.nodes.clear();
        self.open.clear();
        self.names.clear();
        loop {
            let byte = scanner.peek()?;
            let start = scanner.at();
            if let Token::Whole(spelling) = scanner.token(byte)? {
                if !is_allowed(scanner.since(start)?, spelling) {
                    return None;
                }
                self.add(start..scanner.at(), Shape::of(spelling));
                if self.is_over(text, scanner)? {
                    return Some(());
                }
                continue;
            }
            self.open.push(Open {
                place: self.nodes.len(),
                names: (byte == b'{').then_some(self.names.len()),
                marks: 0,
            });
            self.add(start..start, Shape::Other);
            if byte == b'{' {
                self.name(text, scanner)?;
            }
        }
    }

    /// Steps over what stands between the value that was noted last and the next one; `true` if
    /// nothing is open any more.
    fn is_over(&mut self, text: &str, scanner: &mut Scanner<'_>) -> Option<bool> {
        while let Some(Open { place, names, .. }) = self.open.last().copied() {
            if scanner.goes_on(names.is_some())? {
                if names.is_some() {
                    self.name(text, scanner)?;
                }
                return Some(false);
            }
            self.open.pop();
            let mut shape = Shape::Other;
            if let Some(first) = names {
                shape = Shape::Object(narrow(self.names.len() - first));
                if self.names.len() - first > FEW_NAMES {
                    self.are_different(text, first)?;
                }
                self.names.truncate(first);
            }
            let size = narrow(self.nodes.len() - place);
            let node = self.nodes.get_mut(place)?;
            node.range.1 = narrow(scanner.at());
            node.size = size;
            node.shape = shape;
        }
        Some(true)
    }

    /// Notes a name that its object does not have yet.
    fn name(&mut self, text: &str, scanner: &mut Scanner<'_>) -> Option<()> {
        let (place, spelling) = scanner.name_place()?;
        let name = name_of(text, place.clone(), spelling)?;
        let object = self.open.last_mut()?;
        let (first, mark) = (object.names?, mark_of(&name));
        let is_new = object.marks & mark == 0;
        object.marks |= mark;
        if !is_new && self.is_known(text, first, &name) {
            return None;
        }
        self.names.push(self.nodes.len());
        self.add(place, Shape::of(spelling));
        Some(())
    }

    /// Whether the innermost object has a name; of many, the first ones are looked at.
    fn is_known(&self, text: &str, first: usize, name: &[u8]) -> bool {
        let names = self.names.get(first..).unwrap_or_default();
        let mut names = names.iter().take(FEW_NAMES);
        names.any(|place| self.name_at(text, *place).as_bytes() == name)
    }

    /// Whether many names of the innermost object are different.
    fn are_different(&self, text: &str, first: usize) -> Option<()> {
        let places = self.names.get(first..)?.iter();
        let mut names: Vec<_> = places.map(|place| self.name_at(text, *place)).collect();
        names.sort_unstable();
        let is_twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        (!is_twice).then_some(())
    }

    fn name_at<'t>(&'t self, text: &'t str, place: usize) -> Cow<'t, str> {
        let nodes = self.nodes.get(place..).unwrap_or_default();
        Raw { text, nodes }.name()
    }

    fn add(&mut self, range: Range<usize>, shape: Shape) {
        self.nodes.push(Node {
            range: (narrow(range.start), narrow(range.end)),
            size: 1,
            shape,
        });
    }
}

/// The bytes of a decoded name; none if half a surrogate pair is in it.
fn name_of(text: &str, place: Range<usize>, spelling: Spelling) -> Option<Cow<'_, [u8]>> {
    if spelling == Spelling::Plain {
        let name = text.as_bytes().get(place.start + 1..place.end - 1);
        return name.map(Cow::Borrowed);
    }
    Some(match decoded_name(text.get(place)?, spelling)? {
        Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
        Cow::Owned(name) => Cow::Owned(name.into_bytes()),
    })
}

/// One bit that equal names have in common.
fn mark_of(bytes: &[u8]) -> u64 {
    let byte = |place: usize| usize::from(bytes.get(place).copied().unwrap_or_default());
    let last = byte(bytes.len().wrapping_sub(1));
    1 << ((bytes.len() + 7 * byte(0) + 3 * byte(1) + last) % 64)
}

/// Longer texts than this can count are refused before they are read.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Whether a value that the grammar allows may be read: halves of a surrogate pair stand at the ends
/// of a string only, and an exponent has few digits.
fn is_allowed(raw: &str, spelling: Spelling) -> bool {
    match spelling {
        Spelling::Plain => true,
        Spelling::CodeUnits => reader::string(raw).is_ok(),
        Spelling::Escaped => {
            let is_short = raw.len() <= MAX_EXPONENT_DIGITS;
            is_short || Kind::of_text(raw) != Kind::Number || reader::check(raw).is_ok()
        }
    }
}

/// Looking for the reason is a second pass, which only what is refused pays.
#[cold]
fn refusal(text: &str) -> Rejection {
    match reader::check(text) {
        Err(rejection) => rejection,
        Ok(()) => Rejection::new(Class::Syntax, "json", "the document cannot be read"),
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
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let (start, end) = self.nodes.first().map_or((0, 0), |node| node.range);
        start as usize..end as usize
    }

    /// The JSON kind of the value.
    #[must_use]
    pub fn kind(self) -> Kind {
        Kind::of_byte(self.text.as_bytes().get(self.range().start).copied())
    }

    /// Whether this is a string that holds no escapes.
    fn is_plain(self) -> bool {
        let node = self.nodes.first();
        node.is_some_and(|node| node.shape == Shape::Plain)
    }

    /// The text between the quotes of a string that holds no escapes.
    #[must_use]
    pub fn plain(self) -> Option<&'a str> {
        let Range { start, end } = self.range();
        self.is_plain().then(|| self.text.get(start + 1..end - 1))?
    }

    /// The decoded text of a string.
    pub fn decoded(self) -> Result<SplitText, Rejection> {
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
        if !self.is_plain() {
            return self.name() == name;
        }
        // Most names differ in length already.
        let Range { start, end } = self.range();
        end - start == name.len() + 2
            && self.text.as_bytes().get(start + 1..end - 1) == Some(name.as_bytes())
    }

    /// The items of an array.
    #[must_use]
    pub fn items(self) -> Children<'a> {
        Children::of(self)
    }

    /// The names and values of an object's members.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> {
        let mut children = Children::of(self);
        std::iter::from_fn(move || Some((children.next()?.name(), children.next()?)))
    }

    /// How many members an object has.
    pub(super) fn members_length(self) -> usize {
        match self.nodes.first() {
            Some(Node {
                shape: Shape::Object(length),
                ..
            }) => *length as usize,
            _ => 0,
        }
    }

    /// The value as a tree; `None` if a text in it holds half a surrogate pair.
    ///
    /// This recurses as deep as the value nests, which the reader has limited.
    #[must_use]
    pub fn tree(self) -> Option<Value> {
        Some(match self.kind() {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.get() == "true"),
            Kind::Number => Value::Number(Number::from_grammatical(self.get())),
            Kind::String => Value::String(match self.plain() {
                Some(text) => text.to_owned(),
                None => self.decoded().ok()?.into_string().ok()?,
            }),
            Kind::Array => Value::Array(self.array()?),
            Kind::Object => Value::Object(self.object()?),
        })
    }

    /// The items as trees.
    fn array(self) -> Option<Vec<Value>> {
        let mut items = Vec::with_capacity(self.items().count());
        for item in self.items() {
            items.push(item.tree()?);
        }
        Some(items)
    }

    /// The object as a tree; its names are known to be different.
    fn object(self) -> Option<Object> {
        let mut members = Vec::with_capacity(self.members_length());
        for (name, value) in self.members() {
            members.push((name.into_owned(), value.tree()?));
        }
        Some(Object::of_different(members))
    }

    /// The member of this name among an object's members, with its place.
    #[must_use]
    pub fn member(self, name: &str) -> Option<(usize, Raw<'a>)> {
        MembersInOrder::of(self).find(name)
    }
}

/// The members of an object from one on.
#[derive(Debug, Clone)]
pub(super) struct MembersInOrder<'a> {
    rest: Children<'a>,
    place: usize,
}

impl<'a> MembersInOrder<'a> {
    /// All members of an object.
    pub fn of(object: Raw<'a>) -> Self {
        Self {
            rest: Children::of(object),
            place: 0,
        }
    }

    /// Steps behind the member of this name, and gives it with its place.
    pub fn find(&mut self, name: &str) -> Option<(usize, Raw<'a>)> {
        while let Some(known) = self.rest.next() {
            let (place, value) = (self.place, self.rest.next()?);
            self.place += 1;
            if known.is_named(name) {
                return Some((place, value));
            }
        }
        None
    }

    /// Steps behind the next member if it is of this name, and gives it with its place.
    pub fn take_next(&mut self, name: &str) -> Option<(usize, Raw<'a>)> {
        let mut rest = self.rest.clone();
        if !rest.next()?.is_named(name) {
            return None;
        }
        let (place, value) = (self.place, rest.next()?);
        self.rest = rest;
        self.place += 1;
        Some((place, value))
    }
}

/// The values right below one, names of members included.
#[derive(Debug, Clone)]
pub struct Children<'a> {
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

//! The words that a dialect's tables are written in. A table is read in both directions, so what
//! it says of reading and what it says of writing cannot drift apart.

mod rows;

pub use rows::{constant, derived, dropped, implied, lost, row};

use super::loss::ConversionLoss;
use chatstate_json::Rejection;
use chatstate_json::{MemberName, Object, Value};

/// A format of another SDK.
#[derive(Debug)]
pub struct Dialect {
    /// The name on the command line and in `ext`, such as `semantic-kernel-python`.
    pub name: &'static str,
    /// What it is, in a heading.
    pub title: &'static str,
    /// What a reader of the page should know first: who writes it, and which documents count as
    /// equal in it.
    pub doc: &'static str,
    /// Whether its readers pass over a byte order mark.
    pub allows_byte_order_mark: bool,
    /// Whether a list may be a file with a line for each item.
    pub allows_lines: bool,
    /// Whether it reads members whose names begin with a small letter, as its serializer can be told
    /// to write them.
    pub reads_camel_case: bool,
    /// How many lists and objects may be within each other, if its readers have a limit.
    pub max_depth: Option<usize>,
    /// Where the function of a result is named.
    pub functions_of_results: FunctionsOfResults,
    /// The kinds of documents that it has.
    pub documents: &'static [DialectDocument],
}

/// Where a dialect names the function of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionsOfResults {
    /// In each result; one that does not say it has that of its call.
    InEach,
    /// In a result or not.
    InSome,
    /// In the call that the result answers, and nowhere else.
    InCalls,
}

/// One kind of document.
#[derive(Debug)]
pub struct DialectDocument {
    /// Its name within the dialect, such as `history`.
    pub name: &'static str,
    /// The canonical type that it is read as.
    pub canonical: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Whether a value is meant to be one, valid or not. Of two kinds the first is taken.
    pub matches: fn(&Value) -> bool,
    /// Whether a canonical document is written so when no kind is asked for. The first is taken.
    pub accepts: fn(&Value) -> bool,
    /// How it is read and written.
    pub shape: ValueShape,
}

/// How a value of the dialect and a canonical value are distinguished.
#[derive(Debug, Clone, Copy)]
pub enum ValueShape {
    /// Any value, as it is.
    Any,
    /// Text.
    Text,
    /// Text that is more than whitespace.
    Filled,
    /// `true` or `false`.
    Flag,
    /// An integer.
    Integer,
    /// An object, as it is.
    Object,
    /// An array, as it is.
    Array,
    /// Text that names one of several things.
    Name(&'static NamePair),
    /// An object whose only known member holds the value, such as `{"Label": "user"}`.
    Wrapped(&'static str, &'static ValueShape),
    /// A list of such values.
    Each(&'static ValueShape),
    /// A value that is the only item of our list.
    Single(&'static ValueShape),
    /// An object that a table describes.
    Of(&'static ObjectTable),
    /// A value that is one member of a canonical object: the table calls it `@`.
    Whole(&'static ObjectTable),
    /// One of several objects, distinguished by a tag.
    OneOf(&'static Union),
    /// Text. Another value is written as its JSON text, which is a loss of form.
    TextOf,
    /// A value of which the dialect demands more than its kind.
    Checked(&'static ValueCheck),
    /// The shape that another member of the same object decides, which a row before this one names.
    Chosen(&'static ShapeChoice),
    /// A value that no table describes, as it is. Messages in it are a loss of form, since they stay
    /// in the form that they have.
    Opaque(&'static OpaqueValue),
    /// Is never read. Canonical text that holds a JSON object is written as that object, which is a
    /// loss of form.
    ParsedObject,
}

/// What a dialect demands of a value beside its kind.
#[derive(Debug)]
pub struct ValueCheck {
    /// What the value is, for people.
    pub words: &'static str,
    /// Its kind.
    pub shape: ValueShape,
    /// Whether a value of that kind is accepted.
    pub holds: fn(&Value) -> bool,
}

/// A shape that another member of the same object decides.
#[derive(Debug)]
pub struct ShapeChoice {
    /// The member of theirs that decides, which is text.
    pub foreign: &'static str,
    /// What it is called on our side.
    pub canonical: &'static str,
    /// Names of types without their namespaces, and the shape of a value of that type.
    pub shapes: &'static [(&'static str, ValueShape)],
    /// The shape of all others.
    pub otherwise: ValueShape,
}

impl ShapeChoice {
    /// The shape of a value whose type has this name. A value that cannot be of that shape is one of
    /// the others.
    pub(super) fn of(&self, type_name: Option<&Value>, value: &Value) -> &ValueShape {
        let name = type_name.and_then(Value::as_str).unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or_default();
        let shape = self.shapes.iter().find(|(known, _)| *known == name);
        let shape = shape.map(|(_, shape)| shape);
        let shape = shape.filter(|shape| super::reading::fits(shape, value));
        shape.unwrap_or(&self.otherwise)
    }
}

/// A value that no table describes.
#[derive(Debug)]
pub struct OpaqueValue {
    /// Whether it holds messages in the form of the dialect.
    pub has_messages: fn(&Value) -> bool,
}

/// Names of things: theirs and ours.
#[derive(Debug)]
pub struct NamePair {
    /// Their name, our name.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Whether other names are the same on both sides; otherwise there are no others.
    pub open: bool,
    /// Whether the case of their letters says nothing.
    pub folds_case: bool,
}

impl NamePair {
    /// The pair whose name of theirs this is.
    pub(super) fn pair(&self, name: &str) -> Option<&(&'static str, &'static str)> {
        let mut pairs = self.pairs.iter();
        let same = |foreign: &str| {
            foreign == name || (self.folds_case && foreign.eq_ignore_ascii_case(name))
        };
        pairs.find(|(foreign, _)| same(foreign))
    }
}

/// Gives members the names whose first letter is small there. An object that has one of the names as
/// it is, is left as it is.
pub(super) fn capitalise(names: &[&'static str], object: &mut Object) {
    if names.iter().any(|name| object.contains_key(name)) {
        return;
    }
    let renamed = |it: &str| {
        names.iter().find(|name| {
            let small = name.get(..1).unwrap_or_default().to_lowercase();
            it.strip_prefix(&small) == name.get(1..) && **name != it
        })
    };
    let members = std::mem::take(object).into_iter();
    *object = members
        .map(|(name, value)| match renamed(&name) {
            Some(known) => ((*known).into(), value),
            None => (name, value),
        })
        .collect();
}

/// Objects that are distinguished by a tag.
#[derive(Debug)]
pub struct Union {
    /// What the objects are, for people.
    pub name: &'static str,
    /// The member of the dialect that holds the tag; ours is `type`.
    pub tag: &'static str,
    /// What an object without a tag is, if the dialect writes such.
    pub untagged: Option<&'static Variant>,
    /// Whether there are no others: one is rejected, and left out where it cannot be said.
    pub closed: bool,
    /// The known ones. An object with another tag is kept whole, as an item of unknown type.
    pub variants: &'static [Variant],
}

/// One of the objects of a union.
#[derive(Debug)]
pub struct Variant {
    /// Their tag.
    pub foreign: &'static str,
    /// Our tag.
    pub canonical: &'static str,
    /// The other members.
    pub table: &'static ObjectTable,
    /// Why it is a loss to write ours as theirs: it comes back as another one. Nothing if it is none.
    pub downgrade: Option<&'static str>,
}

impl Union {
    /// What a name or a tag of theirs is.
    pub(super) fn variant_of(&self, object: &Object) -> Option<&Variant> {
        match object.get(self.tag) {
            Some(Value::String(tag)) => self.variants.iter().find(|it| it.foreign == tag),
            Some(_) => None,
            None => self.untagged.filter(|it| it.table.names_all(object)),
        }
    }

    /// What a tag of ours is.
    pub(super) fn canonical_variant(&self, tag: &str) -> Option<&Variant> {
        let untagged = self.untagged.into_iter();
        let mut variants = self.variants.iter().chain(untagged);
        variants.find(|it| it.canonical == tag)
    }
}

impl ObjectTable {
    /// The members of theirs that rows name, without parts of members.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let names = self.rows.iter().filter_map(|row| match &row.rule {
            Rule::Value { foreign, .. } => foreign.split('@').next(),
            Rule::Constant(name, _) | Rule::Derived(name, _) => Some(*name),
            _ => None,
        });
        names.filter(|name| !name.is_empty()).collect()
    }

    /// Whether rows name every member of an object of theirs.
    fn names_all(&self, object: &Object) -> bool {
        let names = |name: &MemberName| {
            self.rows
                .iter()
                .any(|row| matches!(&row.rule, Rule::Value { foreign, .. } if foreign == name))
        };
        object.keys().all(names)
    }
}

/// One of the objects of a union.
#[must_use]
pub const fn variant(
    foreign: &'static str,
    canonical: &'static str,
    table: &'static ObjectTable,
) -> Variant {
    Variant {
        foreign,
        canonical,
        table,
        downgrade: None,
    }
}

/// An object of ours that is written as one of theirs which is read as another one of ours.
#[must_use]
pub const fn downgrade(
    foreign: &'static str,
    canonical: &'static str,
    table: &'static ObjectTable,
    why: &'static str,
) -> Variant {
    Variant {
        foreign,
        canonical,
        table,
        downgrade: Some(why),
    }
}

/// The members of one object.
#[derive(Debug)]
pub struct ObjectTable {
    /// What the object is, for people.
    pub name: &'static str,
    /// The members, in the order in which the dialect writes them.
    pub rows: &'static [MemberRow],
    /// Where a member goes that no row names.
    pub rest: Rest,
    /// What rows cannot say.
    pub rewrite: Option<&'static Rewrite>,
}

/// Where members go that no row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Into `ext` under the name of the dialect, verbatim; canonical ones are a loss.
    Ext,
    /// They have the same name on both sides and any value.
    Same,
}

/// A change of an object of the dialect before its rows are read and after they are written. A
/// member `m@part` is a part of the member `m`, taken out of it.
#[derive(Debug)]
pub struct Rewrite {
    /// What it does, for people.
    pub doc: &'static str,
    /// Takes members apart. What it does not understand it leaves, and it goes to `ext`.
    pub read: fn(&mut Object) -> Result<(), Rejection>,
    /// Puts the parts together, and says which ones the dialect has no room for. A part of class
    /// [`ConversionLoss::Item`] makes the whole object one that the dialect cannot say.
    pub write: fn(&mut Object) -> Vec<Left>,
}

/// A part that could not be written.
#[derive(Debug)]
pub struct Left {
    /// The name that the rows have for it.
    pub part: &'static str,
    /// What kind of loss it is.
    pub class: ConversionLoss,
    /// Why.
    pub why: &'static str,
}

/// What is said of one member.
#[derive(Debug)]
pub struct MemberRow {
    /// The rule.
    pub rule: Rule,
    /// What else people should know, or nothing.
    pub doc: &'static str,
}

/// The kinds of rows.
#[derive(Debug)]
pub enum Rule {
    /// Their member is our member. Several rows may have the same member of theirs: the kind of the
    /// value decides. Ours may be a path, such as `ref/file`.
    Value {
        /// Their member.
        foreign: &'static str,
        /// Our member.
        canonical: &'static str,
        /// How the value changes.
        shape: ValueShape,
        /// What an absent member says.
        absent: Absent,
        /// Whether null is a value; otherwise it says the same as an absent member.
        nullable: bool,
        /// JSON that is written in place of what is missing or cannot be said.
        instead: Option<&'static str>,
    },
    /// Their member always has this value, in JSON, or is absent.
    Constant(&'static str, &'static str),
    /// Our member always has this value, in JSON.
    Implied(&'static str, &'static str),
    /// Their member follows from the others; another value is kept in `ext`.
    Derived(&'static str, fn(&Object) -> Option<Value>),
    /// Our member has no place there.
    Lost(&'static str),
    /// Our member says nothing that would be lost.
    Dropped(&'static str),
}

/// What an absent member says.
#[derive(Debug, Clone, Copy)]
pub enum Absent {
    /// Nothing.
    Nothing,
    /// That the object is not valid.
    Rejected,
    /// Nothing, and the dialect writes this JSON for nothing.
    Written(&'static str),
    /// Nothing, and this JSON says nothing either. It is not written: older readers reject it.
    Default(&'static str),
    /// That the object is not valid. The dialect writes an object whose only member is null for a value
    /// that was never set; it is read as this canonical value, in JSON, which is a loss.
    Unset(&'static str),
    /// This canonical value, in JSON; the dialect writes nothing for it.
    Means(&'static str),
    /// This canonical value, in JSON; the dialect writes it all the same.
    Reads(&'static str),
}

//! The words that a dialect's tables are written in. A table is read in both directions, so what
//! it says of reading and what it says of writing cannot drift apart.

use super::loss::ConversionLoss;
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};

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
    /// An object that a table describes.
    Of(&'static ObjectTable),
    /// A value that is one member of a canonical object: the table calls it `@`.
    Whole(&'static ObjectTable),
    /// One of several objects, distinguished by a tag.
    OneOf(&'static Union),
    /// Text. Another value is written as its JSON text, which is a loss of form.
    TextOf,
    /// Is never read. Canonical text that holds a JSON object is written as that object, which is a
    /// loss of form.
    ParsedObject,
}

/// Names of things: theirs and ours.
#[derive(Debug)]
pub struct NamePair {
    /// Their name, our name.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Whether other names are the same on both sides; otherwise there are no others.
    pub open: bool,
}

/// Objects that are distinguished by a tag.
#[derive(Debug)]
pub struct Union {
    /// What the objects are, for people.
    pub name: &'static str,
    /// The member of the dialect that holds the tag; ours is `type`.
    pub tag: &'static str,
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
    /// This canonical value, in JSON; the dialect writes nothing for it.
    Means(&'static str),
    /// This canonical value, in JSON; the dialect writes it all the same.
    Reads(&'static str),
}

/// Their member is our member.
#[must_use]
pub const fn row(foreign: &'static str, canonical: &'static str, shape: ValueShape) -> MemberRow {
    MemberRow {
        rule: Rule::Value {
            foreign,
            canonical,
            shape,
            absent: Absent::Nothing,
            nullable: false,
            instead: None,
        },
        doc: "",
    }
}

/// Their member always has this value, in JSON.
#[must_use]
pub const fn constant(foreign: &'static str, json: &'static str) -> MemberRow {
    MemberRow {
        rule: Rule::Constant(foreign, json),
        doc: "",
    }
}

/// Our member always has this value, in JSON.
#[must_use]
pub const fn implied(canonical: &'static str, json: &'static str) -> MemberRow {
    MemberRow {
        rule: Rule::Implied(canonical, json),
        doc: "",
    }
}

/// Their member follows from the others.
#[must_use]
pub const fn derived(foreign: &'static str, from: fn(&Object) -> Option<Value>) -> MemberRow {
    MemberRow {
        rule: Rule::Derived(foreign, from),
        doc: "",
    }
}

/// Our member has no place there, for this reason.
#[must_use]
pub const fn lost(canonical: &'static str, why: &'static str) -> MemberRow {
    MemberRow {
        rule: Rule::Lost(canonical),
        doc: why,
    }
}

/// Our member says nothing that would be lost, for this reason.
#[must_use]
pub const fn dropped(canonical: &'static str, why: &'static str) -> MemberRow {
    MemberRow {
        rule: Rule::Dropped(canonical),
        doc: why,
    }
}

impl MemberRow {
    /// The dialect rejects an object without the member.
    #[must_use]
    pub const fn required(self) -> Self {
        self.absent(Absent::Rejected)
    }

    /// The dialect writes this JSON where there is nothing.
    #[must_use]
    pub const fn or_written(self, json: &'static str) -> Self {
        self.absent(Absent::Written(json))
    }

    /// An absent member says this canonical value, in JSON, which is written all the same.
    #[must_use]
    pub const fn or_reads(self, json: &'static str) -> Self {
        self.absent(Absent::Reads(json))
    }

    /// An absent member says this canonical value, in JSON, for which nothing is written.
    #[must_use]
    pub const fn or_means(self, json: &'static str) -> Self {
        self.absent(Absent::Means(json))
    }

    /// Null is a value of its own.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        if let Rule::Value { nullable, .. } = &mut self.rule {
            *nullable = true;
        }
        self
    }

    /// This JSON is written in place of what is missing or cannot be said; it is a loss.
    #[must_use]
    pub const fn instead(mut self, json: &'static str) -> Self {
        if let Rule::Value { instead, .. } = &mut self.rule {
            *instead = Some(json);
        }
        self
    }

    /// What people should know of the row.
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    const fn absent(mut self, said: Absent) -> Self {
        if let Rule::Value { absent, .. } = &mut self.rule {
            *absent = said;
        }
        self
    }
}

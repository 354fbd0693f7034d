//! The rows of a table, as they are written down.

use super::{Absent, MemberRow, Rule, ValueShape};
use chatstate_json::{Object, Value};

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

    /// The dialect means this JSON where there is nothing, and does not need it to be written.
    #[must_use]
    pub const fn or_default(self, json: &'static str) -> Self {
        self.absent(Absent::Default(json))
    }

    /// The dialect rejects an object without the member, and what it writes for a value that was
    /// never set is read as this canonical value, in JSON, which is a loss.
    #[must_use]
    pub const fn required_or_unset(self, json: &'static str) -> Self {
        self.absent(Absent::Unset(json))
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

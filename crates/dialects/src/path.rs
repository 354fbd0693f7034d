//! Where a conversion is, in the document that it reads and in the canonical one.

use std::collections::HashMap;

use chatstate_json::{MemberName, Value, pointer};

/// One step into a document.
#[derive(Debug, Clone)]
pub(super) enum Segment {
    /// What a row names: a member, a part of one (`member@part`) or a path (`member/member`).
    Row(&'static str),
    /// A member by the name that the document has.
    Member(MemberName),
    /// An item of an array.
    Item(usize),
}

/// A place in a document.
#[derive(Debug, Default)]
pub(super) struct Path(Vec<Segment>);

impl Path {
    pub(super) fn enter(&mut self, step: Segment) {
        self.0.push(step);
    }

    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// The place as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let mut text = String::new();
        self.0.iter().for_each(|step| push(&mut text, step));
        text
    }

    /// A place within this place.
    pub(super) fn pointer_to(&self, step: &Segment) -> String {
        let mut text = self.pointer();
        push(&mut text, step);
        text
    }
}

fn push(text: &mut String, step: &Segment) {
    match step {
        Segment::Row(name) => text.push_str(&row_pointer(name)),
        Segment::Member(name) => {
            text.push('/');
            text.push_str(&pointer::escape(name));
        }
        Segment::Item(index) => {
            text.push('/');
            text.push_str(&index.to_string());
        }
    }
}

/// The pointer of what a row names. `@` alone is the whole value.
pub(super) fn row_pointer(name: &str) -> String {
    match name.split('@').next() {
        None | Some("") => String::new(),
        Some(path) => format!("/{path}"),
    }
}

/// The place in a document that is nearest to one which a table gives: a rewrite may have put a value
/// where there was none. A missing member of an object that is there keeps its name.
pub(super) fn nearest(document: &Value, at: &str) -> String {
    let outside = |at: &str| at.rfind('/').map(|end| at[..end].to_owned());
    let found = |at: &str| pointer::find(document, at);
    let is_object = |at: String| matches!(found(&at), Some(Value::Object(_)));
    let is_name = at
        .rsplit('/')
        .next()
        .is_some_and(|it| it.parse::<usize>().is_err());
    if found(at).is_some() || (is_name && outside(at).is_some_and(is_object)) {
        return at.to_owned();
    }
    let mut near = at.to_owned();
    while let Some(next) = outside(&near) {
        near = next;
        if let Some(Value::Object(_) | Value::Array(_)) = found(&near) {
            break;
        }
    }
    near
}

/// Where the values of a canonical document were in the document that it was read from.
#[derive(Debug, Default)]
pub(super) struct Origins(HashMap<String, String>);

impl Origins {
    pub(super) fn note(&mut self, canonical: String, foreign: String) {
        self.0.insert(canonical, foreign);
    }

    /// The place of origin of a canonical place: that of the nearest value around it which has one.
    pub(super) fn of(&self, canonical: &str) -> String {
        let mut known = canonical;
        loop {
            if let Some(foreign) = self.0.get(known) {
                return foreign.clone();
            }
            match known.rfind('/') {
                Some(end) => known = &known[..end],
                None => return String::new(),
            }
        }
    }
}

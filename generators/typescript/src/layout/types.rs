//! Types of the generated code, and how they are broken over lines.

use super::document::{Doc, concat, group, indent, join, text};
use super::reader::Reader;

/// A type, as far as it matters for lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    /// What has no place where a line may end.
    Atom(String),
    Union(Vec<Ty>),
    Tuple(Vec<Ty>),
    /// An object with one member, or an index, before its type.
    Object(String, Box<Ty>),
    Parenthesized(Box<Ty>),
    /// A list of some type.
    List(Box<Ty>),
}

impl Ty {
    /// Reads a type; none where it has a form that generated code does not have.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let first = Self::part(reader)?;
        if !reader.is_at(" | ") {
            return Some(first);
        }
        let mut parts = vec![first];
        while reader.skip(" | ") {
            parts.push(Self::part(reader)?);
        }
        Some(Self::Union(parts))
    }

    fn part(reader: &mut Reader<'_>) -> Option<Self> {
        let mut part = if reader.is_at("[") {
            Self::Tuple(reader.listed("[", "]", Self::read)?)
        } else if reader.skip("{ ") {
            let head = reader.until(": ")?;
            let of = Self::read(reader)?;
            if !reader.skip(" }") {
                return None;
            }
            Self::Object(head, Box::new(of))
        } else if reader.skip("(string & {})") {
            Self::Atom("(string & {})".to_owned())
        } else if reader.skip("(number & {})") {
            Self::Atom("(number & {})".to_owned())
        } else if reader.skip("(") {
            let of = Self::read(reader)?;
            if !reader.skip(")") {
                return None;
            }
            Self::Parenthesized(Box::new(of))
        } else {
            Self::Atom(reader.type_atom()?)
        };
        while reader.skip("[]") {
            part = Self::List(Box::new(part));
        }
        Some(part)
    }

    /// Its layouts as those of a member, with the colon before it. A union begins on a line of its own
    /// before it is broken.
    pub(super) fn member_doc(&self) -> Doc {
        match self {
            Self::Union(parts) if !is_object_or_null(parts) => {
                group([text(":"), indent([Doc::Line, self.doc()])])
            }
            other => concat([text(": "), other.doc()]),
        }
    }

    /// Its layouts.
    pub(super) fn doc(&self) -> Doc {
        match self {
            Self::Atom(atom) => text(atom.as_str()),
            Self::Union(parts) if is_object_or_null(parts) => {
                join(&[text(" | ")], parts.iter().map(Self::doc))
            }
            Self::Union(parts) => group([Doc::IfBroken("| "), union(parts)]),
            Self::Tuple(parts) => {
                let of = join(&[text(","), Doc::Line], parts.iter().map(Self::doc));
                let of = indent([Doc::SoftLine, of, Doc::IfBroken(",")]);
                group([text("["), of, Doc::SoftLine, text("]")])
            }
            Self::Object(head, of) => {
                let of = concat([text(head.as_str()), of.member_doc()]);
                let of = indent([Doc::Line, of, Doc::IfBroken(";")]);
                group([text("{"), of, Doc::Line, text("}")])
            }
            Self::Parenthesized(of) => {
                let of = indent([Doc::SoftLine, of.bare_doc()]);
                group([text("("), of, Doc::SoftLine, text(")")])
            }
            Self::List(of) => concat([of.doc(), text("[]")]),
        }
    }

    /// Its layouts within a group of something else.
    fn bare_doc(&self) -> Doc {
        match self {
            Self::Union(parts) => concat([Doc::IfBroken("| "), union(parts)]),
            other => other.doc(),
        }
    }
}

fn union(parts: &[Ty]) -> Doc {
    let parts = parts.iter().map(|part| indent([part.doc()]));
    join(&[Doc::Line, text("| ")], parts)
}

/// Whether a union is of an object and `null`, which stay in one line but for the object.
fn is_object_or_null(parts: &[Ty]) -> bool {
    let objects = parts.iter().filter(|part| matches!(part, Ty::Object(..)));
    let nulls = parts
        .iter()
        .filter(|part| matches!(part, Ty::Atom(name) if name == "null"));
    objects.count() == 1 && nulls.count() + 1 == parts.len()
}

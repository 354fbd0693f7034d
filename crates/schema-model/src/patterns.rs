//! Members that are described by patterns of their names.

use indexmap::IndexMap;
use regex::Regex;

use crate::node::Node;
use crate::opaque::address;
use crate::reader::SchemaReader;
use crate::types::anything;
use crate::{IrError, NamePatterns, Others, PatternMembers, Slot};

/// Patterns that every name matches.
const ALWAYS: [&str; 4] = ["", "^", ".*", "^.*"];

/// A pattern of names, with what it says of their members and the schema that has it.
pub(crate) struct NamePattern<'a> {
    text: &'a str,
    regex: Regex,
    member: Node<'a>,
    schema: Node<'a>,
}

/// The patterns of names in these schemas.
pub(crate) fn name_patterns<'a>(schemas: &[Node<'a>]) -> Result<Vec<NamePattern<'a>>, IrError> {
    let mut patterns = Vec::new();
    for schema in schemas {
        let Some(found) = schema.get("patternProperties") else {
            continue;
        };
        for (text, member) in found.members()? {
            let regex = Regex::new(text).map_err(|_| {
                let help = "write it without look-around and back references";
                member.fail(
                    format!("names cannot be compared with the pattern `{text}`"),
                    help,
                )
            })?;
            patterns.push(NamePattern {
                text,
                regex,
                member,
                schema: schema.clone(),
            });
        }
    }
    Ok(patterns)
}

/// Describes named members by the patterns that their names match, too.
pub(crate) fn add_to_named<'a>(
    members: &mut IndexMap<&'a str, Vec<Node<'a>>>,
    patterns: &[NamePattern<'a>],
) {
    for (name, places) in members {
        let matching = patterns.iter().filter(|pattern| pattern.matches(name));
        places.extend(matching.map(|pattern| pattern.member.clone()));
    }
}

impl NamePattern<'_> {
    /// Whether a name matches.
    pub fn matches(&self, name: &str) -> bool {
        self.regex.is_match(name)
    }

    /// Whether that schema has it.
    pub fn is_of(&self, schema: &Node<'_>) -> bool {
        address(&self.schema) == address(schema)
    }
}

impl<'a> SchemaReader<'a> {
    /// What the names of other members say of them, and what these members are.
    pub fn by_name(
        &mut self,
        patterns: &[NamePattern<'a>],
        others: Others,
    ) -> (Others, Option<NamePatterns>) {
        if patterns.is_empty() {
            return (others, None);
        }
        let closed = others == Others::Rejected;
        let read = patterns.iter().map(|pattern| PatternMembers {
            pattern: pattern.text.to_owned(),
            slot: self.slot(&pattern.member),
        });
        let read: Vec<PatternMembers> = read.collect();
        if let [only] = read.as_slice()
            && ALWAYS.contains(&only.pattern.as_str())
        {
            return (others_of(only.slot.clone()), None);
        }
        let others = match of_one_slot(&read) {
            Some(slot) if closed => others_of(slot.clone()),
            _ => Others::Kept,
        };
        let patterns = read;
        (others, Some(NamePatterns { patterns, closed }))
    }
}

/// The slot that all of these members have.
fn of_one_slot(members: &[PatternMembers]) -> Option<&Slot> {
    let first = &members.first()?.slot;
    let same = members.iter().all(|other| other.slot == *first);
    same.then_some(first)
}

/// Members of any name that are all of one slot.
fn others_of(slot: Slot) -> Others {
    if slot == anything() {
        return Others::Kept;
    }
    Others::Typed(Box::new(slot))
}

/// The letters of a pattern that stand for themselves.
pub(crate) fn letters(pattern: &str) -> String {
    let (mut letters, mut in_class, mut escaped) = (String::new(), false, false);
    for letter in pattern.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class || !letter.is_ascii_alphanumeric() => letters.push(' '),
            _ => letters.push(letter),
        }
    }
    letters.trim().to_owned()
}

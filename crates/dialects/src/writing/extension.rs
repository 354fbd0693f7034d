//! What `ext` keeps of a document, and its way back.

use super::super::loss::ConversionLoss;
use super::super::path::Segment;
use super::super::table::{Absent, ObjectTable, Rule};
use super::{Writing, literal};
use chatstate_json::{MemberName, Object, Value};

impl Writing {
    /// What `ext` keeps for this dialect. What it keeps for others is lost.
    pub(super) fn kept(&mut self, canonical: &mut Object) -> Object {
        let Some((_, ext)) = canonical.remove("ext") else {
            return Object::new();
        };
        self.canonical.enter(Segment::Row("ext"));
        let mut own = Object::new();
        match ext {
            Value::Object(ext) => {
                for (name, value) in ext {
                    match value {
                        Value::Object(members) if name == self.dialect => own = members,
                        value => self.lose_foreign(name, &value),
                    }
                }
            }
            other => self.lose_foreign(MemberName::new(), &other),
        }
        self.canonical.leave();
        own
    }

    /// Notes each member that only another SDK understands.
    pub(super) fn lose_foreign(&mut self, name: MemberName, value: &Value) {
        let why = format!("only `{name}` understands it");
        self.canonical.enter(Segment::Member(name));
        match value.as_object() {
            Some(members) => {
                for member in members.keys() {
                    let at = self.canonical.pointer_to(&Segment::Member(member.clone()));
                    self.lose(ConversionLoss::Foreign, at, why.as_str());
                }
            }
            None => self.lose(
                ConversionLoss::Foreign,
                self.canonical.pointer(),
                why.as_str(),
            ),
        }
        self.canonical.leave();
    }

    /// Adds what follows from the others, and what was kept. What was kept replaces what follows
    /// and what is written for nothing, and completes an object.
    pub(super) fn complete(&mut self, table: &ObjectTable, foreign: &mut Object, kept: Object) {
        let mut kept = kept;
        for row in table.rows {
            if let Rule::Derived(name, from) = &row.rule
                && !foreign.contains_key(name)
                && !kept.contains_key(name)
                && let Some(value) = from(foreign)
            {
                foreign.insert(*name, value);
            }
        }
        let standing = |name: &str, foreign: &Object| {
            let known = table.rows.iter().find_map(|row| match &row.rule {
                Rule::Value {
                    foreign,
                    absent: Absent::Written(json),
                    ..
                } if *foreign == name => Some(*json),
                _ => None,
            });
            foreign
                .get(name)
                .is_some_and(|it| known.is_none_or(|json| *it != literal(json)))
        };
        let clashing: Vec<_> = kept
            .keys()
            .filter(|name| standing(name, foreign))
            .cloned()
            .collect();
        for name in clashing {
            kept.remove(&name);
            let why =
                format!("`{name}` is said by the canonical members; what was kept is left out");
            let at = self.canonical.pointer_to(&Segment::Row("ext"));
            let at = format!(
                "{at}/{}/{}",
                self.dialect,
                chatstate_json::pointer::escape(&name)
            );
            self.lose(ConversionLoss::Foreign, at, why);
        }
        foreign.extend(kept);
    }
}

//! Which members of each type of event a head keeps.

use std::sync::LazyLock;

use super::member::Member;

pub use chatstate_types::generated::roles::EventKind;

/// The members of one type of event that hold plain text a head keeps, with their names.
pub(super) struct Shape {
    pub texts: Vec<(Member, &'static str)>,
}

/// The shapes in the order of the types, as the schema has them.
static SHAPES: LazyLock<[Shape; EventKind::Unknown as usize + 1]> =
    LazyLock::new(|| std::array::from_fn(|place| Shape::of(kind_at(place))));

fn kind_at(place: usize) -> EventKind {
    let kind = EventKind::ALL.get(place).copied();
    kind.unwrap_or(EventKind::Unknown)
}

impl Shape {
    /// The members of an event of a type.
    pub fn get(kind: EventKind) -> &'static Self {
        &SHAPES[kind as usize]
    }

    fn of(kind: EventKind) -> Self {
        let role = kind.role();
        let texts = role.members.iter().filter_map(|name| {
            let member = Member::named(name)?;
            ((member as usize) < Member::TEXTS).then_some((member, *name))
        });
        Self {
            texts: texts.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_an_event_has_together_do_not_share_a_place() {
        for shape in &*SHAPES {
            let mut places: Vec<usize> = shape.texts.iter().map(|(it, _)| it.place()).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), shape.texts.len(), "{:?}", shape.texts);
            assert!(
                places.iter().all(|place| *place < Member::PLACES),
                "{:?}",
                shape.texts
            );
        }
    }

    #[test]
    fn every_member_of_the_schema_is_known() {
        for kind in EventKind::ALL {
            for name in kind.role().members {
                assert!(Member::named(name).is_some(), "{name}");
            }
        }
    }
}

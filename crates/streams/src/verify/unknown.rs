//! What an event holds that this version does not know, which readers that strip it do not see
//! (`verify.unknown-member`, `verify.unknown-variant`), and the version that a run names
//! (`verify.newer-version`).

use super::Verification;
use crate::header::EventKind;
use crate::replay::Remark;
use chatstate_json::{Kind, Raw, pointer};
use chatstate_types::definition::{Definition, Member, Shape};
use chatstate_types::generated::definitions::EVENT;

/// The version of AG-UI that the schema describes: the number before and behind the point.
const VERSION: (&str, &str) = ("1", "1");

/// The definition of operations of patches, of which RFC 6902 says that further members mean
/// nothing.
const OPERATION: &str = "PatchOperation";

/// Notes what is unknown in the event of this index.
pub(super) fn note(index: usize, kind: EventKind, event: Raw<'_>, found: &mut Verification) {
    if kind == EventKind::Unknown {
        // The event itself is reported.
        return;
    }
    let mut notes = UnknownNotes {
        index,
        place: String::new(),
        found,
    };
    if kind == EventKind::RunStarted {
        notes.version(event);
    }
    notes.definition(&EVENT, event);
}

struct UnknownNotes<'f> {
    index: usize,
    /// JSON pointer from the event to the value that is looked at.
    place: String,
    found: &'f mut Verification,
}

impl UnknownNotes<'_> {
    fn warn(&mut self, rule: &'static str, message: String) {
        self.found.remark(Remark {
            rule,
            index: self.index,
            place: self.place.clone(),
            message,
        });
    }

    /// Looks at the value under a name.
    fn under(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        self.place.push('/');
        self.place.push_str(&pointer::escape(name));
        look(self);
        self.place.truncate(length);
    }

    fn version(&mut self, event: Raw<'_>) {
        let Some(version) = event.member("protocolVersion") else {
            return;
        };
        let Some(version) = version.1.text() else {
            return;
        };
        if let Some(message) = newer(&version) {
            self.under("protocolVersion", |notes| {
                notes.warn("verify.newer-version", message);
            });
        }
    }

    fn definition(&mut self, definition: &'static Definition, value: Raw<'_>) {
        match definition.shape {
            _ if definition.name == OPERATION => {}
            // Without names, all of them are open data.
            Shape::Object([]) => {}
            Shape::Object(members) => self.object(definition.name, members, value),
            Shape::Union { tag, arms, .. } => self.union(tag, arms, value),
            ref shape => self.shape(shape, value),
        }
    }

    fn object(&mut self, name: &str, members: &'static [Member], value: Raw<'_>) {
        for (member, value) in value.members() {
            let known = members.iter().find(|known| known.name == member);
            self.under(&member, |notes| {
                if let Some(known) = known {
                    return notes.shape(&known.shape, value);
                }
                let message = format!("the schema has no member `{member}` of `{name}`");
                notes.warn("verify.unknown-member", message);
            });
        }
    }

    fn union(
        &mut self,
        tag: &str,
        arms: &'static [(&'static str, &'static Definition)],
        value: Raw<'_>,
    ) {
        let chosen = value.member(tag).and_then(|(_, chosen)| chosen.text());
        let Some(chosen) = chosen else {
            return;
        };
        if let Some((_, definition)) = arms.iter().find(|(arm, _)| *arm == chosen) {
            return self.definition(definition, value);
        }
        let message = format!("the schema does not know the `{tag}` `{chosen}` here");
        self.warn("verify.unknown-variant", message);
    }

    fn shape(&mut self, shape: &'static Shape, value: Raw<'_>) {
        match shape {
            Shape::Reference(definition) => self.definition(definition, value),
            Shape::List(item) if value.kind() == Kind::Array => {
                for (number, element) in value.elements().enumerate() {
                    self.under(&number.to_string(), |notes| notes.shape(item, element));
                }
            }
            Shape::Kinds(shapes) if value.kind() == Kind::Array => {
                let lists = shapes
                    .iter()
                    .filter(|shape| matches!(shape, Shape::List(_)));
                lists.for_each(|list| self.shape(list, value));
            }
            Shape::Nullable(shape) | Shape::Constrained { shape, .. } => self.shape(shape, value),
            _ => {}
        }
    }
}

/// Why a version is not one that is known here.
fn newer(version: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let known = format!("{}.{}", VERSION.0, VERSION.1);
    let Some((major, minor)) = version
        .split_once('.')
        .filter(|it| digits(it.0) && digits(it.1))
    else {
        return Some(format!(
            "`{version}` is no version of AG-UI such as `{known}`; the run is read as one of it"
        ));
    };
    let is_newer = (size(major), size(minor)) > (size(VERSION.0), size(VERSION.1));
    is_newer.then(|| format!("`{version}` is newer than `{known}`, which is known here"))
}

/// A key by which numbers of any length are ordered.
fn size(digits: &str) -> (usize, &str) {
    let digits = digits.trim_start_matches('0');
    (digits.len(), digits)
}

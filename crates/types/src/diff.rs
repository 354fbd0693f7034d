//! What one document lost on its way to another: each difference with a class and a JSON pointer.
//!
//! The comparison is by value. With a definition it knows which members and variants the schema
//! names, and so distinguishes an unknown member that was erased from a known one.

mod class;
mod excerpt;
mod sequence;
mod words;

pub use class::LossClass;
pub use excerpt::{Excerpt, excerpt};
pub use words::Words;

use std::collections::{HashMap, HashSet};

use crate::definition::{Definition, Member, ObjectShape, Shape};
use chatstate_json::{MemberName, Number, Object, Value, parse, pointer};

/// One difference between two documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What kind of change it is.
    pub class: LossClass,
    /// Where it is, as a JSON pointer into the first document (into the second for what was added).
    pub at: String,
    /// Where it is in the second document, as a JSON pointer, when it is the same at another place.
    pub to: Option<String>,
    /// The value there in the first document, if there was one.
    pub before: Option<Value>,
    /// The value there in the second document, if there is one.
    pub after: Option<Value>,
}

/// The differences between two documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    /// In the order of the first document; none means equal by value.
    pub found: Vec<Difference>,
    /// How many more there are. They are counted alone once the places of those that were found are
    /// longer than 16 MiB together: below a long name, each place holds the name.
    pub more: usize,
}

/// How long the places of differences may be together, in bytes.
const MAX_PLACES: usize = 16 * 1024 * 1024;

/// The differences from `before` to `after`.
#[must_use]
pub fn diff(before: &Value, after: &Value, definition: Option<&'static Definition>) -> Differences {
    run(before, after, definition, false)
}

/// Like [`diff`], and also shows numbers of equal value with another spelling, such as `1.0` and `1`.
#[must_use]
pub fn diff_lexical(
    before: &Value,
    after: &Value,
    definition: Option<&'static Definition>,
) -> Differences {
    run(before, after, definition, true)
}

/// Which items of an array have moved, by their indices in both, when all others stay in their order.
#[must_use]
pub fn moved_items(before: &[Value], after: &[Value]) -> Vec<(usize, usize)> {
    sequence::moved(before, after)
}

fn run(
    before: &Value,
    after: &Value,
    definition: Option<&'static Definition>,
    lexical: bool,
) -> Differences {
    let mut comparison = Comparison {
        at: String::new(),
        lexical,
        places: 0,
        found: Differences::default(),
    };
    comparison.values(
        before,
        after,
        definition.map(|definition| &definition.shape),
    );
    comparison.found
}

/// What the schema says of a value; `None` where there is no schema or it says nothing.
type KnownShape = Option<&'static Shape>;

struct Comparison {
    at: String,
    lexical: bool,
    /// How long the places are together, in bytes.
    places: usize,
    found: Differences,
}

impl Comparison {
    fn values(&mut self, before: &Value, after: &Value, shape: KnownShape) {
        match (before, after) {
            (Value::Object(left), Value::Object(right)) => self.objects(left, right, shape),
            (Value::Array(left), Value::Array(right)) => self.arrays(left, right, shape),
            (Value::Number(left), Value::Number(right)) => self.numbers(left, right, before, after),
            _ if before == after => {}
            _ => self.note(scalar_class(before, after), Some(before), Some(after)),
        }
    }

    fn numbers(&mut self, left: &Number, right: &Number, before: &Value, after: &Value) {
        let class = if left == right {
            if !self.lexical || left.as_str() == right.as_str() {
                return;
            }
            LossClass::NumberRespelled
        } else if left.canonical_of_nearest() == right.canonical_of_nearest() {
            LossClass::NumberRounded
        } else {
            LossClass::NumberChanged
        };
        self.note(class, Some(before), Some(after));
    }

    fn objects(&mut self, before: &Object, after: &Object, shape: KnownShape) {
        let object = ObjectShape::of(shape, before);
        let renamed = renamed_members(before, after);
        let new_names: HashSet<&str> = renamed.values().copied().collect();
        for (name, value) in before.iter() {
            if let Some(other) = after.get(name) {
                self.member(name, value, other, &object);
            } else if let Some(new) = renamed.get(name.as_str()) {
                let to = format!("{}/{}", self.at, pointer::escape(new));
                self.within(name, |this| {
                    this.note_at(
                        LossClass::MemberRenamed,
                        Some(to),
                        Some(value),
                        after.get(new),
                    );
                });
            } else {
                let class = dropped(&object, name, value);
                self.within(name, |this| this.note(class, Some(value), None));
            }
        }
        for (name, value) in after.iter() {
            if before.contains_key(name) || new_names.contains(name.as_str()) {
                continue;
            }
            let class = added(&object, name, value);
            self.within(name, |this| this.note(class, None, Some(value)));
        }
    }

    fn member(&mut self, name: &str, before: &Value, after: &Value, object: &ObjectShape) {
        self.within(name, |this| {
            if object.tag == Some(name) && before != after {
                this.note(LossClass::DiscriminatorLost, Some(before), Some(after));
            } else {
                this.values(
                    before,
                    after,
                    object.member(name).map(|member| &member.shape),
                );
            }
        });
    }

    fn arrays(&mut self, before: &[Value], after: &[Value], shape: KnownShape) {
        let item = shape.and_then(Shape::item);
        if sequence::is_reordering(before, after) {
            let (before, after) = (Value::from(before.to_vec()), Value::from(after.to_vec()));
            self.note(LossClass::ArrayReordered, Some(&before), Some(&after));
            return;
        }
        for step in sequence::align(before, after) {
            match step {
                sequence::Edit::Both(left, right) => {
                    self.within(&left, |this| {
                        this.values(&before[left], &after[right], item);
                    });
                }
                sequence::Edit::Moved(left, right) => {
                    let to = format!("{}/{right}", self.at);
                    let (before, after) = (&before[left], &after[right]);
                    self.within(&left, |this| {
                        this.note_at(LossClass::ItemMoved, Some(to), Some(before), Some(after));
                        this.values(before, after, item);
                    });
                }
                sequence::Edit::Dropped(index) => {
                    let value = &before[index];
                    let class = if is_unknown_variant(item, value) {
                        LossClass::UnknownVariantDropped
                    } else {
                        LossClass::ItemDropped
                    };
                    self.within(&index, |this| this.note(class, Some(value), None));
                }
                sequence::Edit::Added(index) => {
                    self.within(&index, |this| {
                        this.note(LossClass::ItemAdded, None, Some(&after[index]));
                    });
                }
            }
        }
    }

    fn within(&mut self, segment: &(impl ToString + ?Sized), compare: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push('/');
        self.at.push_str(&pointer::escape(&segment.to_string()));
        compare(self);
        self.at.truncate(length);
    }

    fn note(&mut self, class: LossClass, before: Option<&Value>, after: Option<&Value>) {
        self.note_at(class, None, before, after);
    }

    fn note_at(
        &mut self,
        class: LossClass,
        to: Option<String>,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        self.places += self.at.len() + to.as_ref().map_or(0, String::len);
        // The first one is always kept, so that nothing found means equal.
        if self.places > MAX_PLACES && !self.found.found.is_empty() {
            self.found.more += 1;
            return;
        }
        self.found.found.push(Difference {
            class,
            at: self.at.clone(),
            to,
            before: before.cloned(),
            after: after.cloned(),
        });
    }
}

/// The class of two unequal values that are not both numbers, arrays or objects.
fn scalar_class(before: &Value, after: &Value) -> LossClass {
    match (before, after) {
        (Value::String(_) | Value::Split(_), Value::String(_) | Value::Split(_)) => {
            LossClass::TextChanged
        }
        (Value::Bool(_), Value::Bool(_)) => LossClass::BooleanChanged,
        (Value::Number(number), Value::String(text))
        | (Value::String(text), Value::Number(number))
            if parse(text).is_ok_and(|value| value == Value::Number(number.clone())) =>
        {
            LossClass::NumberRetyped
        }
        (Value::Number(number), Value::Bool(flag)) | (Value::Bool(flag), Value::Number(number))
            if number.as_i64() == Some(i64::from(*flag)) =>
        {
            LossClass::NumberRetyped
        }
        (Value::String(text), Value::Bool(flag)) | (Value::Bool(flag), Value::String(text))
            if *text == flag.to_string() =>
        {
            LossClass::NumberRetyped
        }
        _ => LossClass::KindChanged,
    }
}

/// The class of a member that is gone.
fn dropped(object: &ObjectShape, name: &str, value: &Value) -> LossClass {
    if object.tag == Some(name) {
        LossClass::DiscriminatorLost
    } else if *value == Value::Null {
        LossClass::AbsentForNull
    } else if object.is_unknown(name) {
        LossClass::UnknownDropped
    } else {
        LossClass::MemberDropped
    }
}

/// The class of a member that appeared.
fn added(object: &ObjectShape, name: &str, value: &Value) -> LossClass {
    let default = object.member(name).and_then(Member::default_value);
    if *value == Value::Null {
        LossClass::NullForAbsent
    } else if default.as_ref() == Some(value) {
        LossClass::DefaultInjected
    } else {
        LossClass::MemberAdded
    }
}

/// Whether a value is in the place of a union and of none of its variants.
fn is_unknown_variant(shape: KnownShape, value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|object| ObjectShape::of(shape, object).unknown_variant)
}

/// The new names of members by their old ones: a dropped and an added name that differ only in case,
/// hyphens and underscores; of several that were added, the first.
fn renamed_members<'a>(before: &'a Object, after: &'a Object) -> HashMap<&'a str, &'a str> {
    let folded = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let mut added: HashMap<String, &str> = HashMap::new();
    for name in after.keys().filter(|name| !before.contains_key(name)) {
        added.entry(folded(name)).or_insert(name);
    }
    let dropped = before.keys().filter(|name| !after.contains_key(name));
    let pair = |old: &'a MemberName| Some((old.as_str(), *added.get(&folded(old))?));
    dropped.filter_map(pair).collect()
}

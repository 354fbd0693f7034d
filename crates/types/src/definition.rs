//! The schema as tables: what diff, mutants and lints walk where the generated types are too
//! concrete. The generator writes one static [`Definition`] for each definition of the schema.

use crate::generated::definitions::DEFINITIONS;
use chatstate_json::constraint::Pattern;
use chatstate_json::{Object, Value, parse};

/// One definition of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// Its name in the schema.
    pub name: &'static str,
    /// The schema file that it is in.
    pub file: &'static str,
    /// What its values are made of.
    pub shape: Shape,
}

/// What a value is made of.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// An object with named members; others are kept.
    Object(&'static [Member]),
    /// One of several objects, distinguished by the text of the member `tag`.
    Union {
        /// The discriminator.
        tag: &'static str,
        /// The known variants by the value of the discriminator.
        arms: &'static [(&'static str, &'static Definition)],
        /// What takes the other values of the discriminator, if they are legal.
        unknown: Option<&'static Definition>,
    },
    /// One of several shapes, distinguished by JSON kind.
    Kinds(&'static [Shape]),
    /// One of several texts.
    Enumeration {
        /// The known values.
        values: &'static [&'static str],
        /// Whether other texts are legal.
        open: bool,
    },
    /// An array of one shape.
    List(&'static Shape),
    /// An object of any names and one shape.
    Map(&'static Shape),
    /// Another definition.
    Reference(&'static Definition),
    /// Exactly this text.
    Constant(&'static str),
    /// Well-formed text.
    Text,
    /// Text that may begin or end with an unpaired surrogate.
    SplitText,
    /// `true` or `false`.
    Boolean,
    /// A number without a fractional part.
    Integer,
    /// A number.
    Number,
    /// Any value, null included.
    Any,
    /// Null, or what is inside: an item of a list or a map. Members say it of themselves.
    Nullable(&'static Shape),
    /// What is inside, and more is asked of it.
    Constrained {
        /// The shape itself.
        shape: &'static Shape,
        /// What is asked, in the order in which it is checked.
        by: &'static [Constraint],
    },
}

/// What is asked of a value beyond its shape.
#[derive(Debug, Clone, Copy)]
pub enum Constraint {
    /// The least and the greatest value of an integer, which fits 64 bits.
    Range(i64, i64),
    /// The least value of a number.
    Minimum(i64),
    /// The greatest value of a number.
    Maximum(i64),
    /// The fewest items of an array.
    MinItems(usize),
    /// The fewest characters of a text.
    MinLength(usize),
    /// What a text matches somewhere.
    Pattern(&'static Pattern),
    /// None of these texts.
    NoneOf(&'static [&'static str]),
    /// Any value but null.
    NotNull,
}

/// One member of an object.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its name in JSON.
    pub name: &'static str,
    /// The shape of its value, null aside.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
    /// Whether its value may be null.
    pub nullable: bool,
    /// Whether its value may hold another value of this definition. Readers read those first.
    pub recursive: bool,
    /// JSON text of the value that a reader assumes where the member is absent; never written.
    pub default: Option<&'static str>,
}

impl Definition {
    /// The member called `name`, if this is an object that the schema gives one.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        match self.shape {
            Shape::Object(members) => members.iter().find(|member| member.name == name),
            _ => None,
        }
    }
}

/// The definition of this name.
#[must_use]
pub fn definition_of(name: &str) -> Option<&'static Definition> {
    DEFINITIONS
        .iter()
        .copied()
        .find(|definition| definition.name == name)
}

impl Member {
    /// The value that a reader assumes when the member is absent: its default, or its only text.
    #[must_use]
    pub fn default_value(&self) -> Option<Value> {
        if let Shape::Constant(text) = self.shape {
            return Some(Value::from(text));
        }
        parse(self.default?).ok()
    }
}

impl Shape {
    /// The variant of a union that an object's discriminator names.
    fn arm(&'static self, object: &Object) -> Option<&'static Definition> {
        let Self::Union { tag, arms, .. } = self else {
            return None;
        };
        let text = object.get(tag)?.as_str()?;
        let found = arms.iter().find(|(known, _)| *known == text);
        found.map(|(_, definition)| *definition)
    }

    fn describes_object(&self) -> bool {
        match self {
            Self::Object(_) | Self::Union { .. } | Self::Map(_) => true,
            Self::Reference(definition) => definition.shape.describes_object(),
            Self::Constrained { shape, .. } | Self::Nullable(shape) => shape.describes_object(),
            _ => false,
        }
    }

    /// The shape of the items, where an array is allowed.
    #[must_use]
    pub fn item(&'static self) -> Option<&'static Self> {
        match self {
            Self::List(item) => Some(item),
            Self::Reference(definition) => definition.shape.item(),
            Self::Kinds(shapes) => shapes.iter().find_map(Self::item),
            Self::Constrained { shape, .. } | Self::Nullable(shape) => shape.item(),
            _ => None,
        }
    }
}

/// What the schema says of one object.
#[derive(Debug, Clone, Copy, Default)]
pub struct ObjectShape {
    /// The members it names; `None` where it names none and so none is unknown.
    pub members: Option<&'static [Member]>,
    /// The member that selects the variant, where variants are allowed.
    pub tag: Option<&'static str>,
    /// Whether it is a variant that the schema does not name.
    pub unknown_variant: bool,
}

impl ObjectShape {
    /// Finds it from what the schema says of the place, and the object's discriminator.
    #[must_use]
    pub fn of(shape: Option<&'static Shape>, object: &Object) -> Self {
        let mut this = Self::default();
        let mut shape = shape;
        while let Some(current) = shape {
            shape = match current {
                Shape::Reference(definition) => Some(&definition.shape),
                Shape::Object(members) => {
                    this.members = Some(members);
                    None
                }
                Shape::Union { tag, .. } => {
                    this.tag = Some(tag);
                    let arm = current.arm(object);
                    this.unknown_variant = arm.is_none();
                    arm.map(|definition| &definition.shape)
                }
                Shape::Kinds(shapes) => shapes.iter().find(|shape| shape.describes_object()),
                Shape::Constrained { shape, .. } | Shape::Nullable(shape) => Some(shape),
                _ => None,
            };
        }
        this
    }

    /// The member `name`, if the schema names it.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        self.members?.iter().find(|member| member.name == name)
    }

    /// Whether the schema describes this object and does not name the member.
    #[must_use]
    pub fn is_unknown(&self, name: &str) -> bool {
        if self.tag == Some(name) {
            return false;
        }
        self.unknown_variant || (self.members.is_some() && self.member(name).is_none())
    }
}

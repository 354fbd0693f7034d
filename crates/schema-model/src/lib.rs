//! From JSON Schema files to a checked, named, ordered model that knows no language.
//!
//! [`read`] takes the text of schema files and gives an [`Ir`]: every definition with its kind, its
//! members, its constraints and its documentation, in the order of the files. Presence (a member may
//! be left out) and nullability (a member may be `null`) are two separate bits. What the model cannot
//! represent is told all at once, as [`Obstacles`], each with a JSON pointer and a sentence that says
//! what to do; a place becomes "any value" only where the caller says so ([`OpaquePlaces`]).
//!
//! The crate does no input or output, and two reads of the same text give equal bytes.

mod about_objects;
mod apart;
mod choice;
mod compose;
mod condition;
mod cycles;
mod distinct;
mod documents;
mod error;
mod exclusion;
mod expressions;
mod extension;
mod file;
mod form;
mod keywords;
mod kinds;
mod label;
mod limits;
mod lists;
mod literal;
mod lock;
mod lowering;
mod model;
mod name;
mod narrow;
mod node;
mod object;
mod opaque;
mod patterns;
mod predicate;
mod present;
mod reader;
mod references;
mod roles;
mod roots;
mod sound;
mod strict;
mod tag;
mod types;
mod union;
mod unknown;

pub use error::IrError;
pub use file::{
    ReadOptions, ReadSchemas, SchemaProfile, SchemaText, UnknownValues, digest, read, read_with,
};
pub use keywords::KEYWORDS;
pub use lists::with_generated_lists;
pub use lock::Lock;
pub use model::{
    Bounds, DefinitionKind, DependentMembers, Enumeration, EnumerationValue, Ir, JsonKind, KindArm,
    Literal, MemberDefinition, NamePatterns, NamedDefinition, ObjectDefinition, Others,
    PatternMembers, PresentMembers, Schema, Slot, Type, UnionDefinition, VariantDefinition,
};
pub use opaque::{Obstacle, Obstacles, OpaquePlaces};
pub use predicate::{Condition, Predicate};
pub use roles::{
    Closes, Does, EventAction, EventItem, EventMember, EventRole, ItemIdentity, LANE, MemberKind,
    ReplayedPart, Roles, WrittenTargets,
};

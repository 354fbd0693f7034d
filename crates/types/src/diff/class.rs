//! The names of losses.

use std::fmt;

/// What kind of change a difference is. The words are part of reports and fingerprints, so they
/// never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossClass {
    /// A member that the schema does not name is gone.
    UnknownDropped,
    /// A value of a variant that the schema does not name is gone.
    UnknownVariantDropped,
    /// A member that the schema names, or of a place without a schema, is gone.
    MemberDropped,
    /// A member appeared with the value that readers assume when it is absent.
    DefaultInjected,
    /// Another member appeared.
    MemberAdded,
    /// A member has another spelling, such as `message_id` for `messageId`.
    MemberRenamed,
    /// A member that was absent is null.
    NullForAbsent,
    /// A member that was null is absent.
    AbsentForNull,
    /// The member that distinguishes variants is gone or changed.
    DiscriminatorLost,
    /// A number became what double precision makes of it.
    NumberRounded,
    /// A number became another one.
    NumberChanged,
    /// A number became text or a boolean, or the other way round, with the same meaning.
    NumberRetyped,
    /// A number is spelled in another way (only with `--lexical`).
    NumberRespelled,
    /// Text became other text.
    TextChanged,
    /// `true` and `false` changed places.
    BooleanChanged,
    /// A value of one JSON kind became one of another.
    KindChanged,
    /// An array holds the same items in another order.
    ArrayReordered,
    /// An item of an array is gone.
    ItemDropped,
    /// An array holds an item more.
    ItemAdded,
}

impl LossClass {
    /// Every class, in the order of the documentation.
    pub const ALL: [Self; 19] = [
        Self::UnknownDropped,
        Self::UnknownVariantDropped,
        Self::MemberDropped,
        Self::DefaultInjected,
        Self::MemberAdded,
        Self::MemberRenamed,
        Self::NullForAbsent,
        Self::AbsentForNull,
        Self::DiscriminatorLost,
        Self::NumberRounded,
        Self::NumberChanged,
        Self::NumberRetyped,
        Self::NumberRespelled,
        Self::TextChanged,
        Self::BooleanChanged,
        Self::KindChanged,
        Self::ArrayReordered,
        Self::ItemDropped,
        Self::ItemAdded,
    ];

    /// The class as reports spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownDropped => "unknown-dropped",
            Self::UnknownVariantDropped => "unknown-variant-dropped",
            Self::MemberDropped => "member-dropped",
            Self::DefaultInjected => "default-injected",
            Self::MemberAdded => "member-added",
            Self::MemberRenamed => "member-renamed",
            Self::NullForAbsent => "null-for-absent",
            Self::AbsentForNull => "absent-for-null",
            Self::DiscriminatorLost => "discriminator-lost",
            Self::NumberRounded => "number-rounded",
            Self::NumberChanged => "number-changed",
            Self::NumberRetyped => "number-retyped",
            Self::NumberRespelled => "number-respelled",
            Self::TextChanged => "text-changed",
            Self::BooleanChanged => "boolean-changed",
            Self::KindChanged => "kind-changed",
            Self::ArrayReordered => "array-reordered",
            Self::ItemDropped => "item-dropped",
            Self::ItemAdded => "item-added",
        }
    }
}

impl fmt::Display for LossClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

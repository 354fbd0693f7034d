//! The names of losses.

use std::fmt;

/// Declares the classes: each with its meaning, which is its documentation too, and its word.
macro_rules! loss_classes {
    ($($(#[doc = $meaning:literal])+ $class:ident = $word:literal,)+) => {
        /// What kind of change a difference is. The words are part of reports and fingerprints, so
        /// they never change their meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LossClass {
            $($(#[doc = $meaning])+ $class,)+
        }

        impl LossClass {
            /// Every class, in the order of the documentation.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$class),+];

            /// The class as reports spell it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$class => $word,)+
                }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$class => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }
    };
}

loss_classes! {
    /// A member that the schema does not name is gone.
    UnknownDropped = "unknown-dropped",
    /// A value of a variant that the schema does not name is gone.
    UnknownVariantDropped = "unknown-variant-dropped",
    /// A member that the schema names, or of a place without a schema, is gone.
    MemberDropped = "member-dropped",
    /// A member appeared with the value that readers assume when it is absent.
    DefaultInjected = "default-injected",
    /// Another member appeared.
    MemberAdded = "member-added",
    /// A member has another spelling, such as `message_id` for `messageId`.
    MemberRenamed = "member-renamed",
    /// A member that was absent is null.
    NullForAbsent = "null-for-absent",
    /// A member that was null is absent.
    AbsentForNull = "absent-for-null",
    /// The member that distinguishes variants is gone or changed.
    DiscriminatorLost = "discriminator-lost",
    /// A number became what double precision makes of it.
    NumberRounded = "number-rounded",
    /// A number became another one.
    NumberChanged = "number-changed",
    /// A number became text or a boolean, or the other way round, with the same meaning.
    NumberRetyped = "number-retyped",
    /// A number is spelled in another way (only with `--lexical`).
    NumberRespelled = "number-respelled",
    /// Text became other text.
    TextChanged = "text-changed",
    /// `true` and `false` changed places.
    BooleanChanged = "boolean-changed",
    /// A value of one JSON kind became one of another.
    KindChanged = "kind-changed",
    /// An array holds the same items in another order.
    ArrayReordered = "array-reordered",
    /// An item stands behind others that it stood before, or before others that it stood behind, in
    /// an array that has more differences.
    ItemMoved = "item-moved",
    /// An item of an array is gone.
    ItemDropped = "item-dropped",
    /// An array holds an item more.
    ItemAdded = "item-added",
}

impl fmt::Display for LossClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

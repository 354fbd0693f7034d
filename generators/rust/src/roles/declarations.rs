//! The types that are the same for all schemas, but for a few names and numbers in them.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// What the roles of events are made of.
pub(super) fn of_roles() -> TokenStream {
    let event_role = event_role();
    quote! {
        #event_role
        /// What an event does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Does {
            /// Begins a run.
            StartRun,
            /// Ends a run.
            EndRun,
            /// Begins an item.
            Begin,
            /// Appends text to an open item.
            Append,
            /// Ends an open item.
            End,
            /// Begins an item or continues the one that a chunk before it began.
            Chunk,
            /// Adds something whole.
            Add,
            /// Sets a value, whatever it was.
            Replace,
            /// Changes a value by a patch.
            Patch,
            /// Says something of what is there.
            Annotate,
            /// Changes nothing.
            Nothing,
        }
        /// What an event is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Subject {
            /// A run.
            Run,
            /// Something that is begun and ended.
            Item(ItemKind),
            /// Something that comes whole.
            Value(ValueKind),
            /// Nothing, or whatever has the id.
            Nothing,
        }
        /// The chunk items that an event closes by standing where it does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Closes {
            /// None.
            Nothing,
            /// The one of the lane that the event is in.
            Lane,
            /// Those of all lanes.
            All,
        }
        /// The members that name what an event writes to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Writes {
            /// These; it writes to nothing if there are none.
            Members(&'static [&'static str]),
            /// It writes to everything.
            All,
        }
        /// A part of what a replay answers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ReplayedPart {
            /// The messages.
            Messages,
            /// The state.
            State,
        }
    }
}

fn event_role() -> TokenStream {
    quote! {
        /// The role of one type of event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct EventRole {
            /// The discriminator; empty for unknown types.
            pub tag: &'static str,
            /// What it does.
            pub does: Does,
            /// What it is about.
            pub subject: Subject,
            /// What it changes of that which a replay answers.
            pub changes: Option<ReplayedPart>,
            /// The member that names the one it is about.
            pub id: Option<&'static str>,
            /// The member that names whom the item belongs to.
            pub owner: Option<&'static str>,
            /// The member that names what the item is part of.
            pub parent: Option<&'static str>,
            /// The chunk items that it closes by standing where it does.
            pub closes: Closes,
            /// The members that name what it writes to.
            pub writes: Writes,
            /// The member with the text that it appends.
            pub text: Option<&'static str>,
            /// The member with the patch that it applies.
            pub patch: Option<&'static str>,
            /// The members that describe the item that it begins.
            pub opens: &'static [&'static str],
            /// The members that it must have.
            pub required: &'static [&'static str],
            /// The members that the schema names for it.
            pub members: &'static [&'static str],
        }
    }
}

/// What an event does, with its values.
pub(super) fn action(patch: &Ident) -> TokenStream {
    quote! {
        /// What an event does, with the values that it names.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Action<'e> {
            /// Begins a run.
            StartRun {
                /// Its id.
                id: &'e str,
                /// The run that it continues.
                parent: Option<&'e str>,
            },
            /// Ends a run.
            EndRun {
                /// Its id, if the event names it.
                id: Option<&'e str>,
            },
            /// Begins an item.
            Begin(Begin<'e>),
            /// Appends text to an open item.
            Append {
                /// What it is about.
                item: ItemKind,
                /// Its id.
                id: &'e str,
                /// Whom the event says that it belongs to.
                owner: Option<&'e str>,
                /// The text.
                text: &'e json::SplitText,
            },
            /// Ends an open item.
            End {
                /// What it is about.
                item: ItemKind,
                /// Its id.
                id: &'e str,
                /// Whom the event says that it belongs to.
                owner: Option<&'e str>,
            },
            /// Begins an item or continues the one that a chunk before it began.
            Chunk(Chunk<'e>),
            /// Adds something whole.
            Add {
                /// What it is about.
                value: ValueKind,
                /// Its id.
                id: &'e str,
                /// Whom it belongs to.
                owner: Option<&'e str>,
                /// What it is part of.
                parent: Option<&'e str>,
            },
            /// Sets a value, whatever it was.
            Replace {
                /// What it is about.
                value: ValueKind,
                /// Its id, if it has one.
                id: Option<&'e str>,
                /// Whom it belongs to.
                owner: Option<&'e str>,
            },
            /// Changes a value by a patch.
            Patch {
                /// What it is about.
                value: ValueKind,
                /// Its id, if it has one.
                id: Option<&'e str>,
                /// Whom the event says that it belongs to.
                owner: Option<&'e str>,
                /// The patch.
                patch: &'e super::#patch,
            },
            /// Says something of what is there.
            Annotate {
                /// The id of what it is about.
                id: &'e str,
                /// Whom the event says that it belongs to.
                owner: Option<&'e str>,
            },
            /// Changes nothing.
            Nothing {
                /// Whom the event belongs to.
                owner: Option<&'e str>,
            },
        }
    }
}

/// What the actions of events hold.
pub(super) fn of_actions(most_opens: usize, most_writes: usize) -> TokenStream {
    let most_opens = Literal::usize_unsuffixed(most_opens);
    let most_writes = Literal::usize_unsuffixed(most_writes);
    quote! {
        /// The beginning of an item.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Begin<'e> {
            /// What is begun.
            pub item: ItemKind,
            /// Its id.
            pub id: &'e str,
            /// Whom it belongs to.
            pub owner: Option<&'e str>,
            /// What else is said of it.
            pub opening: Opening<'e>,
        }
        /// A chunk: it begins an item or continues one.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Chunk<'e> {
            /// What it is about.
            pub item: ItemKind,
            /// Its id, if the event names it.
            pub id: Option<&'e str>,
            /// Whom the event says that it belongs to.
            pub owner: Option<&'e str>,
            /// The text, if there is some.
            pub text: Option<&'e json::SplitText>,
            /// What it says of its item: members and their texts. Places that its item does not need
            /// have empty names.
            pub opens: [(&'static str, Option<&'e str>); #most_opens],
            opening: Result<Opening<'e>, &'static str>,
        }
        impl<'e> Chunk<'e> {
            /// What it begins if it is the first chunk of its item.
            ///
            /// # Errors
            ///
            /// The name of a member that a first chunk needs and this one lacks.
            pub fn beginning(&self) -> Result<Begin<'e>, &'static str> {
                Ok(Begin {
                    item: self.item,
                    id: self.id.ok_or(self.item.id_member())?,
                    owner: self.owner,
                    opening: self.opening?,
                })
            }
        }
        /// What an event writes to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Written<'e> {
            /// What has one of these ids; nothing if there are none.
            Ids([Option<&'e str>; #most_writes]),
            /// Everything.
            All,
        }
    }
}

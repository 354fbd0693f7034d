//! What a provider keeps in a session, so that the provider itself keeps nothing.

use std::collections::HashSet;

use super::Session;
use super::state::State;
use chatstate_json::Presence;
use chatstate_json::{Class, Rejection};
use chatstate_types::check_key;

/// Makes the initial state for a session.
type Initializer<T> = dyn Fn(&Session) -> Result<T, Rejection> + Send + Sync;

/// The state of one provider: where it is in a session, and what it is at first.
///
/// A provider has one of these and no state of its own, so that one provider serves any number of
/// sessions at a time.
pub struct ProviderState<T> {
    key: String,
    initializer: Box<Initializer<T>>,
}

impl<T: State> ProviderState<T> {
    /// The state under a key, and what it is in a session that has none. A blank key is rejected
    /// (requirement `session.blank-key`).
    pub fn new(
        key: &str,
        initializer: impl Fn(&Session) -> Result<T, Rejection> + Send + Sync + 'static,
    ) -> Result<Self, Rejection> {
        check_key(key)?;
        Ok(Self {
            key: key.to_owned(),
            initializer: Box::new(initializer),
        })
    }

    /// The key of the state.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The state in a session, to change in place. Where there is none, or null, it begins with
    /// the initial one.
    ///
    /// A state of another type or shape is rejected and never replaced (requirements
    /// `session.provider-state` and `session.other-type`).
    pub fn get<'a>(&self, session: &'a mut Session) -> Result<&'a mut T, Rejection> {
        let is_there = matches!(session.bag.get::<T>(&self.key)?, Presence::Value(_));
        if !is_there {
            let state = (self.initializer)(session)?;
            session.bag.set(&self.key, state)?;
        }
        match session.bag.get_mut(&self.key)? {
            Presence::Value(state) => Ok(state),
            Presence::Absent | Presence::Null => {
                Err(Rejection::schema("type", "the provider has no state"))
            }
        }
    }

    /// Replaces the state in a session, and all that was there.
    pub fn save(&self, session: &mut Session, state: T) -> Result<(), Rejection> {
        session.bag.set(&self.key, state)
    }
}

/// Rejects providers of one agent of which two have the same key, letter by letter: each would
/// read and write the other's state (requirement `session.provider-conflict`).
pub fn check_provider_keys<'a>(keys: impl IntoIterator<Item = &'a str>) -> Result<(), Rejection> {
    let mut known = HashSet::new();
    for key in keys {
        check_key(key)?;
        if !known.insert(key) {
            let message = format!("two providers have the key `{key}`; give each a key of its own");
            return Err(Rejection::new(
                Class::Semantic,
                "session.provider-conflict",
                message,
            ));
        }
    }
    Ok(())
}

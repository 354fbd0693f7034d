//! The keys of state bags, of which the schema cannot say that they are not blank.

use chatstate_json::{Class, Object, Rejection};

/// Rejects a blank key (requirement `session.blank-key`).
pub fn check_key(key: &str) -> Result<(), Rejection> {
    if !key.trim().is_empty() {
        return Ok(());
    }
    let message = "the key of an entry is blank; name the provider whose state it is";
    let rejection = Rejection::new(Class::Semantic, "session.blank-key", message);
    Err(rejection.within(key).within("stateBag"))
}

/// Rejects a state bag with a blank key, which the schema does not say (requirement
/// `session.blank-key`).
pub fn check_keys(bag: &Object) -> Result<(), Rejection> {
    bag.keys().try_for_each(|key| check_key(key))
}

//! What keeps the messages of a session: attached when the session is used, never saved with it.

use super::Session;
use super::state::State;
use super::store::{StoreRegistry, StoreState};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, WriteJson, from_text};
use chatstate_types::generated::ChatMessage;

/// The state of the store that there is without a factory: the messages themselves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InMemoryChatMessageStoreState {
    /// The messages in order. A document without the member has none.
    pub messages: Vec<ChatMessage>,
}

impl State for InMemoryChatMessageStoreState {
    const NAME: &'static str = "InMemoryChatMessageStoreState";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        let messages = match value.get("messages") {
            None => {
                reject_other_spelling(value)?;
                Vec::new()
            }
            Some(messages) => {
                from_text(&messages.to_json()).map_err(|error| error.within("messages"))?
            }
        };
        Ok(Self { messages })
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        let mut text = String::new();
        self.messages.write(&mut text);
        let mut members = Object::new();
        members.insert("messages", chatstate_json::parse(&text)?);
        Ok(members.into())
    }
}

/// Messages under a name such as `Messages` would be taken for none, and new ones saved beside them
/// (requirement `session.store-malformed`).
fn reject_other_spelling(value: &Value) -> Result<(), Rejection> {
    let Value::Object(members) = value else {
        return Ok(());
    };
    let mut names = members.keys();
    let Some(name) = names.find(|name| name.eq_ignore_ascii_case("messages")) else {
        return Ok(());
    };
    let message = format!("the messages are in `{name}`; rename it to `messages`");
    let rejection = Rejection::new(Class::Schema, "session.store-malformed", message);
    Err(rejection.within(name))
}

/// What keeps the messages of one session: in the session, or at a service that its state names.
pub trait ChatMessageStore {
    /// The state, which is all that is saved of it.
    fn state(&self) -> &StoreState;
}

/// Makes a store of the state in a session, or a new one where the session has none. It has the
/// clients and keys that a store needs and that no session holds.
pub type Factory<'a> =
    dyn Fn(Option<StoreState>) -> Result<Box<dyn ChatMessageStore>, Rejection> + 'a;

/// The store that there is without a factory.
struct InMemoryStore(StoreState);

impl ChatMessageStore for InMemoryStore {
    fn state(&self) -> &StoreState {
        &self.0
    }
}

/// Attaches a store to a session that is used, by this table (requirements `session.attach-*`):
///
/// | state under `key` | factory | the store | the session |
/// |---|---|---|---|
/// | none, or null | none | a new one in memory | gets its state |
/// | none, or null | one | what the factory makes of nothing | gets its state |
/// | in memory | none | one in memory with the state | stays |
/// | of another kind | none | rejected, class `restore` | stays |
/// | any | one | what the factory makes of the state | stays |
///
/// A rejection, of the factory too, leaves the session as it was.
pub fn attach(
    session: &mut Session,
    key: &str,
    registry: &StoreRegistry,
    factory: Option<&Factory<'_>>,
) -> Result<Box<dyn ChatMessageStore>, Rejection> {
    let state = match session.bag.value(key)? {
        None | Some(Value::Null) => None,
        Some(value) => Some(registry.read(&value).map_err(|error| at(error, key))?),
    };
    let is_new = state.is_none();
    let store = match (state, factory) {
        (state, Some(make)) => make(state)?,
        (None, None) => {
            let state = StoreState::new(&InMemoryChatMessageStoreState::default())?;
            Box::new(InMemoryStore(state))
        }
        (Some(state), None) => in_memory(state).map_err(|error| at(error, key))?,
    };
    if is_new {
        let value = store.state().to_value()?;
        session.bag.set_value(key, &value)?;
    }
    Ok(store)
}

fn in_memory(state: StoreState) -> Result<Box<dyn ChatMessageStore>, Rejection> {
    if state.kind() != InMemoryChatMessageStoreState::NAME {
        let message = format!(
            "the state is a `{}`, and the agent has no factory for it; give it one",
            state.kind()
        );
        let rejection = Rejection::new(Class::Restore, "session.attach-unknown", message);
        return Err(rejection.within("$type"));
    }
    state.get::<InMemoryChatMessageStoreState>()?;
    Ok(Box::new(InMemoryStore(state)))
}

fn at(rejection: Rejection, key: &str) -> Rejection {
    rejection.within(key).within("stateBag")
}

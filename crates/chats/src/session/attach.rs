//! What keeps the messages of a session: attached when the session is used, never saved with it.

use super::Session;
use super::state::State;
use super::store::{StoreRegistry, StoreState};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, WriteJson, from_text};
use chatstate_types::check_key;
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
pub trait ChatMessageStore<'a> {
    /// The state, which is all that is saved of it.
    fn state(&self) -> &StoreState<'a>;

    /// The same, to change in place. What is changed is saved with the session.
    fn state_mut(&mut self) -> &mut StoreState<'a>;
}

impl<'a, S: ChatMessageStore<'a> + ?Sized> ChatMessageStore<'a> for Box<S> {
    fn state(&self) -> &StoreState<'a> {
        (**self).state()
    }

    fn state_mut(&mut self) -> &mut StoreState<'a> {
        (**self).state_mut()
    }
}

/// The store that there is without a factory: its messages are in its state, and saved with the
/// session.
///
/// ```
/// use chatstate_chats::session::{InMemoryChatMessageStoreState, Session, StoreRegistry, attach};
/// use chatstate_types::generated::{ChatMessage, ChatRole};
/// let mut registry = StoreRegistry::new();
/// registry.register::<InMemoryChatMessageStoreState>()?;
/// let mut session = Session::new();
/// let mut store = attach(&mut session, "messages", &registry)?;
/// store.append([ChatMessage::new(ChatRole::User, Vec::new())])?;
/// assert_eq!(store.messages()?.len(), 1);
/// assert!(session.to_json()?.contains(r#""messages":[{"role":"user""#));
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[derive(Debug)]
pub struct InMemoryChatMessageStore<'a>(StoreState<'a>);

impl<'a> InMemoryChatMessageStore<'a> {
    /// A store without messages.
    pub fn new() -> Result<Self, Rejection> {
        StoreState::new(&InMemoryChatMessageStoreState::default()).map(Self)
    }

    /// A store that continues a state in memory; one of another kind is rejected, with class
    /// `restore` (requirement `session.attach-unknown`).
    pub fn of_state(state: StoreState<'a>) -> Result<Self, Rejection> {
        if state.kind() != InMemoryChatMessageStoreState::NAME {
            let message = format!(
                "the state is a `{}`, and the agent has no factory for it; give it one",
                state.kind()
            );
            let rejection = Rejection::new(Class::Restore, "session.attach-unknown", message);
            return Err(rejection.within("$type"));
        }
        state.get::<InMemoryChatMessageStoreState>()?;
        Ok(Self(state))
    }

    /// The messages, the oldest first.
    pub fn messages(&self) -> Result<&[ChatMessage], Rejection> {
        let state = self.0.get::<InMemoryChatMessageStoreState>()?;
        Ok(&state.messages)
    }

    /// The same, to change in place.
    pub fn messages_mut(&mut self) -> Result<&mut Vec<ChatMessage>, Rejection> {
        let state = self.0.get_mut::<InMemoryChatMessageStoreState>()?;
        Ok(&mut state.messages)
    }

    /// Adds messages after those that there are.
    pub fn append(
        &mut self,
        messages: impl IntoIterator<Item = ChatMessage>,
    ) -> Result<(), Rejection> {
        self.messages_mut()?.extend(messages);
        Ok(())
    }
}

impl<'a> ChatMessageStore<'a> for InMemoryChatMessageStore<'a> {
    fn state(&self) -> &StoreState<'a> {
        &self.0
    }

    fn state_mut(&mut self) -> &mut StoreState<'a> {
        &mut self.0
    }
}

/// Attaches a store in memory to a session that is used: the rows of the table of [`attach_with`]
/// that have no factory.
pub fn attach<'a>(
    session: &'a mut Session,
    key: &str,
    registry: &StoreRegistry,
) -> Result<InMemoryChatMessageStore<'a>, Rejection> {
    attach_with(session, key, registry, |state| match state {
        None => InMemoryChatMessageStore::new(),
        Some(state) => InMemoryChatMessageStore::of_state(state).map_err(|error| at(error, key)),
    })
}

/// Attaches the store that a factory makes to a session that is used. The factory has the clients
/// and keys that a store needs and that no session holds (requirements `session.attach-*`):
///
/// | state under `key` | factory | the store | the session |
/// |---|---|---|---|
/// | none, or null | none | a new one in memory | gets its state |
/// | none, or null | one | what the factory makes of nothing | gets its state |
/// | in memory | none | one in memory with the state | stays |
/// | of another kind | none | rejected, class `restore` | stays |
/// | any | one | what the factory makes of the state | stays |
///
/// The state of the store is the entry of the session from then on: what is added to it is saved
/// with the session, and a state that was not changed is written as it was. The store borrows the
/// session, so that it is let go before the session is saved.
///
/// A rejection, of the factory too, leaves the session as it was.
pub fn attach_with<'a, S: ChatMessageStore<'a>>(
    session: &'a mut Session,
    key: &str,
    registry: &StoreRegistry,
    factory: impl FnOnce(Option<StoreState<'a>>) -> Result<S, Rejection>,
) -> Result<S, Rejection> {
    check_key(key)?;
    let state = match session.bag.text(key)?.as_deref() {
        None | Some("null") => None,
        Some(text) => Some(registry.read_text(text).map_err(|error| at(error, key))?),
    };
    let mut store = factory(state)?;
    let entry = store.state_mut().take_entry()?;
    let entry = session.bag.set_entry(key, entry);
    store.state_mut().put_entry(entry);
    Ok(store)
}

fn at(rejection: Rejection, key: &str) -> Rejection {
    rejection.within(key).within("stateBag")
}

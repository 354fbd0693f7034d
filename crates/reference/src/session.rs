//! The operation `session`: steps on one session, done by the library.

use chatstate::Rejection;
use chatstate::generated::ConversationId;
use chatstate::json::{Object, Presence, Value, parse};
use chatstate::session::{
    ChatMessageStore, InMemoryChatMessageStoreState, ProviderState, Session, State, StoreRegistry,
    StoreState, attach, attach_with, check_provider_keys, from_plain, to_plain,
};
use serde::{Deserialize, Serialize};

/// A type of the steps: a name, and perhaps a count.
#[derive(Serialize, Deserialize)]
struct ProfileState {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visits: Option<i64>,
}

impl State for ProfileState {
    const NAME: &'static str = "Profile";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

/// A type of the steps: a list of texts.
#[derive(Serialize, Deserialize)]
struct Notes {
    notes: Vec<String>,
}

impl State for Notes {
    const NAME: &'static str = "Notes";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

/// The state of a store whose messages are at a service.
#[derive(Serialize, Deserialize)]
struct RemoteChatMessageStoreState {
    thread: String,
}

impl State for RemoteChatMessageStoreState {
    const NAME: &'static str = "RemoteChatMessageStoreState";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

/// A store of any state, as the factory of the steps makes it.
struct Store<'a>(StoreState<'a>);

impl<'a> ChatMessageStore<'a> for Store<'a> {
    fn state(&self) -> &StoreState<'a> {
        &self.0
    }

    fn state_mut(&mut self) -> &mut StoreState<'a> {
        &mut self.0
    }
}

/// Does the steps of `{"session":…,"steps":[…]}` in their order, and gives
/// `{"session":…,"results":[…]}`. A step that is rejected changes nothing, and its result names the
/// class.
pub fn run(text: &str) -> Result<String, Rejection> {
    let input = parse(text)?;
    let document = member(&input, "session")?.to_json();
    let mut session =
        Session::from_json(&document).map_err(|rejection| rejection.within("session"))?;
    let steps = member(&input, "steps")?
        .as_array()
        .ok_or_else(|| wrong("an array").within("steps"))?;
    let mut results = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        results.push(match done(&mut session, step) {
            Ok(result) => result,
            Err(StepFailure::Rejected(rejection)) => result("refused", rejection.class.as_str()),
            Err(StepFailure::NoStep(rejection)) => {
                return Err(rejection.within(index).within("steps"));
            }
        });
    }
    let mut answer = Object::new();
    answer.insert("session", parse(&session.to_json()?)?);
    answer.insert("results", results);
    Ok(Value::from(answer).to_json())
}

/// Why a step has no result of its own.
enum StepFailure {
    /// The library rejected what the step asks for.
    Rejected(Rejection),
    /// It is no step.
    NoStep(Rejection),
}

impl From<Rejection> for StepFailure {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

fn done(session: &mut Session, step: &Value) -> Result<Value, StepFailure> {
    match text_of(step, "do")? {
        "read" | "write" | "change" | "provide" => match text_of(step, "as")? {
            "Profile" => typed::<ProfileState>(session, step),
            "Notes" => typed::<Notes>(session, step),
            other => Err(no_word("as", other)),
        },
        "remove" => {
            let was_there = session.bag.remove(text_of(step, "key")?);
            Ok(result("done", was_there))
        }
        "providers" => {
            let keys = argument(step, "keys")?.as_array().unwrap_or_default();
            check_provider_keys(keys.iter().filter_map(Value::as_str))?;
            Ok(result("done", true))
        }
        "use" => {
            session.expect_kind(text_of(step, "kind")?)?;
            Ok(result("done", true))
        }
        "converse" => {
            let id = text_of(step, "id")?.to_owned();
            session.set_conversation_id(ConversationId::Text(id))?;
            Ok(result("done", true))
        }
        "attach" => attached(session, step),
        other => Err(no_word("do", other)),
    }
}

/// The steps that read an entry as a type.
fn typed<T: State>(session: &mut Session, step: &Value) -> Result<Value, StepFailure> {
    let key = text_of(step, "key")?;
    match text_of(step, "do")? {
        "write" => {
            let state = T::from_value(argument(step, "value")?)?;
            session.bag.set(key, state)?;
            Ok(result("done", true))
        }
        "provide" => {
            let initial = argument(step, "initial")?.clone();
            let provider = ProviderState::new(key, move |_| T::from_value(&initial))?;
            Ok(result("value", provider.get(session)?.to_value()?))
        }
        "change" => {
            let (name, value) = (text_of(step, "member")?, argument(step, "value")?);
            let found = session.bag.get_mut::<T>(key)?;
            shown(found, |state| {
                let mut members = state.to_value()?;
                if let Value::Object(members) = &mut members {
                    members.insert(name, value.clone());
                }
                *state = T::from_value(&members)?;
                state.to_value()
            })
        }
        _ => shown(session.bag.get::<T>(key)?, State::to_value),
    }
}

fn shown<T>(
    found: Presence<T>,
    show: impl FnOnce(T) -> Result<Value, Rejection>,
) -> Result<Value, StepFailure> {
    Ok(match found {
        Presence::Absent => result("absent", true),
        Presence::Null => result("value", Value::Null),
        Presence::Value(state) => result("value", show(state)?),
    })
}

fn attached(session: &mut Session, step: &Value) -> Result<Value, StepFailure> {
    let mut registry = StoreRegistry::new();
    registry.register::<InMemoryChatMessageStoreState>()?;
    registry.register::<RemoteChatMessageStoreState>()?;
    let key = text_of(step, "key")?;
    let kind = match step.get("factory") {
        Some(Value::Bool(true)) => kind_of(&attach_with(session, key, &registry, made)?),
        _ => kind_of(&attach(session, key, &registry)?),
    };
    Ok(result("attached", kind))
}

fn kind_of<'a>(store: &impl ChatMessageStore<'a>) -> String {
    store.state().kind().to_owned()
}

/// The factory of the steps: it takes every state, and begins with a thread called `new`.
fn made(state: Option<StoreState<'_>>) -> Result<Store<'_>, Rejection> {
    let begin = || {
        StoreState::new(&RemoteChatMessageStoreState {
            thread: "new".to_owned(),
        })
    };
    Ok(Store(state.map_or_else(begin, Ok)?))
}

fn result(name: &str, value: impl Into<Value>) -> Value {
    let mut result = Object::new();
    result.insert(name, value);
    result.into()
}

fn member<'a>(value: &'a Value, name: &str) -> Result<&'a Value, Rejection> {
    let missing = || {
        let message = format!("the member `{name}` is missing");
        Rejection::schema("required", message).within(name)
    };
    value.get(name).ok_or_else(missing)
}

fn argument<'a>(step: &'a Value, name: &str) -> Result<&'a Value, StepFailure> {
    member(step, name).map_err(StepFailure::NoStep)
}

fn text_of<'a>(step: &'a Value, name: &str) -> Result<&'a str, StepFailure> {
    let text = argument(step, name)?.as_str();
    text.ok_or_else(|| StepFailure::NoStep(wrong("a text").within(name)))
}

fn wrong(what: &str) -> Rejection {
    Rejection::schema("type", format!("must be {what}"))
}

fn no_word(name: &str, word: &str) -> StepFailure {
    let message = format!("`{word}` is not known in a step");
    StepFailure::NoStep(Rejection::schema("enum", message).within(name))
}

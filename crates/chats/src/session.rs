//! Sessions: the state of an agent and its providers, apart from what they do.

mod attach;
mod bag;
mod entry;
mod merge;
mod provider;
mod state;
mod store;
#[cfg(feature = "serde")]
mod with_serde;

pub use attach::{
    ChatMessageStore, InMemoryChatMessageStore, InMemoryChatMessageStoreState, attach, attach_with,
};
pub use bag::StateBag;
pub use provider::{ProviderState, check_provider_keys};
pub use state::{State, from_plain, to_plain};
pub use store::{StoreRegistry, StoreState};

use std::fmt;

use crate::seal::reject_unverified;
use chatstate_json::{Class, Rejection};
use chatstate_json::{Kind, Object, Raw, ReadJson, Tape, to_text, wrong_kind};
use chatstate_types::generated::{AgentSession, ConversationId};
use chatstate_types::version::unspoken_of;

/// One session in use: the document, and its state bag with what has been read of it.
///
/// It holds data alone. An agent attaches its behavior when it uses the session, so that one
/// agent can serve any number of sessions, and a session read from a document is complete.
///
/// ```
/// use chatstate_chats::session::Session;
/// let text = r#"{"stateBag":{"history":{"messages":[],"size":1.00}}}"#;
/// let session = Session::from_json(text)?;
/// assert_eq!(session.to_json()?, text);
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub struct Session {
    /// Everything but the state bag, which is empty here.
    document: AgentSession,
    /// The state of each provider.
    pub bag: StateBag,
}

/// The document that would be written now, or why there is none.
impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        bag::show_text(self.to_json(), formatter)
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session without state.
    #[must_use]
    pub fn new() -> Self {
        Self {
            document: AgentSession::new(Object::new()),
            bag: StateBag::new(),
        }
    }

    /// Reads an `AgentSession`; the entries of its bag stay text until they are asked for.
    ///
    /// A sealed one is rejected, since nothing has verified its seal: unseal it first (requirement
    /// `seal.unverified`).
    pub fn from_json(text: &str) -> Result<Self, Rejection> {
        Self::read(Tape::default().read(text)?)
    }

    /// Reads a `SessionList`, whose sessions may be of different kinds.
    pub fn list_from_json(text: &str) -> Result<Vec<Self>, Rejection> {
        let mut tape = Tape::default();
        let raw = tape.read(text)?;
        if raw.kind() != Kind::Array {
            return Err(wrong_kind("array", raw.kind().as_str()));
        }
        let read = |(index, item)| {
            Self::read(item).map_err(|rejection: Rejection| rejection.within(index))
        };
        raw.elements().enumerate().map(read).collect()
    }

    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        // The version is the better answer, since another one may have another shape.
        if let Some(rejection) = unspoken_of(raw) {
            return Err(rejection);
        }
        let mut document = AgentSession::read(raw)?;
        reject_unverified(document.seal.is_some())?;
        document.state_bag = Object::new();
        let bag = match raw.member("stateBag") {
            None => StateBag::new(),
            Some((_, raw)) => StateBag::read(raw)?,
        };
        Ok(Self { document, bag })
    }

    /// Takes over a document.
    pub fn from_document(document: &AgentSession) -> Result<Self, Rejection> {
        Self::from_json(&to_text(document))
    }

    /// The session as a document.
    pub fn to_document(&self) -> Result<AgentSession, Rejection> {
        AgentSession::from_json(&self.to_json()?)
    }

    /// The session as JSON text. Entries that were not changed are in it byte by byte.
    pub fn to_json(&self) -> Result<String, Rejection> {
        let bag = self.bag.to_json()?;
        let text = self.document.to_json()?;
        let mut tape = Tape::default();
        let place = tape
            .read(&text)?
            .member("stateBag")
            .map(|(_, raw)| raw.range());
        let Some(place) = place else {
            return Ok(text);
        };
        Ok([&text[..place.start], &bag, &text[place.end..]].concat())
    }

    /// Sessions as the JSON text of a `SessionList`.
    pub fn list_to_json(sessions: &[Self]) -> Result<String, Rejection> {
        let mut texts = Vec::with_capacity(sessions.len());
        for (index, session) in sessions.iter().enumerate() {
            let text = session.to_json();
            texts.push(text.map_err(|rejection| rejection.within(index))?);
        }
        Ok(format!("[{}]", texts.join(",")))
    }

    /// The kind of session, if the document says it.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.document.session_type.as_deref()
    }

    /// Says of what kind the session is.
    pub fn set_kind(&mut self, kind: &str) {
        self.document.session_type = Some(kind.to_owned());
    }

    /// Rejects a session of another kind than an agent takes (requirement `session.kind`). A
    /// session that does not say its kind is taken.
    pub fn expect_kind(&self, expected: &str) -> Result<(), Rejection> {
        match self.kind() {
            Some(kind) if kind != expected => {
                let message = format!(
                    "the session is a `{kind}`, and the agent takes `{expected}`; give it to the agent that made it"
                );
                let rejection = Rejection::new(Class::Restore, "session.kind", message);
                Err(rejection.within("sessionType"))
            }
            _ => Ok(()),
        }
    }

    /// The identity of the session, if it has one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.document.session_id.as_deref()
    }

    /// Gives the session an identity.
    pub fn set_id(&mut self, id: &str) {
        self.document.session_id = Some(id.to_owned());
    }

    /// The identity of the conversation at the service that keeps it.
    #[must_use]
    pub fn conversation_id(&self) -> Option<&ConversationId> {
        self.document.conversation_id.as_ref()
    }

    /// Says which conversation of a service this is. Blank text is rejected, since a service would
    /// begin a new conversation for it (requirement `session.conversation-id`).
    pub fn set_conversation_id(&mut self, id: ConversationId) -> Result<(), Rejection> {
        if let ConversationId::Text(text) = &id
            && text.trim().is_empty()
        {
            let message =
                "the identity of the conversation is blank; leave it out if there is none";
            let rejection = Rejection::new(Class::Semantic, "session.conversation-id", message);
            return Err(rejection.within("conversationId"));
        }
        self.document.conversation_id = Some(id);
        Ok(())
    }
}

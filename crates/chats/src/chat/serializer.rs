//! Saving a chat and restoring it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use super::{AgentSlot, Chat, OpenChannel, Origin};
use crate::encoding::{decode, encode};
use crate::seal::{SealKey, reject_unverified, unseal_text};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Members, Tape, Value};
use chatstate_types::generated::{ChannelState, ChatState, EncodedChatState, Participant};
use chatstate_types::version::read_versioned;

/// A saved chat that was read and is not restored yet.
///
/// The [participants](Self::participants) say which agents the application has to make before
/// anything is restored.
#[derive(Debug, Clone)]
pub struct ChatSerializer {
    state: ChatState,
}

/// What a restore came to. Keys of channels are in the order of the document, or of the agents
/// where the document does not have them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restored {
    /// The channels that continue their state.
    pub restored: Vec<String>,
    /// The channels of agents for which there was no state. Each will synchronize when an agent of
    /// it first takes part.
    pub pending: Vec<String>,
    /// The channels whose state no agent claims. It is not kept.
    pub unclaimed: Vec<String>,
}

impl ChatSerializer {
    /// Writes what is saved of a chat, as compact JSON (requirements `save.*`).
    pub fn serialize(chat: &Chat, writer: &mut impl Write) -> io::Result<()> {
        let text = chat.state().to_json().map_err(io::Error::other)?;
        writer.write_all(text.as_bytes())
    }

    /// The same in the encoded form, which discourages editing and protects nothing.
    pub fn serialize_encoded(chat: &Chat, writer: &mut impl Write) -> io::Result<()> {
        // A chat has no seal, which is the one thing that keeps a state from being encoded.
        let encoded = encode(&chat.state()).map_err(io::Error::other)?;
        let text = encoded.to_json().map_err(io::Error::other)?;
        writer.write_all(text.as_bytes())
    }

    /// Reads a saved chat, plain or encoded as its `encoding` says, and touches no chat.
    ///
    /// A sealed one is rejected, since nothing has verified its seal (requirement
    /// `seal.unverified`); [`Self::deserialize_sealed`] does.
    pub fn deserialize(text: &str) -> Result<Self, Rejection> {
        let state = if is_encoded(text)? {
            let encoded: EncodedChatState = read_versioned("EncodedChatState", text)?;
            reject_unverified(encoded.seal.is_some())?;
            decode(&encoded)?
        } else {
            let state: ChatState = read_versioned("ChatState", text)?;
            reject_unverified(state.seal.is_some())?;
            state
        };
        reject_repeated_channels(&state.channels)?;
        Ok(Self { state })
    }

    /// Reads a saved chat after its seal was verified.
    pub fn deserialize_sealed(text: &str, key: &SealKey) -> Result<Self, Rejection> {
        Self::deserialize(&unseal_text(text, key)?)
    }

    /// Reads a saved chat from a value tree, such as the state of a channel.
    pub fn from_value(value: &Value) -> Result<Self, Rejection> {
        Self::deserialize(&value.to_json())
    }

    /// Who took part, in the order of the document.
    #[must_use]
    pub fn participants(&self) -> &[Participant] {
        self.state.participants.as_deref().unwrap_or_default()
    }

    /// What was read.
    #[must_use]
    pub fn state(&self) -> &ChatState {
        &self.state
    }

    /// Restores the saved chat into a chat that has agents and nothing else (requirements
    /// `restore.*`).
    ///
    /// After a rejection the chat is as it was before. A chat that is in use is rejected as such also
    /// when it has no agents, since adding some would not help.
    pub fn restore(&self, chat: &mut Chat) -> Result<Restored, Rejection> {
        reject_target(chat)?;
        let mut channels = Vec::new();
        let mut unclaimed = Vec::new();
        // Of several agents with one key, the first restores the channel.
        let by_key = chat.agents.values().rev();
        let by_key: HashMap<&str, &AgentSlot> =
            by_key.map(|member| (member.key.as_str(), member)).collect();
        for (index, saved) in self.state.channels.iter().enumerate() {
            match by_key.get(saved.channelkey.as_str()) {
                Some(member) => channels.push(
                    restore_channel(member, saved)
                        .map_err(|rejection| rejection.within(index).within("channels"))?,
                ),
                None => unclaimed.push(saved.channelkey.clone()),
            }
        }
        // Nothing was changed so far, and nothing fails from here on.
        chat.history.clone_from(&self.state.history);
        chat.channels = channels;
        chat.origin = Some(self.origin());
        Ok(Restored {
            restored: chat.channel_keys().map(str::to_owned).collect(),
            pending: chat.pending(),
            unclaimed,
        })
    }

    fn origin(&self) -> Origin {
        Origin {
            schema_version: self.state.schema_version.clone(),
            participants: self.participants().to_vec(),
            extra: self.state.extra.clone(),
        }
    }
}

impl Chat {
    /// The keys of the channels that agents of the chat would have and that are not there.
    #[must_use]
    pub fn pending(&self) -> Vec<String> {
        let mut known: HashSet<&str> = self.channel_keys().collect();
        let keys = self.agents.values().map(|AgentSlot { key, .. }| key);
        let pending = keys.filter(|key| known.insert(key));
        pending.cloned().collect()
    }
}

/// Whether a document says that its states are encoded. Nothing else says so.
fn is_encoded(text: &str) -> Result<bool, Rejection> {
    let mut tape = Tape::default();
    let Ok(mut members) = Members::read(tape.read(text)?) else {
        // The reader of a plain chat state says what is wrong.
        return Ok(false);
    };
    let encoding = members.optional::<Value>("encoding")?;
    Ok(encoding.as_ref().and_then(Value::as_str) == Some("base64"))
}

fn reject_repeated_channels(channels: &[ChannelState]) -> Result<(), Rejection> {
    let mut seen = HashSet::with_capacity(channels.len());
    for (index, ChannelState { channelkey, .. }) in channels.iter().enumerate() {
        if !seen.insert(channelkey) {
            let message =
                format!("the channel `{channelkey}` occurs twice; keep one of its states");
            let rejection = Rejection::new(Class::Semantic, "restore.repeated-channel", message);
            let rejection = rejection.within("channelkey").within(index);
            return Err(rejection.within("channels"));
        }
    }
    Ok(())
}

fn reject_target(chat: &Chat) -> Result<(), Rejection> {
    if chat.is_in_use() {
        let message = "the chat has messages or channels already, so nothing was restored; restore \
                       into a new chat";
        return Err(Rejection::new(Class::Restore, "restore.invalid", message));
    }
    if chat.agents.is_empty() {
        let message = "the chat has no agents, so nothing was restored; add the agents first";
        return Err(Rejection::new(Class::Restore, "restore.empty", message));
    }
    Ok(())
}

fn restore_channel(member: &AgentSlot, saved: &ChannelState) -> Result<OpenChannel, Rejection> {
    let channel = member.agent.restore_channel(&saved.channelstate);
    Ok(OpenChannel {
        key: saved.channelkey.clone(),
        channel: channel.map_err(rejected_state)?,
        channeltype: saved.channeltype.clone(),
        extra: saved.extra.clone(),
    })
}

/// Whatever is wrong with the state of a channel, the document is valid, and the restore fails.
fn rejected_state(rejection: Rejection) -> Rejection {
    let rejection = rejection.within("channelstate");
    if rejection.rule == "restore.channel" {
        return rejection;
    }
    Rejection {
        class: Class::Restore,
        rule: "restore.channel".into(),
        message: format!(
            "the channel does not take its state, so nothing was restored: {}",
            rejection.message
        ),
        ..rejection
    }
}

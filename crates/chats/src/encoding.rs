//! The encoded form of a chat state: each state in it is the Base64 of its canonical JSON.
//!
//! This discourages editing by hand and protects nothing: everybody can decode it. To notice a
//! change, seal the document.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::generated::{
    ChannelState, ChatState, EncodedChannelState, EncodedChatState, Participant,
};
use crate::version::read_versioned;
use chatstate_json::{Class, Rejection};
use chatstate_json::{ReadJson, Value, WriteJson, canonical, check, from_text, text_of, to_text};

/// The encoded form of a chat state (requirements `encode.*`).
///
/// What the schema does not name stays as it is, beside the states. A sealed chat state is rejected,
/// since its seal says nothing of the encoded form.
pub fn encode(state: &ChatState) -> Result<EncodedChatState, Rejection> {
    reject_sealed(state.seal.is_some())?;
    let participants = state.participants.as_ref();
    let channels = state.channels.iter().enumerate().map(encode_channel);
    Ok(EncodedChatState {
        schema_version: state.schema_version.clone(),
        history: encoded(&state.history).map_err(|rejection| rejection.within("history"))?,
        participants: participants
            .map(|all| encode_participants(all))
            .transpose()?,
        channels: channels.collect::<Result<_, _>>()?,
        seal: None,
        extra: state.extra.clone(),
    })
}

/// The plain form of an encoded chat state (requirements `decode.*`): what was encoded, without an
/// `encoding`.
///
/// A sealed one is rejected, since its seal says nothing of the plain form.
pub fn decode(encoded: &EncodedChatState) -> Result<ChatState, Rejection> {
    reject_sealed(encoded.seal.is_some())?;
    let history = decoded(&encoded.history).map_err(|rejection| rejection.within("history"))?;
    let participants = encoded.participants.as_deref().map(decode_participants);
    let channels = encoded.channels.iter().enumerate().map(decode_channel);
    let state = ChatState {
        schema_version: encoded.schema_version.clone(),
        encoding: None,
        history,
        participants: participants.transpose()?,
        channels: channels.collect::<Result<_, _>>()?,
        seal: None,
        extra: encoded.extra.clone(),
    };
    // States that are read one by one may be too deep together.
    check(&to_text(&state)).map_err(|rejection| Rejection {
        at: String::new(),
        ..rejection
    })?;
    Ok(state)
}

/// The encoded form of a chat state's text, as text.
pub fn encode_text(text: &str) -> Result<String, Rejection> {
    let state = read_versioned("ChatState", text)?;
    encode(&state)?.to_json()
}

/// The plain form of an encoded chat state's text, as text.
pub fn decode_text(text: &str) -> Result<String, Rejection> {
    let encoded = read_versioned("EncodedChatState", text)?;
    decode(&encoded)?.to_json()
}

fn reject_sealed(sealed: bool) -> Result<(), Rejection> {
    if !sealed {
        return Ok(());
    }
    let message = "a seal holds for one form of a document only; take it off before the form \
                   changes, and seal the new form";
    Err(Rejection::new(Class::Semantic, "encoding.sealed", message).within("seal"))
}

fn encode_participants(all: &[Participant]) -> Result<Vec<String>, Rejection> {
    let place = |index| move |rejection: Rejection| rejection.within(index).within("participants");
    let all = all.iter().enumerate();
    all.map(|(index, participant)| encoded(participant).map_err(place(index)))
        .collect()
}

fn encode_channel(
    (index, channel): (usize, &ChannelState),
) -> Result<EncodedChannelState, Rejection> {
    let place = |rejection: Rejection| {
        let rejection = rejection.within("channelstate");
        rejection.within(index).within("channels")
    };
    Ok(EncodedChannelState {
        channelkey: channel.channelkey.clone(),
        channeltype: channel.channeltype.clone(),
        channelstate: encoded(&channel.channelstate).map_err(place)?,
        extra: channel.extra.clone(),
    })
}

fn encoded(value: &impl WriteJson) -> Result<String, Rejection> {
    Ok(STANDARD.encode(canonical(&Value::try_of(value)?)))
}

fn decode_participants(all: &[String]) -> Result<Vec<Participant>, Rejection> {
    let place = |index| move |rejection: Rejection| rejection.within(index).within("participants");
    let all = all.iter().enumerate();
    all.map(|(index, text)| decoded(text).map_err(place(index)))
        .collect()
}

fn decode_channel(
    (index, channel): (usize, &EncodedChannelState),
) -> Result<ChannelState, Rejection> {
    let state = decoded(&channel.channelstate).map_err(|rejection| {
        let rejection = rejection.within("channelstate");
        rejection.within(index).within("channels")
    })?;
    Ok(ChannelState {
        channelkey: channel.channelkey.clone(),
        channeltype: channel.channeltype.clone(),
        channelstate: state,
        extra: channel.extra.clone(),
    })
}

/// What one text encodes. A rejection of what is inside is at the text, which is the place that
/// the document has.
fn decoded<T: ReadJson>(text: &str) -> Result<T, Rejection> {
    let bytes = STANDARD.decode(text).map_err(|_| {
        let message = "must be Base64 of RFC 4648 section 4, with padding and without line breaks";
        Rejection::schema("pattern", message)
    })?;
    let read = text_of(&bytes).and_then(from_text);
    read.map_err(|rejection| Rejection {
        message: format!("what is encoded here is rejected: {rejection}"),
        at: String::new(),
        ..rejection
    })
}

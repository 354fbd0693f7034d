//! Faults of restoring, saving, encoding and decoding chats.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate::channel_key;
use chatstate::json::{Object, Value, canonical, parse, pointer};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;

pub(super) const RESTORE: &str = "restore";

/// The faults of chats by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "restore-accepts-empty",
        Defect::Chat(ChatFault::Retried(RESTORE, "restore.empty", invent_agent)),
    ),
    (
        "restore-accepts-chat-in-use",
        Defect::Chat(ChatFault::Asked(RESTORE, forget_use)),
    ),
    (
        "restore-refuses-enhanced",
        Defect::Chat(ChatFault::Rejected(RESTORE, |answer| {
            has(answer, "pending")
        })),
    ),
    (
        "restore-refuses-reduced",
        Defect::Chat(ChatFault::Rejected(RESTORE, |answer| {
            has(answer, "unclaimed")
        })),
    ),
    (
        "restore-synchronizes-twice",
        Defect::Chat(ChatFault::Answered(RESTORE, synchronize_twice)),
    ),
    (
        "restore-never-synchronizes",
        Defect::Chat(ChatFault::Answered(RESTORE, never_synchronize)),
    ),
    (
        "restore-reuses-late-state",
        Defect::Chat(ChatFault::Asked(RESTORE, join_early)),
    ),
    (
        "restore-drops-last-message",
        Defect::Chat(ChatFault::Answered(RESTORE, drop_last_message)),
    ),
    (
        "restore-loses-participants",
        Defect::Chat(ChatFault::Answered(RESTORE, lose_participants)),
    ),
    (
        "restore-once-per-agent",
        Defect::Chat(ChatFault::Answered(RESTORE, once_per_agent)),
    ),
    (
        "restore-keeps-last-state",
        Defect::Chat(ChatFault::Retried(
            RESTORE,
            "restore.repeated-channel",
            keep_last_state,
        )),
    ),
    (
        "restore-needs-participants",
        Defect::Chat(ChatFault::Answered(RESTORE, need_participants)),
    ),
    (
        "restore-skips-bad-channel",
        Defect::Chat(ChatFault::Retried(RESTORE, "restore.channel", skip_channel)),
    ),
    (
        "save-keeps-unclaimed",
        Defect::Chat(ChatFault::Answered(RESTORE, keep_unclaimed)),
    ),
    (
        "save-drops-unknown-members",
        Defect::Chat(ChatFault::Answered(RESTORE, drop_unknown_members)),
    ),
    (
        "save-sorts-channels",
        Defect::Chat(ChatFault::Answered(RESTORE, sort_channels)),
    ),
    (
        "encode-url-safe",
        Defect::Chat(ChatFault::Answered("encode", |_, it| {
            each_text(it, url_safe);
        })),
    ),
    (
        "encode-without-padding",
        Defect::Chat(ChatFault::Answered("encode", |_, it| {
            each_text(it, unpadded);
        })),
    ),
    (
        "encode-as-written",
        Defect::Chat(ChatFault::Answered("encode", as_written)),
    ),
    (
        "decode-takes-plain",
        Defect::Chat(ChatFault::Asked("decode", label)),
    ),
    (
        "decode-repairs-base64",
        Defect::Chat(ChatFault::Retried("decode", "pattern", |asked, _| {
            each_text(asked, repaired);
        })),
    ),
    (
        "decode-parses-text",
        Defect::Chat(ChatFault::Answered("decode", parse_texts)),
    ),
];

/// A fault of one operation on chats.
#[derive(Clone, Copy)]
pub enum ChatFault {
    /// Something is made of the request before.
    Asked(&'static str, fn(&mut Object)),
    /// Something is made of the answer, which the request explains.
    Answered(&'static str, fn(&Object, &mut Object)),
    /// Some answers are rejected.
    Rejected(&'static str, fn(&Object) -> bool),
    /// What is rejected under a rule is asked for again, differently.
    Retried(&'static str, &'static str, fn(&mut Object, &str)),
}

impl ChatFault {
    /// Answers one request in the broken way.
    pub fn run(self, request: &RunRequest) -> Reply {
        let (Self::Asked(operation, _)
        | Self::Answered(operation, _)
        | Self::Rejected(operation, _)
        | Self::Retried(operation, ..)) = self;
        let asked = request.input.as_deref().map(parse);
        match asked {
            Some(Ok(Value::Object(asked))) if request.op == operation => {
                self.broken(request, asked)
            }
            _ => operation::run(request),
        }
    }

    fn broken(self, request: &RunRequest, mut asked: Object) -> Reply {
        match self {
            Self::Asked(_, change) => {
                change(&mut asked);
                again(request, asked)
            }
            Self::Answered(_, change) => match answer(request) {
                Ok(mut answer) => {
                    change(&asked, &mut answer);
                    Reply::Ok(Value::Object(answer).to_json())
                }
                Err(reply) => reply,
            },
            Self::Rejected(_, rejects) => match answer(request) {
                Ok(answer) if rejects(&answer) => Reply::Rejected(Rejected {
                    class: Some("restore".to_owned()),
                    ..Rejected::default()
                }),
                _ => operation::run(request),
            },
            Self::Retried(_, rule, change) => match operation::run(request) {
                Reply::Rejected(rejected) if rejected.rule.as_deref() == Some(rule) => {
                    change(&mut asked, rejected.at.as_deref().unwrap_or_default());
                    again(request, asked)
                }
                reply => reply,
            },
        }
    }
}

fn again(request: &RunRequest, asked: Object) -> Reply {
    operation::run(&RunRequest {
        input: Some(Value::Object(asked).to_json()),
        ..request.clone()
    })
}

fn answer(request: &RunRequest) -> Result<Object, Reply> {
    match operation::run(request) {
        Reply::Ok(text) => match parse(&text) {
            Ok(Value::Object(answer)) => Ok(answer),
            _ => Err(Reply::Ok(text)),
        },
        reply => Err(reply),
    }
}

fn has(answer: &Object, name: &str) -> bool {
    list(answer, name).is_some_and(|keys| !keys.is_empty())
}

fn list<'o>(object: &'o Object, name: &str) -> Option<&'o [Value]> {
    object.get(name)?.as_array()
}

fn list_of<'o>(object: &'o mut Object, name: &str) -> Option<&'o mut Vec<Value>> {
    match object.get_mut(name)? {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

fn object_of<'o>(object: &'o mut Object, name: &str) -> Option<&'o mut Object> {
    match object.get_mut(name)? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Goes on without agents, as if there were one that claims nothing.
fn invent_agent(asked: &mut Object, _: &str) {
    let mut agent: Object = [("id", "nobody"), ("type", "none")].into_iter().collect();
    agent.insert("channelkeys", Vec::new());
    if let Some(target) = object_of(asked, "target") {
        target.insert("agents", vec![Value::Object(agent)]);
    }
}

/// Does not look whether the chat is in use.
fn forget_use(asked: &mut Object) {
    if let Some(target) = object_of(asked, "target") {
        target.remove("history");
        target.remove("channels");
    }
}

/// Hands the history to no new channel.
fn never_synchronize(_: &Object, answer: &mut Object) {
    answer.insert("synchronized", Object::new());
}

/// Hands the history to every new channel twice.
fn synchronize_twice(_: &Object, answer: &mut Object) {
    let counts = object_of(answer, "synchronized").into_iter();
    for (_, count) in counts.flat_map(Object::iter_mut) {
        let received: usize = count.to_json().parse().unwrap_or_default();
        *count = Value::from(received * 2);
    }
}

/// Takes those who join for agents that were there, with their old state.
fn join_early(asked: &mut Object) {
    let late = list(asked, "join").unwrap_or_default().to_vec();
    if let Some(target) = object_of(asked, "target")
        && let Some(agents) = list_of(target, "agents")
    {
        agents.extend(late);
    }
}

fn drop_last_message(_: &Object, answer: &mut Object) {
    if let Some(history) = list_of(answer, "history") {
        history.pop();
    }
}

fn lose_participants(_: &Object, answer: &mut Object) {
    answer.insert("participants", Vec::new());
}

/// Restores a channel again for every agent that has it.
fn once_per_agent(asked: &Object, answer: &mut Object) {
    let keys: Vec<String> = agents(asked).filter_map(key_of).collect();
    if let Some(restored) = list_of(answer, "restored") {
        let is_restored = |key: &String| restored.contains(&Value::from(key.as_str()));
        let each: Vec<Value> = keys
            .into_iter()
            .filter(is_restored)
            .map(Value::from)
            .collect();
        *restored = each;
    }
}

fn agents(asked: &Object) -> impl Iterator<Item = &Value> {
    let agents = asked.get("target").and_then(|target| target.get("agents"));
    agents.and_then(Value::as_array).into_iter().flatten()
}

fn key_of(agent: &Value) -> Option<String> {
    let parts = agent.get("channelkeys")?.as_array()?;
    let parts = parts.iter().map(|part| part.as_str().map(str::to_owned));
    parts
        .collect::<Option<Vec<_>>>()
        .map(|parts| channel_key(&parts))
}

/// Lets the last of two states under one key win.
fn keep_last_state(asked: &mut Object, _: &str) {
    if let Some(state) = object_of(asked, "state")
        && let Some(channels) = list_of(state, "channels")
    {
        let all = channels.clone();
        let key = |channel: &Value| channel.get("channelkey").cloned();
        let is_last = |index: usize| {
            let later = &all[index + 1..];
            !later.iter().any(|channel| key(channel) == key(&all[index]))
        };
        let mut index = 0..;
        channels.retain(|_| index.next().is_some_and(is_last));
    }
}

/// Restores channels only for agents that are among the participants.
fn need_participants(asked: &Object, answer: &mut Object) {
    let participants = list(answer, "participants").unwrap_or_default().to_vec();
    let took_part = |agent: &&Value| {
        participants
            .iter()
            .any(|it| it.get("id") == agent.get("id"))
    };
    let keys: Vec<_> = agents(asked).filter(took_part).filter_map(key_of).collect();
    if let Some(restored) = list_of(answer, "restored") {
        restored.retain(|key| keys.iter().any(|known| key.as_str() == Some(known)));
    }
}

/// Leaves a channel out that does not take its state.
fn skip_channel(asked: &mut Object, at: &str) {
    let segments = pointer::segments(at).unwrap_or_default();
    let index = segments.get(2).and_then(|index| index.parse().ok());
    if let (Some(state), Some(index)) = (object_of(asked, "state"), index)
        && let Some(channels) = list_of(state, "channels")
        && channels.len() > index
    {
        channels.remove(index);
    }
}

fn keep_unclaimed(asked: &Object, answer: &mut Object) {
    let unclaimed = list(answer, "unclaimed").unwrap_or_default().to_vec();
    let channels = asked.get("state").and_then(|state| state.get("channels"));
    let channels = channels.and_then(Value::as_array).unwrap_or_default();
    let is_unclaimed = |channel: &&Value| {
        let key = channel.get("channelkey");
        key.is_some_and(|key| unclaimed.contains(key))
    };
    if let Some(saved) = object_of(answer, "saved")
        && let Some(saved) = list_of(saved, "channels")
    {
        saved.extend(channels.iter().filter(is_unclaimed).cloned());
    }
}

fn drop_unknown_members(_: &Object, answer: &mut Object) {
    let known = |names: &'static [&str]| move |name: &str, _: &mut Value| names.contains(&name);
    let Some(saved) = object_of(answer, "saved") else {
        return;
    };
    saved.retain(known(&[
        "schemaVersion",
        "history",
        "participants",
        "channels",
    ]));
    for (name, names) in [
        ("participants", &["id", "name", "type"][..]),
        ("channels", &["channelkey", "channeltype", "channelstate"]),
    ] {
        for item in list_of(saved, name).into_iter().flatten() {
            if let Value::Object(item) = item {
                item.retain(known(names));
            }
        }
    }
}

fn sort_channels(_: &Object, answer: &mut Object) {
    if let Some(saved) = object_of(answer, "saved")
        && let Some(channels) = list_of(saved, "channels")
    {
        channels.sort_by_key(canonical);
    }
}

/// Changes every encoded text of a document.
fn each_text(document: &mut Object, change: fn(&str) -> String) {
    let texts = |value: &mut Value| {
        if let Value::String(text) = value {
            *text = change(text);
        }
    };
    document.get_mut("history").into_iter().for_each(texts);
    let participants = list_of(document, "participants").into_iter().flatten();
    participants.for_each(texts);
    for channel in list_of(document, "channels").into_iter().flatten() {
        if let Value::Object(channel) = channel {
            channel.get_mut("channelstate").into_iter().for_each(texts);
        }
    }
}

fn url_safe(text: &str) -> String {
    text.replace('+', "-").replace('/', "_")
}

fn unpadded(text: &str) -> String {
    text.trim_end_matches('=').to_owned()
}

/// Makes something of what is nearly Base64, as lenient libraries do.
fn repaired(text: &str) -> String {
    let mut text = text.replace('-', "+").replace('_', "/");
    text.retain(|character| !character.is_whitespace() && character != '=');
    let lenient = base64::engine::GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent);
    let lenient = base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, lenient);
    match lenient.decode(&text) {
        Ok(bytes) => STANDARD.encode(bytes),
        Err(_) => text,
    }
}

/// Encodes the text as it was written, with its order of members and its numbers.
fn as_written(asked: &Object, answer: &mut Object) {
    let encoded = |value: &Value| Value::from(STANDARD.encode(value.to_json()));
    if let Some(history) = asked.get("history") {
        answer.insert("history", encoded(history));
    }
    if let Some(participants) = list(asked, "participants") {
        answer.insert(
            "participants",
            participants.iter().map(encoded).collect::<Vec<_>>(),
        );
    }
    let states = list(asked, "channels").unwrap_or_default().iter();
    let channels = list_of(answer, "channels").into_iter().flatten();
    for (channel, state) in channels.zip(states) {
        if let (Value::Object(channel), Some(state)) = (channel, state.get("channelstate")) {
            channel.insert("channelstate", encoded(state));
        }
    }
}

/// Does not look at the label, and takes plain states as they are.
fn label(asked: &mut Object) {
    asked.insert("encoding", "base64");
    if !matches!(asked.get("history"), Some(Value::Array(_))) {
        return;
    }
    let encode = |value: &mut Value| *value = Value::from(STANDARD.encode(value.to_json()));
    asked.get_mut("history").into_iter().for_each(encode);
    let participants = list_of(asked, "participants").into_iter().flatten();
    participants.for_each(encode);
    for channel in list_of(asked, "channels").into_iter().flatten() {
        if let Value::Object(channel) = channel {
            channel.get_mut("channelstate").into_iter().for_each(encode);
        }
    }
}

/// Takes text that looks like JSON for JSON.
fn parse_texts(_: &Object, answer: &mut Object) {
    for channel in list_of(answer, "channels").into_iter().flatten() {
        if let Value::Object(channel) = channel
            && let Some(state) = channel.get_mut("channelstate")
            && let Some(Ok(parsed)) = state.as_str().map(parse)
        {
            *state = parsed;
        }
    }
}

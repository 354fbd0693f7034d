//! Who hears what in a chat, and what the shape of saving and restoring promises.

mod chats;

use chats::{Kind, agent, message};
use chatstate_chats::channel_key;
use chatstate_chats::chat::{
    Agent, AggregatorAgent, Channel, Chat, ChatSerializer, HistoryAgent, HistoryChannel, TookPart,
};
use chatstate_chats::seal::{SealKey, seal};
use chatstate_json::Rejection;
use chatstate_json::to_text;
use chatstate_json::{Value, parse};
use chatstate_types::generated::{ChatMessage, ChatState};
use std::cell::Cell;
use std::rc::Rc;

fn state_of<'a>(state: &'a ChatState, keys: &[&str]) -> &'a Value {
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    let key = channel_key(&keys);
    let mut channels = state.channels.iter();
    let channel = channels.find(|channel| channel.channelkey == key);
    &channel.expect("the channel is there").channelstate
}

fn tally(state: &ChatState) -> String {
    state_of(state, &["Tally", "0"]).to_json()
}

#[test]
fn a_channel_hears_everything_once() {
    let mut chat = Chat::new();
    chat.add_agent(agent("counter", Kind::Tally, 0));
    chat.add_agent(agent("speaker", Kind::History, 1));
    chat.add_message(message("user", "one"));
    assert_eq!(chat.channel_keys().count(), 0, "nobody took part");
    assert_eq!(chat.take_part("counter"), Some(TookPart::Synchronized(1)));
    assert_eq!(chat.take_part("counter"), Some(TookPart::Before));
    assert_eq!(tally(&chat.state()), r#"{"heard":1,"said":0}"#);
    chat.add_message(message("user", "two"));
    let reply = message("assistant", "three");
    let took_part = chat.add_reply("speaker", reply.clone());
    assert_eq!(took_part, Some(TookPart::Synchronized(2)));
    assert_eq!(tally(&chat.state()), r#"{"heard":3,"said":0}"#);
    chat.add_reply("counter", reply);
    assert_eq!(tally(&chat.state()), r#"{"heard":3,"said":1}"#);
    let heard = chat.state();
    let heard = state_of(&heard, &["History", "1"])
        .as_array()
        .map(<[_]>::len);
    assert_eq!(
        heard,
        Some(4),
        "its own reply, and not again as that of another"
    );
}

#[test]
fn nobody_takes_part_who_is_not_in_the_chat() {
    let mut chat = Chat::new();
    assert_eq!(chat.take_part("nobody"), None);
    assert_eq!(chat.add_reply("nobody", message("assistant", "a")), None);
    assert!(!chat.is_in_use());
}

#[test]
fn an_identity_is_in_a_chat_once() {
    let mut chat = Chat::new();
    assert!(chat.add_agent(agent("a", Kind::Tally, 0)));
    assert!(!chat.add_agent(agent("a", Kind::History, 1)));
    assert_eq!(chat.agents().count(), 1);
    assert_eq!(chat.state().participants.map(|all| all.len()), Some(1));
}

/// An agent that counts how often its channel is restored.
struct Counting {
    id: &'static str,
    restored: Rc<Cell<usize>>,
}

impl Agent for Counting {
    fn id(&self) -> &str {
        self.id
    }

    fn agent_type(&self) -> &'static str {
        "Counting"
    }

    fn channel_keys(&self) -> Vec<String> {
        vec!["counting".to_owned()]
    }

    fn create_channel(&self) -> Box<dyn Channel> {
        agent("inner", Kind::Tally, 0).create_channel()
    }

    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection> {
        self.restored.set(self.restored.get() + 1);
        agent("inner", Kind::Tally, 0).restore_channel(state)
    }
}

#[test]
fn a_shared_channel_is_restored_once() {
    let restored = Rc::new(Cell::new(0));
    let chat = || {
        let mut chat = Chat::new();
        for id in ["a", "b", "c"] {
            let restored = Rc::clone(&restored);
            chat.add_agent(Counting { id, restored });
        }
        chat
    };
    let mut first = chat();
    first.take_part("b");
    let text = to_text(&first.state());
    let serializer = ChatSerializer::deserialize(&text).expect("it can be read");
    serializer.restore(&mut chat()).expect("it can be restored");
    assert_eq!(restored.get(), 1);
}

#[test]
fn participants_are_known_before_a_restore() {
    let text = r#"{"history":[],"participants":[{"id":"a","type":"T","color":"red"},{"id":"a","type":"U"}],"channels":[]}"#;
    let serializer = ChatSerializer::deserialize(text).expect("it can be read");
    let mut types = serializer
        .participants()
        .iter()
        .map(|it| it.r#type.as_str());
    assert_eq!(
        (types.next(), types.next(), types.next()),
        (Some("T"), Some("U"), None)
    );
    let mut chat = Chat::new();
    for participant in serializer.participants() {
        chat.add_agent(HistoryAgent::new(&participant.id, &participant.r#type));
    }
    serializer.restore(&mut chat).expect("it can be restored");
    let again = to_text(&chat.state());
    assert_eq!(
        again,
        r#"{"history":[],"participants":[{"id":"a","type":"T","color":"red"}],"channels":[]}"#
    );
}

/// Three levels of teams, of which each has an agent that speaks.
fn team(levels: usize) -> Chat {
    let mut chat = Chat::new();
    chat.add_agent(HistoryAgent::new("speaker", "HistoryAgent").named("Speaker"));
    if levels > 0 {
        let inner = AggregatorAgent::new(format!("team-{levels}"), move || team(levels - 1));
        chat.add_agent(inner.named("Team"));
    }
    chat
}

#[test]
fn teams_are_saved_and_restored_three_levels_deep() {
    let mut chat = team(3);
    chat.add_message(message("user", "hello"));
    chat.take_part("team-3");
    chat.add_reply("speaker", message("assistant", "hello too"));
    let text = to_text(&chat.state());
    let mut restored = team(3);
    let serializer = ChatSerializer::deserialize(&text).expect("it can be read");
    serializer
        .restore(&mut restored)
        .expect("it can be restored");
    assert_eq!(to_text(&restored.state()), text);
    let inner = restored.state();
    let inner = state_of(&inner, &["ChatChannel", "Team"]);
    let inner = ChatState::from_json(&inner.to_json()).expect("it is a chat state");
    let heard: Vec<ChatMessage> = chat.history().to_vec();
    assert_eq!(inner.history, heard);
}

#[test]
fn teams_of_one_name_share_a_channel_and_others_do_not() {
    let keys = |id: &str, name: Option<&str>| {
        let agent = AggregatorAgent::new(id, Chat::new);
        match name {
            Some(name) => agent.named(name).channel_keys(),
            None => agent.channel_keys(),
        }
    };
    assert_eq!(keys("a", Some("Team")), keys("b", Some("Team")));
    assert_ne!(keys("a", None), keys("b", None));
    assert_ne!(keys("a", Some("Team")), keys("a", Some("Desk")));
}

#[test]
fn a_seal_is_verified_before_anything_is_read() {
    let key = SealKey::new(b"0123456789abcdef0123456789abcdef").expect("it is not empty");
    let mut chat = team(1);
    chat.add_message(message("user", "hello"));
    let value = parse(&to_text(&chat.state())).expect("it is JSON");
    let sealed = seal(&value, &key).expect("it can be sealed").to_json();
    let read = |text: &str| ChatSerializer::deserialize_sealed(text, &key);
    let rule = |text: &str| read(text).map(drop).map_err(|it| it.rule.into_owned());
    assert_eq!(rule(&sealed), Ok(()));
    let changed = sealed.replace("hello", "good bye");
    assert_eq!(rule(&changed), Err("seal.mismatch".to_owned()));
    assert_eq!(rule(&value.to_json()), Err("seal.missing".to_owned()));
    let unjudged = ChatSerializer::deserialize(&sealed).map(drop);
    let rejection = unjudged.expect_err("nobody has looked at the seal");
    assert_eq!(
        (&*rejection.rule, &*rejection.at),
        ("seal.unverified", "/seal")
    );
    let mut restored = team(1);
    let serializer = read(&sealed).expect("the seal fits");
    serializer
        .restore(&mut restored)
        .expect("it can be restored");
    assert!(
        restored.state().seal.is_none(),
        "a new document needs a new seal"
    );
}

#[test]
fn a_state_that_was_text_is_text_when_it_has_changed() {
    let text = r#"[ {"role":"user","items":[]} ]"#;
    let mut channel = HistoryChannel::restored(&text.into()).expect("it is escaped");
    assert_eq!(channel.state().as_str(), Some(text));
    channel.receive(&[message("user", "more")]);
    let state = channel.state();
    let changed = state.as_str().and_then(|it| parse(it).ok());
    let messages = changed.as_ref().and_then(Value::as_array);
    assert_eq!(messages.map(<[_]>::len), Some(2), "{state:?}");
    let rejection = HistoryChannel::restored(&"thread_1".into()).expect_err("it is no JSON");
    assert_eq!(rejection.at, "");
}

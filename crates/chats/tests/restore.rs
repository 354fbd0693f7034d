//! The laws of saving and restoring, for chats in which anything happened.

mod chats;

use chats::{Action, Kind, TestAgent, actions, agent, agents, chat_of, message, played};
use chatstate_chats::chat::{Chat, ChatSerializer};
use chatstate_json::to_text;
use chatstate_json::{canonical, parse};
use proptest::prelude::*;

fn saved(chat: &Chat) -> String {
    let mut bytes = Vec::new();
    ChatSerializer::serialize(chat, &mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("JSON is text")
}

fn encoded(chat: &Chat) -> String {
    let mut bytes = Vec::new();
    ChatSerializer::serialize_encoded(chat, &mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("JSON is text")
}

fn canonical_of(text: &str) -> String {
    canonical(&parse(text).expect("what is saved can be read"))
}

fn restored(text: &str, agents: &[TestAgent]) -> Chat {
    let serializer = ChatSerializer::deserialize(text).expect("what is saved can be read");
    let mut chat = chat_of(agents);
    serializer
        .restore(&mut chat)
        .expect("the chat is new and has agents");
    chat
}

/// The agents in another order.
fn shuffled(agents: Vec<TestAgent>) -> impl Strategy<Value = (Vec<TestAgent>, Vec<TestAgent>)> {
    (Just(agents.clone()), Just(agents).prop_shuffle())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saving_a_restored_chat_gives_what_was_saved(
        (agents, others) in agents().prop_flat_map(shuffled),
        actions in actions(),
    ) {
        let first = saved(&played(&agents, &actions));
        let again = saved(&restored(&first, &others));
        prop_assert_eq!(canonical_of(&again), canonical_of(&first));
    }

    #[test]
    fn any_number_of_cycles_changes_nothing(
        (agents, others) in agents().prop_flat_map(shuffled),
        actions in actions(),
        cycles in 1..6_usize,
    ) {
        let first = saved(&played(&agents, &actions));
        let mut last = first.clone();
        for cycle in 0..cycles {
            let order = if cycle % 2 == 0 { &others } else { &agents };
            let chat = restored(&last, order);
            last = if cycle % 3 == 2 { encoded(&chat) } else { saved(&chat) };
        }
        let last = ChatSerializer::deserialize(&last).expect("what is saved can be read");
        prop_assert_eq!(canonical_of(&to_text(last.state())), canonical_of(&first));
    }

    #[test]
    fn a_restored_chat_goes_on_as_the_first_would(
        (agents, others) in agents().prop_flat_map(shuffled),
        before in actions(),
        after in actions(),
    ) {
        let mut first = played(&agents, &before);
        let mut second = restored(&saved(&first), &others);
        for action in &after {
            let took_part = action.happen(&mut first, &agents);
            prop_assert_eq!(action.happen(&mut second, &agents), took_part);
        }
        prop_assert_eq!(canonical_of(&saved(&second)), canonical_of(&saved(&first)));
    }

    #[test]
    fn what_is_restored_is_what_is_claimed(
        agents in agents(),
        others in agents(),
        actions in actions(),
    ) {
        let first = saved(&played(&agents, &actions));
        let serializer = ChatSerializer::deserialize(&first).expect("what is saved can be read");
        let mut chat = chat_of(&others);
        let result = serializer.restore(&mut chat).expect("the chat is new and has agents");
        let mut keys: Vec<_> = serializer.state().channels.iter().map(|it| &it.channelkey).collect();
        let mut told: Vec<_> = result.restored.iter().chain(&result.unclaimed).collect();
        keys.sort();
        told.sort();
        prop_assert_eq!(told, keys);
        prop_assert_eq!(chat.history(), &*serializer.state().history);
        prop_assert_eq!(chat.pending(), result.pending);
    }

    #[test]
    fn no_secret_is_saved(agents in agents(), actions in actions()) {
        let chat = played(&agents, &actions);
        for secret in chats::SECRETS {
            prop_assert!(!saved(&chat).contains(secret));
            let decoded = ChatSerializer::deserialize(&encoded(&chat)).expect("it can be read");
            prop_assert!(!to_text(decoded.state()).contains(secret));
        }
    }
}

/// A chat with a channel of each kind, of which only one can be broken by hand.
fn agents_of_each_kind() -> Vec<TestAgent> {
    vec![
        agent("counter", Kind::Tally, 0),
        agent("speaker", Kind::History, 1),
        agent("team", Kind::Team(2), 2),
    ]
}

fn document_of_each_kind() -> String {
    let agents = agents_of_each_kind();
    let actions = [
        Action::Message("hello".to_owned()),
        Action::Reply(0, "one".to_owned()),
        Action::Reply(1, "two".to_owned()),
        Action::Reply(2, "three".to_owned()),
    ];
    saved(&played(&agents, &actions))
}

/// What is broken in the document, and where the restore is rejected.
const BROKEN: &[(&str, &str, &str)] = &[
    (
        r#""heard":3,"#,
        r#""heard":"one","#,
        "/channels/0/channelstate",
    ),
    (
        r#""channeltype":"HistoryChannel","channelstate":[{"role":"user","#,
        r#""channeltype":"HistoryChannel","channelstate":[{"#,
        "/channels/1/channelstate/0/role",
    ),
    (
        r#""channelstate":{"schemaVersion":"1","#,
        r#""channelstate":{"schemaVersion":"2","#,
        "/channels/2/channelstate/schemaVersion",
    ),
    (
        // The innermost chat has no further team.
        r#""type":"TallyAgent"}],"channels":[{"channelkey":"#,
        r#""type":"TallyAgent"}],"channels":[{},{"channelkey":"#,
        "/channels/2/channelstate/channels/1/channelstate/channels/1/channelstate/channels/0/channelkey",
    ),
];

#[test]
fn a_restore_that_fails_leaves_the_chat_as_it_was() {
    let good = document_of_each_kind();
    for (from, to, at) in BROKEN {
        let broken = good.replacen(from, to, 1);
        assert!(broken != good, "{from}");
        let serializer = ChatSerializer::deserialize(&broken).expect("the document is valid");
        let mut chat = chat_of(&agents_of_each_kind());
        let before = saved(&chat);
        let rejected = serializer.restore(&mut chat).expect_err(to);
        assert_eq!(
            (rejected.rule.as_ref(), rejected.at.as_str()),
            ("restore.channel", *at)
        );
        assert_eq!(saved(&chat), before);
        assert!(!chat.is_in_use());
        usable(chat, &good);
    }
}

/// The chat can still be restored into, and used.
fn usable(mut chat: Chat, good: &str) {
    let serializer = ChatSerializer::deserialize(good).expect("what is saved can be read");
    serializer
        .restore(&mut chat)
        .expect("nothing is in its way");
    assert_eq!(canonical_of(&saved(&chat)), canonical_of(good));
    chat.add_message(message("user", "and on"));
    chat.add_reply("speaker", message("assistant", "on and on"));
    assert_eq!(chat.history().len(), 6);
}

#[test]
fn a_chat_without_agents_stays_usable() {
    let good = document_of_each_kind();
    let serializer = ChatSerializer::deserialize(&good).expect("what is saved can be read");
    let mut chat = Chat::new();
    for _ in 0..2 {
        let rejected = serializer.restore(&mut chat).expect_err("it has no agents");
        assert_eq!(rejected.rule, "restore.empty");
    }
    for agent in agents_of_each_kind() {
        chat.add_agent(agent);
    }
    usable(chat, &good);
}

#[test]
fn a_chat_in_use_goes_on() {
    let good = document_of_each_kind();
    let serializer = ChatSerializer::deserialize(&good).expect("what is saved can be read");
    let agents = agents_of_each_kind();
    for first in [Action::Message("mine".to_owned()), Action::TakePart(1)] {
        let mut chat = chat_of(&agents);
        first.happen(&mut chat, &agents);
        let before = saved(&chat);
        let rejected = serializer.restore(&mut chat).expect_err("it is in use");
        assert_eq!(rejected.rule, "restore.invalid");
        assert_eq!(saved(&chat), before);
        chat.add_reply("counter", message("assistant", "still here"));
        assert_eq!(
            chat.history().last(),
            Some(&message("assistant", "still here"))
        );
    }
    let mut once = restored(&good, &agents);
    let rejected = serializer
        .restore(&mut once)
        .expect_err("it was restored before");
    assert_eq!(rejected.rule, "restore.invalid");
    assert_eq!(canonical_of(&saved(&once)), canonical_of(&good));
}

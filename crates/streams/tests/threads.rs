//! The order of a thread's messages, against a list that is searched and rebuilt for every event.
//!
//! Ids are few and shared by all kinds of events, so that messages meet, and two have one id.

use chatstate_json::Value;
use chatstate_streams::replay::{read_stream, replay, replay_at};
use chatstate_types::generated::Event;
use proptest::prelude::*;

/// A message of the list: its id, its role and the ids of its tool calls.
type Message = (String, String, Vec<String>);

#[derive(Debug, Clone)]
enum Action {
    Text(u8),
    Reasoning(u8),
    Call(u8, u8),
    Result(u8, u8),
    Activity(u8),
    Snapshot(Vec<(u8, u8)>),
}

fn action() -> impl Strategy<Value = Action> {
    let id = || 0..6_u8;
    let messages = prop::collection::vec((id(), 0..4_u8), 0..5);
    prop_oneof![
        id().prop_map(Action::Text),
        id().prop_map(Action::Reasoning),
        (id(), id()).prop_map(|(call, parent)| Action::Call(call, parent)),
        (id(), id()).prop_map(|(id, call)| Action::Result(id, call)),
        id().prop_map(Action::Activity),
        messages.prop_map(Action::Snapshot),
    ]
}

fn name(id: u8) -> String {
    format!("i{id}")
}

fn snapshot_message((id, kind): (u8, u8)) -> Message {
    let role = ["user", "assistant", "activity", "reasoning"][usize::from(kind)];
    let calls = if role == "assistant" {
        vec![name(id)]
    } else {
        Vec::new()
    };
    (name(id), role.to_owned(), calls)
}

fn events(action: &Action) -> Vec<String> {
    match action {
        Action::Text(id) => ["START", "END"]
            .map(|end| format!(r#"{{"type":"TEXT_MESSAGE_{end}","messageId":"i{id}"}}"#))
            .into(),
        Action::Reasoning(id) => vec![
            format!(
                r#"{{"type":"REASONING_MESSAGE_START","messageId":"i{id}","role":"reasoning"}}"#
            ),
            format!(r#"{{"type":"REASONING_MESSAGE_END","messageId":"i{id}"}}"#),
        ],
        Action::Call(call, parent) => vec![
            format!(
                r#"{{"type":"TOOL_CALL_START","toolCallId":"i{call}","toolCallName":"f","parentMessageId":"i{parent}"}}"#
            ),
            format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"i{call}"}}"#),
        ],
        Action::Result(id, call) => vec![format!(
            r#"{{"type":"TOOL_CALL_RESULT","messageId":"i{id}","toolCallId":"i{call}","content":"r"}}"#
        )],
        Action::Activity(id) => vec![format!(
            r#"{{"type":"ACTIVITY_SNAPSHOT","messageId":"i{id}","activityType":"P","content":{{}}}}"#
        )],
        Action::Snapshot(messages) => {
            let text = |message: &(u8, u8)| {
                let (id, role, calls) = snapshot_message(*message);
                let function = r#""type":"function","function":{"name":"f","arguments":""}"#;
                let calls = calls
                    .iter()
                    .map(|call| format!(r#"{{"id":"{call}",{function}}}"#));
                let calls: Vec<_> = calls.collect();
                let rest = match role.as_str() {
                    "activity" => r#""activityType":"P","content":{}"#.to_owned(),
                    "assistant" => format!(r#""toolCalls":[{}]"#, calls.join(",")),
                    _ => r#""content":"s""#.to_owned(),
                };
                format!(r#"{{"id":"{id}","role":"{role}",{rest}}}"#)
            };
            let messages: Vec<_> = messages.iter().map(text).collect();
            let messages = messages.join(",");
            vec![format!(
                r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{messages}]}}"#
            )]
        }
    }
}

/// What an event does to the list.
fn apply(list: &mut Vec<Message>, action: &Action) {
    let place_of = |list: &[Message], id: &str| list.iter().position(|message| message.0 == id);
    let has_call = |message: &Message, id: &str| message.2.iter().any(|call| call == id);
    let plain = |id: u8, role: &str| (name(id), role.to_owned(), Vec::new());
    match action {
        Action::Text(id) | Action::Reasoning(id) => {
            let is_text = matches!(action, Action::Text(_));
            if place_of(list, &name(*id)).is_none() {
                list.push(plain(*id, if is_text { "assistant" } else { "reasoning" }));
            }
        }
        Action::Call(call, parent) => {
            if list.iter().any(|message| has_call(message, &name(*call))) {
                return;
            }
            let place = match place_of(list, &name(*parent)) {
                Some(place) if list[place].1 == "assistant" => place,
                named => {
                    list.push(plain(
                        if named.is_none() { *parent } else { *call },
                        "assistant",
                    ));
                    list.len() - 1
                }
            };
            list[place].2.push(name(*call));
        }
        Action::Result(id, call) => {
            let owner = list.iter().position(|it| has_call(it, &name(*call)));
            let place = match owner.filter(|place| list[*place].1 == "assistant") {
                None => list.len(),
                Some(owner) => {
                    let after = list[owner + 1..].iter();
                    owner + 1 + after.take_while(|message| message.1 == "tool").count()
                }
            };
            list.insert(place, plain(*id, "tool"));
        }
        Action::Activity(id) => match place_of(list, &name(*id)) {
            None => list.push(plain(*id, "activity")),
            // A message that was no activity is one now, and calls no tools any more.
            Some(place) if list[place].1 != "activity" => list[place] = plain(*id, "activity"),
            Some(_) => {}
        },
        Action::Snapshot(messages) => {
            let messages: Vec<_> = messages.iter().copied().map(snapshot_message).collect();
            let has = |role: &str| messages.iter().any(|message| message.1 == role);
            let kept = list.iter().filter_map(|message| {
                let latest = messages.iter().rfind(|other| other.0 == message.0);
                let survives = ["activity", "reasoning"].contains(&message.1.as_str());
                let stays = survives && !has(&message.1);
                latest.or(stays.then_some(message)).cloned()
            });
            let mut next: Vec<_> = kept.collect();
            let known = next.clone();
            let new = messages
                .iter()
                .filter(|it| place_of(&known, &it.0).is_none());
            next.extend(new.cloned());
            *list = next;
        }
    }
}

fn messages_of(events: &[Event]) -> Vec<Message> {
    let text = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let replayed = replay(events).map(|replay| replay.messages);
    let message = |message: chatstate_json::Object| {
        let calls = message.get("toolCalls").and_then(Value::as_array);
        let calls = calls.unwrap_or_default().iter();
        let calls = calls.map(|call| text(call.get("id"))).collect();
        (text(message.get("id")), text(message.get("role")), calls)
    };
    replayed
        .unwrap_or_default()
        .into_iter()
        .map(message)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// messages(replay(x)) = the list of x.
    #[test]
    fn messages_stand_where_a_list_would_have_them(
        actions in prop::collection::vec(action(), 0..30),
    ) {
        let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
        let (mut log, mut list) = (vec![start.to_owned()], Vec::new());
        for action in &actions {
            log.extend(events(action));
            apply(&mut list, action);
        }
        let read = log.iter().map(|event| Event::from_json(event)).collect::<Result<Vec<_>, _>>();
        let read = read.expect("the events are valid");
        prop_assert_eq!(messages_of(&read), list, "{:#?}", log);
    }
}

/// A run that appends a letter to one message.
fn appending_run(id: &str, parent: Option<&str>) -> [String; 5] {
    let parent = parent.map_or(String::new(), |parent| {
        format!(r#","parentRunId":"{parent}""#)
    });
    [
        format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{id}"{parent}}}"#),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned(),
        format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{id}"}}"#),
    ]
}

/// A chain of such runs, and then branches that begin behind these of them, in this order.
fn check_branches(order: &[usize]) {
    const RUNS: usize = 40;
    let chain = (0..RUNS).map(|index| appending_run(&format!("r{index}"), None));
    let branches = order
        .iter()
        .enumerate()
        .map(|(branch, place)| appending_run(&format!("b{branch}"), Some(&format!("r{place}"))));
    let lines: Vec<String> = chain.chain(branches).flatten().collect();
    let events = read_stream(&lines.join("\n")).expect("they are events");
    let check = |run: &str, length: usize| {
        let replay = replay_at(&events, run).expect("it can be replayed");
        let content = replay.messages[0].get("content").and_then(Value::as_str);
        assert_eq!(
            content,
            Some("a".repeat(length).as_str()),
            "{run} of {order:?}"
        );
    };
    for (branch, place) in order.iter().enumerate() {
        check(&format!("b{branch}"), place + 2);
        check(&format!("r{place}"), place + 1);
    }
}

#[test]
fn a_text_that_runs_go_on_with_ends_in_each_branch_where_that_parted() {
    check_branches(&[0]);
    check_branches(&[37, 20, 3]);
    check_branches(&[3, 4, 20, 37]);
    check_branches(&[20, 5, 30, 20]);
    check_branches(&(0..40).collect::<Vec<_>>());
}

//! What the roles in the schema say of events, against what the laws say of them by hand.

use super::{Spelled, expanded};
use crate::effective::writes_to;
use chatstate_arbitrary::Source;
use chatstate_arbitrary::strategies::events;
use chatstate_arbitrary::streams::generate;
use chatstate_arbitrary::testing::config;
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::{Action, Closes, EventKind, ItemKind, Written};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// An event with its chunks spelled out: its index, its type, and of an item the id and the owner.
type Line = (usize, String, Option<(String, Option<String>)>);

fn line(index: usize, tag: &str, item: Option<(&str, Option<&str>)>) -> Line {
    let item = item.map(|(id, owner)| (id.to_owned(), owner.map(str::to_owned)));
    (index, tag.to_owned(), item)
}

/// An item that chunks keep open, and its lane.
struct Open<'e> {
    item: ItemKind,
    id: &'e str,
    lane: Option<&'e str>,
}

/// The log by what the roles say.
fn by_roles(events: &[Event]) -> Vec<Line> {
    let (mut lines, mut open) = (Vec::new(), Vec::<Open<'_>>::new());
    for (index, event) in events.iter().enumerate() {
        let lane = event.subagent_run_id();
        let closes = event.kind().role().closes;
        close(index, &mut open, &mut lines, |it| match closes {
            Closes::All => true,
            Closes::Lane => it.lane == lane,
            Closes::Nothing => false,
        });
        match event.action() {
            Action::Chunk(chunk) => {
                let named =
                    |it: &&Open<'_>| it.item == chunk.item && chunk.id.is_none_or(|id| id == it.id);
                let in_lane = open.iter().filter(named).find(|it| it.lane == lane);
                let any = || open.iter().filter(named).find(|_| lane.is_none());
                let known = in_lane.or_else(any).map(|it| (it.id, it.lane));
                let (id, owner) = known.unwrap_or_else(|| {
                    close(index, &mut open, &mut lines, |it| it.lane == lane);
                    let begin = chunk.beginning().expect("what a first chunk needs");
                    let tag = begin.item.begins().tag().expect("a type");
                    lines.push(line(index, tag, Some((begin.id, begin.owner))));
                    open.push(Open {
                        item: begin.item,
                        id: begin.id,
                        lane,
                    });
                    (begin.id, lane)
                });
                let says = chunk.text.is_some() || event.raw_event().is_some();
                if says || known.is_some() && event.metadata().is_some() {
                    let tag = chunk.item.appends().and_then(EventKind::tag);
                    lines.push(line(index, tag.expect("a type"), Some((id, owner))));
                }
            }
            Action::Begin(begin) => {
                lines.push(line(index, event.tag(), Some((begin.id, begin.owner))));
            }
            Action::Append { id, owner, .. } | Action::End { id, owner, .. } => {
                lines.push(line(index, event.tag(), Some((id, owner))));
            }
            _ => lines.push(line(index, event.tag(), None)),
        }
    }
    lines
}

fn close<'e>(
    index: usize,
    open: &mut Vec<Open<'e>>,
    lines: &mut Vec<Line>,
    closes: impl Fn(&Open<'e>) -> bool,
) {
    for item in open.extract_if(.., |item| closes(item)) {
        let tag = item.item.ends().tag().expect("a type");
        lines.push(line(index, tag, Some((item.id, item.lane))));
    }
}

/// The same by what the laws say.
fn by_hand(events: &[Event]) -> Vec<Line> {
    let lines = expanded(events).into_iter();
    lines
        .map(|event| line(event.index, event.tag(), item(&event)))
        .collect()
}

fn item(event: &Spelled) -> Option<(&str, Option<&str>)> {
    let (id, owner) = match event.tag() {
        _ if event.unknown => return None,
        "TOOL_CALL_RESULT" | "REASONING_ENCRYPTED_VALUE" => return None,
        "SUBAGENT_STARTED" => ("subagentRunId", Some("parentSubagentRunId")),
        "SUBAGENT_FINISHED" | "SUBAGENT_ERROR" => ("subagentRunId", None),
        tag if tag.starts_with("STEP_") => ("stepName", Some("subagentRunId")),
        tag if tag.starts_with("TOOL_CALL_") => ("toolCallId", Some("subagentRunId")),
        tag if tag.starts_with("TEXT_") || tag.starts_with("REASONING_") => {
            ("messageId", Some("subagentRunId"))
        }
        _ => return None,
    };
    Some((event.text(id)?, owner.and_then(|name| event.text(name))))
}

/// Every text of an event is written to by its role if and only if a law says so.
fn check_writes(event: &Event) {
    let spelled = Spelled {
        index: 0,
        members: super::members(event),
        unknown: matches!(event, Event::Unknown(_)),
        open: false,
    };
    let tag = event.tag();
    let is_whole = tag.starts_with("RUN_") || tag == "MESSAGES_SNAPSHOT";
    match event.written() {
        Written::All => assert!(is_whole, "{tag}"),
        Written::Ids(ids) => {
            assert!(!is_whole, "{tag}");
            for text in spelled
                .members
                .iter()
                .filter_map(|(_, value)| value.as_str())
            {
                // A chunk is spelled out before a law asks what it writes to.
                let by_hand = tag.ends_with("_CHUNK") || writes_to(&spelled, text);
                let by_role = tag.ends_with("_CHUNK") || ids.contains(&Some(text));
                assert_eq!(by_role, by_hand, "{tag}: {text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_roles_of_events_say_what_the_laws_say_by_hand(events in events()) {
        prop_assert_eq!(by_roles(&events), by_hand(&events));
        events.iter().for_each(check_writes);
    }
}

#[test]
fn streams_have_events_of_all_types() {
    let events = (0..400).flat_map(|number| generate(Source::new(17, number)).events);
    let seen: BTreeSet<String> = events.map(|event| event.tag().to_owned()).collect();
    assert!(seen.len() > 31, "{seen:?}");
}

/// Whether an event of a type closes the item of its own lane, and that of another lane.
fn check_closes(kind: EventKind, tag: &str) {
    let event = super::object([("type", tag), ("subagentRunId", "s")]);
    let by_hand = [Some("s"), None].map(|owner| {
        let open = super::Open {
            prefix: "TEXT_MESSAGE".to_owned(),
            id: "m".to_owned(),
            owner: owner.map(str::to_owned),
            start: 0,
        };
        super::closes(&event, &open)
    });
    let by_role = match kind.role().closes {
        Closes::All => [true, true],
        Closes::Lane => [true, false],
        Closes::Nothing => [false, false],
    };
    assert_eq!(by_role, by_hand, "{tag}");
}

#[test]
fn each_type_closes_what_the_laws_say_by_hand() {
    for kind in EventKind::ALL {
        let tag = kind.tag().expect("a type that the schema knows");
        // What a chunk closes depends on what is open.
        if !tag.ends_with("_CHUNK") {
            check_closes(kind, tag);
        }
    }
}

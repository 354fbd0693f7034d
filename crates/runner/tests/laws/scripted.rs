//! A compactor that behaves as its first argument says: well, or badly in one way.

use std::io;
use std::process::exit;

use chatstate_json::to_text;
use chatstate_protocol::{
    Implementation, ImplementationName, Rejected, Reply, RunRequest, StartReply,
    serve as serve_protocol,
};
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_types::generated::EventStream;
use serde_json::{Value, json};

/// Serves stdin and stdout until `stop`, behaving as told.
pub fn serve(behaviour: &str) {
    let mut scripted = Scripted {
        behaviour: behaviour.to_owned(),
    };
    if let Err(error) = serve_protocol(io::stdin().lock(), io::stdout().lock(), &mut scripted) {
        eprintln!("{error}");
        exit(1);
    }
}

struct Scripted {
    behaviour: String,
}

impl Implementation for Scripted {
    fn introduce(&mut self) -> StartReply {
        StartReply {
            protocol: 1,
            implementation: ImplementationName {
                name: "scripted".to_owned(),
                version: "1.0".to_owned(),
                language: "rust".to_owned(),
            },
            capabilities: ["compact", "attach", "events"].map(str::to_owned).to_vec(),
            dialect: None,
            max_in_flight: Some(8),
        }
    }

    fn run(&mut self, request: &RunRequest) -> Reply {
        let input = request.input.as_deref().unwrap_or_default();
        let events: Vec<Value> = serde_json::from_str(input).unwrap_or_default();
        let joined = |text: &str| input.contains(&format!("\"{text}\""));
        match (self.behaviour.as_str(), request.op.as_str()) {
            ("refuses-its-own-answer", _) if joined("abc") => rejection("text.not-open", "/3"),
            ("refuses-what-is-cut-off", _) if events.len() == 1 => rejection("run.open", "/0"),
            ("crashes-the-second-time", _) if joined("abc") => exit(9),
            ("faults-the-second-time", _) if joined("abc") => Reply::Fault("no".to_owned()),
            (behaviour, "attach") => Reply::Ok(text(&attached(behaviour, events))),
            (behaviour, _) => compacted(behaviour, request, events),
        }
    }
}

fn rejection(rule: &str, at: &str) -> Reply {
    Reply::Rejected(Rejected {
        class: Some("sequence".to_owned()),
        rule: Some(rule.to_owned()),
        at: Some(at.to_owned()),
        message: Some("not mine".to_owned()),
    })
}

fn text(events: &[Value]) -> String {
    Value::from(events.to_vec()).to_string()
}

/// The log itself is a prelude that loses nothing.
fn attached(behaviour: &str, mut events: Vec<Value>) -> Vec<Value> {
    match behaviour {
        // It says what a client sees that is there from now on: nothing.
        "forgets-everything" if events.len() == 3 => Vec::new(),
        "restates-open-text" if events.len() == 4 => {
            events.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a"}));
            events
        }
        _ => events,
    }
}

fn compacted(behaviour: &str, request: &RunRequest, events: Vec<Value>) -> Reply {
    if matches!(behaviour, "does-nothing" | "keeps-states" | "keeps-inputs") {
        return Reply::Ok(text(&kept(behaviour, events)));
    }
    let level = match (request.argument("level"), request.argument("retain")) {
        (Some("snapshot"), Some("runs")) => Level::Snapshot(Retain::Runs),
        (Some("snapshot"), _) => Level::Snapshot(Retain::Tips),
        _ => Level::Stream,
    };
    let passes = events
        .first()
        .and_then(|it| it["metadata"]["pass"].as_str());
    let passes = passes.unwrap_or_default().to_owned();
    let long = events.iter().any(|it| it["delta"] == "ab");
    let stream = EventStream::from_json(&text(&events));
    let compacted = stream.and_then(|stream| compact(&stream.0, &Options::at(level)));
    let compacted = match compacted {
        Ok(compacted) => to_text(&EventStream(compacted)),
        Err(rejection) => return Reply::Fault(rejection.to_string()),
    };
    let mut events: Vec<Value> = serde_json::from_str(&compacted).unwrap_or_default();
    spoil(behaviour, &mut events, &passes, long);
    Reply::Ok(text(&events))
}

/// What a compactor leaves that leaves out one part of its work.
fn kept(behaviour: &str, mut events: Vec<Value>) -> Vec<Value> {
    let is = |event: &Value, tag: &str| event["type"] == tag;
    match behaviour {
        "keeps-states" | "keeps-inputs" => {
            join(&mut events);
            if behaviour == "keeps-inputs" {
                events.retain(|event| !is(event, "STATE_DELTA"));
            }
        }
        _ => {}
    }
    events
}

/// Joins all deltas into the last.
fn join(events: &mut Vec<Value>) {
    let deltas = events
        .iter()
        .filter(|it| it["type"] == "TEXT_MESSAGE_CONTENT");
    let joined: String = deltas.filter_map(|it| it["delta"].as_str()).collect();
    let mut last = None;
    for (index, event) in events.iter().enumerate() {
        if event["type"] == "TEXT_MESSAGE_CONTENT" {
            last = Some(index);
        }
    }
    let Some(last) = last else { return };
    events[last]["delta"] = Value::from(joined);
    let mut index = 0;
    events.retain(|event| {
        index += 1;
        event["type"] != "TEXT_MESSAGE_CONTENT" || index == last + 1
    });
}

fn spoil(behaviour: &str, events: &mut Vec<Value>, passes: &str, long: bool) {
    let place = |events: &[Value], tag: &str| events.iter().position(|it| it["type"] == tag);
    let delta = place(events, "TEXT_MESSAGE_CONTENT");
    match behaviour {
        "counts-its-passes" => events[0]["metadata"]["pass"] = json!(format!("{passes}I")),
        "loses-the-last-character" => events[delta.unwrap_or_default()]["delta"] = json!("ab"),
        "loses-the-state" => events.retain(|it| it["type"] != "STATE_SNAPSHOT"),
        "joins-runs" => events.truncate(7),
        "removes-a-run" => {
            events.drain(1..6);
            events[0]["metadata"]["chatstate"]["compacted"] = json!("tips");
        }
        "forgets-an-end" => events.retain(|it| it["type"] != "TEXT_MESSAGE_END"),
        "answers-no-events" => drop(
            events[0]
                .as_object_mut()
                .and_then(|it| it.remove("threadId")),
        ),
        "moves-an-event" | "moves-an-event-behind-the-end" => {
            let custom = place(events, "CUSTOM").map(|index| events.remove(index));
            let place = place(events, "RUN_FINISHED").unwrap_or_default();
            let behind = if behaviour == "moves-an-event" { 2 } else { 1 };
            events.insert(place + behind, custom.unwrap_or_default());
        }
        "joins-short-deltas" if long => split(events, delta),
        "repeats-an-event" => {
            let repeated = vec![json!({"type": "RAW", "event": 1}); 9];
            events.splice(4..4, repeated);
        }
        "adds-bytes" => events[2]["metadata"] = json!({"note": "x".repeat(300)}),
        "empties-inputs" => events[0]["input"]["messages"] = json!([]),
        "invents-input" => {
            let invented = json!({"id": "v", "role": "user", "content": "ho"});
            if let Some(messages) = events[0]["input"]["messages"].as_array_mut() {
                messages.insert(0, invented);
            }
        }
        _ => {}
    }
}

/// Text that was joined before stays apart from what follows it.
fn split(events: &mut Vec<Value>, delta: Option<usize>) {
    if let Some(place) = delta {
        events[place]["delta"] = json!("ab");
        let rest = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "c"});
        events.insert(place + 1, rest);
    }
}

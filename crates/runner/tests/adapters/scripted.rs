//! An adapter that behaves as its first argument says: well, or badly in one way.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, exit};
use std::time::Duration;

use chatstate_protocol::{
    Answer, ImplementationName, Rejected, Reply, Request, RunRequest, StartReply,
};
use chatstate_types::generated::Document;

/// The capabilities of a well-behaved scripted adapter.
const CAPABILITIES: [&str; 5] = ["round-trip", "validate", "replay", "events", "chat"];

/// Serves stdin and stdout until `stop`, behaving as told.
pub fn serve(behaviour: &str) {
    if behaviour == "sleeps" {
        hang();
    }
    let mut input = BufReader::new(io::stdin());
    let mut held = Vec::new();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|read| read > 0) {
        match serde_json::from_str(&line) {
            Ok(Request::Start(_)) => start(behaviour),
            Ok(Request::Run(run)) if behaviour == "reversed" => {
                held.push(Answer::new(run.seq, reply(&run)));
                if input.buffer().is_empty() {
                    held.drain(..).rev().for_each(|answer| send(&answer));
                }
            }
            // In the new process where it is asked again alone, numbers begin at 1 again.
            Ok(Request::Run(run)) if behaviour == "crashes-in-company" && run.seq > 12 => {
                if is_marked(&run) {
                    let _ = input.read_line(&mut line);
                    exit(9);
                }
                answer(behaviour, &run);
            }
            Ok(Request::Run(run)) => answer(behaviour, &run),
            Ok(Request::Stop) | Err(_) => break,
        }
        line.clear();
    }
    if behaviour == "talks-after-stop" {
        print("good bye");
    }
}

fn print(line: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

fn start(behaviour: &str) {
    let mut reply = StartReply {
        protocol: 1,
        implementation: ImplementationName {
            name: "scripted".to_owned(),
            version: "1.0".to_owned(),
            language: "rust".to_owned(),
        },
        capabilities: CAPABILITIES.map(str::to_owned).to_vec(),
        dialect: None,
        max_in_flight: Some(8),
    };
    match behaviour {
        "exits-at-once" => {
            eprintln!("no such module");
            exit(3);
        }
        "hangs-at-start" => hang(),
        "garbage-at-start" => return print("Welcome to the adapter!"),
        "malformed-start" => return print(r#"{"protocol":1,"capabilities":[]}"#),
        "other-protocol" => return print(r#"{"protocol":0,"error":"I speak protocol 7"}"#),
        "wrong-protocol" => reply.protocol = 2,
        "no-window" => reply.max_in_flight = Some(0),
        "declares-nothing" => reply.capabilities.clear(),
        "declares-no-operation" => reply.capabilities = vec!["events".to_owned()],
        "declares-canonicalize" => reply.capabilities = vec!["canonicalize".to_owned()],
        "declares-a-typing-error" => reply.capabilities.push("round_trip".to_owned()),
        "one-at-a-time" => reply.max_in_flight = None,
        "speaks-a-dialect" => {
            reply.dialect = Some("semantic-kernel-python".to_owned());
            reply.capabilities = ["round-trip", "chat"].map(str::to_owned).to_vec();
        }
        "speaks-no-dialect" => reply.dialect = Some("klingon".to_owned()),
        _ => {}
    }
    print(&serde_json::to_string(&reply).unwrap_or_default());
}

fn is_marked(run: &RunRequest) -> bool {
    let input = run.input.as_deref();
    input.is_some_and(|input| input.contains("marked"))
}

fn answer(behaviour: &str, run: &RunRequest) {
    let input = run.input.clone().unwrap_or_default();
    let marked = is_marked(run);
    let seq = run.seq;
    match behaviour {
        "hangs" if marked => hang(),
        "garbage" if marked => return print("DEBUG: reading the event"),
        "garbage-always" => return print("DEBUG: reading the event"),
        "not-utf8" if marked => {
            let _ = io::stdout().lock().write_all(b"\xff\xfe\n");
            let _ = io::stdout().lock().flush();
            return;
        }
        "endless-line" if marked => return print(&"x".repeat(70 * 1024 * 1024)),
        "crashes" if marked => {
            eprintln!("segmentation fault, or so");
            exit(9);
        }
        "crashes-always" => exit(9),
        "leaves-a-child" if marked => leave_a_child(),
        "takes-memory" if marked => drop(std::hint::black_box(vec![1_u8; 1024 * 1024 * 1024])),
        "takes-time" if marked => loop {
            std::hint::spin_loop();
        },
        "exits-cleanly" if marked => exit(0),
        "wrong-seq" if marked => return send(&Answer::new(seq + 1000, reply(run))),
        "twice" if marked => send(&Answer::new(seq, reply(run))),
        "twice-always" => send(&Answer::new(seq, reply(run))),
        "bad-reply" if marked => return print(&format!(r#"{{"seq":{seq},"ok":"1","fault":"x"}}"#)),
        "no-reply" if marked => return print(&format!(r#"{{"seq":{seq}}}"#)),
        "reply-of-wrong-type" if marked => return print(&format!(r#"{{"seq":{seq},"ok":true}}"#)),
        "echoes" => return send(&Answer::new(seq, Reply::Ok(input))),
        "unsupported" => return send(&Answer::new(seq, Reply::Unsupported("no".to_owned()))),
        "refuses" => return send(&Answer::new(seq, rejection("schema", "no"))),
        "accepts" => return send(&Answer::new(seq, accept(run, &input))),
        "speaks-a-dialect" => return send(&Answer::new(seq, in_dialect(&input, marked))),
        "no-class" => return send(&Answer::new(seq, without_class(reply(run)))),
        _ => {}
    }
    send(&Answer::new(seq, reply(run)));
}

/// Ends, but leaves a process that keeps all pipes open.
fn leave_a_child() {
    if let Ok(program) = env::current_exe() {
        let child = Command::new(program).args(["--adapter", "sleeps"]).spawn();
        exit(if child.is_ok() { 9 } else { 8 });
    }
}

fn send(answer: &Answer) {
    print(&serde_json::to_string(answer).unwrap_or_default());
}

fn rejection(class: &str, message: &str) -> Reply {
    Reply::Rejected(Rejected {
        class: Some(class.to_owned()),
        message: Some(message.to_owned()),
        ..Rejected::default()
    })
}

fn without_class(reply: Reply) -> Reply {
    match reply {
        Reply::Rejected(rejected) => Reply::Rejected(Rejected {
            class: None,
            ..rejected
        }),
        reply => reply,
    }
}

/// What an adapter answers that knows its own dialect and nothing else.
fn in_dialect(input: &str, marked: bool) -> Reply {
    if !input.starts_with('{') {
        return rejection("syntax", "no JSON");
    }
    if !input.contains(r#""content_type":"message""#) && !input.contains(r#""messages":"#) {
        return Reply::Fault(format!("this is no dialect: {input}"));
    }
    Reply::Ok(if marked { r#"{"no":"dialect"}"# } else { input }.to_owned())
}

fn accept(run: &RunRequest, input: &str) -> Reply {
    match run.op.as_str() {
        "validate" => Reply::Ok("true".to_owned()),
        _ if input.starts_with('{') => Reply::Ok(input.to_owned()),
        _ => Reply::Ok("{}".to_owned()),
    }
}

/// What a well-behaved adapter answers.
fn reply(run: &RunRequest) -> Reply {
    let input = run.input.clone().unwrap_or_default();
    let type_name = match run.op.as_str() {
        "replay" => "EventStream",
        _ => run.document_type.as_deref().unwrap_or(""),
    };
    match Document::read(type_name, &input) {
        None => Reply::Unsupported(format!("no type `{type_name}`")),
        Some(Err(problem)) => rejection(problem.class.as_str(), &problem.message),
        Some(Ok(document)) => Reply::Ok(match run.op.as_str() {
            "validate" => "true".to_owned(),
            "replay" => r#"{"messages":[],"state":{}}"#.to_owned(),
            _ => match document.to_json() {
                Ok(text) => text,
                Err(problem) => return rejection(problem.class.as_str(), &problem.message),
            },
        }),
    }
}

//! What the package for .NET takes to read and to make snapshots.

use std::path::Path;

use serde_json::Value;

use super::chat;
use super::dotnet::Dotnet;
use crate::figure::Measured;
use crate::stream::{self, FileFraming};

/// The bytes of the chat.
const CHAT: usize = 1_000_000;

/// Reading a chat and so many events, beside plain classes.
pub fn figures(
    dotnet: &Dotnet,
    folder: &Path,
    events: usize,
    seed: u64,
) -> Result<Vec<Measured>, String> {
    let (chat, log) = (folder.join("chat.json"), folder.join("events.json"));
    chat::write(&chat, CHAT, seed)?;
    stream::write(&log, FileFraming::Array, events, seed)?;
    let answer = dotnet.answer(&["reading".as_ref(), &chat, &log])?;
    let told = |of, what| told(&answer, of, what);
    for (ours, plain) in [("chat", "plainChat"), ("events", "plainEvents")] {
        if answer["results"][ours] != answer["results"][plain] {
            return Err(format!(
                "the package and the plain classes read another `{ours}`"
            ));
        }
    }
    let time = |id, ours, plain| -> Result<Measured, String> {
        let (ours, plain) = (told("medians", ours)?, told("medians", plain)?);
        Ok(compared(id, ours * 1e3, plain * 1e3, "ms"))
    };
    let bytes = |id, ours, plain| -> Result<Measured, String> {
        let (ours, plain) = (told("bytes", ours)?, told("bytes", plain)?);
        Ok(compared(id, ours / 1e6, plain / 1e6, "MB"))
    };
    Ok(vec![
        time("read-chat", "chat", "plainChat")?,
        bytes("read-chat-bytes", "chat", "plainChat")?,
        time("read-events", "events", "plainEvents")?,
        bytes("read-events-bytes", "events", "plainEvents")?,
    ])
}

/// The memory that compaction to level `snapshot` has.
pub fn snapshots(dotnet: &Dotnet, folder: &Path, log: &Path) -> Result<Measured, String> {
    let output = folder.join("snapshots.jsonl");
    let answer = dotnet.answer(&["snapshot".as_ref(), log, &output])?;
    let written = told(&answer, "bytes", "output")?;
    Ok(Measured {
        id: "snapshots",
        value: told(&answer, "bytes", "peak")?,
        peer: format!("an output of {:.1} MB", written / 1e6),
    })
}

fn told(answer: &Value, of: &str, what: &str) -> Result<f64, String> {
    let told = answer[of][what].as_f64();
    told.ok_or_else(|| format!("no {of} of `{what}` in {answer}"))
}

fn compared(id: &'static str, ours: f64, plain: f64, unit: &str) -> Measured {
    Measured {
        id,
        value: ours / plain,
        peer: format!("ours {ours:.1} {unit}, plain {plain:.1} {unit}"),
    }
}

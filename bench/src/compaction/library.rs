//! The library in this process: compaction beside a parser, state deltas, replay.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use chatstate::Rejection;
use chatstate::compact::{Options, TextCompactor};
use chatstate::replay::replay_text;
use serde_json::json;

use super::programs::Logs;
use crate::figure::Measured;
use crate::measure::{self, ROUNDS, median, milliseconds, side_by_side};
use crate::peer::PeerPackages;

/// How many deltas change a state whose cost is measured.
const DELTAS: u32 = 20_000;

/// The items of the small state and of the large one.
const ITEMS: [usize; 2] = [10, 10_000];

/// Every figure that is measured in this process.
pub fn figures(peer: &PeerPackages, logs: &Logs) -> Result<Vec<Measured>, String> {
    eprintln!("compacting and replaying in this process");
    let mut figures = vec![dom(&read(&logs.all.lines)?)?, delta()?];
    figures.extend(replays(peer, logs)?);
    Ok(figures)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

/// Compacts a text in blocks; gives the length of what comes of it, so that nothing is left out.
fn compacted(text: &str) -> Result<u64, String> {
    let mut compactor = TextCompactor::new(Options::default());
    let mut out = Vec::new();
    for block in text.as_bytes().chunks(TextCompactor::BLOCK_BYTES) {
        let pushed = compactor.push(block, &mut out);
        pushed.map_err(|stopped| rejected(&stopped.rejection))?;
        std::hint::black_box(&out);
        out.clear();
    }
    let finished = compactor.finish(&mut out);
    let finished = finished.map_err(|stopped| rejected(&stopped.rejection))?;
    Ok(finished.bytes_written)
}

fn rejected(rejection: &Rejection) -> String {
    format!("the log is rejected: {rejection}")
}

/// Compaction beside a parser that builds every value.
fn dom(text: &str) -> Result<Measured, String> {
    let parse = || {
        for line in text.lines() {
            let value: sonic_rs::Value =
                sonic_rs::from_str(line).map_err(|error| error.to_string())?;
            std::hint::black_box(&value);
        }
        Ok(())
    };
    let (ours, parser) = side_by_side(|| compacted(text).map(drop), parse)?;
    Ok(Measured {
        id: "dom",
        value: measure::ratio(ours, parser),
        peer: format!(
            "ours {}, parser {}",
            milliseconds(ours),
            milliseconds(parser)
        ),
    })
}

/// A run whose state has so many items and changes so often.
fn changing_state(items: usize, deltas: u32) -> String {
    let item = |index| json!({"id": index, "text": "an item of about a hundred bytes, with a text that says so", "done": false});
    let items: Vec<_> = (0..items).map(item).collect();
    let mut text = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}).to_string();
    let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": {"step": 0, "items": items}});
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{snapshot}");
    for step in 1..=deltas {
        let delta = json!([{"op": "replace", "path": "/step", "value": step}]);
        let _ = write!(text, "\n{}", json!({"type": "STATE_DELTA", "delta": delta}));
    }
    let end = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"});
    let _ = writeln!(text, "\n{end}");
    text
}

/// The cost of one delta on the large state over that on the small one; what the run costs without
/// any delta is taken off.
fn delta() -> Result<Measured, String> {
    let texts = ITEMS.map(|items| [0, DELTAS].map(|deltas| changing_state(items, deltas)));
    let mut times = [const { [const { Vec::new() }; 2] }; 2];
    for _ in 0..ROUNDS {
        for (size, texts) in texts.iter().enumerate() {
            for (deltas, text) in texts.iter().enumerate() {
                let start = Instant::now();
                compacted(text)?;
                times[size][deltas].push(start.elapsed());
            }
        }
    }
    let [small, large] = times.map(|times| {
        let [without, with] = times.map(median);
        with.saturating_sub(without).as_secs_f64() * 1e9 / f64::from(DELTAS)
    });
    Ok(Measured {
        id: "delta",
        value: large / small,
        peer: format!("{large:.0} ns and {small:.0} ns"),
    })
}

/// Replays a text to its messages and state; gives the time and the number of messages.
fn replayed(text: &str) -> Result<(Duration, usize), String> {
    let start = Instant::now();
    let replay = replay_text(text, None).map_err(|rejection| rejected(&rejection))?;
    Ok((start.elapsed(), replay.messages.len()))
}

/// Replay beside the peer's reducer on the smallest log, and on the largest one alone.
fn replays(peer: &PeerPackages, logs: &Logs) -> Result<[Measured; 2], String> {
    let (small, all) = (read(&logs.hundredth.lines)?, read(&logs.all.lines)?);
    let (mut ours, mut theirs, mut large) = (Vec::new(), Vec::new(), Vec::new());
    let mut messages = (0, None);
    for _ in 0..ROUNDS {
        let (time, count) = replayed(&small)?;
        ours.push(time);
        let answer = peer.answer("replay.mjs", &[&logs.hundredth.lines])?;
        let seconds = answer["seconds"]
            .as_f64()
            .ok_or("`replay.mjs` gave no `seconds`")?;
        theirs.push(Duration::from_secs_f64(seconds));
        messages = (count, answer["messages"].as_u64());
        large.push(replayed(&all)?.0);
    }
    if u64::try_from(messages.0).ok() != messages.1 {
        eprintln!(
            "note: ours has {} messages at the end, the peer {:?}",
            messages.0, messages.1
        );
    }
    let [ours, theirs, large] = [ours, theirs, large].map(median);
    // The state of a thread grows in its first runs, so that the smallest log has fewer bytes in as
    // many events.
    let [small_bytes, large_bytes] = [&small, &all].map(|text| text.len() as u64);
    let more_bytes = measure::of_bytes(large_bytes) / measure::of_bytes(small_bytes);
    Ok([
        Measured {
            id: "replay",
            value: measure::ratio(theirs, ours),
            peer: format!("ours {}, peer {}", milliseconds(ours), milliseconds(theirs)),
        },
        Measured {
            id: "replay-linear",
            value: measure::ratio(large, ours) / more_bytes,
            peer: format!(
                "{} for {}, {} for {}",
                milliseconds(large),
                measure::megabytes(large_bytes),
                milliseconds(ours),
                measure::megabytes(small_bytes)
            ),
        },
    ])
}

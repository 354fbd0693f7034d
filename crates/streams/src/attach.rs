//! What a client needs that joins a running thread: a prelude of few events, after which the live
//! events of the thread continue.
//!
//! [`attach`] takes the log up to now. A client that applies the prelude and then every event that
//! follows the log has the messages, the state, the open items and the interrupts of a client that
//! was there from the beginning, without a character lost or repeated, and a verifier accepts what
//! it sees. The prelude speaks for the last run of the log and the runs that lead to it. What a
//! joining client cannot know are the runs that it leaves out and other branches: the prelude names
//! them, and a later run that continues one of those is not replayed after it, but needs the log.
//!
//! Of three forms, each right for fewer threads and shorter than the next, the first that is right
//! is taken:
//!
//! 1. The run in progress, or the last one, as its `RUN_STARTED`, one `MESSAGES_SNAPSHOT` of all
//!    messages, a `STATE_SNAPSHOT`, and bare beginnings of what is open. It is right if a verifier
//!    and a replay are in the same state after it as after the log, so that nothing that follows
//!    can distinguish the two. A snapshot also says whose each message is, so it is not right where the
//!    run has not heard of an earlier message.
//! 2. The last run that snapshots can say, in that form, and the runs after it compacted.
//! 3. All runs that lead to the last, compacted.

mod log;
mod reopen;
mod run_texts;

use crate::compact::{Options, compact};
use crate::restate;
use chatstate_json::{Rejection, Tape, to_text};
use chatstate_types::generated::Event;
pub(crate) use log::CompactedLog;
use log::Log;

/// The prelude for a client that joins the thread of this log.
///
/// Rejected are a log that a verifier rejects (class `sequence`, under the verifier's rule), and one
/// that needs what compaction removed (class `semantic`, rule `replay.removed-run`).
///
/// ```
/// use chatstate_streams::attach::attach;
/// use chatstate_streams::replay::read_stream;
///
/// let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
/// {"type":"TEXT_MESSAGE_START","messageId":"m"}
/// {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}"#;
/// let prelude = attach(&read_stream(log)?)?;
/// let tags: Vec<&str> = prelude.iter().map(|event| event.tag()).collect();
/// assert_eq!(
///     tags,
///     ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "TEXT_MESSAGE_START"]
/// );
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub fn attach(events: &[Event]) -> Result<Vec<Event>, Rejection> {
    let (mut log, mut tape) = (CompactedLog::default(), Tape::default());
    for event in events {
        log.push(&mut tape, &to_text(event))?;
    }
    prelude(log)
}

/// The prelude of a log that has come.
pub(crate) fn prelude(log: CompactedLog) -> Result<Vec<Event>, Rejection> {
    let mut log = log.finish()?;
    let Some(last) = log.path.len().checked_sub(1) else {
        // Nothing, or an error before any run.
        return log.all_events();
    };
    if let Some(mut prelude) = restated(&mut log, last)? {
        log.name_left_out(&mut prelude)?;
        return Ok(prelude);
    }
    let mut prelude = rest(&mut log, last)?;
    log.name_left_out(&mut prelude)?;
    // The log may take much memory, and is not needed any more.
    drop(log);
    compact(&prelude, &Options::default())
}

/// The last run as snapshots, if these can say it.
fn restated(log: &mut Log, last: usize) -> Result<Option<Vec<Event>>, Rejection> {
    let end = log.end()?;
    let prelude = log.restated(last, &end)?;
    Ok(match prelude {
        Some(prelude) if log.is_as_good(&prelude, &end)? => Some(prelude),
        _ => None,
    })
}

/// The runs up to the last one, from the latest that snapshots can say.
fn rest(log: &mut Log, last: usize) -> Result<Vec<Event>, Rejection> {
    let mut prelude = Vec::new();
    let mut from = 0;
    if let Some(place) = log.latest_that_snapshots_say()?
        && let Some(restated) = log.restated_whole(place)?
    {
        prelude = restated;
        from = place + 1;
    }
    for place in from..=last {
        prelude.extend(log.events_of(place)?);
    }
    Ok(prelude)
}

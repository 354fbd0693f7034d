//! Medians of interleaved rounds: machines drift, ratios within one run do not.

use std::time::{Duration, Instant};

/// How often each of two things is measured, in turn.
pub const ROUNDS: usize = 5;

/// One line of the table.
pub struct MeasuredRow {
    /// What was measured.
    pub what: String,
    /// The figure.
    pub measured: String,
    /// What was measured beside it.
    pub yardstick: String,
    /// The time of the measured thing over that of the yardstick.
    pub ratio: f64,
}

/// The median times of two things that are done in turn.
pub fn side_by_side(
    mut measured: impl FnMut() -> Result<(), String>,
    mut yardstick: impl FnMut() -> Result<(), String>,
) -> Result<(Duration, Duration), String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(timed(&mut measured)?);
        theirs.push(timed(&mut yardstick)?);
    }
    Ok((median(ours), median(theirs)))
}

fn timed(work: &mut impl FnMut() -> Result<(), String>) -> Result<Duration, String> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// One time over another.
pub fn ratio(measured: Duration, yardstick: Duration) -> f64 {
    measured.as_secs_f64() / yardstick.as_secs_f64()
}

/// A time for people.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// An amount of memory or of bytes for people.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", of_bytes(bytes) / 1e6)
}

/// Bytes as a number to divide.
#[allow(
    clippy::cast_precision_loss,
    reason = "sizes of files and of memory are below 2^53 bytes"
)]
pub fn of_bytes(bytes: u64) -> f64 {
    bytes as f64
}

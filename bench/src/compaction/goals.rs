//! What compaction and replay must reach.

use crate::figure::FigureBound::{AtLeast, AtMost};
use crate::figure::{FigureBound, Goal, Unit};

const fn goal(
    id: &'static str,
    name: &'static str,
    unit: Unit,
    floor: Option<FigureBound>,
    aim: Option<FigureBound>,
) -> Goal {
    Goal {
        id,
        name,
        unit,
        floor,
        aim,
    }
}

const fn shown(id: &'static str, name: &'static str) -> Goal {
    goal(id, name, Unit::Ratio, None, None)
}

const fn ratio(id: &'static str, name: &'static str, floor: FigureBound, aim: FigureBound) -> Goal {
    goal(id, name, Unit::Ratio, Some(floor), Some(aim))
}

/// The memory of a command that reads a whole log.
const fn peak(id: &'static str, name: &'static str) -> Goal {
    let (floor, aim) = (Some(AtMost(160e6)), Some(AtMost(64e6)));
    goal(id, name, Unit::Megabytes, floor, aim)
}

/// Every figure, in the order of the page.
pub const GOALS: &[Goal] = &[
    shown("start", "process wall time, 3 events: peer / ours"),
    shown(
        "lines-hundredth",
        "process wall time, JSON Lines, {hundredth} events: peer / ours",
    ),
    shown(
        "lines-tenth",
        "process wall time, JSON Lines, {tenth} events: peer / ours",
    ),
    ratio(
        "lines-all",
        "process wall time, JSON Lines, {all} events: peer / ours",
        AtLeast(10.0),
        AtLeast(20.0),
    ),
    shown(
        "array-hundredth",
        "process wall time, JSON array, {hundredth} events: peer / ours",
    ),
    shown(
        "array-tenth",
        "process wall time, JSON array, {tenth} events: peer / ours",
    ),
    ratio(
        "array-all",
        "process wall time, JSON array, {all} events: peer / ours",
        AtLeast(6.0),
        AtLeast(10.0),
    ),
    ratio(
        "events",
        "output events, {all} events: ours / peer",
        AtMost(1.0),
        AtMost(0.9),
    ),
    ratio(
        "bytes",
        "output bytes, {all} events: ours / peer",
        AtMost(1.0),
        AtMost(0.5),
    ),
    goal(
        "memory",
        "peak memory, JSON Lines, {all} events",
        Unit::Megabytes,
        Some(AtMost(160e6)),
        Some(AtMost(48e6)),
    ),
    peak("verify", "`verify` of at most 200 MB: peak memory"),
    peak("lineage", "`lineage` of at most 200 MB: peak memory"),
    peak("attach", "`attach` of at most 200 MB: peak memory"),
    peak("replay-memory", "`replay` of at most 200 MB: peak memory"),
    goal(
        "growth",
        "growth of the peak from {tenth} to {all} events, for each message and run",
        Unit::Bytes,
        None,
        None,
    ),
    ratio(
        "linear",
        "process wall time, JSON Lines: {all} events / 10 × {tenth} events",
        AtMost(1.2),
        AtMost(1.05),
    ),
    ratio(
        "snapshot-tips",
        "level `snapshot`, tips, processor time: 16,000 runs / 2 × 8,000 runs",
        AtMost(1.2),
        AtMost(1.05),
    ),
    ratio(
        "snapshot-runs",
        "level `snapshot`, all runs, processor time: 16,000 runs / 2 × 8,000 runs",
        AtMost(1.2),
        AtMost(1.05),
    ),
    ratio(
        "delta",
        "time for each STATE_DELTA: state of 10,000 items / state of 10 items",
        AtMost(1.5),
        AtMost(1.1),
    ),
    shown(
        "dom",
        "compaction in process, {all} events / parsing the same bytes with sonic-rs",
    ),
    ratio(
        "replay",
        "replay, {hundredth} events: defaultApplyEvents / ours",
        AtLeast(50.0),
        AtLeast(200.0),
    ),
    ratio(
        "replay-linear",
        "replay, time for each byte: {all} events / {hundredth} events",
        AtMost(1.2),
        AtMost(1.05),
    ),
];

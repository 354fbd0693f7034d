//! The rows: what is made, how much of it, and which commands read it.

use super::{documents, items, patches, runs};
use crate::figure::FigureBound::AtMost;
use crate::figure::{Goal, Unit};

/// What a row gives the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostileInput {
    /// A log of events.
    Log(String),
    /// Documents, each in a file.
    Documents(Vec<String>),
}

/// A cost that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Processor time.
    Time,
    /// Bytes of the output.
    Output,
    /// The most memory at once.
    Memory,
    /// The most memory at once, for each byte of the larger input; the smaller one is left out.
    MemoryOfInput,
}

/// How the program may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RightEnd {
    /// It does what it was asked.
    Success,
    /// It finds a difference or a failure, and says so by its status.
    Found,
    /// It does what it was asked, or names this limit.
    Limit(&'static str),
}

/// One row.
pub struct HostileRow {
    /// What it must reach.
    pub goal: Goal,
    /// Makes so many items.
    pub input: fn(usize) -> HostileInput,
    /// How many items the smaller input has.
    pub count: usize,
    /// The arguments of each command. `{0}` and `{1}` are the files, `{bench}` is this program and
    /// `{count}` the number of items.
    pub commands: &'static [&'static [&'static str]],
    /// What is compared; the worst counts.
    pub costs: &'static [Cost],
    /// How each command may end.
    pub end: RightEnd,
}

const STREAM: &[&str] = &["compact", "{0}"];
const TIPS: &[&str] = &["compact", "--level", "snapshot", "{0}"];
const RUNS: &[&str] = &["compact", "--level", "snapshot", "--retain", "runs", "{0}"];
const VERIFY: &[&str] = &["verify", "{0}"];
const REPLAY: &[&str] = &["replay", "{0}"];
const LINEAGE: &[&str] = &["lineage", "{0}"];
const ATTACH: &[&str] = &["attach", "{0}"];
const DIFF: &[&str] = &["diff", "{0}", "{1}"];
const CANONICALIZE: &[&str] = &["canonicalize", "{0}"];
const RESTORE: &[&str] = &["restore", "--target", "{1}", "{0}"];
const TEST: &[&str] = &[
    "test",
    "--only",
    "json/array-order",
    "--",
    "{bench}",
    "flooding-adapter",
    "{count}",
];

/// Compaction at every level.
const COMPACT: &[&[&str]] = &[STREAM, TIPS, RUNS];

/// What the limit for copies of patches says.
const PATCH_COPY: &str = "than 64 MiB";

/// What the limit for what agents receive says.
const RECEIVED: &str = "messages together";

/// A row whose commands succeed, by processor time.
const fn row(
    id: &'static str,
    name: &'static str,
    input: fn(usize) -> HostileInput,
    count: usize,
    commands: &'static [&'static [&'static str]],
) -> HostileRow {
    HostileRow {
        goal: Goal {
            id,
            name,
            unit: Unit::Ratio,
            floor: Some(AtMost(2.5)),
            aim: Some(AtMost(2.1)),
        },
        input,
        count,
        commands,
        costs: &[Cost::Time],
        end: RightEnd::Success,
    }
}

impl HostileRow {
    /// The same row with other costs.
    const fn by(self, costs: &'static [Cost]) -> Self {
        Self { costs, ..self }
    }

    /// The same row with other ends.
    const fn ending(self, end: RightEnd) -> Self {
        Self { end, ..self }
    }

    /// The same row with another floor and no aim.
    const fn at_most(mut self, floor: f64) -> Self {
        self.goal.floor = Some(AtMost(floor));
        self.goal.aim = None;
        self
    }
}

const TIME_AND_MEMORY: &[Cost] = &[Cost::Time, Cost::Memory];
const ALL_COSTS: &[Cost] = &[Cost::Time, Cost::Output, Cost::Memory];

/// Every row, in the order of the page.
#[rustfmt::skip]
pub const ROWS: [HostileRow; 29] = [
    row("runs-tips", "runs with a message each, tips", runs::one_after_the_other, 4_000, &[TIPS]),
    row("runs-runs", "runs with a message each, all runs: time, output and memory", runs::one_after_the_other, 4_000, &[RUNS]).by(ALL_COSTS),
    row("parting", "a chain of runs with a second child each: time, output and memory", runs::every_run_parts, 2_000, &[TIPS, RUNS]).by(ALL_COSTS),
    row("branches", "two long branches that take turns", runs::two_branches, 2_000, &[TIPS, RUNS]),
    row("messages-of-call", "messages of one input with one tool call, runs that call it: time and memory", runs::call_of_many_messages, 4_000, &[TIPS, RUNS, ATTACH]).by(TIME_AND_MEMORY),
    row("small-runs", "a run of many messages, then runs with one each", runs::small_runs_after_a_large_one, 50_000, &[VERIFY, LINEAGE, ATTACH, STREAM]),
    row("lanes-of-runs", "a run with an open chunk of each of many subagents, then runs with a chunk each", runs::small_runs_after_many_lanes, 50_000, &[VERIFY, LINEAGE, STREAM]),
    row("activity-of-runs", "runs that each add a step to one activity: memory", runs::steps_of_one_activity, 2_000, &[STREAM, TIPS, RUNS, LINEAGE, ATTACH]).by(&[Cost::Memory]),
    row("results-of-call", "messages of a snapshot with one tool call, results of it", items::results_of_one_call, 8_000, &[VERIFY, REPLAY, LINEAGE, ATTACH, TIPS, RUNS]),
    row("open-texts", "text messages open at once, a delta each in turn", items::open_texts, 20_000, COMPACT),
    row("half-characters", "text messages open at once, half a character each and then the other half", items::half_characters, 20_000, COMPACT),
    row("opened-then-closed", "text messages that are all begun, then all ended", items::opened_then_closed, 20_000, COMPACT),
    row("barriers", "open text messages with barriers between", items::open_texts_with_barriers, 20_000, &[STREAM]),
    row("open-calls", "tool calls open at once", items::open_calls, 20_000, &[STREAM]),
    row("chunk-lanes", "chunks of subagents that take turns", items::chunk_lanes, 10_000, &[STREAM]),
    row("runs-of-call", "runs that call one tool call", runs::call_of_many_runs, 10_000, &[STREAM]),
    row("activities", "activities, then small snapshots of the messages", items::activities_then_snapshots, 20_000, &[STREAM]),
    row("metadata", "a new key of metadata on each delta and each start of one message", items::metadata_keys, 20_000, &[REPLAY, LINEAGE]),
    // Of fewer than about 1,600 the copies stay within their limit, and cost what the log asks for, which
    // is a square.
    row("copies", "patches that copy the state and fail, or write over the copy", patches::copies_in_vain, 5_000, &[VERIFY, REPLAY, LINEAGE, ATTACH]).ending(RightEnd::Limit(PATCH_COPY)),
    row("moves", "moves to the front of an object", patches::moves_to_the_front, 10_000, &[VERIFY, REPLAY, LINEAGE]),
    row("doubling", "copies that each double the state: time and memory", patches::doubling_copies, 32, &[VERIFY, LINEAGE]).by(TIME_AND_MEMORY).ending(RightEnd::Limit(PATCH_COPY)),
    row("doubling-activities", "activities that double up to the limit: time, output and memory", patches::activities_that_double, 4, &[TIPS, RUNS]).by(ALL_COSTS).ending(RightEnd::Limit(PATCH_COPY)),
    row("joining", "agents that join a history of as many messages: time and memory", documents::joining_agents, 1_000, &[RESTORE]).by(TIME_AND_MEMORY).ending(RightEnd::Limit(RECEIVED)),
    row("channels", "agents and as many channels", documents::channels, 16_000, &[RESTORE]),
    row("diff", "two objects with other values", documents::other_values, 16_000, &[DIFF]).ending(RightEnd::Found),
    row("other-names", "two objects with other names", documents::other_names, 16_000, &[DIFF]).ending(RightEnd::Found),
    row("long-names", "differences below long names: time, output and memory", documents::below_long_names, 4_000, &[DIFF]).by(ALL_COSTS).ending(RightEnd::Found),
    row("canonicalize", "an array of small objects: memory / bytes of the document", documents::small_objects, 1_250_000, &[CANONICALIZE]).by(&[Cost::MemoryOfInput]).at_most(10.0),
    row("answers", "small values in an answer of an adapter: time and memory", documents::nothing, 5_000_000, &[TEST]).by(TIME_AND_MEMORY).ending(RightEnd::Found),
];

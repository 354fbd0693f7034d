//! What a caller decides about a compaction: it is explicit, and made again for each use.

use std::fmt;

use chatstate_types::generated::Event;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Level {
    /// Every item of every run, each with one delta where that is possible.
    #[default]
    Stream,
    /// The results of finished runs, as snapshots where snapshots can express them.
    Snapshot(Retain),
}

/// Which finished runs level `snapshot` retains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Retain {
    /// The last run of every branch, and every run where branches part.
    #[default]
    Tips,
    /// All.
    Runs,
}

/// How a stream is compacted.
#[derive(Clone, Copy, Default)]
pub struct Options<'k> {
    /// How much is kept.
    pub level: Level,
    /// Whether the stream is the rest of a thread whose beginning is elsewhere, so that nothing is
    /// folded onto a state that was not seen.
    pub partial: bool,
    /// Whether a stream that a verifier rejects is passed through, from the run on in which that
    /// happens, instead of rejected.
    pub lenient: bool,
    /// Which events are kept as they are, where they are.
    ///
    /// Chunks stay chunks in an item with a kept one. A kept chunk stays also where it says nothing.
    /// Such a chunk is no event where chunks are spelled out, so the log may have more events than it
    /// would have spelled out, by which compaction is measured otherwise.
    ///
    /// Choose by what no event has that compaction makes, such as a name in the metadata. Who keeps
    /// every `MESSAGES_SNAPSHOT` or `STATE_SNAPSHOT` keeps those of an earlier compaction at level
    /// `snapshot`, too, and compacting again adds others.
    pub keep: Option<&'k dyn Fn(&Event) -> bool>,
}

impl Options<'_> {
    /// The options that only choose a level.
    #[must_use]
    pub fn at(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("level", &self.level)
            .field("partial", &self.partial)
            .field("lenient", &self.lenient)
            .field("keep", &self.keep.is_some())
            .finish()
    }
}

using System;

namespace Chatstate;

/// <summary>How much compaction keeps.</summary>
public enum CompactLevel
{
    /// <summary>What a log keeps: every item of every run, each with one delta where that is possible.</summary>
    Stream,

    /// <summary>What a store keeps: the results of finished runs, as snapshots where snapshots can express them.</summary>
    Snapshot,
}

/// <summary>Which finished runs level <see cref="CompactLevel.Snapshot"/> retains.</summary>
public enum RetainedRuns
{
    /// <summary>The last run of every branch, and every run where branches part.</summary>
    Tips,

    /// <summary>All, so that a replay can stop at each.</summary>
    All,
}

/// <summary>How an event stream is compacted.</summary>
[Serializable]
public sealed record CompactOptions : ISystemTextJsonOnly
{
    /// <summary>How much is kept.</summary>
    public CompactLevel Level { get; init; }

    /// <summary>Which finished runs are retained at level <see cref="CompactLevel.Snapshot"/>.</summary>
    public RetainedRuns Retain { get; init; }

    /// <summary>
    /// Which events are kept as they are, where they are: choose by what no event has that compaction makes. Chunks
    /// stay chunks in an item with a kept one.
    /// </summary>
    public Func<Event, bool>? Keep { get; init; }

    /// <summary>
    /// Whether the events are the rest of a thread whose beginning is elsewhere, so that nothing is folded onto a
    /// guess.
    /// </summary>
    public bool Partial { get; init; }

    /// <summary>
    /// Whether a stream that a verifier rejects is passed through as it came, from the beginning of the run on in
    /// which that happens, instead of rejected.
    /// </summary>
    public bool Lenient { get; init; }

    internal bool Keeps(Event happened) => Keep is not null && Keep(happened);
}

using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>What becomes of a state event.</summary>
internal enum StateOutcome
{
    /// <summary>It stays.</summary>
    Stays,

    /// <summary>It is part of the folded snapshot.</summary>
    Folded,

    /// <summary>It stays, and nothing is folded across it.</summary>
    Bars,
}

/// <summary>The state events of the run in progress, as far as they matter for folding.</summary>
internal sealed class StateFold
{
    private FoldedState? folded;

    /// <summary>Whether nothing more can be folded into the snapshot.</summary>
    private bool isStopped;

    /// <summary>The slots of those that are written, unless a later snapshot makes them vanish.</summary>
    public List<int> Standing { get; } = [];

    /// <summary>The fold that begins with a snapshot. All state events before it vanish.</summary>
    public static StateFold Of(StateSnapshotEvent snapshot, SlotPlace place, bool isKept) =>
        isKept || snapshot.Notes.Others is not null
            ? new() { isStopped = true }
            : new() { folded = new(snapshot, place) };

    /// <summary>What became of the snapshot that the fold began with.</summary>
    public StateOutcome Begun => isStopped ? StateOutcome.Stays : StateOutcome.Folded;

    /// <summary>Takes a patch. It is folded into the snapshot before it, when there is one of the same owner.</summary>
    public StateOutcome Take(StateDeltaEvent delta, SlotPlace place, bool isKept, out PatchFailure? limit)
    {
        limit = null;
        if (delta.Delta.Any(operation => operation is UnknownOperation))
        {
            return StateOutcome.Bars;
        }

        if (folded is null || isStopped)
        {
            return StateOutcome.Stays;
        }

        if (isKept || delta.Notes.Others is not null || delta.Owner != folded.Owner)
        {
            isStopped = true;
            return StateOutcome.Stays;
        }

        limit = folded.Fold(delta, place);
        return StateOutcome.Folded;
    }

    /// <summary>Whether the folded snapshot, if there is one, would close a lane.</summary>
    public bool Closes(string? lane) => folded is { } snapshot && snapshot.Owner == lane;

    /// <summary>Takes out the folded snapshot, which is to be written now.</summary>
    public FoldedState? TakeFolded()
    {
        var taken = folded;
        folded = null;
        return taken;
    }
}

/// <summary>The last snapshot with the patches after it.</summary>
/// <param name="snapshot">The snapshot.</param>
/// <param name="place">Where it was.</param>
internal sealed class FoldedState(StateSnapshotEvent snapshot, SlotPlace place)
{
    /// <summary>The state, once a patch was folded in.</summary>
    private PatchApplication? state;

    private OrderedDictionary<string, JsonElement>? metadata;

    public string? Owner => snapshot.Owner;

    /// <summary>Where the last event was that is part of it.</summary>
    public SlotPlace Place { get; private set; } = place;

    /// <summary>The event.</summary>
    public StateSnapshotEvent Written => state is null
        ? snapshot
        : new()
        {
            Snapshot = state.Document.ToElement(),
            Timestamp = snapshot.Timestamp,
            Metadata = metadata,
            SubagentRunId = snapshot.SubagentRunId,
        };

    /// <summary>
    /// Folds a patch in; gives the limit that it passes. One that does not apply is skipped whole, as a replay does.
    /// </summary>
    public PatchFailure? Fold(StateDeltaEvent delta, SlotPlace at)
    {
        Place = at;
        if (state is null)
        {
            state = new(JsonTree.Of(snapshot.Snapshot));
            metadata = MetadataFolding.Fold(null, snapshot.Metadata);
        }

        metadata = MetadataFolding.Fold(metadata, delta.Metadata);
        return state.Apply(delta.Delta) is { IsLimit: true } failure ? failure : null;
    }
}

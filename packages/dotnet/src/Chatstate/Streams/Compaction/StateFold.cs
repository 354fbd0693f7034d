using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>The state events of the run in progress, as far as they matter for folding.</summary>
internal sealed class StateFold
{
    private StateSnapshotEvent? folded;

    /// <summary>The state, once a patch was folded into the snapshot.</summary>
    private PatchApplication? state;

    private OrderedDictionary<string, JsonElement>? metadata;

    /// <summary>Whether nothing more can be folded into the snapshot.</summary>
    private bool isStopped;

    /// <summary>The slots of events that stay where they are, unless a later snapshot makes them vanish.</summary>
    public List<int> Standing { get; } = [];

    /// <summary>Where the folded snapshot stands when an event behind it stays; else at the end of the run.</summary>
    public int? Place { get; set; }

    /// <summary>Whether the folded snapshot still needs a place in front of an event that stays.</summary>
    public bool NeedsPlace => folded is not null && Place is null;

    /// <summary>The fold that begins with a snapshot, and whether the snapshot is part of it.</summary>
    public static StateFold BeginWith(StateSnapshotEvent snapshot, bool isKept, out bool isFolded)
    {
        isFolded = !isKept && snapshot.Notes.Others is null;
        return isFolded ? new() { folded = snapshot } : new() { isStopped = true };
    }

    /// <summary>
    /// A patch is folded into the snapshot before it, when there is one of the same owner. One that does not
    /// apply is skipped whole, as a replay does.
    /// </summary>
    public bool Fold(StateDeltaEvent delta, bool isKept, out PatchFailure? limit)
    {
        limit = null;
        if (folded is null || isStopped)
        {
            return false;
        }

        if (isKept || delta.Notes.Others is not null || delta.Owner != folded.Owner)
        {
            isStopped = true;
            return false;
        }

        if (state is null)
        {
            state = new(JsonTree.Of(folded.Snapshot));
            metadata = folded.Metadata is { } first ? MetadataFolding.Fold(null, first) : null;
        }

        limit = state.Apply(delta.Delta) is { IsLimit: true } failure ? failure : null;
        metadata = delta.Metadata is { } next ? MetadataFolding.Fold(metadata, next) : metadata;
        return true;
    }

    /// <summary>The folded snapshot, if there is one.</summary>
    public StateSnapshotEvent? Written() => state is null || folded is null
        ? folded
        : new()
        {
            Snapshot = state.Document.ToElement(),
            Timestamp = folded.Timestamp,
            Metadata = metadata,
            SubagentRunId = folded.SubagentRunId,
        };
}

using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// What is open between two events. Replay and verification take the events through one of these, so
/// that both reject the same streams under the same rules. It resolves chunks, so code after it need not
/// know them.
/// </summary>
internal sealed class Tracker
{
    private OpenItems open = new();
    private PendingSurrogates surrogates = new();
    private ChunkLanes lanes = new();

    /// <summary>
    /// Takes the event of this index and passes on its steps in order. An event that cannot be here is
    /// rejected; what it did before is done, so that a caller may continue after it.
    /// </summary>
    public Violation? Take(int index, Event happened, ISteps steps)
    {
        var role = happened.EventRole;
        if (CloseChunksBefore(happened, role.Closes, steps) is { } violation)
        {
            return violation;
        }

        switch (role.Does)
        {
            case EventDoes.StartRun or EventDoes.EndRun:
                Leave(steps);
                return null;
            case EventDoes.Replace when role.Value == ValueKind.Messages:
                surrogates.Clear();
                return null;
            default:
                return role.Item is { } kind ? TakeItem(index, happened, role.Does, kind, steps) : null;
        }
    }

    /// <summary>The open items in the order of beginning, each with the index of its first event.</summary>
    public List<(int Index, OpenItem Item)> Open() => open.List();

    /// <summary>Whether the same may follow on both, and means the same.</summary>
    public bool StandsLike(Tracker other)
    {
        var (one, two) = (Open(), other.Open());
        return one.Select(item => item.Item).SequenceEqual(two.Select(item => item.Item))
            && lanes.StandLike(other.lanes)
            && surrogates.StandLike(other.surrogates);
    }

    public Tracker Copy() => new() { open = open.Copy(), surrogates = surrogates.Copy(), lanes = lanes.Copy() };

    private static Violation MissingHead(string name) =>
        new("chunk.missing-head", $"the chunk opens an item, so it needs `{name}`");

    private Violation? TakeItem(int index, Event happened, EventDoes does, ItemKind kind, ISteps steps)
    {
        var (id, owner) = (happened.ItemId ?? "", happened.Owner);
        return does switch
        {
            EventDoes.Chunk => Chunk(index, happened, kind, steps),
            EventDoes.Begin => Begin(index, new(kind, id, owner, happened.Heads), steps),
            EventDoes.Append => Append(index, new(kind, id, owner), happened.Streamed ?? "", steps),
            EventDoes.End => lanes.RequireNone(kind, id) ?? End(new(kind, id, owner), steps, isClosed: false),
            _ => null,
        };
    }

    /// <summary>Ends the chunk items that an event ends by standing there.</summary>
    private Violation? CloseChunksBefore(Event happened, ClosedChunks closed, ISteps steps)
    {
        switch (closed)
        {
            case ClosedChunks.Lane:
                return CloseLane(happened.Lane, steps);
            case ClosedChunks.All:
                Violation? first = null;
                foreach (var (lane, item) in lanes.CloseAll())
                {
                    var violation = End(new(item.Kind, item.Id, lane), steps, isClosed: true);
                    first ??= violation;
                }

                return first;
            default:
                return null;
        }
    }

    private Violation? CloseLane(string? lane, ISteps steps) =>
        lanes.Close(lane) is { } item ? End(new(item.Kind, item.Id, lane), steps, isClosed: true) : null;

    /// <summary>Continues the item that a chunk belongs to, or ends what its lane has open and begins one.</summary>
    private Violation? Chunk(int index, Event chunk, ItemKind kind, ISteps steps)
    {
        if (lanes.LaneOf(chunk, kind, out var lane) is { } misplaced)
        {
            return misplaced;
        }

        if (lanes.Continued(lane, chunk, kind, out var item) is { } disagreement)
        {
            return disagreement;
        }

        if (item is null)
        {
            return OpeningChunk(index, lane, chunk, kind, steps);
        }

        // What is continued belongs to the caller that opened it, also when the chunk does not say so.
        var part = new ItemPart(kind, item.Id, lane);
        // A chunk without text may carry metadata.
        var notes = chunk.Notes;
        if (chunk.Streamed is null && notes.RawEvent is null && notes.Metadata is null)
        {
            steps.Idle(part);
            return null;
        }

        return Append(index, part, chunk.Streamed ?? "", steps);
    }

    private Violation? OpeningChunk(int index, string? lane, Event chunk, ItemKind kind, ISteps steps)
    {
        if (CloseLane(lane, steps) is { } violation)
        {
            return violation;
        }

        if (chunk.MissingHead is { } missing)
        {
            return MissingHead(missing);
        }

        var id = chunk.ItemId!;
        if (Begin(index, new(kind, id, chunk.Owner, chunk.Heads), steps) is { } rejected)
        {
            return rejected;
        }

        // The metadata of a chunk that begins its item belongs to the beginning.
        var appended = chunk.Streamed is not null || chunk.Notes.RawEvent is not null
            ? Append(index, new(kind, id, lane), chunk.Streamed ?? "", steps)
            : null;
        // A text message without a role has the role `assistant`, and later chunks may say so.
        lanes.Open(lane, new(kind, id, chunk.Heads with { Role = chunk.Heads.Role ?? "assistant" }, index));
        return appended;
    }

    private Violation? Begin(int index, in Beginning beginning, ISteps steps)
    {
        if (open.Begin(index, beginning.Kind, beginning.Id, beginning.Owner) is { } violation)
        {
            return violation;
        }

        steps.Begin(beginning);
        return null;
    }

    private Violation? Append(int index, in ItemPart part, string delta, ISteps steps)
    {
        if ((open.Require(part.Kind, part.Id) ?? surrogates.Append(index, part.Kind, part.Id, delta)) is { } violation)
        {
            return violation;
        }

        steps.Append(part);
        return null;
    }

    private Violation? End(in ItemPart part, ISteps steps, bool isClosed)
    {
        if (open.End(part.Kind, part.Id, part.Owner) is { } violation)
        {
            return violation;
        }

        var whole = part.Kind.IsStreamed() ? surrogates.End(part.Kind, part.Id) : null;
        if (isClosed)
        {
            steps.Close(part);
        }
        else
        {
            steps.End(part);
        }

        return whole;
    }

    /// <summary>Leaves everything as it is, as the end of a run does.</summary>
    private void Leave(ISteps steps)
    {
        surrogates.Clear();
        foreach (var (index, item) in open.Take())
        {
            steps.Left(index, item);
        }
    }
}

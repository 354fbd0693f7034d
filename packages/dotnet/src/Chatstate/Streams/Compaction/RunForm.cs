using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>A run in its parts: its beginning, what happens in it, and its terminal events.</summary>
/// <param name="Start">The beginning.</param>
/// <param name="Inner">What happens.</param>
/// <param name="Terminal">The terminal events: an error may follow the end.</param>
internal sealed record RunParts(RunStartedEvent Start, List<Event> Inner, List<Event> Terminal)
{
    public static RunParts? Of(IReadOnlyList<Event> run)
    {
        if (run.Count == 0 || run[0] is not RunStartedEvent start)
        {
            return null;
        }

        var inner = run.Skip(1).TakeWhile(happened => !happened.IsTerminal).ToList();
        return new(start, inner, run.Skip(1 + inner.Count).ToList());
    }
}

/// <summary>The forms that a finished run may take.</summary>
internal static class RunForm
{
    /// <summary>Whether an event belongs to no message, call or state, and so stays beside snapshots.</summary>
    public static bool Stands(CompactOptions options, Event happened) =>
        options.Keeps(happened) || !happened.EventRole.Changes;

    /// <summary>Whether a verifier accepts the events of one run.</summary>
    public static bool IsValid(List<Event> run)
    {
        var verifier = new Verifier();
        for (var index = 0; index < run.Count; index++)
        {
            verifier.Push(index, run[index]);
        }

        return verifier.Errors.Count == 0;
    }

    /// <summary>A run that is retained, with all messages and the state; none if no snapshot can say them.</summary>
    public static List<Event>? Retained(CompactOptions options, IReadOnlyList<Event> run, Reducer standing)
    {
        if (RunParts.Of(run) is not { } parts
            || Restating.MessagesSnapshot(standing.Messages.Select(message => message.Value)) is not { } messages)
        {
            return null;
        }

        var start = options.Keeps(parts.Start) ? parts.Start : Restating.WithoutMessages(parts.Start);
        List<Event> events =
        [
            start,
            .. parts.Inner.Where(happened => Stands(options, happened)),
            messages,
            Restating.StateSnapshot(standing.State),
            .. parts.Terminal,
        ];
        return IsValid(events) ? events : null;
    }

    /// <summary>The frame of a run that is not retained, which says so.</summary>
    public static List<Event> Removed(IReadOnlyList<Event> run) =>
        RunParts.Of(run) is { } parts ? [Marked(Restating.WithoutMessages(parts.Start)), .. parts.Terminal] : [];

    private static RunStartedEvent Marked(RunStartedEvent start)
    {
        var metadata = MetadataFolding.Fold(null, start.Metadata ?? new OrderedDictionary<string, JsonElement>());
        var mark = metadata.TryGetValue(RemovedRuns.Mark, out var before) && before.ValueKind == JsonValueKind.Object
            ? JsonTree.Of(before)
            : JsonTree.OfTexts();
        mark.Set("compacted", "tips");
        metadata[RemovedRuns.Mark] = mark.ToElement();
        var marked = (RunStartedEvent)start.Copy();
        marked.Metadata = metadata;
        return marked;
    }
}

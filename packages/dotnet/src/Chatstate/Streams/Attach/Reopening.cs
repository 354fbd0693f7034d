using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>The messages without the unpaired surrogates that open texts end in, and these surrogates.</summary>
internal sealed class SplitEnds
{
    private readonly Dictionary<string, string> texts = [];
    private readonly Dictionary<string, string> arguments = [];

    public SplitEnds(IEnumerable<JsonTree> messages)
    {
        Messages = messages.Select(message => message.Copy()).ToList();
        foreach (var message in Messages)
        {
            TakeSplitEnd(message, message, "content", texts);
            foreach (var call in Restating.Calls(message))
            {
                TakeSplitEnd(call, call.Member("function"), "arguments", arguments);
            }
        }
    }

    public List<JsonTree> Messages { get; }

    /// <summary>The surrogate that an item continues with. A text and a reasoning message of one id share it.</summary>
    public string? Take(OpenItem item)
    {
        var splitEnds = item.Kind == ItemKind.ToolCall ? arguments : texts;
        return item.Kind.IsStreamed() && splitEnds.Remove(item.Id, out var surrogate) ? surrogate : null;
    }

    private static void TakeSplitEnd(JsonTree named, JsonTree? holder, string name, Dictionary<string, string> splitEnds)
    {
        if (holder?.TextOf(name) is { Length: > 0 } text && char.IsHighSurrogate(text[^1]) && named.TextOf("id") is { } id)
        {
            splitEnds[id] = text[^1..];
            holder.Set(name, text[..^1]);
        }
    }
}

/// <summary>What begins the open items of a run again.</summary>
/// <param name="Before">Those whose message the snapshot takes away again.</param>
/// <param name="After">All others, and the subagents that are done, since others may name them as their parents.</param>
internal sealed record Reopening(List<Event> Before, List<Event> After)
{
    /// <summary>Begins again what is open, in the order of beginning.</summary>
    public static Reopening Of(IReadOnlyList<Event> log, List<int> run, Reducer standing, SplitEnds splitEnds)
    {
        var reopening = new Reopening([], []);
        var open = standing.Open().ToDictionary(open => open.Index, open => open.Item);
        foreach (var index in run)
        {
            var happened = log[index];
            if (open.TryGetValue(index, out var item))
            {
                (standing.Conversation.Holds(item) ? reopening.After : reopening.Before).AddRange(BegunAgain(happened, item, splitEnds));
            }
            else if (happened.Item == ItemKind.Subagent)
            {
                reopening.After.Add(happened);
            }
        }

        return reopening;
    }

    /// <summary>
    /// The event that began an item, without what it said beside that, and an unpaired surrogate to continue with.
    /// </summary>
    private static List<Event> BegunAgain(Event happened, OpenItem item, SplitEnds splitEnds)
    {
        var surrogate = splitEnds.Take(item);
        var opener = Bare(happened, item, surrogate);
        return surrogate is null || opener.IsChunk
            ? [opener]
            : [opener, Event.Appending(item.Kind, item.Id, item.SubagentRunId, surrogate)];
    }

    /// <summary>
    /// An opening without text, metadata and original event, which the message has by now. The spans that are no
    /// messages keep all.
    /// </summary>
    private static Event Bare(Event happened, OpenItem item, string? surrogate)
    {
        if (!item.Kind.IsStreamed())
        {
            return happened;
        }

        var opener = happened.IsChunk
            ? Event.Chunk(item.Kind, happened.ItemId, happened.Owner, happened.Heads, surrogate)
            : happened.Copy();
        var notes = happened.Notes;
        opener.Notes = new() { Timestamp = notes.Timestamp, Others = notes.Others };
        return opener;
    }
}

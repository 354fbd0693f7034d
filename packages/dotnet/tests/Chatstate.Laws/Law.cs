using System.Reflection;
using System.Text.Json;
using Chatstate;
using Chatstate.Testing;

namespace Chatstate.Laws;

/// <summary>One law: what breaks it in a stream.</summary>
/// <param name="Name">Its name in SPEC.md.</param>
/// <param name="Broken">Says what is wrong with a stream that is cut at an index, or nothing.</param>
internal sealed record Law(string Name, Func<EventStream, int, CompactOptions, string?> Broken)
{
    private static readonly CompactOptions[] Levels =
    [
        new(),
        new() { Level = CompactLevel.Snapshot, Retain = RetainedRuns.All },
        new() { Level = CompactLevel.Snapshot },
    ];

    /// <summary>Types of events that a caller keeps.</summary>
    private static readonly string[][] KeptTypes =
    [
        ["RUN_STARTED", "CUSTOM"],
        ["TEXT_MESSAGE_CONTENT", "TOOL_CALL_CHUNK"],
        ["STATE_DELTA", "TEXT_MESSAGE_CHUNK", "ACTIVITY_DELTA"],
    ];

    public static IReadOnlyList<Law> All { get; } =
    [
        new("idempotent", Idempotent),
        new("replay", Replay),
        new("idle", Idle),
        new("closed", Closed),
        new("contained", Contained),
        new("incremental", Incremental),
        new("never-larger", NeverLarger),
        new("minimal-input", MinimalInput),
        new("effective", Effective),
        new("kept", Kept),
        new("pure", Pure),
        new("attach", Attach),
    ];

    /// <summary>What breaks the law in the whole stream, and where it is cut at some places.</summary>
    public IEnumerable<string> Breaches(EventStream stream, Random random)
    {
        int[] cuts = [stream.Count, random.Next(stream.Count + 1), random.Next(stream.Count + 1)];
        return
            from level in Levels
            from cut in cuts
            let breach = Said(stream, cut, level)
            where breach is not null
            select $"{Name} at {level.Level} of {level.Retain}, cut at {cut}: {breach}";
    }

    private string? Said(EventStream stream, int cut, CompactOptions level)
    {
        try
        {
            return Broken(stream, cut, level);
        }
        catch (RejectionException rejection)
        {
            return $"rejected: {rejection.Rule} {rejection.Message}";
        }
    }

    private static EventStream First(EventStream stream, int count) => new(stream.Take(count).ToList());

    private static EventStream Joined(IEnumerable<Event> one, IEnumerable<Event> two) => new(one.Concat(two).ToList());

    private static string? Differ(string one, string two) =>
        JsonDifference.Between(JsonElement.Parse(one), JsonElement.Parse(two)).FirstOrDefault()?.ToString();

    private static string? Idempotent(EventStream stream, int cut, CompactOptions level)
    {
        var once = First(stream, cut).Compact(level);
        return Differ(once.ToJson(), once.Compact(level).ToJson());
    }

    private static string? Replay(EventStream stream, int cut, CompactOptions level)
    {
        var (before, after) = (First(stream, cut), First(stream, cut).Compact(level));
        var isAtTips = level is { Level: CompactLevel.Snapshot, Retain: RetainedRuns.Tips };
        var runs = isAtTips ? [] : before.Lineage().Runs.Select(run => run.RunId);
        return Differ(before.Replay().ToJson(), after.Replay().ToJson())
            ?? runs.Select(run => Differ(before.Replay(run).ToJson(), after.Replay(run).ToJson())).FirstOrDefault(it => it is not null);
    }

    /// <summary>What the schema says to do and to close nothing changes no replay.</summary>
    private static string? Idle(EventStream stream, int cut, CompactOptions level)
    {
        var before = First(stream, cut);
        return Differ(before.Replay().ToJson(), new EventStream(before.Where(next => !IsIdle(next)).ToList()).Replay().ToJson());
    }

    /// <summary>The roles are no part of what the package shows.</summary>
    private static bool IsIdle(Event next)
    {
        const BindingFlags Inside = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
        var role = typeof(Event).GetProperty("EventRole", Inside)!.GetValue(next)!;
        string? Said(string member) => role.GetType().GetProperty(member, Inside)!.GetValue(role)!.ToString();
        return Said("Does") == "Nothing" && Said("Closes") == "Nothing";
    }

    private static string? Closed(EventStream stream, int cut, CompactOptions level) =>
        First(stream, cut).Compact(level).Check().Errors.FirstOrDefault()?.ToString();

    /// <summary>The runs keep their order and their ends, and what is about no item stays in its run.</summary>
    private static string? Contained(EventStream stream, int cut, CompactOptions level)
    {
        static string Frame(EventStream events, bool withMarks) => string.Join(' ', events
            .Where(next => next is RunStartedEvent or RunFinishedEvent or RunErrorEvent || (withMarks && next is CustomEvent or RawEvent))
            .Select(next => next is RunStartedEvent started ? started.RunId : next.Type));
        var withMarks = level.Retain == RetainedRuns.All || level.Level == CompactLevel.Stream;
        var before = First(stream, cut);
        var (one, two) = (Frame(before, withMarks), Frame(before.Compact(level), withMarks));
        return one == two ? null : $"{one} became {two}";
    }

    private static string? Incremental(EventStream stream, int cut, CompactOptions level)
    {
        var first = First(stream, cut).Compact(level);
        var joined = Joined(first, stream.Skip(cut));
        var removed = first.OfType<RunStartedEvent>()
            .Where(run => run.Metadata?.ContainsKey("chatstate") == true)
            .Select(run => run.RunId)
            .ToHashSet();
        // It is unknown what a removed run held, so a later run that names it continues nothing.
        var goesOn = joined.Lineage().Runs.Where(run => run.Index >= first.Count).Any(run => removed.Contains(run.Predecessor ?? ""));
        return goesOn ? null : Differ(stream.Compact(level).ToJson(), joined.Compact(level).ToJson());
    }

    /// <summary>Idempotent, replay, closed and incremental hold for who keeps events, and these stay.</summary>
    private static string? Kept(EventStream stream, int cut, CompactOptions level) =>
        KeptTypes.Select(types => Kept(stream, cut, level, types)).FirstOrDefault(it => it is not null);

    private static string? Kept(EventStream stream, int cut, CompactOptions level, string[] types)
    {
        bool IsKept(Event next) => types.Contains(next.Type);
        var options = new CompactOptions { Level = level.Level, Retain = level.Retain, Keep = IsKept };
        var isAtTips = level is { Level: CompactLevel.Snapshot, Retain: RetainedRuns.Tips };
        var once = First(stream, cut).Compact(options).Select(next => next.ToJson()).GetEnumerator();
        foreach (var kept in First(stream, cut).Where(IsKept).Select(next => next.ToJson()))
        {
            var isThere = false;
            while (!isThere && once.MoveNext())
            {
                isThere = Differ(kept, once.Current) is null;
            }

            if (!isThere)
            {
                return $"{kept} is lost";
            }
        }

        return Idempotent(stream, cut, options)
            ?? Closed(stream, cut, options)
            ?? (isAtTips ? null : Replay(stream, cut, options) ?? Incremental(stream, cut, options));
    }

    private static string? NeverLarger(EventStream stream, int cut, CompactOptions level)
    {
        var before = First(stream, cut);
        // A chunk may be a start, a delta and an end; a retained run may get two snapshots.
        var most = before.Count + (2 * before.Count(next => next.Type.EndsWith("_CHUNK", StringComparison.Ordinal)));
        most += level is { Level: CompactLevel.Snapshot, Retain: RetainedRuns.Tips } ? 2 * before.OfType<RunStartedEvent>().Count() : 0;
        var count = before.Compact(level).Count;
        return count <= most ? null : $"{count} events of {most}";
    }

    /// <summary>What is taken out of an input is there at that point, with its value and without an owner.</summary>
    private static string? MinimalInput(EventStream stream, int cut, CompactOptions level)
    {
        if (level.Level != CompactLevel.Stream)
        {
            return null;
        }

        var before = First(stream, cut);
        var after = before.Compact(level).OfType<RunStartedEvent>().ToList();
        var places = Enumerable.Range(0, before.Count).Where(place => before[place] is RunStartedEvent);
        return places.Zip(after).Select(run => Lost(First(before, run.First + 1), run.Second)).FirstOrDefault(it => it is not null);
    }

    /// <summary>A message of the last run's input that is not in another input and that no replay holds.</summary>
    private static string? Lost(EventStream upToRun, RunStartedEvent compacted)
    {
        var kept = Texts(compacted.Input?.Messages);
        var held = Texts(upToRun.Replay().Messages.Where(IsWhole));
        var gone = Texts(((RunStartedEvent)upToRun[^1]).Input?.Messages).Except(kept);
        var lost = gone.FirstOrDefault(message => message.Contains("subagentRunId") || !held.Exists(it => Differ(it, message) is null));
        return lost is null ? null : $"{lost} is gone";
    }

    /// <summary>Whether a message can be written by itself: one that is being said may end in half a character.</summary>
    private static bool IsWhole(Message message)
    {
        try
        {
            return message.ToJson().Length > 0;
        }
        catch (RejectionException rejection) when (rejection.Rule == "unpaired-surrogate")
        {
            return false;
        }
    }

    private static List<string> Texts(IEnumerable<Message>? messages) =>
        (messages ?? []).Select(message => message.ToJson()).ToList();

    /// <summary>No item that is begun and ended holds two deltas with nothing between them.</summary>
    private static string? Effective(EventStream stream, int cut, CompactOptions level)
    {
        var compacted = First(stream, cut).Compact(level);
        foreach (var (one, two) in compacted.Zip(compacted.Skip(1)))
        {
            if (one is TextMessageContentEvent first && two is TextMessageContentEvent second
                && first.MessageId == second.MessageId
                && first.ExtensionData is null && second.ExtensionData is null
                && compacted.OfType<ReasoningMessageStartEvent>().All(start => start.MessageId != first.MessageId)
                && !compacted.Any(next => next.Type.EndsWith("_CHUNK", StringComparison.Ordinal)))
            {
                return $"{first.ToJson()} {second.ToJson()}";
            }
        }

        return null;
    }

    private static string? Pure(EventStream stream, int cut, CompactOptions level)
    {
        var before = stream.ToJson();
        var (first, second) = (stream.Compact(level).ToJson(), stream.Compact(level).ToJson());
        return first == second && before == stream.ToJson() ? null : "the input or the output changed";
    }

    /// <summary>A client that joins at the cut has in the end what one has that was there from the beginning.</summary>
    private static string? Attach(EventStream stream, int cut, CompactOptions level)
    {
        var rest = stream.Skip(cut).ToList();
        if (rest.OfType<RunStartedEvent>().Any(run => run.ParentRunId is not null))
        {
            return null;
        }

        var seen = Joined(First(stream, cut).Attach(), rest);
        var (whole, joined) = (JsonElement.Parse(stream.Replay().ToJson()), JsonElement.Parse(seen.Replay().ToJson()));
        return seen.Check().Errors.FirstOrDefault()?.ToString()
            ?? JsonDifference.Between(whole, joined).FirstOrDefault(it => !it.At.StartsWith("/runs", StringComparison.Ordinal))?.ToString();
    }
}

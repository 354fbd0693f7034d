using System.Text.Json;
using Chatstate;

namespace Chatstate.Tests;

/// <summary>
/// Rows about threads that are so long that level <c>snapshot</c> has most of their runs compressed, and branches that go
/// on from those.
/// </summary>
internal static class LongThreadRows
{
    /// <summary>Together the runs have some megabytes, which is several blocks of what is compressed.</summary>
    private const int Runs = 150;

    /// <summary>The runs after which a branch comes, and the earlier run from which it parts.</summary>
    private static readonly Dictionary<int, string> Parting = new()
    {
        [32] = "r7",
        [40] = "r1",
        [48] = "r2",
        [56] = "r3",
        [64] = "r39",
        [72] = "r4",
        [80] = "r5",
        [120] = "r95",
    };

    private static readonly EventStream Log = Branching();

    private static readonly EventStream Tips = Log.Compact(new() { Level = CompactLevel.Snapshot });

    public static Row[] All =>
    [
        new("the runs of a long thread of which the frame stays", "141", () =>
            Tips.OfType<RunStartedEvent>().Count(started => started.Metadata?.ContainsKey("chatstate") == true).ToString()),
        new("the end of each branch of a long thread", "", () => Different([.. Parting.Values.Select(run => $"b-{run}"), $"r{Runs - 1}"])),
        new("where branches of a long thread part", "", () => Different(Parting.Values)),
        new("a long thread that is compacted again", "True", () =>
            (Tips.ToJson() == Tips.Compact(new() { Level = CompactLevel.Snapshot }).ToJson()).ToString()),
    ];

    /// <summary>The runs of which the compacted thread says something else.</summary>
    private static string Different(IEnumerable<string> runs) =>
        string.Join(' ', runs.Where(run => !Said(Log, run).SequenceEqual(Said(Tips, run))));

    private static IEnumerable<string> Said(EventStream log, string run)
    {
        var thread = log.Replay(run);
        return thread.Messages.Select(message => message.ToJson()).Append(thread.State.GetRawText());
    }

    private static EventStream Branching()
    {
        var (random, events) = (new Random(20_261), new List<Event>());
        for (var run = 0; run < Runs; run++)
        {
            AddRun(events, random, $"r{run}", run == 0 ? null : $"r{run - 1}");
            if (Parting.TryGetValue(run, out var earlier))
            {
                AddRun(events, random, $"b-{earlier}", earlier);
            }
        }

        return new(events);
    }

    /// <summary>A run that adds two messages, goes on with an earlier one, and now and then says all state or some messages.</summary>
    private static void AddRun(List<Event> events, Random random, string run, string? parent)
    {
        events.Add(new RunStartedEvent { ThreadId = "t", RunId = run, ParentRunId = parent });
        var state = JsonElement.Parse($$"""{"said":"{{Words(random)}}"}""");
        events.Add(random.Next(2) == 0
            ? new StateSnapshotEvent { Snapshot = state }
            : new StateDeltaEvent { Delta = JsonPatch.FromJson($$"""[{"op":"add","path":"/{{run}}","value":{{state.GetRawText()}}}]""") });
        AddText(events, random, $"m-{run}");
        AddText(events, random, random.Next(3) == 0 && parent is not null ? $"m-{parent}" : $"n-{run}");
        if (random.Next(4) == 0)
        {
            events.Add(new MessagesSnapshotEvent { Messages = [new UserMessage { Id = $"s-{run}", Content = Words(random) }] });
        }

        events.Add(new RunFinishedEvent { ThreadId = "t", RunId = run });
    }

    private static void AddText(List<Event> events, Random random, string message)
    {
        events.Add(new TextMessageStartEvent { MessageId = message });
        events.Add(new TextMessageContentEvent { MessageId = message, Delta = Words(random) });
        events.Add(new TextMessageEndEvent { MessageId = message });
    }

    /// <summary>Text that compression cannot make much of.</summary>
    private static string Words(Random random) =>
        string.Concat(Enumerable.Range(0, 4_000).Select(_ => (char)random.Next('a', 'z' + 1)));
}

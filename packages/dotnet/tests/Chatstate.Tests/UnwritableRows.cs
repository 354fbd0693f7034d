using System.Text.Json;
using Chatstate;

namespace Chatstate.Tests;

/// <summary>Rows about events that a program has made and that cannot be written, at level <c>snapshot</c>.</summary>
internal static class UnwritableRows
{
    /// <summary>A text that no event can say.</summary>
    private const string Broken = "a\ud83db";

    private static readonly Event Patch = Event.FromJson("""{"type":"STATE_DELTA","delta":[{"op":"add","path":"/c","value":1}]}""");

    public static Row[] All =>
    [
        Of("in the input of a run", 0, "/0/input/messages/0/content", events => ((RunStartedEvent)events[0]).Input!.Messages =
            [new UserMessage { Id = "u", Content = Broken }]),
        Of("in what begins a message", 1, "/1/name", events => ((TextMessageStartEvent)events[1]).Name = Broken),
        Of("in a delta", 2, "/2/delta", events => ((TextMessageContentEvent)events[2]).Delta = Broken),
        Of("in a result", 4, "/4/content", events => ((ToolCallResultEvent)events[4]).Content = Broken),
        Of("in an event about neither messages nor state", 5, "/5/name", events => ((CustomEvent)events[5]).Name = Broken),
        Of("in the end of a run", 6, "/6/runId", events => ((RunFinishedEvent)events[6]).RunId = Broken),
        new("a compactor that rejected what cannot be written goes on rejecting", "/2/delta /2/delta", () =>
        {
            var compactor = Compactor(lenient: false);
            var events = Events();
            ((TextMessageContentEvent)events[2]).Delta = Broken;
            Push(compactor, events.Take(2));
            return $"{RejectedAt(compactor, events[2])} {RejectedAt(compactor, events[3])}";
        }),
        new("a lenient compactor passes on what cannot be written", "0 0 3 1 /2/delta", () =>
        {
            var compactor = Compactor(lenient: true);
            var events = Events();
            ((TextMessageContentEvent)events[2]).Delta = Broken;
            var counts = events.Take(4).Select(next => compactor.Push(next).Count).ToList();
            return $"{string.Join(' ', counts)} {compactor.Rejection?.At}";
        }),
        OfState("with one name twice", "duplicate-member at /state/a", """{"a":1,"a":2}"""),
        OfState("with one name twice that a patch has changed", "duplicate-member at /a", """{"b":{"a":1,"a":2}}""", Patch),
        OfState("with an unpaired surrogate in a name that a patch has changed", "unpaired-surrogate at ", """{"b":{"\ud83d":1}}""", Patch),
        OfState("with an unpaired surrogate in a name", "unpaired-surrogate at /state", """{"\ud83d":1}"""),
        OfState("with an unpaired surrogate inside of a text", "unpaired-surrogate at /state/0", """["\ud83da"]"""),
        OfState("with an unpaired surrogate at the end of a text", "unpaired-surrogate at /state/0", """["a\ud83d"]"""),
        OfState(
            "deeper than documents are",
            $"depth at /state{string.Concat(Enumerable.Repeat("/0", 512))}",
            $"{new string('[', 600)}{new string(']', 600)}"),
    ];

    /// <summary>A replay of a state that a program has made, which is written.</summary>
    private static Row OfState(string name, string expected, string state, params Event[] more) =>
        new($"the replay of a state {name}", expected, () =>
        {
            var options = new JsonDocumentOptions { MaxDepth = 1000 };
            var snapshot = new StateSnapshotEvent { Snapshot = JsonDocument.Parse(state, options).RootElement };
            var started = new RunStartedEvent { ThreadId = "t", RunId = "r" };
            return new EventStream([started, snapshot, .. more]).Replay().ToJson();
        });

    private static Row Of(string name, int index, string at, Action<List<Event>> breaks) =>
        new($"what cannot be written {name}", at, () =>
        {
            var (compactor, events) = (Compactor(lenient: false), Events());
            breaks(events);
            Push(compactor, events.Take(index));
            return RejectedAt(compactor, events[index]);
        });

    private static EventCompactor Compactor(bool lenient) => new(new() { Level = CompactLevel.Snapshot, Lenient = lenient });

    private static void Push(EventCompactor compactor, IEnumerable<Event> events)
    {
        foreach (var next in events)
        {
            _ = compactor.Push(next);
        }
    }

    private static string RejectedAt(EventCompactor compactor, Event next)
    {
        try
        {
            return $"{compactor.Push(next).Count} events";
        }
        catch (RejectionException rejection)
        {
            return rejection.At;
        }
    }

    private static List<Event> Events() =>
    [
        new RunStartedEvent { ThreadId = "t", RunId = "r", Input = new() { ThreadId = "t", RunId = "r", Messages = [] } },
        new TextMessageStartEvent { MessageId = "m" },
        new TextMessageContentEvent { MessageId = "m", Delta = "d" },
        new TextMessageEndEvent { MessageId = "m" },
        new ToolCallResultEvent { MessageId = "x", ToolCallId = "c", Content = "c" },
        new CustomEvent { Name = "n", Value = JsonElement.Parse("1") },
        new RunFinishedEvent { ThreadId = "t", RunId = "r" },
    ];
}

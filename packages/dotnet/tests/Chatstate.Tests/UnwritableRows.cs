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
        OfState("with one name twice beside a change", "duplicate-member at /state/b/a", """{"b":{"a":1,"a":2}}""", Patch),
        OfState("with one name twice where it changes", "duplicate-member at /2", """{"a":1,"a":2}""", Patch),
        OfState("with an unpaired surrogate in a name", "unpaired-surrogate at /state", """{"\ud83d":1}"""),
        OfState("with an unpaired surrogate in a name beside a change", "unpaired-surrogate at /state/b", """{"b":{"\ud83d":1}}""", Patch),
        OfState("with an unpaired surrogate in a name where it changes", "unpaired-surrogate at /2", """{"\ud83d":1}""", Patch),
        OfState("with an unpaired surrogate inside of a text", "unpaired-surrogate at /state/0", """["\ud83da"]"""),
        OfState("with an unpaired surrogate at the end of a text", "unpaired-surrogate at /state/0", """["a\ud83d"]"""),
        OfState(
            "deeper than documents are",
            $"depth at /state{string.Concat(Enumerable.Repeat("/0", 512))}",
            $"{new string('[', 600)}{new string(']', 600)}"),
        OfMessages("a text that no event can say", "unpaired-surrogate at /1/messages/0/content", new UserMessage { Id = "u", Content = Broken }),
        OfMessages("one name twice in its metadata", "duplicate-member at /1/messages/0/metadata/n/a", new UserMessage
        {
            Id = "u",
            Content = "",
            Metadata = new Dictionary<string, JsonElement> { ["n"] = JsonElement.Parse("""{"a":1,"a":2}""") },
        }),
        new("the replay of an activity with one name twice", "duplicate-member at /messages/0/content/b/a", () =>
            Replayed(new ActivitySnapshotEvent
            {
                MessageId = "m",
                ActivityType = "a",
                Content = new Dictionary<string, JsonElement> { ["b"] = JsonElement.Parse("""{"a":1,"a":2}""") },
            })),
        OfNamedTwice("the check", "duplicate-member at /1/snapshot/a", events => events.Check()),
        OfNamedTwice("the prelude", "duplicate-member at /2", events => events.Attach()),
        OfNamedTwice("the branch", "duplicate-member at /2", events => events.Branch("r")),
        .. new[] { CompactLevel.Stream, CompactLevel.Snapshot }.SelectMany(OfCompaction),
    ];

    /// <summary>A replay of a state that a program has made, which is written.</summary>
    private static Row OfState(string name, string expected, string state, params Event[] more) =>
        new($"the replay of a state {name}", expected, () => Replayed([State(state), .. more]));

    private static Row OfMessages(string name, string expected, Message message) =>
        new($"the replay of a message with {name}", expected, () => Replayed(new MessagesSnapshotEvent { Messages = [message] }));

    /// <summary>What asks for a stream in which a state has one name twice, and is patched.</summary>
    private static Row OfNamedTwice(string name, string expected, Action<EventStream> asks) =>
        new($"{name} of a stream with one name twice in a state", expected, () =>
        {
            asks(Run(State("""{"a":1,"a":2}"""), Patch));
            return "nothing";
        });

    private static string Replayed(params Event[] events) => Run(events).Replay().ToJson();

    private static EventStream Run(params Event[] events) => new([new RunStartedEvent { ThreadId = "t", RunId = "r" }, .. events]);

    private static StateSnapshotEvent State(string state) =>
        new() { Snapshot = JsonDocument.Parse(state, new JsonDocumentOptions { MaxDepth = 1000 }).RootElement };

    /// <summary>A level checks its events when they come, or when they are looked into, or when they are written.</summary>
    private static IEnumerable<Row> OfCompaction(CompactLevel level)
    {
        string At(string arrived, string later) => level == CompactLevel.Snapshot ? arrived : later;
        Row OfEvents(string name, string expected, string state, params Event[] more) =>
            new($"compaction to level {level} of a state {name}", expected, () =>
                Run([State(state), .. more, new RunFinishedEvent { ThreadId = "t", RunId = "r" }]).Compact(new() { Level = level }).ToJson());
        return
        [
            OfEvents("with one name twice", "duplicate-member at /1/snapshot/a", """{"a":1,"a":2}"""),
            OfEvents("with one name twice beside a change", "duplicate-member at /1/snapshot/b/a", """{"b":{"a":1,"a":2}}""", Patch),
            OfEvents("with one name twice where it changes", At("duplicate-member at /1/snapshot/a", "duplicate-member at /2"), """{"a":1,"a":2}""", Patch),
            OfEvents("with an unpaired surrogate in a name", "unpaired-surrogate at /1/snapshot", """{"\ud83d":1}"""),
            OfEvents(
                "with an unpaired surrogate in a name beside a change",
                At("unpaired-surrogate at /1/snapshot/b", "unpaired-surrogate at /3"),
                """{"b":{"\ud83d":1}}""",
                Patch),
            OfEvents("with an unpaired surrogate in a name where it changes", At("unpaired-surrogate at /1/snapshot", "unpaired-surrogate at /2"), """{"\ud83d":1}""", Patch),
        ];
    }

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

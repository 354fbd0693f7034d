using Chatstate;

namespace Chatstate.Tests;

/// <summary>Rows about event streams, which the corpus asks of whole streams and by one way only.</summary>
internal static class EventRows
{
    private const string Run =
        """
        [{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_START","messageId":"m"},
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"},{"type":"TEXT_MESSAGE_END","messageId":"m"},
        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]
        """;

    private static EventStream Stream => EventStream.FromJson(Run);

    public static Row[] Order =>
    [
        new("a good stream", "True 0", () => $"{Stream.Check().IsValid} {Stream.Check().Warnings.Count}"),
        new("a bad stream throws", "text.not-open at /1", () => Without(1).ToJson()),
        new("a bad stream is told whole", "text.not-open 1, text.not-open 2, text.not-open 3, run.after-finish 5", () =>
        {
            var events = Stream.Where(next => next is not TextMessageStartEvent).ToList();
            events.Add(new CustomEvent { Name = "late", Value = System.Text.Json.JsonElement.Parse("1") });
            return string.Join(", ", new EventStream(events).Check().Errors.Select(error => $"{error.Rule} {error.Index}"));
        }),
        new("the other event of a finding", "1", () =>
        {
            var found = new EventStream(Stream.Take(2).Append(Stream[1]).ToList()).Check();
            return $"{found.Errors[0].Other}";
        }),
        new("the events of a branch", "r1 r3, True", () =>
        {
            RunStartedEvent Started(string run, string? parent = null) =>
                new() { ThreadId = "t", RunId = run, ParentRunId = parent };
            RunFinishedEvent Finished(string run) => new() { ThreadId = "t", RunId = run };
            var log = new EventStream(
            [
                Started("r1"),
                Finished("r1"),
                Started("r2"),
                Finished("r2"),
                Started("r3", "r1"),
            ]);
            var branch = log.Branch("r3");
            var runs = string.Join(" ", branch.OfType<RunStartedEvent>().Select(started => started.RunId));
            return $"{runs}, {branch.Replay().Equals(log.Replay("r3"))}";
        }),
        new("a branch from before messages were put in order anew", "assistant a, tool x | assistant a, tool y, user x | assistant a, tool x, user z", () =>
        {
            var log = EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r1"},{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"a"},
                {"type":"TOOL_CALL_END","toolCallId":"c"},{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"c","content":"1","role":"tool"},
                {"type":"RUN_FINISHED","threadId":"t","runId":"r1"},{"type":"RUN_STARTED","threadId":"t","runId":"r2"},
                {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},
                {"id":"x","role":"user","content":"1"}]},{"type":"TOOL_CALL_RESULT","messageId":"y","toolCallId":"c","content":"2","role":"tool"},
                {"type":"RUN_FINISHED","threadId":"t","runId":"r2"},
                {"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1","input":{"threadId":"t","runId":"r3","messages":[{"id":"z","role":"user","content":""}],"tools":[],"context":[],"forwardedProps":{}}}]
                """);
            string Said(string run) => string.Join(", ", log.Replay(run).Messages.Select(message => $"{message.Role} {message.ToJson().Split('"')[3]}"));
            return $"{Said("r1")} | {Said("r2")} | {Said("r3")}";
        }),
        new("an encrypted value of an unknown subtype", "verify.unknown-word 1", () =>
        {
            var image = new ReasoningEncryptedValueEvent { Subtype = "image", EntityId = "m", EncryptedValue = "x" };
            var found = new EventStream(Stream.Take(1).Append(image).ToList()).Check();
            return $"{found.Warnings.Single().Rule} {found.Warnings.Single().Index}";
        }),
        new("warnings say their places", "verify.newer-version /0/protocolVersion, verify.failed-patch /1/delta/0, "
            + "verify.no-target /2/messageId, verify.no-target /3/entityId", () =>
        {
            var warnings = EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.10"},
                {"type":"STATE_DELTA","delta":[{"op":"remove","path":"/x"}]},
                {"type":"ACTIVITY_DELTA","messageId":"n","activityType":"w","patch":[]},
                {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"n","encryptedValue":"A"}]
                """).Check().Warnings;
            return string.Join(", ", warnings.Select(warning => $"{warning.Rule} {warning.At}"));
        }),
        new("a marked run with events is warned of once", "verify.marked-run /0/metadata/chatstate", () =>
        {
            var warnings = EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r","metadata":{"chatstate":{"compacted":"tips"}}},
                {"type":"CUSTOM","name":"n","value":1},{"type":"CUSTOM","name":"n","value":1},
                {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]
                """).Check().Warnings;
            return string.Join(", ", warnings.Select(warning => $"{warning.Rule} {warning.At}"));
        }),
        new("a complete stream ends with its last run", "True True run.unfinished /0", () =>
        {
            var cut = new EventStream(Stream.Take(2));
            var error = cut.Check(complete: true).Errors.Single();
            return $"{Stream.Check(complete: true).IsValid} {cut.Check().IsValid} {error.Rule} {error.At}";
        }),
        new("a complete stream that is cut off throws", "run.unfinished at /0", () =>
        {
            new EventStream(Stream.Take(2)).Verify(complete: true);
            return "";
        }),
        new("a bad stream is not replayed", "text.not-open at /1", () => new EventStream(Stream.Skip(2).Prepend(Stream[0])).Replay().ToJson()),
        new("a lenient replay", "0", () => $"{new EventStream(Stream.Skip(2).Prepend(Stream[0])).Replay(lenient: true).Messages.Count}"),
        new("a tip", "r", () => string.Join(",", Stream.Lineage().Tips)),
    ];

    public static Row[] Meaning =>
    [
        new("a message has its type", "AssistantMessage Hello", () =>
        {
            var message = (AssistantMessage)Stream.Replay().Messages[0];
            return $"{message.GetType().Name} {message.Content}";
        }),
        new("an unpaired surrogate of an open message", "a\uD83D", () =>
        {
            var open = new EventStream(Stream.Take(2).Append(Delta("a\uD83D")).ToList());
            return ((AssistantMessage)open.Replay().Messages[0]).Content!;
        }),
        new("an activity that became something else", "UnknownMessage 5", () =>
        {
            var patched = EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r"},
                {"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"plan","content":{}},
                {"type":"ACTIVITY_DELTA","messageId":"a","activityType":"plan","patch":[{"op":"add","path":"","value":5}]}]
                """);
            var message = (UnknownMessage)patched.Replay().Messages[0];
            return $"{message.GetType().Name} {message.Raw.GetProperty("content")}";
        }),
        new("an unknown run", "replay.unknown-run at ", () => Stream.Replay("other").ToJson()),
        new("a prelude", "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT TEXT_MESSAGE_START", () =>
            Types(new EventStream(Stream.Take(4).ToList()).Attach())),
    ];

    public static Row[] Compaction =>
    [
        new("deltas are joined", "Hello", () => Stream.Compact().OfType<TextMessageContentEvent>().Single().Delta),
        new("a snapshot", "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED", () =>
            Types(Stream.Compact(new() { Level = CompactLevel.Snapshot }))),
        new("what is kept stays", "Hel lo", () => string.Join(' ', Stream
            .Compact(new() { Keep = kept => kept is TextMessageContentEvent })
            .OfType<TextMessageContentEvent>()
            .Select(delta => delta.Delta))),
        new("what is pending stands before kept chunks that it would close", "True", () =>
        {
            var stream = EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r"},
                {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s"},
                {"type":"TEXT_MESSAGE_START","messageId":"m2"},
                {"type":"STATE_SNAPSHOT","snapshot":{"n":1}},
                {"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"a"},
                {"type":"TEXT_MESSAGE_CHUNK","messageId":"m3","delta":"b"},
                {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"c","subagentRunId":"s"},
                {"type":"RUN_ERROR","message":"broken"}]
                """);
            return (stream.Compact(new() { Keep = kept => kept is TextMessageChunkEvent }).ToJson() == stream.ToJson()).ToString();
        }),
        new(
            "a kept input behind a removed run makes the run before say the path",
            "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED RUN_STARTED RUN_FINISHED True",
            () =>
            {
                var options = new CompactOptions
                {
                    Level = CompactLevel.Snapshot,
                    Keep = kept => kept is RunStartedEvent { RunId: "r2" },
                };
                var once = EventStream.FromJson(
                    """
                    [{"type":"RUN_STARTED","threadId":"t","runId":"r1","input":{"threadId":"t","runId":"r1","messages":[
                    {"id":"u1","role":"user","content":"hi"},{"id":"u2","role":"user","content":"hi"}]}},
                    {"type":"RUN_FINISHED","threadId":"t","runId":"r1"},
                    {"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[
                    {"id":"u3","role":"user","content":"hi"},{"id":"u1","role":"user","content":"hi"}]}},
                    {"type":"RUN_FINISHED","threadId":"t","runId":"r2"}]
                    """).Compact(options);
                return $"{Types(once)} {once.ToJson() == once.Compact(options).ToJson()}";
            }),
        new(
            "a text and a reasoning chunk of one id stay apart",
            "TEXT_MESSAGE_START REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT FUTURE REASONING_MESSAGE_END CUSTOM",
            () => Types(EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r"},
                {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"},
                {"type":"REASONING_MESSAGE_CHUNK","messageId":"m","delta":"x"},{"type":"FUTURE"},
                {"type":"CUSTOM","name":"mark","value":1}]
                """).Compact().Skip(1))),
        new("the events stay as they are", "True", () =>
        {
            var (stream, before) = (Stream, Stream.ToJson());
            _ = stream.Compact(new() { Level = CompactLevel.Snapshot });
            return (stream.ToJson() == before).ToString();
        }),
        new("a run is given when it is over", "0 0 0 0 0 5 0", () =>
        {
            var compactor = new EventCompactor();
            var counts = Stream.Select(next => compactor.Push(next).Count).ToList();
            return string.Join(' ', counts.Append(compactor.Finish().Count));
        }),
        new("a compactor that rejected goes on rejecting", "text.not-open text.not-open", () =>
        {
            var compactor = new EventCompactor();
            _ = compactor.Push(Stream[0]);
            return $"{Rejected(() => compactor.Push(Stream[4]))} {Rejected(() => compactor.Push(Stream[1]))}";
        }),
        new("a lenient compactor passes on the run that is rejected as it came", "0 0 0 4 1 1 0 text.not-open", () =>
        {
            var compactor = new EventCompactor(new() { Lenient = true });
            var stray = new TextMessageEndEvent { MessageId = "other" };
            Event[] damaged = [.. Stream.Take(3), stray, .. Stream.Skip(3).Take(2)];
            var counts = damaged.Select(next => compactor.Push(next).Count).ToList();
            counts.Add(compactor.Finish().Count);
            return $"{string.Join(' ', counts)} {compactor.Rejection?.Rule}";
        }),
        new("a partial log keeps the patches of a state that was not seen", "RUN_STARTED STATE_DELTA RUN_FINISHED", () =>
            Types(EventStream.FromJson(
                """
                [{"type":"RUN_STARTED","threadId":"t","runId":"r"},
                {"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1}]},
                {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]
                """).Compact(new() { Level = CompactLevel.Snapshot, Partial = true }))),
        new("a compactor that is finished", "the compaction is finished; make a new compactor for further events", () =>
        {
            var compactor = new EventCompactor();
            _ = compactor.Finish();
            return compactor.Push(Stream[0]).ToString()!;
        }),
        new("a live stream", "True", () =>
        {
            var compacted = Live().CompactAsync().ToBlockingEnumerable();
            return (new EventStream(compacted.ToList()).ToJson() == Stream.Compact().ToJson()).ToString();
        }),
    ];

    /// <summary>The events without the one at this index, verified.</summary>
    private static EventStream Without(int index)
    {
        var rest = new EventStream(Stream.Where((_, place) => place != index).ToList());
        rest.Verify();
        return rest;
    }

    private static TextMessageContentEvent Delta(string text) => new() { MessageId = "m", Delta = text };

    private static string Types(IEnumerable<Event> events) => string.Join(' ', events.Select(next => next.Type));

    private static string Rejected(Func<object> act)
    {
        try
        {
            return act().ToString()!;
        }
        catch (RejectionException rejection)
        {
            return rejection.Rule;
        }
    }

    private static async IAsyncEnumerable<Event> Live()
    {
        foreach (var next in Stream)
        {
            await Task.Yield();
            yield return next;
        }
    }
}

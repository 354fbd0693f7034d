using System.Text.Json.Nodes;
using Chatstate;

namespace Chatstate.Laws;

/// <summary>
/// Makes event streams at random: few ids, so that everything meets everything, and in each stream about half of what a
/// stream can have.
/// </summary>
/// <param name="random">Decides.</param>
internal sealed class StreamGenerator(Random random)
{
    private static readonly string[] Deltas = ["x", "", "two words", "\"\n", "é😀"];
    private static readonly string[] Halves = ["a\\ud83d", "\\ude00b", "\\ud83d", "\\ude00", "\\ude00x\\ud83d"];

    private readonly HashSet<string> features =
        ((string[])["chunks", "owners", "state", "snapshots", "activities", "values", "spans", "members", "inputs", "branches", "halves", "others"])
        .Where(_ => random.Next(2) == 0)
        .ToHashSet();

    private readonly List<string> runs = [];

    /// <summary>The items that were begun in the run, as far as anybody ended them.</summary>
    private readonly List<(string Kind, string Id)> open = [];

    private bool isRunning;

    /// <summary>A stream that verifies: what breaks a rule is left out.</summary>
    public EventStream Valid()
    {
        var stream = new EventStream();
        for (var step = random.Next(5, 60); step > 0; step--)
        {
            foreach (var text in Next())
            {
                stream.Add(Event.FromJson(text));
                if (stream.Check().Errors.Count > 0)
                {
                    stream.RemoveAt(stream.Count - 1);
                }
            }

            isRunning = stream.Count > 0 && stream[^1] is not (RunFinishedEvent or RunErrorEvent);
        }

        return stream;
    }

    private bool Has(string feature, int percent) => features.Contains(feature) && random.Next(100) < percent;

    private string OneOf(params string[] words) => words[random.Next(words.Length)];

    private string Id(string first) => random.Next(100) < 70 ? $"{first}{random.Next(3)}" : OneOf("m0", "m1", "c0", "a0");

    private string Delta() => Has("halves", 30) ? OneOf(Halves) : JsonValue.Create(OneOf(Deltas))!.ToJsonString()[1..^1];

    /// <summary>The next event, with those that it needs before it.</summary>
    private IEnumerable<string> Next()
    {
        if (!isRunning || random.Next(100) < 2)
        {
            open.Clear();
            return [Begun()];
        }

        return random.Next(100) switch
        {
            < 6 => Finished(),
            < 8 => [Written("RUN_ERROR", """ "message":"no" """)],
            < 50 => [Item()],
            < 65 when features.Contains("chunks") => [Chunk()],
            _ => [Other()],
        };
    }

    private string Begun()
    {
        var run = $"r{runs.Count}";
        var members = $""" "threadId":"t","runId":"{run}" """;
        if (runs.Count > 0 && Has("branches", 40))
        {
            members += $""","parentRunId":"{OneOf([.. runs, "outside"])}" """;
        }

        if (Has("inputs", 80))
        {
            var state = Has("state", 40) ? ""","state":{"n":0,"list":[]}""" : "";
            members += $$""","input":{"threadId":"t","runId":"{{run}}","messages":[{{Messages()}}]{{state}}}""";
        }

        runs.Add(run);
        return Written("RUN_STARTED", members);
    }

    private IEnumerable<string> Finished()
    {
        var ends = open.Select(item => Written($"{item.Kind}_END", Named(item.Kind, item.Id))).ToList();
        var outcome = random.Next(100) < 20 ? ""","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"ask"}]}""" : "";
        ends.Add(Written("RUN_FINISHED", $""" "threadId":"t","runId":"{runs[^1]}"{outcome}"""));
        open.Clear();
        return ends;
    }

    private string Item()
    {
        var isBegun = open.Count > 0 && random.Next(100) < 75;
        var (kind, id) = isBegun ? open[random.Next(open.Count)] : NewItem();
        if (!isBegun)
        {
            open.Add((kind, id));
            return Written($"{kind}_START", Named(kind, id) + Heads(kind, isStart: true) + Owner());
        }

        if (random.Next(100) < 25)
        {
            open.Remove((kind, id));
            return Written($"{kind}_END", Named(kind, id) + Owner());
        }

        var type = kind == "TOOL_CALL" ? "TOOL_CALL_ARGS" : $"{kind}_CONTENT";
        return Written(type, $"""{Named(kind, id)},"delta":"{Delta()}"{Owner()}""");
    }

    private string Chunk()
    {
        var (kind, id) = NewItem();
        var members = random.Next(100) < 65 ? Named(kind, id) + Heads(kind, isStart: false) : """ "timestamp":1 """;
        members += random.Next(100) < 75 ? $""","delta":"{Delta()}" """ : "";
        return Written($"{kind}_CHUNK", members + Owner());
    }

    private (string Kind, string Id) NewItem()
    {
        var kind = OneOf("TEXT_MESSAGE", "TEXT_MESSAGE", "REASONING_MESSAGE", "TOOL_CALL");
        return (kind, Id(kind == "TOOL_CALL" ? "c" : "m"));
    }

    private string Heads(string kind, bool isStart) => kind switch
    {
        "TOOL_CALL" => ""","toolCallName":"f" """ + (random.Next(2) == 0 ? $""","parentMessageId":"{Id("m")}" """ : ""),
        "REASONING_MESSAGE" => isStart ? ""","role":"reasoning" """ : "",
        _ => random.Next(100) < 20 ? ""","role":"user","name":"Bob" """ : "",
    };

    private string Other() => random.Next(12) switch
    {
        0 when features.Contains("state") => Written("STATE_SNAPSHOT", """ "snapshot": """ + OneOf("""{"n":1,"list":[1]}""", "5", "[1]") + Owner()),
        < 3 when features.Contains("state") => Written("STATE_DELTA", $$""" "delta":[{{Operation()}}]{{Owner()}}"""),
        3 when features.Contains("snapshots") => Written("MESSAGES_SNAPSHOT", $""" "messages":[{Messages()}]"""),
        4 when features.Contains("activities") => Written("ACTIVITY_SNAPSHOT", $$""" "messageId":"{{Id("a")}}","activityType":"plan","content":{"steps":[]}{{OneOf("", ",\"replace\":false")}}{{Owner()}}"""),
        5 when features.Contains("activities") => Written("ACTIVITY_DELTA", $$""" "messageId":"{{Id("a")}}","activityType":"p","patch":[{"op":"add","path":"/steps/-","value":2}]{{Owner()}}"""),
        6 when features.Contains("values") => Written("REASONING_ENCRYPTED_VALUE", $""" "subtype":"{OneOf("message", "tool-call")}","entityId":"{Id("m")}","encryptedValue":"v{random.Next(3)}"{Owner()}"""),
        7 when features.Contains("owners") => Subagent(),
        8 when features.Contains("spans") => Written(OneOf("STEP_STARTED", "STEP_FINISHED"), $""" "stepName":"{OneOf("p", "q")}"{Owner()}"""),
        9 when features.Contains("spans") => Written(OneOf("REASONING_START", "REASONING_END"), $""" "messageId":"{Id("m")}"{Owner()}"""),
        10 => Written("TOOL_CALL_RESULT", $""" "messageId":"{Id("t")}","toolCallId":"{Id("c")}","content":"done"{Owner()}"""),
        11 when features.Contains("others") => Written(OneOf("RAW", "FUTURE"), """ "event":{"p":1} """),
        _ => Written("CUSTOM", $""" "name":"mark","value":{random.Next(9)}{Owner()}"""),
    };

    private string Subagent() => random.Next(2) == 0
        ? Written("SUBAGENT_STARTED", $""" "subagentRunId":"{OneOf("s0", "s1")}","name":"helper" """)
        : Written("SUBAGENT_FINISHED", $""" "subagentRunId":"{OneOf("s0", "s1")}" """);

    private string Operation() => OneOf(
        """{"op":"add","path":"/n","value":1}""",
        """{"op":"add","path":"/list/-","value":{"q":1}}""",
        """{"op":"remove","path":"/list/0"}""",
        """{"op":"move","from":"/n","path":"/m"}""",
        """{"op":"test","path":"/n","value":1}""",
        """{"op":"add","path":"","value":{"n":7,"list":[]}}""");

    private string Messages() => string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => Message()));

    private string Message()
    {
        var owner = Owner();
        return random.Next(7) switch
        {
            0 => $$"""{"id":"{{Id("m")}}","role":"assistant","content":"x"{{owner}}}""",
            1 => $$$"""{"id":"{{{Id("m")}}}","role":"assistant","toolCalls":[{"id":"{{{Id("c")}}}","type":"function","function":{"name":"f","arguments":""}}]{{{owner}}}}""",
            2 => $$"""{"id":"{{Id("t")}}","role":"tool","toolCallId":"{{Id("c")}}","content":"done"{{owner}}}""",
            3 => $$"""{"id":"{{Id("m")}}","role":"reasoning","content":"x"{{owner}}}""",
            4 => $$"""{"id":"{{Id("a")}}","role":"activity","activityType":"plan","content":{"steps":[]}{{owner}}}""",
            5 => $$"""{"id":"{{Id("f")}}","role":"future","x":1}""",
            _ => $$"""{"id":"{{Id("u")}}","role":"user","content":"{{OneOf("hi", "ho")}}"{{owner}}}""",
        };
    }

    private static string Named(string kind, string id) => $"\"{(kind == "TOOL_CALL" ? "toolCallId" : "messageId")}\":\"{id}\"";

    private string Owner() => Has("owners", 30) ? $",\"subagentRunId\":\"{OneOf("s0", "s1")}\"" : "";

    private string Written(string type, string members)
    {
        if (Has("members", 30))
        {
            members += OneOf(
                ",\"metadata\":{\"a\":1}", ",\"metadata\":{\"b\":\"x\"}", ",\"rawEvent\":{\"p\":1}", ",\"later\":[1.50]");
        }

        return $"{{\"type\":\"{type}\",{members}}}";
    }
}

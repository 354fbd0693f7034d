using System.Collections;
using System.Reflection;
using System.Text.Json;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Tests;

/// <summary>Rows about values that programs make: what is not written, and which are equal.</summary>
internal static class ValueRows
{
    /// <summary>The serializer, in a program without reflection.</summary>
    private static readonly JsonSerializerOptions Options = new() { TypeInfoResolver = JsonTypes.Resolver };

    /// <summary>What a reader rejects is not written, for the same rule and with the place.</summary>
    public static Row[] Refusals =>
    [
        new("half a surrogate at the end", "unpaired-surrogate at /sessionId", () => SessionOf("a\ud83d").ToJson()),
        new("half a surrogate inside", "unpaired-surrogate at /sessionId", () => SessionOf("a\ud83db").ToJson()),
        new("a whole pair", """{"sessionId":"a😀","stateBag":{}}""", () => SessionOf("a😀").ToJson()),
        new("half a surrogate at the end of a delta", """{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"}""", () => Delta("a\ud83d").ToJson()),
        new("half a surrogate inside of a delta", "unpaired-surrogate at /delta", () => Delta("a\ud83db").ToJson()),
        new("half a surrogate in a list of events", "unpaired-surrogate at /1/delta", () => new EventStream([Delta("a"), Delta("\ud83db\ud83db")]).ToJson()),
        new("a member that is a property", "duplicate-member at /runId", () => Started("runId", "1").ToJson()),
        new("a member that is a property without a value", "duplicate-member at /timestamp", () => Started("timestamp", "1").ToJson()),
        new("a name with half a surrogate", "unpaired-surrogate at /x\ud83d", () => Started("x\ud83d", "1").ToJson()),
        new("a value with a doubled member", "duplicate-member at /x/a", () => Started("x", """{"a":1,"a":2}""").ToJson()),
        new("a value with a doubled member that is spelled with an escape", "duplicate-member at /x/a", () => Started("x", """{"a":1,"\u0061":2}""").ToJson()),
        new("a value with a doubled member among many", "duplicate-member at /x/m3", () => Started("x", Many("m3")).ToJson()),
        new("the same, spelled with an escape", "duplicate-member at /x/m3", () => Started("x", Many("\\u006d3")).ToJson()),
        new("many members", "21", () => $"{Started("x", Many("m21")).ExtensionData!["x"].GetPropertyCount()}"),
        new("a value with half a surrogate", "unpaired-surrogate at /x/0", () => Started("x", """["\ud83d"]""").ToJson()),
        new("a value that is none", "type at /snapshot", () => new StateSnapshotEvent { Snapshot = default }.ToJson()),
        new("another version", "version.unspoken at /schemaVersion", () => ChatOf(state => state.SchemaVersion = "9").ToJson()),
        new("another version of a session in a list", "version.unspoken at /0/schemaVersion", () => new SessionList([new() { StateBag = new Dictionary<string, JsonElement>(), SchemaVersion = "9" }]).ToJson()),
        new("another encoding", "const at /encoding", () => ChatOf(state => state.Encoding = "base64").ToJson()),
        new("null for a list", "type at /history", () => ChatOf(state => state.History = null!).ToJson()),
        new("null in a list", "type at /history/0", () => ChatOf(state => state.History.Add(null!)).ToJson()),
        new("null for a map", "type at /stateBag", () => new AgentSession { StateBag = null! }.ToJson()),
        new("a blank key", "session.blank-key at /stateBag/ ", () => new AgentSession { StateBag = new Dictionary<string, JsonElement> { [" "] = default } }.ToJson()),
        new("the same through the serializer", "unpaired-surrogate at /sessionId", () => JsonSerializer.Serialize(SessionOf("a\ud83db"), Options)),
    ];

    public static Row[] Equality =>
    [
        new("two reads of one text", "True True True", () => Compared(Text("2"), Text("2"))),
        new("another spelling and order", "True True True", () => Compared(Text("2"), """{"x":2.0,"channels":[],"history":[]}""")),
        new("another value", "False False False", () => Compared(Text("2"), Text("3"))),
        new("another value deep inside", "False False False", () => Compared(Text("""{"a":[{"b":null}]}"""), Text("""{"a":[{}]}"""))),
        new("events are found by value", "True 1", () => $"{new EventStream([Delta("a")]).Contains(Delta("a"))} {new HashSet<Event> { Delta("a"), Delta("a") }.Count}"),
        new("events that end in half a character", "True False True", () =>
        {
            var (one, same, other) = (Delta("a\ud83d"), Delta("a\ud83d"), Delta("b\ud83d"));
            return $"{one.Equals(same)} {one.Equals(other)} {one.GetHashCode() == same.GetHashCode() && one.CanonicalText == same.CanonicalText}";
        }),
        new("replays that end in half a character", "True False", () =>
            $"{Saying("a\ud83d").Equals(Saying("a\ud83d"))} {Saying("a\ud83d").Equals(Saying("b\ud83d"))}"),
        new("a union without a hierarchy", "True False", () => $"{Id("i").Equals(Id("i"))} {Id("i").Equals(Id("j"))}"),
        new("what cannot be written equals itself", "True False", () =>
        {
            var session = SessionOf("a\ud83db");
            return $"{session.Equals(session)} {session.Equals(SessionOf("a\ud83db"))}";
        }),
        new("what verification found", "True", () => $"{Misplaced().Check() == Misplaced().Check()}"),
        new("the lineage of runs", "True", () => $"{Misplaced().Lineage() == Misplaced().Lineage()}"),
        new("what a verification is as JSON", """{"errors":[{"rule":"run.first-event","at":"/0","message":"M"}],"warnings":[]}""", () =>
        {
            var verification = Misplaced().Check();
            return verification.ToJson().Replace(verification.Errors[0].Sentence, "M");
        }),
        new("a snapshot of a thread", "True", () => $"{new ThreadSnapshot(1, Misplaced()) == new ThreadSnapshot(1, Misplaced())}"),
        new("a value shows its document", """{"history":[],"channels":[],"x":2}""", () => ChatState.FromJson(Text("2")).ToString()),
        new("a long document is cut", "201 True", () => $"{ChatState.FromJson(Text($"\"{new string('a', 300)}\"")).ToString().Length} {ChatState.FromJson(Text($"\"{new string('a', 300)}\"")).ToString().EndsWith('…')}"),
        new("a value that cannot be written says why", "not valid: text holds an unpaired surrogate; only a text delta may begin or end with one, at `/sessionId`", () => SessionOf("a\ud83db").ToString()),
        new("a session shows its document", """{"stateBag":{"p":1}}""", () => Session.FromJson("""{"stateBag":{"p":1}}""").ToString()),
        new("sessions differ by their members", "True False", () => $"{AreEquivalent(SessionWith("1"), SessionWith("1.0"))} {AreEquivalent(SessionWith("1"), SessionWith("2"))}"),
    ];

    private static string Text(string value) => $$"""{"history":[],"channels":[],"x":{{value}}}""";

    /// <summary>Whether two chats are equal, have one hash, and look alike to what walks over public members.</summary>
    private static string Compared(string left, string right)
    {
        var (one, two) = (ChatState.FromJson(left), ChatState.FromJson(right));
        return $"{one.Equals(two)} {one.GetHashCode() == two.GetHashCode()} {AreEquivalent(one, two)}";
    }

    /// <summary>
    /// What assertions of equivalence do, such as the one of xunit: they compare public properties, and of a parsed
    /// value see no more than its kind.
    /// </summary>
    private static bool AreEquivalent(object? left, object? right)
    {
        if (left is null || right is null || left is string || left.GetType().IsPrimitive)
        {
            return Equals(left, right);
        }

        if (left is IEnumerable items && right is IEnumerable others)
        {
            var (first, second) = (items.Cast<object>().ToList(), others.Cast<object>().ToList());
            return first.Count == second.Count && first.Zip(second).All(pair => AreEquivalent(pair.First, pair.Second));
        }

        return left.GetType() == right.GetType()
            && left.GetType().GetProperties(BindingFlags.Instance | BindingFlags.Public)
                .Where(property => property.GetIndexParameters().Length == 0)
                .All(property => AreEquivalent(property.GetValue(left), property.GetValue(right)));
    }

    private static AgentSession SessionOf(string id) => new() { SessionId = id, StateBag = new Dictionary<string, JsonElement>() };

    private static Session SessionWith(string value) => Session.FromJson("{\"stateBag\":{\"p\":" + value + "}}");

    private static ConversationId Id(string text) => text;

    private static TextMessageContentEvent Delta(string delta) => new() { MessageId = "m", Delta = delta };

    private static ReplayedThread Saying(string delta) => new EventStream(
        [
            new RunStartedEvent { ThreadId = "t", RunId = "r" },
            new TextMessageStartEvent { MessageId = "m" },
            Delta(delta),
        ]).Replay();

    private static EventStream Misplaced() => new([Delta("a")]);

    /// <summary>An object with twenty members and one more.</summary>
    private static string Many(string last)
    {
        var names = Enumerable.Range(1, 20).Select(number => $"m{number}").Append(last);
        return $"{{{string.Join(',', names.Select(name => $"\"{name}\":1"))}}}";
    }

    private static RunStartedEvent Started(string name, string value) => new()
    {
        ThreadId = "t",
        RunId = "r",
        ExtensionData = new Dictionary<string, JsonElement> { [name] = JsonElement.Parse(value) },
    };

    private static ChatState ChatOf(Action<ChatState> change)
    {
        var state = new ChatState { History = [], Channels = [] };
        change(state);
        return state;
    }
}

using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Doors;

/// <summary>The doors of single types: each gives what is otherwise than the page says.</summary>
internal static class Documents
{
    public static Door[] Own =>
    [
        new("`value.ToJson()`, `T.FromJson(text)`", "every member and every spelling of a number; a value that its own reader rejects is not written", () => Law.Faults(Itself)),
        new("`CanonicalJson.Of(value)`, `value.CanonicalText`", "every value; the order of members and the spelling of numbers are those of the canonical form", () => Law.Faults(Canonical)),
        new("`Session.ListToJson(sessions)`, `Session.ListFromJson(text)`", "every session, of whatever kind", () => Same(Samples.Sessions, Session.ListToJson(Session.ListFromJson(Samples.Sessions)))),
    ];

    public static Door[] Sessions =>
    [
        new("`provider.GetOrInitializeState(session)`, then `session.ToJson()`", "what was changed in the state, and the members that its type does not know", ProvidedFaults),
        new("`registry.Attach(session, key)`, then `session.ToJson()`", "what was added through the store, and the rest of its state letter by letter", AttachedFaults),
    ];

    public static Door[] Chats =>
    [
        new("`AgentChatSerializer.SerializeAsync(chat, stream)`, `DeserializeAsync(chat, stream)`", "the history, the participants, and the state of every channel; never an agent", () => Restored(Written(AgentChatSerializer.SerializeAsync), ReadAsync)),
        new("`AgentChatSerializer.Serialize(chat, stream)`, `Deserialize(stream)`, then `Deserialize(chat)`", "the same, for programs that wait", () => Restored(AgentChatSerializer.Serialize, (chat, stream) => AgentChatSerializer.Deserialize(stream).Deserialize(chat))),
        new("`AgentChatSerializer.SerializeEncodedAsync(chat, stream)`, `DeserializeAsync(chat, stream)`", "the same values, encoded; the spelling of numbers is that of the canonical form", () => Restored(Written(AgentChatSerializer.SerializeEncodedAsync), ReadAsync, CanonicalJson.FromJson)),
        new("`JsonSerializer.Serialize(chat)`, `Deserialize<AgentChat>(text)`", "nothing: both say to use `AgentChatSerializer`", () => Refused("AgentChatSerializer", () => JsonSerializer.Serialize(Samples.Chat()), () => JsonSerializer.Deserialize<AgentChat>("{}"))),
        new("`JsonSerializer.Serialize(channel)` of a `HistoryChannel` or an `OpaqueChannel`", "the state that is saved with the chat", ChannelStates),
    ];

    public static Door[] Members =>
    [
        new("an `Optional<T>` in a type of your own, with `[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]`", "absent, null and a value, each as it is", () => Each(["{}", """{"Left":null}""", """{"Left":"x"}"""], text => JsonSerializer.Serialize(JsonSerializer.Deserialize<LeftOut>(text)))),
        new("an `Optional<T>` in a type of your own, without it", "null and a value; what is absent is not written, and the sentence says why", OptionalFaults),
        new("a `JsonNumber` in a type of your own", "every digit", () => Each(["""{"Value":12345678901234567890123.10}"""], text => JsonSerializer.Serialize(JsonSerializer.Deserialize<Number>(text)))),
        new("`JsonSerializer` with a document that is nested deeper than 64", "nothing, until `MaxDepth = 512` is set; `FromJson` reads 512", DepthFaults),
        new("`JsonSerializer.Deserialize<T>(\"null\")`", "nothing: it gives null for every class, where `FromJson` rejects the document", NullFaults),
    ];

    public static Door[] Stores =>
    [
        new("`MemoryEventStore`", "every event of a thread, and its snapshot", () => Stored(new MemoryEventStore())),
        new("`FileEventStore`", "the same, in files", () => Stored((IEventStore)Maker.Of(typeof(FileEventStore)))),
    ];

    private static readonly ReadAndWrite Itself = new(
        (value, _) => Law.Own(value) ?? throw new NotSupportedException("it has no document"),
        Read);

    private static readonly ReadAndWrite Canonical = new(
        (value, type) => Law.Own(value) is { } own
            ? type.GetProperty("CanonicalText")?.GetValue(value) as string ?? CanonicalJson.FromJson(own)
            : throw new NotSupportedException("it has no document"),
        Read);

    private static object? Read(string text, Type type) =>
        type.GetMethod("FromJson", [typeof(string)]) is { IsStatic: true } read
            ? read.Invoke(null, [text])
            : throw new NotSupportedException("it is not read");

    /// <summary>Whether a text is another letter by letter, but for what JSON leaves open.</summary>
    private static IEnumerable<string> Same(string expected, string found) => expected == found ? [] : [$"{expected} became {found}"];

    private static IEnumerable<string> Each(string[] texts, Func<string, string> again) => texts.SelectMany(text => Same(text, again(text)));

    /// <summary>Whether acts are refused with a sentence that names what to use.</summary>
    private static IEnumerable<string> Refused(string instead, params Func<object?>[] acts) => acts
        .Select(act => Law.Said(act, out _))
        .Where(said => said?.Contains(instead, StringComparison.Ordinal) != true)
        .Select(said => $"it says {said ?? "nothing"}");

    private static IEnumerable<string> ProvidedFaults()
    {
        var session = Session.FromJson("""{"stateBag":{"p":{"x":1.10,"Left":"x"}}}""");
        new ProviderSessionState<Kept>(_ => new(), "p", JsonSerializerOptions.Default).GetOrInitializeState(session).Left = "y";
        return Same("""{"stateBag":{"p":{"x":1.10,"Left":"y"}}}""", session.ToJson());
    }

    private static IEnumerable<string> AttachedFaults()
    {
        const string Before = """{"stateBag":{"m":{"x":1.10,"messages":[{"items":[],"role":"user"}""";
        const string After = """],"$type":"InMemoryChatMessageStoreState"}}}""";
        var session = Session.FromJson(Before + After);
        var store = new StoreRegistry().Attach(session, "m");
        var untouched = session.ToJson();
        store.AppendAsync([ChatMessage.FromJson(Samples.Message)]).GetAwaiter().GetResult();
        var added = CanonicalJson.FromJson($"{Before},{Samples.Message}{After}");
        return Same(Before + After, untouched).Concat(Same(added, CanonicalJson.FromJson(session.ToJson())));
    }

    private static IEnumerable<string> Restored(
        Action<AgentChat, Stream> write, Action<AgentChat, Stream> read, Func<string, string>? form = null)
    {
        using var stream = new MemoryStream();
        var (chat, restored) = (Samples.Chat(), new AgentChat(new Speaker("a")));
        write(chat, stream);
        stream.Position = 0;
        read(restored, stream);
        form ??= text => text;
        return Same(form(StateOf(chat)), form(StateOf(restored)));
    }

    private static Action<AgentChat, Stream> Written(Func<AgentChat, Stream, CancellationToken, Task> write) =>
        (chat, stream) => write(chat, stream, default).GetAwaiter().GetResult();

    private static void ReadAsync(AgentChat chat, Stream stream) =>
        _ = AgentChatSerializer.DeserializeAsync(chat, stream).GetAwaiter().GetResult();

    private static string StateOf(AgentChat chat) => AgentChatSerializer.GetStateAsync(chat).GetAwaiter().GetResult().ToJson();

    private static IEnumerable<string> ChannelStates() => new IChatChannel[]
    {
        (HistoryChannel)Maker.Of(typeof(HistoryChannel)),
        (OpaqueChannel)Maker.Of(typeof(OpaqueChannel)),
    }.SelectMany(channel => Same(
        CanonicalJson.Of(channel.GetStateAsync().GetAwaiter().GetResult()),
        CanonicalJson.FromJson(JsonSerializer.Serialize(channel, channel.GetType()))));

    private static IEnumerable<string> OptionalFaults() =>
        Each(["""{"Left":null}""", """{"Left":"x"}"""], text => JsonSerializer.Serialize(JsonSerializer.Deserialize<Kept>(text)))
            .Concat(Refused("WhenWritingDefault", () => JsonSerializer.Serialize(new Kept())));

    private static IEnumerable<string> DepthFaults()
    {
        var text = $$"""{"history":[],"channels":[],"x":{{new string('[', 100)}}{{new string(']', 100)}}}""";
        var deep = new JsonSerializerOptions { MaxDepth = 512 };
        return Refused("64", () => JsonSerializer.Deserialize<ChatState>(text))
            .Concat(Same(text, JsonSerializer.Serialize(JsonSerializer.Deserialize<ChatState>(text, deep), deep)))
            .Concat(Same(text, ChatState.FromJson(text).ToJson()));
    }

    private static IEnumerable<string> NullFaults() =>
        Refused("object", () => ChatState.FromJson("null"))
            .Concat(JsonSerializer.Deserialize<ChatState>("null") is null ? [] : ["it is no null"]);

    private static IEnumerable<string> Stored(IEventStore store)
    {
        var events = Samples.Events();
        store.AppendAsync("t", events).GetAwaiter().GetResult();
        store.SaveSnapshotAsync("t", new(events.Count, events.Compact())).GetAwaiter().GetResult();
        var snapshot = store.LoadSnapshotAsync("t").GetAwaiter().GetResult()!;
        return Same(events.ToJson(), new EventStream(store.ReadAsync("t").ToBlockingEnumerable()).ToJson())
            .Concat(Same(events.Compact().ToJson(), snapshot.Events.ToJson()));
    }

    private sealed class LeftOut
    {
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
        public Optional<string> Left { get; set; }
    }

    private sealed class Kept
    {
        public Optional<string> Left { get; set; }
    }

    private sealed class Number
    {
        public JsonNumber Value { get; set; }
    }
}

using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Chatstate;
using Chatstate.Testing;

namespace Chatstate.Tests;

/// <summary>Rows about sessions, restores and the assertions for tests.</summary>
internal static class SessionRows
{
    /// <summary>A program without reflection says how its types are read.</summary>
    private static readonly JsonSerializerOptions Options = new() { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    public static Row[] Sessions =>
    [
        new("what is not read is written as it is", """{"stateBag":{"a":{"x":1.10},"b":null}}""", () =>
            Session.FromJson("""{"stateBag":{"a":{"x":1.10},"b":null}}""").ToJson()),
        new("a change keeps what the type does not know", """{"stateBag":{"a":{"x":1.10,"Count":2}}}""", () =>
        {
            var session = Session.FromJson("""{"stateBag":{"a":{"x":1.10,"Count":1}}}""");
            session.State.Get<Counter>("a", Options).Value.Count++;
            return session.ToJson();
        }),
        new("absent and null are two things", "True True", () =>
        {
            var bag = Session.FromJson("""{"stateBag":{"a":null}}""").State;
            return $"{bag.Get<Counter>("a", Options).IsNull} {bag.Get<Counter>("b", Options).IsAbsent}";
        }),
        new("a provider keeps its state in the session", """{"stateBag":{"p":{"Count":2}}}""", () =>
        {
            var (session, provider) = (new Session(), new ProviderSessionState<Counter>(_ => new(), "p", Options));
            provider.GetOrInitializeState(session).Count++;
            provider.GetOrInitializeState(session).Count++;
            return session.ToJson();
        }),
        new("one provider serves many sessions at once", "1000 sessions, each with a state of its own", () =>
        {
            var provider = new ProviderSessionState<Counter>(_ => new(), "p", Options);
            var sessions = Enumerable.Range(0, 1000).Select(number => (Number: number, Session: new Session())).ToList();
            Parallel.ForEach(sessions, one => provider.GetOrInitializeState(one.Session).Count = one.Number);
            var own = sessions.Count(one => provider.GetOrInitializeState(one.Session).Count == one.Number);
            return $"{own} sessions, each with a state of its own";
        }),
        new("another type is rejected", "session.other-type at /stateBag/a", () =>
        {
            var bag = Session.FromJson("""{"stateBag":{"a":{"Count":1}}}""").State;
            _ = bag.Get<Counter>("a", Options);
            return bag.Get<Other>("a", Options).ToString();
        }),
        new("another shape is rejected", "type at /stateBag/a", () =>
            Session.FromJson("""{"stateBag":{"a":"text"}}""").State.Get<Counter>("a", Options).ToString()),
        new("a blank key is rejected", "session.blank-key at /stateBag/ ", () =>
        {
            new StateBag().Set(" ", new Counter(), Options);
            return "";
        }),
        new("a fault in a list of a program says where the value is", "must be of type string, but is number, at `/delta` in the value at `$[1]`", () =>
            RejectionOf("""[{"type":"RAW","event":1},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":1}]""")),
        new("a type of the package needs no options", "i", () =>
            Session.FromJson("""{"stateBag":{"a":{"id":"i","type":"t"}}}""").State.Get<Participant>("a").Value.Id),
        new("a store in memory", """{"stateBag":{"m":{"$type":"InMemoryChatMessageStoreState","messages":[]}}}""", () =>
        {
            var session = new Session();
            _ = new StoreRegistry().Attach(session, "m");
            return session.ToJson();
        }),
        new("what is added to a store is saved with the session", Stored("messages", """{"role":"user","items":[],"x":1.10},{"role":"user","items":[]}"""), () =>
        {
            var session = Session.FromJson(Stored("messages", """{"role":"user","items":[],"x":1.10}"""));
            new StoreRegistry().Attach(session, "m").AppendAsync([Added]).GetAwaiter().GetResult();
            return session.ToJson();
        }),
        new("what is added to a new store is saved with the session", """{"stateBag":{"m":{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user","items":[]}]}}}""", () =>
        {
            var session = new Session();
            new StoreRegistry().Attach(session, "m").State.Get<InMemoryChatMessageStoreState>().Messages.Add(Added);
            return session.ToJson();
        }),
        new("a store that is only read is written as it was", Stored("messages", """{"items":[],"role":"user","x":1e0}"""), () =>
        {
            var session = Session.FromJson(Stored("messages", """{"items":[],"role":"user","x":1e0}"""));
            var messages = new StoreRegistry().Attach(session, "m").GetMessagesAsync().GetAwaiter().GetResult();
            return messages.Count == 1 ? session.ToJson() : "";
        }),
        new("a store has one list, however often it is attached", "2 2 2", () =>
        {
            var (session, registry) = (Session.FromJson(Stored("messages", """{"role":"user","items":[]}""")), new StoreRegistry());
            var (one, two) = ((InMemoryChatMessageStore)registry.Attach(session, "m"), (InMemoryChatMessageStore)registry.Attach(session, "m"));
            one.Add(Added);
            return $"{one.Count} {two.Count} {session.State.Get<InMemoryChatMessageStoreState>("m").Value.Messages.Count}";
        }),
        new("a store of a program is saved with the session", """{"stateBag":{"m":{"$type":"Counted","Count":2}}}""", () =>
        {
            var session = new Session();
            var store = (CountingStore)new StoreRegistry().Attach(session, "m", _ => new CountingStore(new()));
            store.AppendAsync([Added, Added]).GetAwaiter().GetResult();
            return session.ToJson();
        }),
        new("a store that makes its state anew is saved with the session", """{"stateBag":{"m":{"x":1.10,"$type":"Counted","Count":4}}}""", () =>
        {
            var session = Session.FromJson("""{"stateBag":{"m":{"x":1.10,"$type":"Counted","Count":3}}}""");
            var store = new StoreRegistry().Attach(session, "m", state => new CountingStore(state!.Get<Counter>(Options)));
            store.AppendAsync([Added]).GetAwaiter().GetResult();
            return session.ToJson();
        }),
        new("a store that makes its state anew is written as it was", """{"stateBag":{"m":{"x":1.10,"$type":"Counted","Count":3e0}}}""", () =>
        {
            var session = Session.FromJson("""{"stateBag":{"m":{"x":1.10,"$type":"Counted","Count":3e0}}}""");
            _ = new StoreRegistry().Attach(session, "m", state => new CountingStore(state!.Get<Counter>(Options)));
            return session.ToJson();
        }),
        new("messages under the name in other letters", "session.store-malformed at /stateBag/m/Messages", () =>
        {
            _ = new StoreRegistry().Attach(Session.FromJson(Stored("Messages", """{"role":"user","items":[]}""")), "m");
            return "";
        }),
        new("a store by itself works on its state", """{"messages":[{"role":"user","items":[]}]}""", () =>
        {
            var state = new InMemoryChatMessageStoreState();
            new InMemoryChatMessageStore(state).Add(Added);
            return state.ToJson();
        }),
        new("a kind may be registered once", "session.store-twice at ", () =>
        {
            new StoreRegistry().Register<Counter>("InMemoryChatMessageStoreState");
            return "";
        }),
        new("a session list", """[{"stateBag":{}},{"sessionId":"s","stateBag":{}}]""", () =>
            Session.ListToJson(Session.ListFromJson("""[{"stateBag":{}},{"sessionId":"s","stateBag":{}}]"""))),
    ];

    public static Row[] Restores =>
    [
        new("a chat is saved and restored", "2 1", () => Restored(new Speaker("a")).GetAwaiter().GetResult()),
        new("a restore into an empty chat fails, and later succeeds", "restore.empty 2 1", () => Emptied().GetAwaiter().GetResult()),
        new("an agent that the chat does not have", "the chat has no agent `x`; add it first (Parameter 'agentId')", () =>
            new AgentChat().TakePartAsync("x").GetAwaiter().GetResult().ToString()!),
    ];

    public static Row[] Assertions =>
    [
        new("equal values pass", "", () => Failure("""{"a":1.0,"b":[]}""", """{"b":[],"a":1}""")),
        new("losses are named", "member-dropped at /a: 1; member-added at /c: 2; text-changed at /b: \"x\" became \"y\"", () =>
            Failure("""{"a":1,"b":"x"}""", """{"b":"y","c":2}""")),
        new("more losses are named", "member-renamed at /message_id: 1 became 1; null-for-absent at /n: null; number-retyped at /x: 1 became \"1\"", () =>
            Failure("""{"message_id":1,"x":1}""", """{"messageId":1,"x":"1","n":null}""")),
        new("losses of items are named", "item-dropped at /1: 2", () => Failure("[1,2,3]", "[1,3]")),
        new("an order is named", "array-reordered at the whole document: [1,2] became [2,1]", () => Failure("[1,2]", "[2,1]")),
        new("a rounded number is named", "number-rounded at the whole document: 9007199254740993 became 9007199254740992", () =>
            Failure("9007199254740993", "9007199254740992")),
        new("a failure counts the losses and has a line for each",
            "2 difference(s) from what is expected:|  array-reordered at /b: [1,2] became [2,1]|  text-changed at /t: \"old\" became \"new\"", () =>
            Said(() => SnapshotAssert.Equal("""{"b":[1,2],"t":"old"}""", """{"b":[2,1],"t":"new"}""")).Replace('\n', '|')),
        new("a file that is not there fails", "there is no such file", () =>
        {
            var path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
            return Said(() => SnapshotAssert.Matches(path, "{}"))[(path.Length + 2)..].Split('\n')[0];
        }),
    ];

    /// <summary>What the serializer says of events in a list.</summary>
    private static string RejectionOf(string events)
    {
        try
        {
            return $"{JsonSerializer.Deserialize<List<Event>>(events, Options)!.Count} events";
        }
        catch (RejectionException rejection)
        {
            return rejection.Message;
        }
    }

    private static string Failure(string expected, string actual)
    {
        var lines = Said(() => SnapshotAssert.Equal(expected, actual)).Split("\n  ").Skip(1);
        return string.Join("; ", lines.OrderBy(line => line.Contains("changed") || line.Contains("retyped")));
    }

    private static string Said(Action act)
    {
        try
        {
            act();
            return "";
        }
        catch (SnapshotException exception)
        {
            return exception.Message;
        }
    }

    private static async Task<AgentChatSerializer> Saved()
    {
        var chat = new AgentChat();
        chat.AddAgent(new Speaker("a"));
        await chat.AddMessageAsync(new ChatMessage { Role = ChatRole.User, Items = [] });
        await chat.AddReplyAsync("a", new ChatMessage { Role = ChatRole.Assistant, Items = [] });
        using var stream = new MemoryStream();
        await AgentChatSerializer.SerializeEncodedAsync(chat, stream);
        stream.Position = 0;
        return await AgentChatSerializer.DeserializeAsync(stream);
    }

    private static async Task<string> Restored(params IChatAgent[] agents)
    {
        var chat = new AgentChat();
        Array.ForEach(agents, agent => chat.AddAgent(agent));
        var restored = await (await Saved()).RestoreAsync(chat);
        return $"{chat.History.Count} {restored.Restored.Count}";
    }

    private static async Task<string> Emptied()
    {
        var (chat, serializer) = (new AgentChat(), await Saved());
        try
        {
            _ = await serializer.RestoreAsync(chat);
            return "restored";
        }
        catch (RejectionException rejection)
        {
            chat.AddAgent(new Speaker("other"));
            var restored = await serializer.RestoreAsync(chat);
            return $"{rejection.Rule} {chat.History.Count} {restored.Restored.Count}";
        }
    }

    /// <summary>An agent whose channel is the messages that it received.</summary>
    private sealed class Speaker(string id) : IChatAgent
    {
        public string Id => id;

        public string Type => "Speaker";

        public IReadOnlyList<string> ChannelKeys => ["HistoryChannel"];

        public Task<IChatChannel> CreateChannelAsync(CancellationToken cancellationToken = default) =>
            Task.FromResult<IChatChannel>(new HistoryChannel());

        public Task<IChatChannel> RestoreChannelAsync(JsonElement state, CancellationToken cancellationToken = default) =>
            Task.FromResult<IChatChannel>(new HistoryChannel(state));
    }

    private static ChatMessage Added => new() { Role = ChatRole.User, Items = [] };

    /// <summary>A session with a store that has messages under a name.</summary>
    private static string Stored(string name, string messages) =>
        "{\"stateBag\":{\"m\":{\"" + name + "\":[" + messages + "],\"$type\":\"InMemoryChatMessageStoreState\",\"more\":1.10}}}";

    /// <summary>A store that counts its messages, and makes its state whenever it is asked.</summary>
    private sealed class CountingStore(Counter counter) : IChatMessageStore
    {
        public StoreState State => StoreState.Of("Counted", counter, Options);

        public Task AppendAsync(IEnumerable<ChatMessage> messages, CancellationToken cancellationToken = default)
        {
            counter.Count += messages.Count();
            return Task.CompletedTask;
        }
    }

    private sealed class Counter
    {
        public int Count { get; set; }
    }

    private sealed class Other
    {
        public int Count { get; set; }
    }
}

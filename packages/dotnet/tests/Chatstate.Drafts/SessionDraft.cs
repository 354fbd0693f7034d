using System.Text.Json;
using System.Text.Json.Serialization;
using Chatstate;

namespace Chatstate.Drafts;

/// <summary>The programs of the drafts about sessions and threads.</summary>
internal static class SessionDraft
{
    public static Task<string> Serialize()
    {
        var session = new Session { Id = "s" };
        new ProviderSessionState<Memory>(_ => new(), "memory").GetOrInitializeState(session).Facts.Add("x");
        var saved = JsonSerializer.Serialize(session);
        return Task.FromResult(JsonSerializer.Serialize(JsonSerializer.Deserialize<Session>(saved)));
    }

    public static Task<string> SerializeList()
    {
        const string Saved = """[{"sessionType":"K","stateBag":{"memory":1}},{"sessionType":"L","stateBag":{}}]""";
        return Task.FromResult(JsonSerializer.Serialize(JsonSerializer.Deserialize<List<Session>>(Saved)));
    }

    public static Task<string> Store()
    {
        var state = new InMemoryChatMessageStoreState();
        IList<ChatMessage> store = new InMemoryChatMessageStore(state);
        store.Add(Application.Said(ChatRole.User, "Hi"));
        var again = new InMemoryChatMessageStore(state);
        return Task.FromResult($"{state.Messages.Count} {again.Count} {((TextContent)again.State.Messages[0].Items[0]).Text}");
    }

    public static async Task<string> Attach()
    {
        var session = new Session();
        var store = new StoreRegistry().Attach(session, "history");
        await store.AppendAsync([Application.Said(ChatRole.User, "Hi")]);
        return JsonSerializer.Serialize(session);
    }

    public static async Task<string> AttachByFactory()
    {
        var session = new Session();
        ChatMessageStoreFactory factory = state => new InMemoryChatMessageStore(state?.Get<InMemoryChatMessageStoreState>());
        await new StoreRegistry().Attach(session, "history", factory).AppendAsync([Application.Said(ChatRole.User, "Hi")]);
        var read = JsonSerializer.Deserialize<Session>(JsonSerializer.Serialize(session))!;
        _ = new StoreRegistry().Attach(read, "history", factory);
        return read.ToJson();
    }

    /// <summary>What the draft's own classes write is attached, and what is added has the same name.</summary>
    public static async Task<string> Polymorphic()
    {
        PolymorphicState state = new MessagesState { Messages = [Application.Said(ChatRole.User, "Hi")] };
        var session = Session.FromJson("{\"stateBag\":{\"history\":" + JsonSerializer.Serialize(state) + "}}");
        var store = new StoreRegistry().Attach(session, "history");
        var before = (await store.GetMessagesAsync()).Count;
        await store.AppendAsync([Application.Said(ChatRole.User, "Hi")]);
        var written = JsonDocument.Parse(session.ToJson()).RootElement.GetProperty("stateBag").GetProperty("history");
        var read = (MessagesState)written.Deserialize<PolymorphicState>()!;
        return $"{before}; {read.Messages.Count} under Messages";
    }

    [JsonPolymorphic(TypeDiscriminatorPropertyName = "$type")]
    [JsonDerivedType(typeof(MessagesState), nameof(InMemoryChatMessageStoreState))]
    private abstract class PolymorphicState
    {
    }

    private sealed class MessagesState : PolymorphicState
    {
        public IList<ChatMessage> Messages { get; set; } = [];
    }

    private sealed class Memory
    {
        public List<string> Facts { get; set; } = [];
    }
}

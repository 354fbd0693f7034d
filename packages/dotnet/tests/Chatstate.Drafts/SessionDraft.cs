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

    /// <summary>
    /// What the draft's own classes write by default is rejected, since its names begin with a capital; in camel case it is
    /// attached and what is added comes back.
    /// </summary>
    public static async Task<string> Polymorphic()
    {
        PolymorphicState state = new MessagesState { Messages = [Application.Said(ChatRole.User, "Hi")] };
        var refused = "";
        try
        {
            _ = new StoreRegistry().Attach(Saved(JsonSerializer.Serialize(state)), "history");
        }
        catch (RejectionException rejection)
        {
            refused = rejection.Rule;
        }

        var session = Saved(JsonSerializer.Serialize(state, JsonSerializerOptions.Web));
        var store = new StoreRegistry().Attach(session, "history");
        await store.AppendAsync([Application.Said(ChatRole.User, "Hi")]);
        var written = JsonDocument.Parse(session.ToJson()).RootElement.GetProperty("stateBag").GetProperty("history");
        var read = (MessagesState)written.Deserialize<PolymorphicState>(JsonSerializerOptions.Web)!;
        return $"{refused}; {read.Messages.Count} under messages";
    }

    private static Session Saved(string state) => Session.FromJson("{\"stateBag\":{\"history\":" + state + "}}");

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

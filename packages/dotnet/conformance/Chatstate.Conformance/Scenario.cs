// The operation `restore`: a saved chat is restored into a chat of the package, and agents join.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;
using Chatstate;

/// <summary>A restore as a case describes it.</summary>
internal static class Scenario
{
    public static string Run(byte[] document, bool save)
    {
        var input = Parsed(document);
        var (state, target) = (Member(input, "state"), Member(input, "target"));
        var agents = Rows(Member(target, "agents"));
        var history = List(target, "history").Select(ChatMessage.FromElement).ToList();
        var channels = List(target, "channels").Select(ChannelState.FromElement).ToList();
        return RunAsync(state, ChatOf(agents, history, channels), List(input, "join"), save).GetAwaiter().GetResult();
    }

    public static AgentChat ChatOf(IEnumerable<AgentRow> agents)
    {
        var chat = new AgentChat();
        foreach (var agent in agents)
        {
            chat.AddAgent(agent);
        }

        return chat;
    }

    public static List<AgentRow> Rows(JsonElement agents) =>
        agents.EnumerateArray().Select(row => new AgentRow(row)).ToList();

    private static AgentChat ChatOf(List<AgentRow> agents, List<ChatMessage> history, List<ChannelState> channels)
    {
        var chat = ChatOf(agents);
        channels.ForEach(saved => chat.AddChannel(new(saved.Channelkey, new OpaqueChannel(saved.Channelstate), saved)));
        history.ForEach(message => chat.AddMessageAsync(message).GetAwaiter().GetResult());
        return chat;
    }

    private static async Task<string> RunAsync(JsonElement state, AgentChat chat, IEnumerable<JsonElement> join, bool save)
    {
        var serializer = At("/state", () => AgentChatSerializer.FromElement(state));
        var (isEmpty, hasHistory) = (chat.Agents.Count == 0, chat.History.Count > 0);
        RestoredChannels restored;
        try
        {
            restored = await serializer.RestoreAsync(chat);
        }
        catch (RejectionException rejection)
        {
            var place = rejection.Rule switch
            {
                "restore.empty" => "/target/agents",
                "restore.invalid" => hasHistory ? "/target/history" : "/target/channels",
                _ => "/state",
            };
            throw new RejectionException(rejection.Class, rejection.Rule, rejection.Message, place + rejection.At);
        }

        var synchronized = new JsonObject();
        foreach (var agent in join.Select(row => new AgentRow(row)))
        {
            chat.AddAgent(agent);
            if (await chat.TakePartAsync(agent.Id) is { } count)
            {
                synchronized[chat.Channels[^1].Key] = count;
            }
        }

        var saved = save ? (await AgentChatSerializer.GetStateAsync(chat)).ToJson() : null;
        return Answer(serializer, restored with { Pending = chat.Pending }, chat.History, synchronized, saved);
    }

    private static string Answer(
        AgentChatSerializer serializer,
        RestoredChannels channels,
        IReadOnlyList<ChatMessage> history,
        JsonObject synchronized,
        string? saved)
    {
        string[] members =
        [
            $"\"participants\":[{string.Join(',', serializer.GetParticipants().Select(agent => agent.ToJson()))}]",
            $"\"restored\":{Texts(channels.Restored)}",
            $"\"pending\":{Texts(channels.Pending)}",
            $"\"unclaimed\":{Texts(channels.Unclaimed)}",
            $"\"history\":[{string.Join(',', history.Select(message => message.ToJson()))}]",
            $"\"synchronized\":{synchronized.ToJsonString()}",
        ];
        return $"{{{string.Join(',', members)}{(saved is null ? "" : $",\"saved\":{saved}")}}}";
    }

    private static string Texts(IEnumerable<string> texts) =>
        new JsonArray(texts.Select(text => (JsonNode?)JsonValue.Create(text)).ToArray()).ToJsonString();

    /// <summary>The input is read as a document of the package is, so that nothing odd in it passes.</summary>
    private static JsonElement Parsed(byte[] document)
    {
        _ = CanonicalJson.FromJson(document);
        return JsonElement.Parse(document, new JsonDocumentOptions { MaxDepth = 512 });
    }

    private static JsonElement Member(JsonElement value, string name) =>
        value.TryGetProperty(name, out var member)
            ? member
            : throw new RejectionException(RejectionClass.Schema, "required", $"the member `{name}` is missing", $"/{name}");

    private static IEnumerable<JsonElement> List(JsonElement value, string name) =>
        value.TryGetProperty(name, out var member) ? member.EnumerateArray() : [];

    private static T At<T>(string place, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (RejectionException rejection)
        {
            throw new RejectionException(rejection.Class, rejection.Rule, rejection.Message, place + rejection.At);
        }
    }
}

/// <summary>An agent as a scenario describes it.</summary>
/// <param name="row">The description.</param>
internal sealed class AgentRow(JsonElement row) : IChatAgent
{
    public string Id => Text("id")!;

    public string? Name => Text("name");

    public string Type => Text("type")!;

    public IReadOnlyList<string> ChannelKeys { get; } =
        row.GetProperty("channelkeys").EnumerateArray().Select(key => key.GetString()!).ToList();

    private string? Kind => Text("channel");

    public Task<IChatChannel> CreateChannelAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult<IChatChannel>(Kind switch
        {
            "history" => new HistoryChannel(),
            "chat" => new NestedChatChannel(Inner()),
            _ => new OpaqueChannel(JsonElement.Parse("null")),
        });

    public async Task<IChatChannel> RestoreChannelAsync(JsonElement state, CancellationToken cancellationToken = default) =>
        Kind switch
        {
            "history" => new HistoryChannel(state),
            "chat" => await NestedChatChannel.RestoreAsync(Inner(), state, cancellationToken),
            _ => new OpaqueChannel(state),
        };

    private AgentChat Inner() => Scenario.ChatOf(Scenario.Rows(row.GetProperty("agents")));

    private string? Text(string name) => row.TryGetProperty(name, out var value) ? value.GetString() : null;
}

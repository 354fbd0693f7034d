using System.Text.Json;
using Chatstate;

namespace Chatstate.Drafts;

/// <summary>What the drafts leave to the application: agents, and what they say.</summary>
internal abstract class ApplicationAgent(string id, string channelKey) : IChatAgent
{
    public string Id => id;

    public string Type => GetType().Name;

    public IReadOnlyList<string> ChannelKeys => [channelKey];

    public Task<IChatChannel> CreateChannelAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult<IChatChannel>(new HistoryChannel());

    public Task<IChatChannel> RestoreChannelAsync(JsonElement state, CancellationToken cancellationToken = default) =>
        Task.FromResult<IChatChannel>(new HistoryChannel(state));
}

internal sealed class ChatCompletionAgent(string id) : ApplicationAgent(id, "ChatHistoryChannel");

internal sealed class OpenAIAssistantAgent(string id) : ApplicationAgent(id, "OpenAIAssistantChannel");

/// <summary>A chat of the application's own: what the serializer asks of one, and nothing else.</summary>
internal sealed class ApplicationChat(params IChatAgent[] agents) : IAgentChat
{
    public IReadOnlyList<IChatAgent> Agents => agents;

    public IReadOnlyList<ChatMessage> History { get; private set; } = [];

    public IReadOnlyList<ChatChannel> Channels { get; private set; } = [];

    public ChatState? Origin { get; private set; }

    public void Restore(IReadOnlyList<ChatMessage> history, IReadOnlyList<ChatChannel> channels, ChatState origin) =>
        (History, Channels, Origin) = (history, channels, origin);
}

/// <summary>How the application lets its agents go on.</summary>
internal static class Application
{
    public static ChatMessage Said(ChatRole role, string text) => new() { Role = role, Items = [new TextContent { Text = text }] };

    /// <summary>The first agent answers; every agent takes part.</summary>
    public static async Task InvokeAsync(this AgentChat chat)
    {
        if (chat.History.Count == 0)
        {
            await chat.AddMessageAsync(Said(ChatRole.User, "Hi"));
        }

        await chat.AddReplyAsync(chat.Agents[0].Id, Said(ChatRole.Assistant, "Hello"));
        foreach (var agent in chat.Agents)
        {
            await chat.TakePartAsync(agent.Id);
        }
    }

    public static string Roles(AgentChat chat) => string.Join(' ', chat.History.Select(message => message.Role.Value));

    /// <summary>A saved chat of two agents.</summary>
    public static async Task<MemoryStream> SavedAsync()
    {
        var chat = new AgentChat(new ChatCompletionAgent("a1"), new OpenAIAssistantAgent("a2"));
        await chat.InvokeAsync();
        var stream = new MemoryStream();
        await AgentChatSerializer.SerializeAsync(chat, stream);
        stream.Position = 0;
        return stream;
    }
}

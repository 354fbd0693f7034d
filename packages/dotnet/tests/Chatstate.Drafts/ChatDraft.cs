using System.Text.Json;
using Chatstate;
using Agent = Chatstate.IChatAgent;
using AgentGroupChat = Chatstate.AgentChat;

namespace Chatstate.Drafts;

/// <summary>The programs of the draft about saved chats.</summary>
internal static class ChatDraft
{
    public static async Task<string> Save()
    {
        Agent agent1 = new ChatCompletionAgent("a1");
        Agent agent2 = new OpenAIAssistantAgent("a2");
        AgentGroupChat chat = new(agent1, agent2);
        await chat.InvokeAsync();

        await using Stream stream = new MemoryStream();
        AgentChatSerializer.Serialize(chat, stream);

        stream.Position = 0;
        using var saved = await JsonDocument.ParseAsync(stream);
        return $"{Application.Roles(chat)}; {saved.RootElement.GetProperty("channels").GetArrayLength()} channels";
    }

    public static async Task<string> Restore()
    {
        Agent agent1 = new ChatCompletionAgent("a1");
        Agent agent2 = new OpenAIAssistantAgent("a2");
        AgentGroupChat chat = new(agent1, agent2);

        await using Stream stream = await Application.SavedAsync();
        AgentChatSerializer.Deserialize(chat, stream);

        await chat.InvokeAsync();
        return Application.Roles(chat);
    }

    public static async Task<string> RestoreAsync()
    {
        AgentGroupChat chat = new(new ChatCompletionAgent("a1"), new OpenAIAssistantAgent("a2"));
        await using Stream stream = await Application.SavedAsync();
        await AgentChatSerializer.DeserializeAsync(chat, stream);
        return $"{Application.Roles(chat)}; {chat.Channels.Count} restored";
    }

    /// <summary>A chat of another class is restored, and saved as what it was restored from.</summary>
    public static async Task<string> SaveOwn()
    {
        ApplicationChat chat = new(new ChatCompletionAgent("a1"), new OpenAIAssistantAgent("a2"));
        using var saved = await Application.SavedAsync();
        await AgentChatSerializer.DeserializeAsync(chat, saved);
        using MemoryStream again = new();
        await AgentChatSerializer.SerializeAsync<ApplicationChat>(chat, again);
        return $"{chat.History.Count} messages; {(again.ToArray().SequenceEqual(saved.ToArray()) ? "the same" : "another")} text";
    }

    /// <summary>The first way of the draft, which says itself why it cannot be: it names the second.</summary>
    public static Task<string> SerializeObject()
    {
        AgentGroupChat chat = new(new ChatCompletionAgent("a1"));
        return Task.FromResult($"{Named(() => JsonSerializer.Serialize(chat))} {Named(() => JsonSerializer.Deserialize<AgentGroupChat>("{}"))}");
    }

    private static string Named(Func<object?> act)
    {
        try
        {
            return $"no refusal, but {act()}";
        }
        catch (NotSupportedException exception)
        {
            var name = nameof(AgentChatSerializer);
            return exception.Message.Contains(name, StringComparison.Ordinal) ? name : exception.Message;
        }
    }
}

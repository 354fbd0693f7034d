using Chatstate;
using Agent = Chatstate.IChatAgent;
using AgentGroupChat = Chatstate.AgentChat;
using ChatParticipant = Chatstate.Participant;

namespace Chatstate.Drafts;

/// <summary>The programs of the draft about saved chats with participants.</summary>
internal static class ParticipantsDraft
{
    public static async Task<string> Save()
    {
        ChatCompletionAgent agent1 = new("a1");
        OpenAIAssistantAgent agent2 = new("a2");
        AgentGroupChat chat = new(agent1, agent2);
        await chat.InvokeAsync();

        await using Stream stream = new MemoryStream();
        await AgentChatSerializer.SerializeAsync(chat, stream);

        stream.Position = 0;
        return Ids(AgentChatSerializer.Deserialize(stream));
    }

    public static async Task<string> Restore()
    {
        ChatCompletionAgent agent1 = new("a1");
        OpenAIAssistantAgent agent2 = new("a2");
        Dictionary<string, Agent> agents = new() { { agent1.Id, agent1 }, { agent2.Id, agent2 } };

        await using Stream stream = await Application.SavedAsync();
        AgentChatSerializer serializer = AgentChatSerializer.Deserialize(stream);

        AgentGroupChat chat = new();
        foreach (ChatParticipant participant in serializer.GetParticipants())
        {
            chat.AddAgent(agents[participant.Id]);
        }

        serializer.Deserialize(chat);
        await chat.InvokeAsync();
        return Application.Roles(chat);
    }

    /// <summary>The calls as the draft declares them: reading takes the chat too, and restoring comes after it.</summary>
    public static async Task<string> ReadThenRestore()
    {
        AgentGroupChat chat = new(new ChatCompletionAgent("a1"), new OpenAIAssistantAgent("a2"));
        await using Stream stream = await Application.SavedAsync();
        AgentChatSerializer serializer = await AgentChatSerializer.DeserializeAsync(chat, stream);
        var restored = await serializer.RestoreAsync(chat);
        return $"{Ids(serializer)}; {restored.Restored.Count} restored";
    }

    public static async Task<string> ReadIntoEmpty()
    {
        await using Stream stream = await Application.SavedAsync();
        try
        {
            await AgentChatSerializer.DeserializeAsync(new AgentGroupChat(), stream);
            return "restored";
        }
        catch (RejectionException rejection)
        {
            return rejection.Rule;
        }
    }

    private static string Ids(AgentChatSerializer serializer)
    {
        IReadOnlyList<ChatParticipant> participants = serializer.GetParticipants();
        return string.Join(' ', participants.Select(participant => participant.Id));
    }
}

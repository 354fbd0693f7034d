using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// A saved chat that was read and is not restored yet. Its participants say which agents the application has to
/// make before anything is restored.
/// </summary>
[Serializable]
[JsonConverter(typeof(AgentChatSerializerConverter))]
public sealed class AgentChatSerializer : ISystemTextJsonOnly
{
    /// <summary>The chat that was restored when it was read, and what that came to.</summary>
    private (IAgentChat Chat, RestoredChannels Channels)? restored;

    private AgentChatSerializer(ChatState state) => State = state;

    /// <summary>What was read.</summary>
    public ChatState State { get; }

    /// <summary>Writes what is saved of a chat, as compact JSON in UTF-8.</summary>
    public static async Task SerializeAsync<TChat>(TChat chat, Stream stream, CancellationToken cancellationToken = default)
        where TChat : IAgentChat
    {
        var state = await GetStateAsync(chat, cancellationToken).ConfigureAwait(false);
        await stream.WriteAsync(JsonText.WriteUtf8(state), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes the same, and waits for it. Where a thread should not wait, use <see cref="SerializeAsync"/>.</summary>
    public static void Serialize<TChat>(TChat chat, Stream stream)
        where TChat : IAgentChat => Task.Run(() => SerializeAsync(chat, stream)).GetAwaiter().GetResult();

    /// <summary>Writes the same in the encoded form, which discourages editing and protects nothing.</summary>
    public static async Task SerializeEncodedAsync<TChat>(
        TChat chat, Stream stream, CancellationToken cancellationToken = default)
        where TChat : IAgentChat
    {
        var state = await GetStateAsync(chat, cancellationToken).ConfigureAwait(false);
        await stream.WriteAsync(JsonText.WriteUtf8(state.Encode()), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>What is saved of a chat.</summary>
    public static async Task<ChatState> GetStateAsync<TChat>(TChat chat, CancellationToken cancellationToken = default)
        where TChat : IAgentChat
    {
        ArgumentNullException.ThrowIfNull(chat);
        var channels = new List<ChannelState>();
        foreach (var channel in chat.Channels)
        {
            channels.Add(await channel.GetStateAsync(cancellationToken).ConfigureAwait(false));
        }

        return new()
        {
            SchemaVersion = chat.Origin is { } origin ? origin.SchemaVersion : "1",
            History = [.. chat.History],
            Participants = Participants(chat),
            Channels = channels,
            ExtensionData = chat.Origin?.ExtensionData,
        };
    }

    /// <summary>
    /// Reads a saved chat, plain or encoded as its <c>encoding</c> says, and touches no chat. A sealed one is
    /// rejected, since nothing has verified its seal: <see cref="Sealing.Unseal(string, SealKey)"/> does.
    /// </summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static async Task<AgentChatSerializer> DeserializeAsync(
        Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        using var buffer = new MemoryStream();
        await stream.CopyToAsync(buffer, cancellationToken).ConfigureAwait(false);
        return Deserialize(buffer.GetBuffer().AsSpan(0, (int)buffer.Length));
    }

    /// <summary>
    /// Reads a saved chat and restores it into a chat, which has its agents already. A following
    /// <see cref="RestoreAsync"/> of this chat gives what the restore came to.
    /// </summary>
    /// <exception cref="RejectionException">
    /// The document is not valid, or the restore is rejected, as it is for a chat without agents. To ask for the
    /// participants first, read without a chat.
    /// </exception>
    public static async Task<AgentChatSerializer> DeserializeAsync<TChat>(
        TChat chat, Stream stream, CancellationToken cancellationToken = default)
        where TChat : IAgentChat
    {
        var serializer = await DeserializeAsync(stream, cancellationToken).ConfigureAwait(false);
        serializer.restored = (chat, await serializer.RestoreAsync(chat, cancellationToken).ConfigureAwait(false));
        return serializer;
    }

    /// <summary>Reads a saved chat, and waits for it. It touches no chat.</summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static AgentChatSerializer Deserialize(Stream stream) =>
        Task.Run(() => DeserializeAsync(stream)).GetAwaiter().GetResult();

    /// <summary>Reads a saved chat and restores it into a chat, and waits for it.</summary>
    /// <exception cref="RejectionException">The document is not valid, or the restore is rejected.</exception>
    public static AgentChatSerializer Deserialize<TChat>(TChat chat, Stream stream)
        where TChat : IAgentChat => Task.Run(() => DeserializeAsync(chat, stream)).GetAwaiter().GetResult();

    /// <summary>Restores the saved chat into a chat, as <see cref="RestoreAsync"/> does, and waits for it.</summary>
    /// <exception cref="RejectionException">The restore is rejected.</exception>
    public RestoredChannels Deserialize(IAgentChat chat) => Task.Run(() => RestoreAsync(chat)).GetAwaiter().GetResult();

    /// <summary>Reads a saved chat from its text in UTF-8.</summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static AgentChatSerializer Deserialize(ReadOnlySpan<byte> utf8Json) => FromElement(JsonText.Parse(utf8Json));

    /// <summary>Reads a saved chat from a parsed value, such as the state of a channel.</summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static AgentChatSerializer FromElement(JsonElement document)
    {
        var state = IsEncoded(document) ? Decoded(EncodedChatState.FromElement(document)) : ChatState.FromElement(document);
        Sealing.RejectUnverified(state.Seal is not null);
        RejectRepeatedChannels(state.Channels);
        return new(state);
    }

    /// <summary>Who took part, in the order of the document.</summary>
    public IReadOnlyList<Participant> GetParticipants() => [.. State.Participants ?? []];

    /// <summary>
    /// Restores the saved chat into a chat that has agents and nothing else. After a rejection the chat is as it was
    /// before. A chat that is in use is rejected as such also when it has no agents, since adding some would not
    /// help.
    /// </summary>
    /// <exception cref="RejectionException">The restore is rejected.</exception>
    public async Task<RestoredChannels> RestoreAsync(IAgentChat chat, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(chat);
        if (restored is { } earlier && ReferenceEquals(earlier.Chat, chat))
        {
            return earlier.Channels;
        }

        RejectTarget(chat);
        var agents = AgentsByKey(chat);
        var (channels, unclaimed) = (new List<ChatChannel>(), new List<string>());
        for (var index = 0; index < State.Channels.Count; index++)
        {
            var saved = State.Channels[index];
            if (agents.TryGetValue(saved.Channelkey, out var agent))
            {
                var channel = await RestoreChannelAsync(agent, saved, index, cancellationToken).ConfigureAwait(false);
                channels.Add(new(saved.Channelkey, channel, saved));
            }
            else
            {
                unclaimed.Add(saved.Channelkey);
            }
        }

        // Nothing was changed so far, and nothing fails from here on.
        chat.Restore([.. State.History], channels, State);
        var claimed = channels.Select(channel => channel.Key).ToList();
        return new(claimed, agents.Keys.Except(claimed).ToList(), unclaimed);
    }

    /// <summary>The first agent of each channel, in the order of the agents.</summary>
    internal static OrderedDictionary<string, IChatAgent> AgentsByKey(IAgentChat chat)
    {
        var agents = new OrderedDictionary<string, IChatAgent>();
        foreach (var agent in chat.Agents)
        {
            agents.TryAdd(ChannelKey.Of(agent.ChannelKeys), agent);
        }

        return agents;
    }

    /// <summary>
    /// The agents as participants: those that the chat was restored with in the order of its document, so that the
    /// order in which they were added changes nothing, then the others.
    /// </summary>
    private static List<Participant> Participants(IAgentChat chat)
    {
        var agents = new OrderedDictionary<string, IChatAgent>();
        foreach (var agent in chat.Agents)
        {
            agents.TryAdd(agent.Id, agent);
        }

        var participants = new List<Participant>();
        foreach (var earlier in chat.Origin?.Participants ?? [])
        {
            if (agents.Remove(earlier.Id, out var agent))
            {
                participants.Add(ParticipantOf(agent, earlier.ExtensionData));
            }
        }

        participants.AddRange(agents.Values.Select(agent => ParticipantOf(agent, null)));
        return participants;
    }

    private static Participant ParticipantOf(IChatAgent agent, IDictionary<string, JsonElement>? others) => new()
    {
        Id = agent.Id,
        Name = agent.Name,
        Type = agent.Type,
        ExtensionData = others,
    };

    /// <summary>Whether a document says that its states are encoded. Nothing else says so.</summary>
    private static bool IsEncoded(JsonElement document) =>
        document.ValueKind == JsonValueKind.Object
        && document.TryGetProperty("encoding", out var encoding)
        && encoding.ValueKind == JsonValueKind.String
        && JsonRead.Text(encoding) == "base64";

    private static ChatState Decoded(EncodedChatState encoded)
    {
        Sealing.RejectUnverified(encoded.Seal is not null);
        return encoded.Decode();
    }

    private static void RejectRepeatedChannels(IList<ChannelState> channels)
    {
        var seen = new HashSet<string>();
        for (var index = 0; index < channels.Count; index++)
        {
            if (!seen.Add(channels[index].Channelkey))
            {
                throw new RejectionException(
                    RejectionClass.Semantic,
                    "restore.repeated-channel",
                    $"the channel `{channels[index].Channelkey}` occurs twice; keep one of its states",
                    $"/channels/{index}/channelkey");
            }
        }
    }

    private static void RejectTarget(IAgentChat chat)
    {
        if (chat.History.Count > 0 || chat.Channels.Count > 0)
        {
            throw new RejectionException(
                RejectionClass.Restore,
                "restore.invalid",
                "the chat has messages or channels already, so nothing was restored; restore into a new chat");
        }

        if (chat.Agents.Count == 0)
        {
            throw new RejectionException(
                RejectionClass.Restore,
                "restore.empty",
                "the chat has no agents, so nothing was restored; add the agents first");
        }
    }

    /// <summary>
    /// Whatever is wrong with the state of a channel, the document is valid, and the restore fails.
    /// </summary>
    private static async Task<IChatChannel> RestoreChannelAsync(
        IChatAgent agent, ChannelState saved, int index, CancellationToken cancellationToken)
    {
        try
        {
            return await agent.RestoreChannelAsync(saved.Channelstate, cancellationToken).ConfigureAwait(false);
        }
        catch (RejectionException rejection)
        {
            throw new RejectionException(
                RejectionClass.Restore,
                "restore.channel",
                $"the channel does not take its state, so nothing was restored: {rejection.Message}",
                $"/channels/{index}/channelstate{rejection.At}");
        }
    }
}

/// <summary>
/// What a restore came to. Keys of channels are in the order of the document, or of the agents where the document
/// does not have them.
/// </summary>
/// <param name="Restored">The channels that continue their state.</param>
/// <param name="Pending">
/// The channels of agents for which there was no state. Each synchronizes when an agent of it first takes part.
/// </param>
/// <param name="Unclaimed">The channels whose state no agent claims. It is not kept.</param>
[Serializable]
public sealed record RestoredChannels(
    IReadOnlyList<string> Restored, IReadOnlyList<string> Pending, IReadOnlyList<string> Unclaimed) : ISystemTextJsonOnly
{
    /// <summary>Whether two outcomes name the same channels in the same order.</summary>
    public bool Equals(RestoredChannels? other) =>
        other is not null
        && Restored.SequenceEqual(other.Restored)
        && Pending.SequenceEqual(other.Pending)
        && Unclaimed.SequenceEqual(other.Unclaimed);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Restored.Count, Pending.Count, Unclaimed.Count);
}

/// <summary>Says what a serializer of chats is written as.</summary>
public sealed class AgentChatSerializerConverter() : RefusingConverter<AgentChatSerializer>(
    "a chat that was read is written as its `State`.");

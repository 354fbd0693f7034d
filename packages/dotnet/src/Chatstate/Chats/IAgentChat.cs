using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>What <see cref="AgentChatSerializer"/> asks of a chat, so that the chat of any SDK can be saved.</summary>
[JsonConverter(typeof(AgentChatConverter<IAgentChat>))]
public interface IAgentChat
{
    /// <summary>The agents, in the order in which they were added.</summary>
    IReadOnlyList<IChatAgent> Agents { get; }

    /// <summary>The messages, the oldest first.</summary>
    IReadOnlyList<ChatMessage> History { get; }

    /// <summary>The channels that there are, in the order in which they were made.</summary>
    IReadOnlyList<ChatChannel> Channels { get; }

    /// <summary>The document that the chat was restored from, if it was.</summary>
    ChatState? Origin { get; }

    /// <summary>
    /// Takes over what was restored. It is called once all channels are there, on a chat without messages and
    /// channels, and cannot fail.
    /// </summary>
    void Restore(IReadOnlyList<ChatMessage> history, IReadOnlyList<ChatChannel> channels, ChatState origin);
}

/// <summary>A participant of a chat.</summary>
/// <remarks>
/// Of an agent, a saved chat holds its identity, its name and its type, and nothing else: how it is defined and
/// which secrets it has is for the application to know when it makes the agent again.
/// </remarks>
[JsonConverter(typeof(ChatAgentConverter))]
public interface IChatAgent
{
    /// <summary>The identity, which no other agent of the chat has.</summary>
    string Id { get; }

    /// <summary>The name, if there is one.</summary>
    string? Name => null;

    /// <summary>The type, as the SDK names it.</summary>
    string Type { get; }

    /// <summary>
    /// What the channel of this agent is known by, in order. Agents with the same keys share one channel, also in
    /// another process, so nothing that changes from process to process belongs here.
    /// </summary>
    IReadOnlyList<string> ChannelKeys { get; }

    /// <summary>Makes a channel that has received nothing.</summary>
    Task<IChatChannel> CreateChannelAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Makes a channel that continues a saved state. The chat is not touched before all channels are there, so
    /// nothing may change elsewhere.
    /// </summary>
    /// <exception cref="RejectionException">The state is none of this kind of channel.</exception>
    Task<IChatChannel> RestoreChannelAsync(JsonElement state, CancellationToken cancellationToken = default);
}

/// <summary>What adapts the history of a chat to one kind of agent.</summary>
[JsonConverter(typeof(ChatChannelConverter<IChatChannel>))]
public interface IChatChannel
{
    /// <summary>The type, for people who read the state.</summary>
    string? ChannelType => null;

    /// <summary>Takes messages that others said, the oldest first.</summary>
    Task ReceiveAsync(IReadOnlyList<ChatMessage> messages, CancellationToken cancellationToken = default);

    /// <summary>
    /// Takes what an agent of this channel said. A channel to a service that knows it already does nothing here.
    /// </summary>
    Task SaidAsync(ChatMessage message, CancellationToken cancellationToken = default) =>
        ReceiveAsync([message], cancellationToken);

    /// <summary>All that the channel needs to continue elsewhere: any JSON value.</summary>
    Task<JsonElement> GetStateAsync(CancellationToken cancellationToken = default);
}

/// <summary>A channel that an agent has used, or that was restored.</summary>
/// <param name="Key">The key under which its state is saved.</param>
/// <param name="Channel">The channel.</param>
/// <param name="Origin">What the document said of it that it was restored from.</param>
[Serializable]
[JsonConverter(typeof(ChatChannelConverter<ChatChannel>))]
public sealed record ChatChannel(string Key, IChatChannel Channel, ChannelState? Origin = null) : ISystemTextJsonOnly
{
    internal async Task<ChannelState> GetStateAsync(CancellationToken cancellationToken) => new()
    {
        Channelkey = Key,
        Channeltype = Origin is null ? Channel.ChannelType : Origin.Channeltype,
        Channelstate = await Channel.GetStateAsync(cancellationToken).ConfigureAwait(false),
        ExtensionData = Origin?.ExtensionData,
    };
}

/// <summary>Says how a chat is saved.</summary>
/// <typeparam name="T">The type of the chat.</typeparam>
public sealed class AgentChatConverter<T>() : RefusingConverter<T>(
    "a chat has agents, which are not data; save it by `AgentChatSerializer.SerializeAsync`, "
        + "and restore it by `AgentChatSerializer.DeserializeAsync`.")
    where T : IAgentChat;

/// <summary>Says what is saved of an agent.</summary>
public sealed class ChatAgentConverter() : RefusingConverter<IChatAgent>(
    "an agent is not data; what is saved of it is a `Participant`, which `AgentChatSerializer` writes.");

/// <summary>Says how the state of a channel is saved.</summary>
/// <typeparam name="T">The type of the channel.</typeparam>
public sealed class ChatChannelConverter<T>() : RefusingConverter<T>(
    "a channel is saved with its chat, by `AgentChatSerializer`; what is saved of it is what `GetStateAsync` gives.");

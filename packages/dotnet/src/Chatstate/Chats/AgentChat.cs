using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// A chat of agents: a history, agents, and a channel for each kind of agent that took part. It is what a restore
/// needs and no more; the chat of an SDK implements <see cref="IAgentChat"/> in its place.
/// </summary>
[Serializable]
[JsonConverter(typeof(AgentChatConverter<AgentChat>))]
public sealed class AgentChat : IAgentChat, ISystemTextJsonOnly
{
    private readonly List<IChatAgent> agents = [];
    private readonly List<ChatMessage> history = [];
    private readonly List<ChatChannel> channels = [];

    /// <summary>Makes a chat without agents.</summary>
    public AgentChat()
    {
    }

    /// <summary>Makes a chat of agents. One whose identity an earlier one has is left out, as <see cref="AddAgent"/> does.</summary>
    public AgentChat(params IChatAgent[] agents)
    {
        ArgumentNullException.ThrowIfNull(agents);
        Array.ForEach(agents, agent => AddAgent(agent));
    }

    /// <inheritdoc/>
    public IReadOnlyList<IChatAgent> Agents => agents;

    /// <inheritdoc/>
    public IReadOnlyList<ChatMessage> History => history;

    /// <inheritdoc/>
    public IReadOnlyList<ChatChannel> Channels => channels;

    /// <inheritdoc/>
    public ChatState? Origin { get; private set; }

    /// <summary>The keys of the channels that agents of the chat would have and that are not there.</summary>
    public IReadOnlyList<string> Pending =>
        AgentChatSerializer.AgentsByKey(this).Keys.Except(channels.Select(channel => channel.Key)).ToList();

    /// <summary>
    /// Adds an agent, which has no channel until it takes part. False, and nothing changes, if the chat has an
    /// agent of this identity.
    /// </summary>
    public bool AddAgent(IChatAgent agent)
    {
        ArgumentNullException.ThrowIfNull(agent);
        if (agents.Exists(known => known.Id == agent.Id))
        {
            return false;
        }

        agents.Add(agent);
        return true;
    }

    /// <summary>Adds a channel that is there already, as where a chat of an SDK is taken over.</summary>
    public void AddChannel(ChatChannel channel) => channels.Add(channel);

    /// <summary>Adds a message that no agent said, and hands it to every channel.</summary>
    public async Task AddMessageAsync(ChatMessage message, CancellationToken cancellationToken = default)
    {
        foreach (var channel in channels)
        {
            await channel.Channel.ReceiveAsync([message], cancellationToken).ConfigureAwait(false);
        }

        history.Add(message);
    }

    /// <summary>
    /// Lets an agent take part. Its channel is made if there is none, and synchronizes to the chat: it receives the
    /// whole history, once.
    /// </summary>
    /// <returns>How many messages a new channel received; null where there was one before.</returns>
    /// <exception cref="ArgumentException">The chat has no such agent.</exception>
    public async Task<int?> TakePartAsync(string agentId, CancellationToken cancellationToken = default)
    {
        var agent = agents.Find(known => known.Id == agentId)
            ?? throw new ArgumentException($"the chat has no agent `{agentId}`; add it first", nameof(agentId));
        var key = ChannelKey.Of(agent.ChannelKeys);
        if (channels.Exists(channel => channel.Key == key))
        {
            return null;
        }

        var made = await agent.CreateChannelAsync(cancellationToken).ConfigureAwait(false);
        await made.ReceiveAsync(history, cancellationToken).ConfigureAwait(false);
        channels.Add(new(key, made));
        return history.Count;
    }

    /// <summary>
    /// Adds a message of an agent of the chat, which takes part by it. Every channel receives it, but for the
    /// agent's own, which knows that it was said.
    /// </summary>
    /// <exception cref="ArgumentException">The chat has no such agent.</exception>
    public async Task AddReplyAsync(string agentId, ChatMessage message, CancellationToken cancellationToken = default)
    {
        _ = await TakePartAsync(agentId, cancellationToken).ConfigureAwait(false);
        var own = ChannelKey.Of(agents.Find(known => known.Id == agentId)!.ChannelKeys);
        foreach (var (key, channel, _) in channels)
        {
            var taken = key == own
                ? channel.SaidAsync(message, cancellationToken)
                : channel.ReceiveAsync([message], cancellationToken);
            await taken.ConfigureAwait(false);
        }

        history.Add(message);
    }

    void IAgentChat.Restore(IReadOnlyList<ChatMessage> restored, IReadOnlyList<ChatChannel> open, ChatState origin)
    {
        history.AddRange(restored);
        channels.AddRange(open);
        Origin = origin;
    }
}

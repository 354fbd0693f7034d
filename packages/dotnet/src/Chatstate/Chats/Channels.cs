using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>A channel that keeps the messages that it received. As JSON it is its state, an array of messages.</summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<HistoryChannel>))]
public sealed class HistoryChannel : IChatChannel, IJsonType<HistoryChannel>
{
    private readonly List<ChatMessage> messages = [];

    /// <summary>Makes a channel that has received nothing.</summary>
    public HistoryChannel()
    {
    }

    /// <summary>Makes a channel that continues its state, an array of messages.</summary>
    /// <exception cref="RejectionException">The state is something else.</exception>
    public HistoryChannel(JsonElement state) => messages.AddRange(JsonRead.List(state, ChatMessage.FromElement));

    /// <inheritdoc/>
    public string? ChannelType => "HistoryChannel";

    /// <summary>The messages, the oldest first.</summary>
    public IReadOnlyList<ChatMessage> Messages => messages;

    /// <inheritdoc/>
    public Task ReceiveAsync(IReadOnlyList<ChatMessage> messages, CancellationToken cancellationToken = default)
    {
        this.messages.AddRange(messages);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<JsonElement> GetStateAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult(JsonWriting.Element(this, JsonWrite.Value));

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static HistoryChannel FromJson(string json) => JsonText.Read<HistoryChannel>(json);

    /// <inheritdoc/>
    public static HistoryChannel FromElement(JsonElement element) => new(element);

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => JsonWrite.List(writer, messages, JsonWrite.Value);
}

/// <summary>A channel that is itself a chat of agents. Its state is a chat state.</summary>
/// <param name="chat">The chat.</param>
[Serializable]
[JsonConverter(typeof(ChatChannelConverter<NestedChatChannel>))]
public sealed class NestedChatChannel(AgentChat chat) : IChatChannel, ISystemTextJsonOnly
{
    /// <inheritdoc/>
    public string? ChannelType => "ChatChannel";

    /// <summary>The chat.</summary>
    public AgentChat Chat => chat;

    /// <summary>Makes a channel that continues its state, with a chat that has only its agents yet.</summary>
    /// <exception cref="RejectionException">The state is no chat state, or the restore is rejected.</exception>
    public static async Task<NestedChatChannel> RestoreAsync(
        AgentChat chat, JsonElement state, CancellationToken cancellationToken = default)
    {
        await AgentChatSerializer.FromElement(state).RestoreAsync(chat, cancellationToken).ConfigureAwait(false);
        return new(chat);
    }

    /// <inheritdoc/>
    public async Task ReceiveAsync(IReadOnlyList<ChatMessage> messages, CancellationToken cancellationToken = default)
    {
        foreach (var message in messages)
        {
            await chat.AddMessageAsync(message, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task<JsonElement> GetStateAsync(CancellationToken cancellationToken = default)
    {
        var state = await AgentChatSerializer.GetStateAsync(chat, cancellationToken).ConfigureAwait(false);
        return JsonWriting.Element(state, JsonWrite.Value);
    }
}

/// <summary>
/// A channel to a service that keeps the messages. Its state is what the service finds them by, and is what it is as
/// JSON.
/// </summary>
/// <param name="state">A state that only its SDK understands.</param>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<OpaqueChannel>))]
public sealed class OpaqueChannel(JsonElement state) : IChatChannel, IJsonType<OpaqueChannel>
{
    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static OpaqueChannel FromJson(string json) => JsonText.Read<OpaqueChannel>(json);

    /// <inheritdoc/>
    public static OpaqueChannel FromElement(JsonElement element) => new(JsonRead.Any(element));

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => JsonWrite.Any(writer, state);

    /// <inheritdoc/>
    public Task ReceiveAsync(IReadOnlyList<ChatMessage> messages, CancellationToken cancellationToken = default) =>
        Task.CompletedTask;

    /// <inheritdoc/>
    public Task<JsonElement> GetStateAsync(CancellationToken cancellationToken = default) => Task.FromResult(state);
}

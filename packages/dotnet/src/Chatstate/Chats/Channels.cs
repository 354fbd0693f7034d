using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// A channel that keeps the messages that it received. As JSON it is its state: an array of messages, or text that holds
/// one if the channel goes on from text.
/// </summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<HistoryChannel>))]
public sealed class HistoryChannel : IChatChannel, IJsonType<HistoryChannel>
{
    private readonly List<ChatMessage> messages = [];

    /// <summary>The text in which the state was escaped, if it was.</summary>
    private readonly string? escaped;

    /// <summary>Makes a channel that has received nothing.</summary>
    public HistoryChannel()
    {
    }

    /// <summary>Makes a channel that continues its state: an array of messages, or text that holds one.</summary>
    /// <exception cref="RejectionException">The state is something else.</exception>
    public HistoryChannel(JsonElement state)
    {
        escaped = EscapedState.TextOf(state);
        messages.AddRange(EscapedState.Read(state, escaped, static value => JsonRead.List(value, ChatMessage.FromElement)));
    }

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
    public void WriteTo(Utf8JsonWriter writer)
    {
        if (escaped is null)
        {
            JsonWrite.List(writer, messages, JsonWrite.Value);
            return;
        }

        var state = JsonText.Write(messages, static (inner, messages) => JsonWrite.List(inner, messages, JsonWrite.Value));
        JsonWrite.Any(writer, EscapedState.Written(JsonText.Parse(state), escaped));
    }
}

/// <summary>A channel that is itself a chat of agents. Its state is a chat state.</summary>
/// <param name="chat">The chat.</param>
[Serializable]
[JsonConverter(typeof(ChatChannelConverter<NestedChatChannel>))]
public sealed class NestedChatChannel(AgentChat chat) : IChatChannel, ISystemTextJsonOnly
{
    /// <summary>The text in which the state was escaped, if it was.</summary>
    private string? escaped;

    /// <inheritdoc/>
    public string? ChannelType => "ChatChannel";

    /// <summary>The chat.</summary>
    public AgentChat Chat => chat;

    /// <summary>
    /// Makes a channel that continues its state, a chat state or text that holds one, with a chat that has only its
    /// agents yet.
    /// </summary>
    /// <exception cref="RejectionException">The state is no chat state, or the restore is rejected.</exception>
    public static async Task<NestedChatChannel> RestoreAsync(
        AgentChat chat, JsonElement state, CancellationToken cancellationToken = default)
    {
        var escaped = EscapedState.TextOf(state);
        var saved = EscapedState.Read(state, escaped, AgentChatSerializer.FromElement);
        try
        {
            await saved.RestoreAsync(chat, cancellationToken).ConfigureAwait(false);
        }
        catch (RejectionException rejection) when (escaped is not null)
        {
            throw EscapedState.AtText(rejection);
        }

        return new(chat) { escaped = escaped };
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
        return EscapedState.Written(JsonWriting.Element(state, JsonWrite.Value), escaped);
    }
}

/// <summary>States that are text, in which the state is escaped. The programs of the first draft save states so.</summary>
internal static class EscapedState
{
    /// <summary>The text in which a state is escaped, if it is.</summary>
    public static string? TextOf(JsonElement state) =>
        state.ValueKind == JsonValueKind.String ? JsonRead.Text(state) : null;

    /// <summary>What is read from a state.</summary>
    public static T Read<T>(JsonElement state, string? escaped, Func<JsonElement, T> read)
    {
        if (escaped is null)
        {
            return read(state);
        }

        try
        {
            return JsonText.Read(escaped, read);
        }
        catch (RejectionException rejection)
        {
            throw AtText(rejection);
        }
    }

    /// <summary>A rejection of what is escaped: the text is its place, there is none inside of it.</summary>
    public static RejectionException AtText(RejectionException rejection) =>
        new(rejection.Class, rejection.Rule, $"what is escaped here is rejected: {rejection.Message}");

    /// <summary>A state as it is saved: as text if it was text, and as the same one if it has the same value.</summary>
    public static JsonElement Written(JsonElement state, string? escaped)
    {
        if (escaped is null)
        {
            return state;
        }

        var isSame = CanonicalJson.AreEqual(JsonText.Parse(escaped), state);
        return JsonText.Parse(CanonicalJson.Quoted(isSame ? escaped : state.GetRawText()));
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

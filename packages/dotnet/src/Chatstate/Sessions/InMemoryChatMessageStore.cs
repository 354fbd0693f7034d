using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>The state of the store that there is without a factory: the messages themselves.</summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<InMemoryChatMessageStoreState>))]
public sealed class InMemoryChatMessageStoreState
    : IJsonType<InMemoryChatMessageStoreState>, IEquatable<InMemoryChatMessageStoreState>
{
    /// <summary>The member as the package names it.</summary>
    private const string Name = "messages";

    /// <summary>The messages in order. A document without the member has none.</summary>
    [JsonPropertyName(Name)]
    public IList<ChatMessage> Messages { get; set; } = [];

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static InMemoryChatMessageStoreState FromJson(string json) => JsonText.Read<InMemoryChatMessageStoreState>(json);

    /// <summary>Reads a state.</summary>
    /// <exception cref="RejectionException">
    /// The messages are malformed, or under the name in other letters, such as <c>Messages</c>: they would be taken for none.
    /// </exception>
    public static InMemoryChatMessageStoreState FromElement(JsonElement element)
    {
        var members = new ObjectReader(element);
        var messages = members.Optional("messages"u8, static found => JsonRead.List(found, ChatMessage.FromElement));
        if (messages is null)
        {
            RejectOtherSpelling(element);
        }

        return new() { Messages = messages ?? [] };
    }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WritePropertyName(Name);
        JsonWrite.List(writer, Messages, JsonWrite.Value);
        writer.WriteEndObject();
    }

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(InMemoryChatMessageStoreState? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as InMemoryChatMessageStoreState);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    private static void RejectOtherSpelling(JsonElement element)
    {
        foreach (var member in element.EnumerateObject())
        {
            if (string.Equals(member.Name, Name, StringComparison.OrdinalIgnoreCase))
            {
                throw new RejectionException(
                    RejectionClass.Schema,
                    "session.store-malformed",
                    $"the messages are in `{member.Name}`; rename it to `{Name}`",
                    $"/{member.Name}");
            }
        }
    }
}

/// <summary>
/// A store that keeps its messages in its state, and so in the session that it is attached to. It is the list of them;
/// they are read when they are first asked for.
/// </summary>
[Serializable]
[JsonConverter(typeof(ChatMessageStoreConverter<InMemoryChatMessageStore>))]
public sealed class InMemoryChatMessageStore : IChatMessageStore, IList<ChatMessage>, ISystemTextJsonOnly
{
    /// <summary>The kind of its state.</summary>
    internal const string Kind = nameof(InMemoryChatMessageStoreState);

    private readonly StoreState state;

    /// <summary>Makes a store that works on a state, or on a new one.</summary>
    public InMemoryChatMessageStore(InMemoryChatMessageStoreState? state = null)
        : this(StoreState.Of(Kind, state ?? new(), StateTypes.OfPackage<InMemoryChatMessageStoreState>()))
    {
    }

    internal InMemoryChatMessageStore(StoreState state) => this.state = state;

    /// <summary>The state that it works on: changes of one are changes of the other.</summary>
    public InMemoryChatMessageStoreState State => state.Get(StateTypes.OfPackage<InMemoryChatMessageStoreState>());

    /// <inheritdoc/>
    public int Count => State.Messages.Count;

    StoreState IChatMessageStore.State => state;

    bool ICollection<ChatMessage>.IsReadOnly => false;

    /// <inheritdoc/>
    public ChatMessage this[int index]
    {
        get => State.Messages[index];
        set => State.Messages[index] = value;
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatMessage>> GetMessagesAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult<IReadOnlyList<ChatMessage>>(State.Messages.ToList());

    /// <inheritdoc/>
    public Task AppendAsync(IEnumerable<ChatMessage> messages, CancellationToken cancellationToken = default)
    {
        foreach (var message in messages.ToList())
        {
            Add(message);
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Add(ChatMessage item) => State.Messages.Add(item);

    /// <inheritdoc/>
    public void Clear() => State.Messages.Clear();

    /// <inheritdoc/>
    public bool Contains(ChatMessage item) => State.Messages.Contains(item);

    /// <inheritdoc/>
    public void CopyTo(ChatMessage[] array, int arrayIndex) => State.Messages.CopyTo(array, arrayIndex);

    /// <inheritdoc/>
    public IEnumerator<ChatMessage> GetEnumerator() => State.Messages.GetEnumerator();

    /// <inheritdoc/>
    public int IndexOf(ChatMessage item) => State.Messages.IndexOf(item);

    /// <inheritdoc/>
    public void Insert(int index, ChatMessage item) => State.Messages.Insert(index, item);

    /// <inheritdoc/>
    public bool Remove(ChatMessage item) => State.Messages.Remove(item);

    /// <inheritdoc/>
    public void RemoveAt(int index) => State.Messages.RemoveAt(index);

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

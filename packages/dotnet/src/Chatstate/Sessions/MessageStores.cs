using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>What keeps the messages of one session: in the session, or at a service that its state names.</summary>
[JsonConverter(typeof(ChatMessageStoreConverter<IChatMessageStore>))]
public interface IChatMessageStore
{
    /// <summary>The state, which is all that is saved of it.</summary>
    StoreState State { get; }
}

/// <summary>
/// Makes a store of the state in a session, or a new one where the session has none. It has the clients and keys
/// that a store needs and that no session holds.
/// </summary>
/// <param name="state">The state in the session, if there is one.</param>
public delegate IChatMessageStore ChatMessageStoreFactory(StoreState? state);

/// <summary>The state of the store that there is without a factory: the messages themselves.</summary>
[Serializable]
[JsonConverter(typeof(GeneratedConverter<InMemoryChatMessageStoreState>))]
public sealed class InMemoryChatMessageStoreState
    : IJsonType<InMemoryChatMessageStoreState>, IEquatable<InMemoryChatMessageStoreState>
{
    /// <summary>The messages in order. A document without the member has none.</summary>
    [JsonPropertyName("messages")]
    public IList<ChatMessage> Messages { get; set; } = [];

    /// <inheritdoc cref="IJsonType{TSelf}.FromElement"/>
    public static InMemoryChatMessageStoreState FromElement(JsonElement element)
    {
        var messages = new ObjectReader(element).Optional(
            "messages", static messages => JsonRead.List(messages, ChatMessage.FromElement));
        return new() { Messages = messages ?? [] };
    }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => CanonicalJson.FromJson(ToJson());

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(InMemoryChatMessageStoreState? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as InMemoryChatMessageStoreState);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WritePropertyName("messages");
        JsonWrite.List(writer, Messages, JsonWrite.Value);
        writer.WriteEndObject();
    }
}

/// <summary>A state of one of several kinds, which says by <c>$type</c> of which one it is.</summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<StoreState>))]
public sealed class StoreState : IJsonType<StoreState>
{
    /// <summary>The member that names the kind of a state.</summary>
    private const string Tag = "$type";

    private readonly StateEntry entry;

    private StoreState(string kind, StateEntry entry)
    {
        Kind = kind;
        this.entry = entry;
    }

    /// <summary>Its <c>$type</c>.</summary>
    public string Kind { get; }

    /// <summary>Makes the state of a kind; it gets the kind as its <c>$type</c>.</summary>
    public static StoreState Of<T>(string kind, T state, JsonSerializerOptions? options = null)
        where T : class
    {
        var members = JsonTree.OfTexts((Tag, kind));
        foreach (var (name, value) in JsonTree.Of(StateEntry.Known(state, options)).Members ?? [])
        {
            members.Set(name, value);
        }

        return new(kind, new(members.ToElement()));
    }

    /// <summary>The state as a type.</summary>
    /// <exception cref="RejectionException">It is none of the type.</exception>
    public T Get<T>(JsonSerializerOptions? options = null)
        where T : class => entry.Read<T>(options);

    /// <summary>The state as a value: what was read, with the changes made to its type.</summary>
    public JsonElement ToElement() => entry.Written();

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static StoreState FromJson(string json) => JsonText.Read<StoreState>(json);

    /// <summary>Reads a state. The place of <c>$type</c> among the members does not matter.</summary>
    public static StoreState FromElement(JsonElement element)
    {
        var kind = new ObjectReader(element).Required(Tag, JsonRead.Text);
        return new(kind, new(JsonRead.Any(element)));
    }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => CanonicalJson.FromJson(ToJson());

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => JsonWrite.Any(writer, ToElement());
}

/// <summary>The kinds of states that a program knows, and how stores of them are attached to sessions.</summary>
[Serializable]
[JsonConverter(typeof(StoreRegistryConverter))]
public sealed class StoreRegistry : ISystemTextJsonOnly
{
    /// <summary>The kind of the store that there is without a factory.</summary>
    private const string InMemory = nameof(InMemoryChatMessageStoreState);

    private readonly Dictionary<string, Action<StoreState>> kinds = [];

    /// <summary>Makes a registry that knows the states in memory.</summary>
    public StoreRegistry() => Register<InMemoryChatMessageStoreState>(InMemory);

    /// <summary>Adds a type under the name of its kind. A state of a known kind is checked when it is attached.</summary>
    /// <exception cref="RejectionException">There is a type under this name.</exception>
    public void Register<T>(string kind, JsonSerializerOptions? options = null)
        where T : class
    {
        if (!kinds.TryAdd(kind, state => _ = state.Get<T>(options)))
        {
            throw new RejectionException(
                RejectionClass.Semantic, "session.store-twice", $"a kind of state is registered as `{kind}` already");
        }
    }

    /// <summary>
    /// Attaches a store to a session that is used. Without a state, or with null, the store is a new one, of the
    /// factory or else in memory, and the session gets its state. With a state, it is what the factory makes of it,
    /// or else one in memory. A rejection, of the factory too, leaves the session as it was.
    /// </summary>
    /// <exception cref="RejectionException">
    /// The state says no kind, is malformed, or is of another kind than in memory while there is no factory.
    /// </exception>
    public IChatMessageStore Attach(Session session, string key, ChatMessageStoreFactory? factory = null)
    {
        StoreState? state = null;
        if (session.State.TryGetValue(key, out var value) && value.ValueKind != JsonValueKind.Null)
        {
            state = StateBag.At(key, () => Checked(value));
        }

        var store = factory is not null ? factory(state) : StateBag.At(key, () => Kept(state));
        if (state is null)
        {
            session.State.SetValue(key, store.State.ToElement());
        }

        return store;
    }

    private static KeptInMemory Kept(StoreState? state)
    {
        if (state is null)
        {
            return new(StoreState.Of(InMemory, new InMemoryChatMessageStoreState()));
        }

        if (state.Kind != InMemory)
        {
            throw new RejectionException(
                RejectionClass.Restore,
                "session.attach-unknown",
                $"the state is a `{state.Kind}`, and the agent has no factory for it; give it one",
                "/$type");
        }

        return new(state);
    }

    private StoreState Checked(JsonElement value)
    {
        var state = StoreState.FromElement(value);
        if (kinds.TryGetValue(state.Kind, out var check))
        {
            check(state);
        }

        return state;
    }

    /// <summary>The store that there is without a factory.</summary>
    private sealed record KeptInMemory(StoreState State) : IChatMessageStore;
}

/// <summary>Says what is saved of a store of messages.</summary>
/// <typeparam name="T">The type of the store.</typeparam>
public sealed class ChatMessageStoreConverter<T>() : RefusingConverter<T>(
    "a store of messages is saved with its session; write the session, or the `State` of the store.")
    where T : IChatMessageStore;

/// <summary>Says what is saved of a registry.</summary>
public sealed class StoreRegistryConverter() : RefusingConverter<StoreRegistry>(
    "a registry has functions, which are not data; make it again, and save the sessions.");

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>What keeps the messages of one session: in the session, or at a service that its state names.</summary>
[JsonConverter(typeof(ChatMessageStoreConverter<IChatMessageStore>))]
public interface IChatMessageStore
{
    /// <summary>
    /// The state, which is all that is saved of it. It is asked for whenever the session is written, so that what the
    /// store has changed by then is saved with the session.
    /// </summary>
    StoreState State { get; }

    /// <summary>The messages of the session, the oldest first.</summary>
    /// <exception cref="NotSupportedException">The store does not say how they are read.</exception>
    Task<IReadOnlyList<ChatMessage>> GetMessagesAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"`{GetType().Name}` does not give its messages; it has to implement this");

    /// <summary>Appends messages to those of the session.</summary>
    /// <exception cref="NotSupportedException">The store does not say how they are appended.</exception>
    Task AppendAsync(IEnumerable<ChatMessage> messages, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"`{GetType().Name}` takes no messages; it has to implement this");
}

/// <summary>
/// Makes a store of the state in a session, or a new one where the session has none. It has the clients and keys
/// that a store needs and that no session holds.
/// </summary>
/// <param name="state">The state in the session, if there is one.</param>
public delegate IChatMessageStore ChatMessageStoreFactory(StoreState? state);

/// <summary>A state of one of several kinds, which says by <c>$type</c> of which one it is.</summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<StoreState>))]
public sealed class StoreState : IJsonType<StoreState>
{
    /// <summary>The member that names the kind of a state.</summary>
    private const string Tag = "$type";

    private StoreState(string kind, StateEntry entry)
    {
        Kind = kind;
        Entry = entry;
    }

    /// <summary>Its <c>$type</c>.</summary>
    public string Kind { get; }

    /// <summary>What it is, which a session may share.</summary>
    internal StateEntry Entry { get; }

    /// <summary>
    /// Makes the state of a kind; it gets the kind as its <c>$type</c>. Later changes of the object are changes of it.
    /// </summary>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public static StoreState Of<T>(string kind, T state, JsonSerializerOptions? options = null)
        where T : class => Of(kind, state, StateTypes.Of<T>(options));

    /// <summary>The same of a type that is read and written as its metadata say.</summary>
    public static StoreState Of<T>(string kind, T state, JsonTypeInfo<T> type)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(type);
        var members = JsonTree.OfTexts((Tag, kind));
        foreach (var (name, value) in JsonTree.Of(StateEntry.Known(state, type)).Members ?? [])
        {
            members.Set(name, value);
        }

        return new(kind, StateEntry.Of(state, type, members.ToElement()));
    }

    /// <summary>The state as a type.</summary>
    /// <exception cref="RejectionException">It is none of the type.</exception>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public T Get<T>(JsonSerializerOptions? options = null)
        where T : class => Entry.Read(() => StateTypes.Of<T>(options));

    /// <summary>The state as a type that is read and written as its metadata say.</summary>
    /// <exception cref="RejectionException">It is none of the type.</exception>
    public T Get<T>(JsonTypeInfo<T> type)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(type);
        return Entry.Read(() => type);
    }

    /// <summary>The state as a value: what was read, with the changes made to its type.</summary>
    public JsonElement ToElement() => Entry.Written();

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static StoreState FromJson(string json) => JsonText.Read<StoreState>(json);

    /// <summary>Reads a state. The place of <c>$type</c> among the members does not matter.</summary>
    public static StoreState FromElement(JsonElement element) => Of(new(JsonRead.Any(element)));

    /// <summary>The state that an entry of a session is.</summary>
    internal static StoreState Of(StateEntry entry) =>
        new(JsonRead.Tag(entry.Written(), "$type"u8), entry);

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

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
    private readonly Dictionary<string, Action<StoreState>> kinds = [];

    /// <summary>Makes a registry that knows the states in memory.</summary>
    public StoreRegistry() =>
        Register(InMemoryChatMessageStore.Kind, StateTypes.OfPackage<InMemoryChatMessageStoreState>());

    /// <summary>Adds a type under the name of its kind. A state of a known kind is checked when it is attached.</summary>
    /// <exception cref="RejectionException">There is a type under this name.</exception>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public void Register<T>(string kind, JsonSerializerOptions? options = null)
        where T : class => Register(kind, state => _ = state.Get<T>(options));

    /// <summary>The same of a type that is read as its metadata say.</summary>
    /// <exception cref="RejectionException">There is a type under this name.</exception>
    public void Register<T>(string kind, JsonTypeInfo<T> type)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(type);
        Register(kind, state => _ = state.Get(type));
    }

    private void Register(string kind, Action<StoreState> check)
    {
        if (!kinds.TryAdd(kind, check))
        {
            throw new RejectionException(
                RejectionClass.Semantic, "session.store-twice", $"a kind of state is registered as `{kind}` already");
        }
    }

    /// <summary>
    /// Attaches a store to a session that is used. Without a state, or with null, the store is a new one, of the
    /// factory or else in memory, and the session gets its state. With a state, it is what the factory makes of it,
    /// or else one in memory. From then on the state of the store is the entry of the session: what is added through the
    /// store is saved with the session, and what is not touched is written as it was. A rejection, of the factory too,
    /// leaves the session as it was.
    /// </summary>
    /// <exception cref="RejectionException">
    /// The state says no kind, is malformed, or is of another kind than in memory while there is no factory.
    /// </exception>
    public IChatMessageStore Attach(Session session, string key, ChatMessageStoreFactory? factory = null)
    {
        ArgumentNullException.ThrowIfNull(session);
        var entry = session.State.Entry(key) is { IsNull: false } found ? found : null;
        var state = entry is null ? null : StateBag.At(key, () => Checked(entry));
        var store = factory is not null ? factory(state) : StateBag.At(key, () => InMemory(state));
        if (entry is null || !ReferenceEquals(store.State.Entry, entry))
        {
            session.State.SetEntry(key, StateEntry.Following(() => store.State.Entry, entry?.Written()));
        }

        return store;
    }

    private static InMemoryChatMessageStore InMemory(StoreState? state)
    {
        if (state is null)
        {
            return new();
        }

        return state.Kind == InMemoryChatMessageStore.Kind
            ? new(state)
            : throw new RejectionException(
                RejectionClass.Restore,
                "session.attach-unknown",
                $"the state is a `{state.Kind}`, and the agent has no factory for it; give it one",
                "/$type");
    }

    /// <summary>The state that an entry is. One of a known kind is tried on a copy, and read when it is asked for.</summary>
    private StoreState Checked(StateEntry entry)
    {
        var state = StoreState.Of(entry);
        if (kinds.TryGetValue(state.Kind, out var check))
        {
            check(StoreState.FromElement(entry.Written()));
        }

        return state;
    }
}

/// <summary>Says what is saved of a store of messages.</summary>
/// <typeparam name="T">The type of the store.</typeparam>
public sealed class ChatMessageStoreConverter<T>() : RefusingConverter<T>(
    "a store of messages is saved with its session; write the session, or the `State` of the store.")
    where T : IChatMessageStore;

/// <summary>Says what is saved of a registry.</summary>
public sealed class StoreRegistryConverter() : RefusingConverter<StoreRegistry>(
    "a registry has functions, which are not data; make it again, and save the sessions.");

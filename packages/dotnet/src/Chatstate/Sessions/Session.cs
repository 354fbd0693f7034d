using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate;

/// <summary>
/// One session in use: the document, and its state bag with what has been read of it. It holds data alone. An agent
/// attaches its behavior when it uses the session, so that one agent can serve any number of sessions.
/// </summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<Session>))]
public sealed class Session : IJsonType<Session>
{
    /// <summary>Everything but the state bag.</summary>
    private readonly AgentSession document;

    /// <summary>Makes a session without state.</summary>
    public Session()
        : this(new AgentSession { StateBag = new OrderedDictionary<string, JsonElement>() })
    {
    }

    /// <summary>
    /// Takes over a document. A sealed one is rejected, since nothing has verified its seal:
    /// <see cref="Sealing.Unseal(string, SealKey)"/> does.
    /// </summary>
    /// <exception cref="RejectionException">The document is sealed.</exception>
    public Session(AgentSession document)
    {
        ArgumentNullException.ThrowIfNull(document);
        Sealing.RejectUnverified(document.Seal is not null);
        this.document = document.Copy();
        State = new(document.StateBag);
    }

    /// <summary>The state of each provider.</summary>
    public StateBag State { get; }

    /// <summary>The kind of session, if the document says it.</summary>
    public string? Kind
    {
        get => document.SessionType;
        set => document.SessionType = value;
    }

    /// <summary>The identity of the session, if it has one.</summary>
    public string? Id
    {
        get => document.SessionId;
        set => document.SessionId = value;
    }

    /// <summary>The identity of the conversation at the service that keeps it.</summary>
    /// <exception cref="RejectionException">Blank text: a service would begin a new conversation for it.</exception>
    public ConversationId? ConversationId
    {
        get => document.ConversationId;
        set
        {
            if (value?.AsText is { } text && string.IsNullOrWhiteSpace(text))
            {
                throw new RejectionException(
                    RejectionClass.Semantic,
                    "session.conversation-id",
                    "the identity of the conversation is blank; leave it out if there is none",
                    "/conversationId");
            }

            document.ConversationId = value;
        }
    }

    /// <summary>Reads an <c>AgentSession</c>; the entries of its bag stay unread until they are asked for.</summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static Session FromJson(string json) => new(AgentSession.FromJson(json));

    /// <inheritdoc cref="FromJson(string)"/>
    public static Session FromJson(ReadOnlySpan<byte> utf8Json) => new(AgentSession.FromJson(utf8Json));

    /// <inheritdoc/>
    public static Session FromElement(JsonElement element) => new(AgentSession.FromElement(element));

    /// <summary>Reads a <c>SessionList</c>, whose sessions may be of different kinds.</summary>
    /// <exception cref="RejectionException">The document is not valid.</exception>
    public static IReadOnlyList<Session> ListFromJson(string json) =>
        SessionList.FromJson(json).Select(Item).ToList();

    private static Session Item(AgentSession document, int index)
    {
        try
        {
            return new(document);
        }
        catch (RejectionException rejection) when (rejection.Within(index))
        {
            throw;
        }
    }

    /// <summary>Sessions as the JSON text of a <c>SessionList</c>.</summary>
    public static string ListToJson(IEnumerable<Session> sessions) =>
        new SessionList(sessions.Select(session => session.ToDocument()).ToList()).ToJson();

    /// <summary>The session as a document.</summary>
    public AgentSession ToDocument()
    {
        var written = document.Copy();
        written.StateBag = State.Written();
        return written;
    }

    /// <summary>The session as JSON text.</summary>
    public string ToJson() => ToDocument().ToJson();

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => ToDocument().WriteTo(writer);

    /// <summary>
    /// Rejects a session of another kind than an agent takes. A session that does not say its kind is taken.
    /// </summary>
    /// <exception cref="RejectionException">The session is of another kind.</exception>
    public void ExpectKind(string expected)
    {
        if (Kind is { } kind && kind != expected)
        {
            throw new RejectionException(
                RejectionClass.Restore,
                "session.kind",
                $"the session is a `{kind}`, and the agent takes `{expected}`; give it to the agent that made it",
                "/sessionType");
        }
    }
}

/// <content>A copy to be changed.</content>
public sealed partial class AgentSession
{
    internal AgentSession Copy() => (AgentSession)MemberwiseClone();
}

/// <summary>
/// The state of one provider: where it is in a session, and what it is at first. A provider has one of these and no
/// state of its own, so that one provider serves any number of sessions at a time.
/// </summary>
/// <typeparam name="TState">The type of the state.</typeparam>
[Serializable]
[JsonConverter(typeof(ProviderSessionStateConverter))]
public sealed class ProviderSessionState<TState> : ISystemTextJsonOnly
    where TState : class
{
    private readonly Func<Session, TState> initializer;
    private readonly Func<JsonTypeInfo<TState>> type;

    /// <summary>Makes the state under a key.</summary>
    /// <param name="initializer">What it is in a session that has none.</param>
    /// <param name="key">The key.</param>
    /// <param name="options">How the type is read and written.</param>
    /// <exception cref="RejectionException">The key is blank.</exception>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public ProviderSessionState(Func<Session, TState> initializer, string key, JsonSerializerOptions? options = null)
        : this(initializer, key, () => StateTypes.Of<TState>(options))
    {
    }

    /// <summary>Makes the state under a key.</summary>
    /// <param name="initializer">What it is in a session that has none.</param>
    /// <param name="key">The key.</param>
    /// <param name="type">How the type is read and written.</param>
    /// <exception cref="RejectionException">The key is blank.</exception>
    public ProviderSessionState(Func<Session, TState> initializer, string key, JsonTypeInfo<TState> type)
        : this(initializer, key, () => type) => ArgumentNullException.ThrowIfNull(type);

    private ProviderSessionState(Func<Session, TState> initializer, string key, Func<JsonTypeInfo<TState>> type)
    {
        StateBag.CheckKey(key);
        this.initializer = initializer;
        this.type = type;
        Key = key;
    }

    /// <summary>The key of the state.</summary>
    public string Key { get; }

    /// <summary>
    /// The state in a session, to change in place. Where there is none, or null, it begins with the initial one.
    /// </summary>
    /// <exception cref="RejectionException">A state of another type or shape is rejected and never replaced.</exception>
    public TState GetOrInitializeState(Session session)
    {
        if (session.State.Get(Key, type).TryGetValue(out var state))
        {
            return state;
        }

        var initial = initializer(session);
        SaveState(session, initial);
        return initial;
    }

    /// <summary>Replaces the state in a session, and all that was there.</summary>
    public void SaveState(Session session, TState state) => session.State.Set(Key, state, type);
}

/// <summary>Says where the state of a provider is.</summary>
public sealed class ProviderSessionStateConverter : JsonConverterFactory
{
    /// <inheritdoc/>
    public override bool CanConvert(Type typeToConvert)
    {
        ArgumentNullException.ThrowIfNull(typeToConvert);
        return typeToConvert.IsGenericType && typeToConvert.GetGenericTypeDefinition() == typeof(ProviderSessionState<>);
    }

    /// <inheritdoc/>
    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException("the state of a provider is saved with its session; write the session.");
}

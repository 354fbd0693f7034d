// The operation `session`: steps on one session, done by the package.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Chatstate;

/// <summary>A type of the steps, which takes over what another value of it holds.</summary>
internal interface IStepState<T>
{
    void Take(T other);
}

/// <summary>A name, and perhaps a count.</summary>
internal sealed class Profile : IStepState<Profile>
{
    public required string Name { get; set; }

    public long? Visits { get; set; }

    public void Take(Profile other) => (Name, Visits) = (other.Name, other.Visits);
}

/// <summary>A list of texts.</summary>
internal sealed class Notebook : IStepState<Notebook>
{
    public required IReadOnlyList<string> Notes { get; set; }

    public void Take(Notebook other) => Notes = other.Notes;
}

/// <summary>The state of a store whose messages are at a service.</summary>
internal sealed class RemoteChatMessageStoreState
{
    public required string Thread { get; set; }
}

/// <summary>A store of any state, as the factory of the steps makes it.</summary>
internal sealed record Store(StoreState State) : IChatMessageStore;

/// <summary>Does the steps of a case in their order. A step that is rejected changes nothing.</summary>
internal static class SessionSteps
{
    /// <summary>How the types of the steps are read: the package itself needs no reflection, and these do.</summary>
    private static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        RespectNullableAnnotations = true,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
    };

    public static string Run(byte[] document)
    {
        _ = CanonicalJson.FromJson(document);
        var input = JsonElement.Parse(document, new JsonDocumentOptions { MaxDepth = 512 });
        var session = Read(input.GetProperty("session"));
        var results = input.GetProperty("steps").EnumerateArray().Select(step => Result(session, step)).ToList();
        return $"{{\"session\":{session.ToJson()},\"results\":[{string.Join(',', results)}]}}";
    }

    private static Session Read(JsonElement document)
    {
        try
        {
            return new(AgentSession.FromElement(document));
        }
        catch (RejectionException rejection)
        {
            throw new RejectionException(rejection.Class, rejection.Rule, rejection.Message, $"/session{rejection.At}");
        }
    }

    private static string Result(Session session, JsonElement step)
    {
        try
        {
            return Do(session, step);
        }
        catch (RejectionException rejection)
        {
            return Row("refused", JsonValue.Create(rejection.Class.ToString().ToLowerInvariant()));
        }
    }

    private static string Do(Session session, JsonElement step)
    {
        switch (Text(step, "do"))
        {
            case "remove":
                return Row("done", JsonValue.Create(session.State.Remove(Text(step, "key"))));
            case "providers":
                StateBag.CheckProviderKeys(step.GetProperty("keys").EnumerateArray().Select(key => key.GetString()!));
                return Row("done", JsonValue.Create(true));
            case "use":
                session.ExpectKind(Text(step, "kind"));
                return Row("done", JsonValue.Create(true));
            case "converse":
                session.ConversationId = Text(step, "id");
                return Row("done", JsonValue.Create(true));
            case "attach":
                return Attach(session, step);
            default:
                return Text(step, "as") == "Profile" ? Typed<Profile>(session, step) : Typed<Notebook>(session, step);
        }
    }

    /// <summary>The steps that read an entry as a type.</summary>
    private static string Typed<T>(Session session, JsonElement step)
        where T : class, IStepState<T>
    {
        var key = Text(step, "key");
        switch (Text(step, "do"))
        {
            case "write":
                session.State.Set(key, StateOf<T>(step.GetProperty("value")), Options);
                return Row("done", JsonValue.Create(true));
            case "provide":
                var provider = new ProviderSessionState<T>(_ => StateOf<T>(step.GetProperty("initial")), key, Options);
                return Shown<T>(provider.GetOrInitializeState(session));
            case "change":
                return Change<T>(session, step, key);
            default:
                return Shown(session.State.Get<T>(key, Options));
        }
    }

    private static string Shown<T>(Optional<T> found)
        where T : class =>
        found.TryGetValue(out var state)
            ? Row("value", Known(state))
            : found.IsNull ? Row("value", null) : Row("absent", JsonValue.Create(true));

    private static string Change<T>(Session session, JsonElement step, string key)
        where T : class, IStepState<T>
    {
        var found = session.State.Get<T>(key, Options);
        if (found.TryGetValue(out var state))
        {
            var members = (JsonObject)Known(state)!;
            members[Text(step, "member")] = JsonNode.Parse(step.GetProperty("value").GetRawText());
            state.Take(StateOf<T>(JsonElement.Parse(members.ToJsonString())));
        }

        return Shown(found);
    }

    private static string Attach(Session session, JsonElement step)
    {
        var registry = new StoreRegistry();
        registry.Register<RemoteChatMessageStoreState>(nameof(RemoteChatMessageStoreState), Options);
        var hasFactory = step.TryGetProperty("factory", out var factory) && factory.ValueKind == JsonValueKind.True;
        var store = registry.Attach(session, Text(step, "key"), hasFactory ? Made : null);
        return Row("attached", JsonValue.Create(store.State.Kind));
    }

    /// <summary>The factory of the steps: it takes every state, and begins with a thread called `new`.</summary>
    private static Store Made(StoreState? state) =>
        new(state ?? StoreState.Of(
            nameof(RemoteChatMessageStoreState), new RemoteChatMessageStoreState { Thread = "new" }, Options));

    /// <summary>A value as a type, read as a bag reads it.</summary>
    private static T StateOf<T>(JsonElement value)
        where T : class
    {
        var bag = new StateBag();
        bag.SetValue("state", value);
        return bag.Get<T>("state", Options).Value;
    }

    /// <summary>What a type knows, written as a bag writes it.</summary>
    private static JsonNode? Known<T>(T state)
        where T : class
    {
        var bag = new StateBag();
        bag.Set("state", state, Options);
        return bag.TryGetValue("state", out var value) ? JsonNode.Parse(value.GetRawText()) : null;
    }

    private static string Row(string name, JsonNode? value) => new JsonObject { [name] = value }.ToJsonString();

    private static string Text(JsonElement step, string name) => step.GetProperty(name).GetString()!;
}

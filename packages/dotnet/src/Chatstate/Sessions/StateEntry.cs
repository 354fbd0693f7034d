using System;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate;

/// <summary>One entry of a state bag: a value until it is read as a type.</summary>
internal sealed class StateEntry
{
    /// <summary>The value as it was read or set; none for what only a caller has set as a type.</summary>
    private readonly JsonElement? origin;

    private object? held;

    /// <summary>What the object gave back when it was read.</summary>
    private JsonElement before;

    private Func<JsonElement>? write;

    /// <summary>The entry that this one is, if a store has one of its own.</summary>
    private Func<StateEntry>? followed;

    public StateEntry(JsonElement origin) => this.origin = origin;

    private StateEntry(JsonElement? origin) => this.origin = origin;

    public bool IsNull => origin is { ValueKind: JsonValueKind.Null };

    /// <summary>
    /// An entry that a caller sets, beside what its type does not know of a value. What cannot be written is rejected
    /// now.
    /// </summary>
    public static StateEntry Of<T>(T state, JsonTypeInfo<T> type, JsonElement? origin = null)
        where T : class
    {
        var entry = new StateEntry(origin);
        entry.Hold(state, type);
        return entry;
    }

    /// <summary>An entry that is at any time what another one is then, beside what that does not know of a value.</summary>
    public static StateEntry Following(Func<StateEntry> other, JsonElement? origin) => new(origin)
    {
        before = other().Written(),
        write = () => other().Written(),
        followed = other,
    };

    /// <summary>The entry as a type, read now or before; the entry is not null.</summary>
    public T Read<T>(Func<JsonTypeInfo<T>> type)
        where T : class
    {
        if (followed is not null)
        {
            return followed().Read(type);
        }

        if (held is null)
        {
            var known = type();
            Hold(Parsed(origin!.Value, known), known);
        }

        return held as T ?? throw new RejectionException(
            RejectionClass.Semantic,
            "session.other-type",
            $"the entry is in use as `{held!.GetType().Name}` and cannot be read as `{typeof(T).Name}`; "
                + "give the two different keys");
    }

    /// <summary>The value as it is written now.</summary>
    public JsonElement Written()
    {
        if (write is null)
        {
            return origin!.Value;
        }

        var after = write();
        if (origin is not { } value)
        {
            return after;
        }

        return CanonicalJson.AreEqual(before, after)
            ? value
            : StateMerge.Merged(JsonTree.Of(value), JsonTree.Of(before), JsonTree.Of(after)).ToElement();
    }

    /// <summary>A value as a type.</summary>
    public static T Parsed<T>(JsonElement value, JsonTypeInfo<T> type)
        where T : class
    {
        try
        {
            // The canonical form spells 3e0 as the integer that it is.
            return JsonSerializer.Deserialize(CanonicalJson.Of(value), type)
                ?? throw RejectionException.Schema("type", $"the entry is no `{typeof(T).Name}`, but null");
        }
        catch (JsonException exception) when (exception is not RejectionException)
        {
            throw RejectionException.Schema("type", $"the entry is no `{typeof(T).Name}`: {exception.Message}");
        }
    }

    /// <summary>The members that a type knows, as a value.</summary>
    public static JsonElement Known<T>(T state, JsonTypeInfo<T> type) =>
        JsonText.Parse(JsonSerializer.Serialize(state, type));

    private void Hold<T>(T state, JsonTypeInfo<T> type)
        where T : class
    {
        before = Known(state, type);
        write = () => Known(state, type);
        held = state;
    }
}

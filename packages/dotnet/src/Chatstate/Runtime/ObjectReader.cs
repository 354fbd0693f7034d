using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>Takes the members of one object out by name; what is left was not asked for.</summary>
internal struct ObjectReader
{
    private readonly JsonElement element;
    private readonly Func<string, bool>? isNamed;

    /// <summary>How many members were taken out.</summary>
    private int taken;

    /// <param name="element">The object.</param>
    /// <param name="isNamed">Whether a member is one of those that are taken out by name, if there are any.</param>
    public ObjectReader(JsonElement element, Func<string, bool>? isNamed = null)
    {
        JsonRead.Expect(element, JsonValueKind.Object);
        this.element = element;
        this.isNamed = isNamed;
    }

    /// <summary>A member that is always there and always the same.</summary>
    public void Constant(ReadOnlySpan<byte> name, string expected)
    {
        var value = Needed(name);
        try
        {
            JsonRead.Constant(value, expected);
        }
        catch (RejectionException rejection) when (rejection.Within(name))
        {
            throw;
        }
    }

    /// <inheritdoc cref="Constant(ReadOnlySpan{byte}, string)"/>
    public void Constant(ReadOnlySpan<byte> name, bool expected) =>
        Required(name, element => JsonRead.Constant(element, expected));

    /// <inheritdoc cref="Constant(ReadOnlySpan{byte}, string)"/>
    public void Constant(ReadOnlySpan<byte> name, long expected) =>
        Required(name, element => JsonRead.Constant(element, expected));

    /// <summary>A member that must be there.</summary>
    public T Required<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read) => Read(name, Needed(name), read);

    /// <summary>A member that must be there and may be null.</summary>
    public T? NullOr<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read)
        where T : class => Needed(name) is { ValueKind: not JsonValueKind.Null } value ? Read(name, value, read) : null;

    /// <inheritdoc cref="NullOr"/>
    public T? NullOrValue<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read)
        where T : struct => Needed(name) is { ValueKind: not JsonValueKind.Null } value ? Read(name, value, read) : null;

    /// <summary>A member that may be absent and is not null.</summary>
    public T? Optional<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read)
        where T : class => Take(name, out var value) ? Read(name, value, read) : null;

    /// <inheritdoc cref="Optional"/>
    public T? OptionalValue<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read)
        where T : struct => Take(name, out var value) ? Read(name, value, read) : null;

    /// <summary>A member that may be absent or null.</summary>
    public Optional<T> Presence<T>(ReadOnlySpan<byte> name, Func<JsonElement, T> read)
        where T : notnull
    {
        if (!Take(name, out var value))
        {
            return default;
        }

        try
        {
            return JsonRead.Presence(value, read);
        }
        catch (RejectionException rejection) when (rejection.Within(name))
        {
            throw;
        }
    }

    /// <summary>All members that are not taken out by name, or null if there are none.</summary>
    public readonly IDictionary<string, JsonElement>? Rest() => Rest(JsonRead.Any);

    /// <inheritdoc cref="Rest()"/>
    public readonly IDictionary<string, T>? Rest<T>(Func<JsonElement, T> read)
    {
        var left = element.GetPropertyCount() - taken;
        if (left == 0)
        {
            return null;
        }

        var rest = new OrderedDictionary<string, T>(left);
        foreach (var member in element.EnumerateObject())
        {
            var name = member.Name;
            if (!IsNamed(name))
            {
                rest[name] = Read(name, member.Value, read);
            }
        }

        return rest;
    }

    /// <summary>Rejects an object that is not as a keyword of the schema asks.</summary>
    public readonly void Condition(string keyword, string pointer, string predicate) =>
        JsonRead.Condition(element, keyword, pointer, predicate);

    /// <summary>Rejects an object with too few or too many members.</summary>
    public readonly void Present(long minimum, long maximum)
    {
        var count = element.GetPropertyCount();
        if (count < minimum)
        {
            throw RejectionException.Schema("minProperties", $"must have at least {minimum} member(s), but has {count}");
        }

        if (count > maximum)
        {
            throw RejectionException.Schema("maxProperties", $"must have at most {maximum} member(s), but has {count}");
        }
    }

    /// <summary>Rejects an object that has a member and lacks one that this one needs.</summary>
    public readonly void Dependent(string member, params string[] required)
    {
        foreach (var name in required)
        {
            if (element.TryGetProperty(member, out _) && !element.TryGetProperty(name, out _))
            {
                var rejection = RejectionException.Schema(
                    "dependentRequired", $"the member `{name}` is missing, which `{member}` needs");
                rejection.Within(name);
                throw rejection;
            }
        }
    }

    /// <summary>Judges the members that are not taken out by name and whose names match a pattern.</summary>
    public readonly ObjectReader Matching<T>(string pattern, Func<JsonElement, T> read)
    {
        foreach (var member in element.EnumerateObject())
        {
            if (!IsNamed(member.Name) && JsonRead.IsMatch(member.Name, pattern))
            {
                Read(member.Name, member.Value, read);
            }
        }

        return this;
    }

    /// <summary>Rejects a member that is not taken out by name and whose name matches none of the patterns.</summary>
    public readonly ObjectReader OnlyMatching(params string[] patterns)
    {
        foreach (var member in element.EnumerateObject())
        {
            var name = member.Name;
            if (!IsNamed(name) && !System.Array.Exists(patterns, pattern => JsonRead.IsMatch(name, pattern)))
            {
                throw NoSuchMember(name);
            }
        }

        return this;
    }

    /// <summary>Rejects an object that has members beside those that are taken out by name.</summary>
    public readonly void RejectOthers()
    {
        foreach (var member in element.EnumerateObject())
        {
            if (!IsNamed(member.Name))
            {
                throw NoSuchMember(member.Name);
            }
        }
    }

    /// <summary>A member of an object that must be there.</summary>
    public static JsonElement Needed(JsonElement element, ReadOnlySpan<byte> name)
    {
        if (element.TryGetProperty(name, out var value))
        {
            return value;
        }

        var text = System.Text.Encoding.UTF8.GetString(name);
        var rejection = RejectionException.Schema("required", $"the member `{text}` is missing");
        rejection.Within(text);
        throw rejection;
    }

    /// <summary>The value of a member, whose name is part of the place of a rejection.</summary>
    public static T Read<T>(ReadOnlySpan<byte> name, JsonElement value, Func<JsonElement, T> read)
    {
        try
        {
            return read(value);
        }
        catch (RejectionException rejection) when (rejection.Within(name))
        {
            throw;
        }
    }

    private static RejectionException NoSuchMember(string name)
    {
        var rejection = RejectionException.Schema(
            "additionalProperties", $"the schema does not have the member `{name}`; remove it");
        rejection.Within(name);
        return rejection;
    }

    private static T Read<T>(string name, JsonElement value, Func<JsonElement, T> read)
    {
        try
        {
            return read(value);
        }
        catch (RejectionException rejection) when (rejection.Within(name))
        {
            throw;
        }
    }

    private readonly bool IsNamed(string name) => isNamed is not null && isNamed(name);

    private JsonElement Needed(ReadOnlySpan<byte> name)
    {
        var value = Needed(element, name);
        taken++;
        return value;
    }

    private bool Take(ReadOnlySpan<byte> name, out JsonElement value)
    {
        var found = element.TryGetProperty(name, out value);
        if (found)
        {
            taken++;
        }

        return found;
    }
}

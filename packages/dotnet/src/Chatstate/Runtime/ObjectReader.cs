using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>Takes the members of one object out by name; what is left was not asked for.</summary>
internal readonly struct ObjectReader
{
    private readonly JsonElement element;
    private readonly List<string> taken;

    public ObjectReader(JsonElement element)
    {
        JsonRead.Expect(element, JsonValueKind.Object);
        this.element = element;
        taken = [];
    }

    /// <summary>A member that is always there and always the same.</summary>
    public void Constant(string name, string expected) =>
        Required(name, element => JsonRead.Constant(element, expected));

    /// <inheritdoc cref="Constant(string, string)"/>
    public void Constant(string name, bool expected) =>
        Required(name, element => JsonRead.Constant(element, expected));

    /// <inheritdoc cref="Constant(string, string)"/>
    public void Constant(string name, long expected) =>
        Required(name, element => JsonRead.Constant(element, expected));

    /// <summary>A member that must be there.</summary>
    public T Required<T>(string name, Func<JsonElement, T> read) =>
        Take(name, out var value) ? Read(name, value, read) : throw Missing(name);

    /// <summary>A member that must be there and may be null.</summary>
    public T? NullOr<T>(string name, Func<JsonElement, T> read)
        where T : class => Required(name, element => JsonRead.NullOr(element, read));

    /// <inheritdoc cref="NullOr"/>
    public T? NullOrValue<T>(string name, Func<JsonElement, T> read)
        where T : struct => Required(name, element => JsonRead.NullOrValue(element, read));

    /// <summary>A member that may be absent and is not null.</summary>
    public T? Optional<T>(string name, Func<JsonElement, T> read)
        where T : class => Take(name, out var value) ? Read(name, value, read) : null;

    /// <inheritdoc cref="Optional"/>
    public T? OptionalValue<T>(string name, Func<JsonElement, T> read)
        where T : struct => Take(name, out var value) ? Read(name, value, read) : null;

    /// <summary>A member that may be absent or null.</summary>
    public Optional<T> Presence<T>(string name, Func<JsonElement, T> read)
        where T : notnull => Take(name, out var value)
            ? Read(name, value, element => JsonRead.Presence(element, read))
            : default;

    /// <summary>All members that were not taken out, or null if there are none.</summary>
    public IDictionary<string, JsonElement>? Rest() => Rest(JsonRead.Any);

    /// <inheritdoc cref="Rest()"/>
    public IDictionary<string, T>? Rest<T>(Func<JsonElement, T> read)
    {
        if (taken.Count == element.GetPropertyCount())
        {
            return null;
        }

        var rest = new OrderedDictionary<string, T>();
        foreach (var member in element.EnumerateObject())
        {
            var name = member.Name;
            if (!taken.Contains(name))
            {
                rest[name] = Read(name, member.Value, read);
            }
        }

        return rest;
    }

    /// <summary>Rejects an object that is not as a keyword of the schema asks.</summary>
    public void Condition(string keyword, string pointer, string predicate) =>
        JsonRead.Condition(element, keyword, pointer, predicate);

    /// <summary>Rejects an object with too few or too many members.</summary>
    public void Present(long minimum, long maximum)
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
    public void Dependent(string member, params string[] required)
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

    /// <summary>Judges the members that were not taken out and whose names match a pattern.</summary>
    public ObjectReader Matching<T>(string pattern, Func<JsonElement, T> read)
    {
        foreach (var member in element.EnumerateObject())
        {
            if (!taken.Contains(member.Name) && JsonRead.IsMatch(member.Name, pattern))
            {
                Read(member.Name, member.Value, read);
            }
        }

        return this;
    }

    /// <summary>Rejects a member that was not taken out and whose name matches none of the patterns.</summary>
    public ObjectReader OnlyMatching(params string[] patterns)
    {
        foreach (var member in element.EnumerateObject())
        {
            var name = member.Name;
            if (!taken.Contains(name) && !System.Array.Exists(patterns, pattern => JsonRead.IsMatch(name, pattern)))
            {
                throw NoSuchMember(name);
            }
        }

        return this;
    }

    /// <summary>Rejects an object that has members beside those that were taken out.</summary>
    public void RejectOthers()
    {
        foreach (var member in element.EnumerateObject())
        {
            if (!taken.Contains(member.Name))
            {
                throw NoSuchMember(member.Name);
            }
        }
    }

    internal static RejectionException Missing(string name)
    {
        var rejection = RejectionException.Schema("required", $"the member `{name}` is missing");
        rejection.Within(name);
        return rejection;
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

    private bool Take(string name, out JsonElement value)
    {
        var found = element.TryGetProperty(name, out value);
        if (found)
        {
            taken.Add(name);
        }

        return found;
    }
}

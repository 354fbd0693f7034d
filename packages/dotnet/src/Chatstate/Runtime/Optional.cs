using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>A member that may be absent, null, or a value: three different things.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
[Serializable]
[JsonConverter(typeof(OptionalConverterFactory))]
public readonly record struct Optional<T> : ISystemTextJsonOnly, IOptional
    where T : notnull
{
    private readonly T? value;
    private readonly State state;

    private Optional(State state, T? value)
    {
        this.state = state;
        this.value = value;
    }

    private enum State
    {
        Absent,
        Null,
        Value,
    }

    /// <summary>A member that is not there, which is also the default.</summary>
    public static Optional<T> Absent => default;

    /// <summary>A member that is <c>null</c>.</summary>
    public static Optional<T> Null => new(State.Null, default);

    /// <summary>Whether the member is not there.</summary>
    public bool IsAbsent => state == State.Absent;

    /// <summary>Whether the member is <c>null</c>.</summary>
    public bool IsNull => state == State.Null;

    /// <summary>Whether the member has a value.</summary>
    public bool HasValue => state == State.Value;

    /// <summary>The value.</summary>
    /// <exception cref="InvalidOperationException">The member is absent or null.</exception>
    public T Value => TryGetValue(out var held)
        ? held
        : throw new InvalidOperationException("the member has no value; ask `HasValue` first");

    JsonConverter IOptional.Converter => new OptionalConverter<T>();

    /// <summary>Makes a member that has a value.</summary>
    public static implicit operator Optional<T>(T value) => Of(value);

    /// <summary>
    /// Makes a member that has a value. C# converts no interfaces by itself, so a list needs this.
    /// </summary>
    public static Optional<T> Of(T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return new(State.Value, value);
    }

    /// <summary>The value, or the default of its type where the member is absent or null.</summary>
    public T? GetValueOrDefault() => value;

    /// <summary>Gives the value if the member has one.</summary>
    public bool TryGetValue([MaybeNullWhen(false)] out T held)
    {
        held = value;
        return HasValue;
    }

    /// <summary>The value as text, <c>null</c>, or nothing.</summary>
    public override string ToString() => state switch
    {
        State.Absent => "",
        State.Null => "null",
        _ => value?.ToString() ?? "",
    };
}

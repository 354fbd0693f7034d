using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate;

/// <summary>
/// Lets <see cref="JsonSerializer"/> read and write a member of another type that is an <see cref="Optional{T}"/>.
/// </summary>
public sealed class OptionalConverterFactory : JsonConverterFactory
{
    /// <inheritdoc/>
    public override bool CanConvert(System.Type typeToConvert)
    {
        ArgumentNullException.ThrowIfNull(typeToConvert);
        return typeToConvert.IsGenericType && typeToConvert.GetGenericTypeDefinition() == typeof(Optional<>);
    }

    /// <inheritdoc/>
    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage(
        "Trimming", "IL2067", Justification = "No constructor makes the value, so that none has to be kept.")]
    public override JsonConverter CreateConverter(System.Type typeToConvert, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(typeToConvert);
        // Where code is compiled ahead, there is the code of the type, and not that of a generic type made from its name.
        var absent = System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeToConvert);
        return ((IOptional)absent).Converter;
    }
}

/// <summary>A value that knows what reads and writes its type.</summary>
internal interface IOptional
{
    /// <summary>What reads and writes values of the type.</summary>
    JsonConverter Converter { get; }
}

/// <summary>
/// Lets <see cref="JsonSerializer"/> read and write an <see cref="Optional{T}"/>: null as <c>null</c>, and a value as
/// itself. Programs without reflection name it at the member.
/// </summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class OptionalConverter<T> : JsonConverter<Optional<T>>
    where T : notnull
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override Optional<T> Read(ref Utf8JsonReader reader, System.Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Null
            ? Optional<T>.Null
            : JsonSerializer.Deserialize(ref reader, Info(options)) is { } value ? value : Optional<T>.Null;

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Optional<T> value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        if (value.IsAbsent)
        {
            throw new NotSupportedException(
                "a member that is absent has no JSON; put `[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]` "
                    + "on the property, so that it is left out.");
        }

        if (value.TryGetValue(out var held))
        {
            JsonSerializer.Serialize(writer, held, Info(options));
        }
        else
        {
            writer.WriteNullValue();
        }
    }

    private static JsonTypeInfo<T> Info(JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }
}

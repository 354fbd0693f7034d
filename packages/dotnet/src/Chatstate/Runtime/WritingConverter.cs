using System;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>
/// Lets <see cref="JsonSerializer"/> write what is computed, with the names of its own writer. It is not read, since
/// it can be computed again.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
public sealed class WritingConverter<T> : JsonConverter<T>
    where T : IJsonWritable
{
    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, System.Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException(
            $"a `{typeof(T).Name}` is not read, since it is computed or may be of any type; read what it is of.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        value.WriteTo(writer);
    }
}

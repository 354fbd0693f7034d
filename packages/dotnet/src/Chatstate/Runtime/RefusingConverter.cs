using System;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>
/// Lets <see cref="JsonSerializer"/> say what to do with a type that is more than its data, in the place of losing
/// the rest of it.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="sentence">Why it is not read and written, and what to do.</param>
public abstract class RefusingConverter<T>(string sentence) : JsonConverter<T>
{
    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, System.Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException(sentence);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) =>
        throw new NotSupportedException(sentence);
}

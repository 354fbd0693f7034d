using System;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>Lets <see cref="JsonSerializer"/> read and write a type that reads and writes itself.</summary>
/// <typeparam name="T">The type.</typeparam>
public sealed class GeneratedConverter<T> : JsonConverter<T>
    where T : IJsonType<T>
{
    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, System.Type typeToConvert, JsonSerializerOptions options)
    {
        var element = JsonElement.ParseValue(ref reader);
        JsonChecker.Check(System.Runtime.InteropServices.JsonMarshal.GetRawUtf8Value(element));
        return T.FromElement(element);
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        value.WriteTo(writer);
    }
}

using System;
using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Chatstate;

/// <summary>Values of the package as parsed values, without a look at what they are known to keep.</summary>
internal static class JsonWriting
{
    /// <summary>How values are written that are read again here.</summary>
    public static readonly JsonWriterOptions Options = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
        MaxDepth = int.MaxValue,
    };

    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = int.MaxValue };

    public static JsonElement Element<T>(T value, Action<Utf8JsonWriter, T> write)
    {
        var buffer = new ArrayBufferWriter<byte>(1024);
        using (var writer = new Utf8JsonWriter(buffer, Options))
        {
            write(writer, value);
        }

        return Parse(buffer.WrittenSpan);
    }

    public static JsonElement Parse(ReadOnlySpan<byte> written) => JsonElement.Parse(written, Deep);
}

using System;
using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace Chatstate;

/// <summary>Whole texts: how they are checked and parsed, and how they are written.</summary>
internal static class JsonText
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly JsonWriterOptions WriterOptions = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        // Generated code opens and closes in pairs, and documents may nest deeper than the default.
        SkipValidation = true,
        MaxDepth = int.MaxValue,
    };

    public static T Read<T>(string json)
        where T : IJsonType<T> => Read(json, T.FromElement);

    public static T Read<T>(ReadOnlySpan<byte> utf8Json)
        where T : IJsonType<T> => Read(utf8Json, T.FromElement);

    public static T Read<T>(string json, Func<JsonElement, T> read) => read(Parse(json));

    public static T Read<T>(ReadOnlySpan<byte> utf8Json, Func<JsonElement, T> read) => read(Parse(utf8Json));

    public static JsonElement Parse(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        byte[] utf8Json;
        try
        {
            utf8Json = Strict.GetBytes(json);
        }
        catch (EncoderFallbackException)
        {
            throw new RejectionException(
                RejectionClass.Syntax, "unpaired-surrogate", "the text itself holds an unpaired surrogate");
        }

        return Parse(utf8Json);
    }

    public static JsonElement Parse(ReadOnlySpan<byte> utf8Json)
    {
        if (!Utf8.IsValid(utf8Json))
        {
            throw new RejectionException(
                RejectionClass.Syntax, "utf-8", "the document is not UTF-8; save it as UTF-8");
        }

        if (utf8Json.StartsWith("\uFEFF"u8))
        {
            throw new RejectionException(
                RejectionClass.Syntax,
                "byte-order-mark",
                "the document begins with a byte order mark; save it as UTF-8 without one");
        }

        JsonChecker.Check(utf8Json);
        return JsonElement.Parse(utf8Json, new JsonDocumentOptions { MaxDepth = JsonChecker.MaxDepth });
    }

    public static string Write<T>(T value)
        where T : IJsonType<T> => Write(value, static (writer, value) => value.WriteTo(writer));

    public static string Write<T>(T value, Action<Utf8JsonWriter, T> write) =>
        System.Text.Encoding.UTF8.GetString(Written(value, write).WrittenSpan);

    /// <summary>The text of a document in UTF-8.</summary>
    public static ReadOnlyMemory<byte> WriteUtf8(IJsonWritable document) =>
        Written(document, static (writer, document) => document.WriteTo(writer)).WrittenMemory;

    /// <summary>Writes the text of a document in UTF-8, and nothing of one that is rejected.</summary>
    public static void Write(IBufferWriter<byte> utf8Json, IJsonWritable document)
    {
        using var text = new StagedText();
        Write(text, document);
        text.CopyTo(utf8Json);
    }

    /// <summary>Rejects a document that cannot be written.</summary>
    public static void Check(IJsonWritable document)
    {
        using var text = new StagedText();
        Write(text, document);
    }

    private static void Write(StagedText text, IJsonWritable document)
    {
        using var writer = new Utf8JsonWriter(text, WriterOptions);
        document.WriteTo(writer);
    }

    private static ArrayBufferWriter<byte> Written<T>(T value, Action<Utf8JsonWriter, T> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, WriterOptions))
        {
            write(writer, value);
        }

        return buffer;
    }
}

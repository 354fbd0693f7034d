using System;
using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>Names messages by their texts, which takes less than to name their values, and by their values.</summary>
internal sealed class Spellings
{
    private readonly ArrayBufferWriter<byte> buffer = new(4096);
    private readonly Utf8JsonWriter writer;
    private char[] text = new char[1024];

    /// <summary>The content of the message that was named last, if that is one text.</summary>
    private ValueDigest? body;

    public Spellings() => writer = new(buffer, JsonWriting.Options);

    /// <summary>The digest of a message's text.</summary>
    public ValueDigest Of(Message message)
    {
        // The content is the most of nearly every message, and has a digest as it is.
        body = message.Body is { } content ? ValueDigest.OfText(content) : null;
        buffer.ResetWrittenCount();
        writer.Reset();
        (body is null ? message : message.WithoutBody()).WriteTo(writer);
        writer.Flush();
        return ValueDigest.OfBytes(buffer.WrittenSpan).WithItem(body ?? default);
    }

    /// <summary>The digest of the value of the message that was named last.</summary>
    public ValueDigest Value()
    {
        var reader = new Utf8JsonReader(buffer.WrittenSpan, new JsonReaderOptions { MaxDepth = JsonChecker.MaxDepth + 1 });
        reader.Read();
        var digest = default(ValueDigest);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var isBody = body is not null && reader.ValueTextEquals("content"u8);
            var name = Text(ref reader);
            reader.Read();
            var value = Read(ref reader);
            digest = digest.WithMember(name, isBody ? body!.Value : value);
        }

        return digest.Tagged('o');
    }

    /// <summary>The digest of the value that begins here.</summary>
    private ValueDigest Read(ref Utf8JsonReader reader)
    {
        var digest = default(ValueDigest);
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject:
                while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
                {
                    var name = Text(ref reader);
                    reader.Read();
                    digest = digest.WithMember(name, Read(ref reader));
                }

                return digest.Tagged('o');
            case JsonTokenType.StartArray:
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                {
                    digest = digest.WithItem(Read(ref reader));
                }

                return digest.Tagged('a');
            case JsonTokenType.String:
                return Text(ref reader);
            case JsonTokenType.Number:
                return ValueDigest.OfNumber(JsonNumber.OfGrammatical(Encoding.UTF8.GetString(reader.ValueSpan)));
            default:
                return ValueDigest.OfWord(reader.TokenType switch
                {
                    JsonTokenType.True => JsonValueKind.True,
                    JsonTokenType.False => JsonValueKind.False,
                    _ => JsonValueKind.Null,
                });
        }
    }

    private ValueDigest Text(ref Utf8JsonReader reader)
    {
        if (text.Length < reader.ValueSpan.Length)
        {
            text = new char[reader.ValueSpan.Length * 2];
        }

        var length = reader.CopyString(text);
        return ValueDigest.OfText(text.AsSpan(0, length));
    }
}

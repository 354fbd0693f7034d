using System.Buffers;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// The text of a message, to compare it with messages that are held. A chat sends its history again with every run,
/// and for what is equal no tree is built.
/// </summary>
internal sealed class MessageText
{
    private const string Content = "content";

    private readonly ArrayBufferWriter<byte> buffer = new(1024);
    private readonly Utf8JsonWriter writer;

    public MessageText() => writer = new(buffer, JsonWriting.Options);

    /// <summary>The message as a thread keeps it: the held one if it has the same value.</summary>
    public ThreadMessage Read(Message message, ThreadMessage? held)
    {
        if (held is not null && IsEqual(message, held))
        {
            return held;
        }

        Write(message);
        return new(JsonTree.Of(JsonWriting.Parse(buffer.WrittenSpan)));
    }

    /// <summary>Whether a message has the value of one that is held.</summary>
    public bool IsEqual(Message message, ThreadMessage held)
    {
        // Most of a message is its content, which is compared as it is.
        var body = message.Body;
        if (body is not null && held.Value.TextOf(Content) != body)
        {
            return false;
        }

        Write(body is null ? message : message.WithoutBody());
        var reader = new Utf8JsonReader(buffer.WrittenSpan, new JsonReaderOptions { MaxDepth = int.MaxValue });
        return reader.Read() && AreMembersEqual(ref reader, held.Value, body is null ? null : Content);
    }

    private static bool IsEqual(ref Utf8JsonReader reader, JsonTree value) => reader.TokenType switch
    {
        JsonTokenType.StartObject => AreMembersEqual(ref reader, value, null),
        JsonTokenType.StartArray => AreItemsEqual(ref reader, value),
        JsonTokenType.String => value.Text is { } text && IsText(ref reader, text),
        _ => value.IsEqualTo(JsonTree.Of(JsonElement.ParseValue(ref reader))),
    };

    /// <summary>Whether all members are equal; of one it is known.</summary>
    private static bool AreMembersEqual(ref Utf8JsonReader reader, JsonTree value, string? equal)
    {
        if (value.Members is not { } members)
        {
            return false;
        }

        var count = 0;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
        {
            // Members are mostly in the same order.
            var known = count < members.Count && IsText(ref reader, members.GetAt(count).Key)
                ? members.GetAt(count).Value
                : value.Member(JsonStrings.Decode(reader.ValueSpan));
            var isKnown = equal is not null && IsText(ref reader, equal);
            count++;
            reader.Read();
            if (known is null || (!isKnown && !IsEqual(ref reader, known)))
            {
                return false;
            }
        }

        return count == members.Count;
    }

    private static bool AreItemsEqual(ref Utf8JsonReader reader, JsonTree value)
    {
        if (value.Items is not { } items)
        {
            return false;
        }

        var count = 0;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (count == items.Count || !IsEqual(ref reader, items[count]))
            {
                return false;
            }

            count++;
        }

        return count == items.Count;
    }

    /// <summary>Whether a string or a name is a text. Escapes may stand for unpaired surrogates.</summary>
    private static bool IsText(ref Utf8JsonReader reader, string text) =>
        reader.ValueIsEscaped ? JsonStrings.Decode(reader.ValueSpan) == text : reader.ValueTextEquals(text);

    private void Write(Message message)
    {
        buffer.ResetWrittenCount();
        writer.Reset();
        message.WriteTo(writer);
        writer.Flush();
    }
}

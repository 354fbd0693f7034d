using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>What a run changed in the messages, so that those before it need not be kept.</summary>
internal sealed class ThreadChanges
{
    /// <summary>The places that changed, of messages that were there before the run.</summary>
    private readonly MessagePlace[] places = [];

    /// <summary>The messages that were at these places, unless they are packed; none where there was none.</summary>
    private ThreadMessage?[] messages = [];

    private PackedText? packed;

    /// <summary>The changes of a run that changed what was at these places.</summary>
    public ThreadChanges(long firstAppended, Dictionary<MessagePlace, ThreadMessage?> changed)
    {
        FirstAppended = firstAppended;
        (places, messages) = ([.. changed.Keys], [.. changed.Values]);
    }

    /// <summary>The changes of a run after which the places are others.</summary>
    public ThreadChanges(MessageThread whole) => Whole = whole;

    /// <summary>The run appended the messages from this rank on.</summary>
    public long FirstAppended { get; }

    /// <summary>The messages before the run, if their places are others now.</summary>
    public MessageThread? Whole { get; }

    /// <summary>Keeps the messages as text in little memory.</summary>
    public void Pack(PackedTexts texts)
    {
        if (messages.Length > 0)
        {
            packed = texts.Add(WriteMessages);
            messages = [];
        }
    }

    /// <summary>By the places that changed, the message that was there.</summary>
    public IEnumerable<(MessagePlace Place, ThreadMessage? Message)> Messages() =>
        places.Zip(packed is null ? messages : packed.Element().EnumerateArray().Select(Read));

    private static ThreadMessage? Read(JsonElement message) =>
        message.ValueKind == JsonValueKind.Null ? null : new(JsonTree.Of(message));

    private void WriteMessages(Utf8JsonWriter writer)
    {
        writer.WriteStartArray();
        foreach (var message in messages)
        {
            if (message is null)
            {
                writer.WriteNullValue();
            }
            else
            {
                message.Value.WriteTo(writer);
            }
        }

        writer.WriteEndArray();
    }
}

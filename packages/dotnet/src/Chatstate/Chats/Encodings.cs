using System;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <content>The encoded form of a chat state.</content>
public sealed partial class ChatState
{
    /// <summary>
    /// The encoded form: each state in it is the Base64 of its canonical form. This discourages editing
    /// by hand and protects nothing. A sealed chat state is rejected, since its seal says nothing of the
    /// encoded form.
    /// </summary>
    /// <exception cref="RejectionException">The chat state is sealed.</exception>
    public EncodedChatState Encode()
    {
        Encodings.RejectSealed(Seal);
        return new EncodedChatState
        {
            SchemaVersion = SchemaVersion,
            History = Encodings.Encode(JsonText.Write(History, Encodings.WriteHistory)),
            Participants = Participants?.Select(participant => Encodings.Encode(participant.ToJson())).ToList(),
            Channels = Channels.Select(Encodings.Encode).ToList(),
            ExtensionData = ExtensionData,
        };
    }
}

/// <content>The plain form of an encoded chat state.</content>
public sealed partial class EncodedChatState
{
    /// <summary>The plain form: what was encoded. A sealed chat state is rejected, as in encoding.</summary>
    /// <exception cref="RejectionException">The chat state is sealed, or does not encode what it should.</exception>
    public ChatState Decode()
    {
        Encodings.RejectSealed(Seal);
        var state = new ChatState
        {
            SchemaVersion = SchemaVersion,
            History = Encodings.Decode("/history", History, Encodings.ReadHistory),
            Participants = Participants?
                .Select((text, index) => Encodings.Decode($"/participants/{index}", text, Participant.FromElement))
                .ToList(),
            Channels = Channels.Select(Encodings.Decode).ToList(),
            ExtensionData = ExtensionData,
        };
        Encodings.CheckDepth(state);
        return state;
    }
}

/// <summary>What both directions share.</summary>
internal static class Encodings
{
    public static void WriteHistory(Utf8JsonWriter writer, System.Collections.Generic.IList<ChatMessage> history) =>
        JsonWrite.List(writer, history, JsonWrite.Value);

    public static System.Collections.Generic.IList<ChatMessage> ReadHistory(JsonElement element) =>
        JsonRead.List(element, ChatMessage.FromElement);

    public static string Encode(string json) =>
        Convert.ToBase64String(Encoding.UTF8.GetBytes(CanonicalJson.Of(JsonText.Parse(json))));

    public static EncodedChannelState Encode(ChannelState channel) => new()
    {
        Channelkey = channel.Channelkey,
        Channeltype = channel.Channeltype,
        Channelstate = Encode(channel.Channelstate.GetRawText()),
        ExtensionData = channel.ExtensionData,
    };

    public static ChannelState Decode(EncodedChannelState channel, int index) => new()
    {
        Channelkey = channel.Channelkey,
        Channeltype = channel.Channeltype,
        Channelstate = Decode($"/channels/{index}/channelstate", channel.Channelstate, JsonRead.Any),
        ExtensionData = channel.ExtensionData,
    };

    /// <summary>
    /// What one text encodes. A rejection of what is inside is at the text, which is the place that the
    /// document has.
    /// </summary>
    public static T Decode<T>(string at, string text, Func<JsonElement, T> read)
    {
        try
        {
            return JsonText.Read(Convert.FromBase64String(text), read);
        }
        catch (FormatException)
        {
            throw new RejectionException(
                RejectionClass.Schema,
                "pattern",
                "must be Base64 of RFC 4648 section 4, with padding and without line breaks",
                at);
        }
        catch (RejectionException rejection)
        {
            var sentence = $"what is encoded here is rejected: {rejection.Message}";
            throw new RejectionException(rejection.Class, rejection.Rule, sentence, at);
        }
    }

    public static void RejectSealed(Seal? seal)
    {
        if (seal is not null)
        {
            throw new RejectionException(
                RejectionClass.Semantic,
                "encoding.sealed",
                "a seal holds for one form of a document only; take it off before the form changes, and seal the new form",
                "/seal");
        }
    }

    /// <summary>States that are read one by one may be too deep together.</summary>
    public static void CheckDepth(ChatState state)
    {
        try
        {
            JsonChecker.Check(JsonText.WriteUtf8(state).Span);
        }
        catch (RejectionException rejection)
        {
            throw new RejectionException(rejection.Class, rejection.Rule, rejection.Message);
        }
    }
}

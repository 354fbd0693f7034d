using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What a snapshot may leave where it is: activities and reasoning.</summary>
internal enum MessageClass
{
    /// <summary>Messages that every snapshot restates.</summary>
    Conversation,

    /// <summary>Activities, which a snapshot without any leaves alone.</summary>
    Activities,

    /// <summary>Reasoning, which a snapshot without any leaves alone.</summary>
    Reasoning,
}

/// <summary>A message as events build it: its members in the order in which they came.</summary>
/// <param name="value">The message, which is an object.</param>
internal sealed class ThreadMessage(JsonTree value)
{
    public JsonTree Value => value;

    public string? Id { get; } = value.TextOf("id");

    public string? Role { get; } = value.TextOf("role");

    /// <summary>Whether copies of the thread have the message too, so that nobody may change it.</summary>
    public bool IsShared { get; set; }

    public bool IsActivity => Role == "activity";

    public MessageClass Class => Role switch
    {
        "activity" => MessageClass.Activities,
        "reasoning" => MessageClass.Reasoning,
        _ => MessageClass.Conversation,
    };

    /// <summary>The ids of its tool calls, each with its place among them.</summary>
    public IEnumerable<(int Place, string Id)> Calls =>
        value.Member("toolCalls")?.Items is { } calls
            ? calls.Select((call, place) => (Place: place, Id: call.TextOf("id")!)).Where(call => call.Id is not null)
            : [];

    public ThreadMessage Copy() => new(value.Copy());
}

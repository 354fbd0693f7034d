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
/// <param name="owner">What the only thread is known by that has the message and may change it; else none.</param>
internal sealed class ThreadMessage(JsonTree value, object? owner = null)
{
    public JsonTree Value => value;

    public object? Owner => owner;

    public string? Id { get; } = value.TextOf("id");

    public string? Role { get; } = value.TextOf("role");

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

    /// <summary>A message of its own, which the thread that is known by this may change.</summary>
    public ThreadMessage Copy(object by) => new(value.Copy(), by);

    public bool IsEqualTo(ThreadMessage other) => ReferenceEquals(this, other) || value.IsEqualTo(other.Value);
}

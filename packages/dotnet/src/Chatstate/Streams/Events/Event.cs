using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <content>What an event says, whatever its type, of its place among other events.</content>
public abstract partial class Event
{
    /// <summary>The type, to be told apart quickly.</summary>
    internal abstract EventKind Kind { get; }

    /// <summary>The message, tool call, step, span or subagent that it is about.</summary>
    internal virtual string? ItemId => null;

    /// <summary>The subagent that it belongs to; none for the parent agent.</summary>
    internal virtual string? Owner => null;

    /// <summary>The text that it appends to its item, if it carries any.</summary>
    internal virtual string? Streamed => null;

    /// <summary>What it says of its item, if it is a start or a chunk.</summary>
    internal virtual ItemHeads Heads => default;

    /// <summary>What it says beside, if it is an event of an item or of the state.</summary>
    internal virtual EventNotes Notes => default;

    /// <summary>The kind of item that it begins, continues or ends.</summary>
    internal ItemKind? Item => ItemOf(Kind);

    /// <summary>Whether it is a chunk, which begins, continues and ends its item by where it stands.</summary>
    internal bool IsChunk =>
        Kind is EventKind.TextMessageChunk or EventKind.ToolCallChunk or EventKind.ReasoningMessageChunk;

    /// <summary>Whether it ends a run.</summary>
    internal bool IsTerminal => Kind is EventKind.RunFinished or EventKind.RunError;

    /// <summary>An event of its own with the same values.</summary>
    internal Event Copy() => (Event)MemberwiseClone();

    internal static ItemKind? ItemOf(EventKind kind) => kind switch
    {
        EventKind.TextMessageStart or EventKind.TextMessageContent or EventKind.TextMessageEnd
            or EventKind.TextMessageChunk => ItemKind.Text,
        EventKind.ReasoningMessageStart or EventKind.ReasoningMessageContent or EventKind.ReasoningMessageEnd
            or EventKind.ReasoningMessageChunk => ItemKind.Reasoning,
        EventKind.ToolCallStart or EventKind.ToolCallArgs or EventKind.ToolCallEnd
            or EventKind.ToolCallChunk => ItemKind.ToolCall,
        EventKind.StepStarted or EventKind.StepFinished => ItemKind.Step,
        EventKind.ReasoningStart or EventKind.ReasoningEnd => ItemKind.ReasoningSpan,
        EventKind.SubagentStarted or EventKind.SubagentFinished or EventKind.SubagentError => ItemKind.Subagent,
        _ => null,
    };
}

/// <summary>What a start or a chunk says of its item.</summary>
internal readonly record struct ItemHeads(string? Role, string? Name, string? ToolCallName, string? ParentMessageId);

/// <summary>What events of items and of the state say beside.</summary>
internal readonly struct EventNotes(
    long? timestamp,
    JsonElement? rawEvent,
    IDictionary<string, JsonElement>? metadata,
    IDictionary<string, JsonElement>? others)
{
    public long? Timestamp => timestamp;

    public JsonElement? RawEvent => rawEvent;

    public IDictionary<string, JsonElement>? Metadata => metadata;

    /// <summary>The members that the schema does not name; null if there are none.</summary>
    public IDictionary<string, JsonElement>? Others => others is { Count: > 0 } ? others : null;
}

/// <content>A beginning of a run with another input.</content>
public sealed partial class RunStartedEvent
{
    /// <summary>The same event with an input that is changed; the input of this event stays.</summary>
    internal RunStartedEvent With(System.Action<RunAgentInput> change)
    {
        var changed = (RunStartedEvent)Copy();
        if (Input is not null)
        {
            changed.Input = Input.Copy();
            change(changed.Input);
        }

        return changed;
    }
}

/// <content>A copy to be changed.</content>
public sealed partial class RunAgentInput
{
    internal RunAgentInput Copy() => (RunAgentInput)MemberwiseClone();
}

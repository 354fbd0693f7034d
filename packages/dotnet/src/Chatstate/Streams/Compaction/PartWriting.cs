namespace Chatstate;

/// <summary>The events that compaction makes of parts.</summary>
internal static class PartWriting
{
    /// <summary>The delta event of a part, with the original event if it is the only one.</summary>
    public static Event Delta(ItemKind kind, string id, DeltaPart part)
    {
        var delta = part.Delta ?? "";
        return kind switch
        {
            ItemKind.ToolCall => new ToolCallArgsEvent
            {
                ToolCallId = id,
                Delta = delta,
                Timestamp = part.Timestamp,
                RawEvent = part.RawEvent,
                Metadata = part.Metadata,
                SubagentRunId = part.Owner,
                ExtensionData = part.Others,
            },
            ItemKind.Reasoning => new ReasoningMessageContentEvent
            {
                MessageId = id,
                Delta = delta,
                Timestamp = part.Timestamp,
                RawEvent = part.RawEvent,
                Metadata = part.Metadata,
                SubagentRunId = part.Owner,
                ExtensionData = part.Others,
            },
            _ => new TextMessageContentEvent
            {
                MessageId = id,
                Delta = delta,
                Timestamp = part.Timestamp,
                RawEvent = part.RawEvent,
                Metadata = part.Metadata,
                SubagentRunId = part.Owner,
                ExtensionData = part.Others,
            },
        };
    }

    /// <summary>The chunk that a part comes to. Only the first chunk of an item says what the item is.</summary>
    public static Event Chunk(ItemKind kind, string? id, ItemHeads heads, string? lane, DeltaPart part) => kind switch
    {
        ItemKind.ToolCall => new ToolCallChunkEvent
        {
            ToolCallId = id,
            ToolCallName = heads.ToolCallName,
            ParentMessageId = heads.ParentMessageId,
            Delta = part.ChunkDelta,
            Timestamp = part.Timestamp,
            RawEvent = part.RawEvent,
            Metadata = part.Metadata,
            SubagentRunId = lane,
            ExtensionData = part.Others,
        },
        ItemKind.Reasoning => new ReasoningMessageChunkEvent
        {
            MessageId = id,
            Delta = part.ChunkDelta,
            Timestamp = part.Timestamp,
            RawEvent = part.RawEvent,
            Metadata = part.Metadata,
            SubagentRunId = lane,
            ExtensionData = part.Others,
        },
        _ => new TextMessageChunkEvent
        {
            MessageId = id,
            Role = Role(heads),
            Name = heads.Name,
            Delta = part.ChunkDelta,
            Timestamp = part.Timestamp,
            RawEvent = part.RawEvent,
            Metadata = part.Metadata,
            SubagentRunId = lane,
            ExtensionData = part.Others,
        },
    };

    /// <summary>The start that stands for an opening chunk. What is not on the delta is kept here.</summary>
    public static Event Start(ItemKind kind, string id, ItemHeads heads, string? lane, DeltaPart opener)
    {
        var metadata = opener.HasDelta ? null : opener.Metadata;
        var others = opener.HasDelta ? null : opener.Others;
        return kind switch
        {
            ItemKind.ToolCall => new ToolCallStartEvent
            {
                ToolCallId = id,
                ToolCallName = heads.ToolCallName ?? "",
                ParentMessageId = heads.ParentMessageId,
                Timestamp = opener.Timestamp,
                Metadata = metadata,
                SubagentRunId = lane,
                ExtensionData = others,
            },
            ItemKind.Reasoning => new ReasoningMessageStartEvent
            {
                MessageId = id,
                Timestamp = opener.Timestamp,
                Metadata = metadata,
                SubagentRunId = lane,
                ExtensionData = others,
            },
            _ => new TextMessageStartEvent
            {
                MessageId = id,
                Role = Role(heads),
                Name = heads.Name,
                Timestamp = opener.Timestamp,
                Metadata = metadata,
                SubagentRunId = lane,
                ExtensionData = others,
            },
        };
    }

    /// <summary>The end of an item that chunks kept open.</summary>
    public static Event End(ItemKind kind, string id, string? lane) => kind switch
    {
        ItemKind.ToolCall => new ToolCallEndEvent { ToolCallId = id, SubagentRunId = lane },
        ItemKind.Reasoning => new ReasoningMessageEndEvent { MessageId = id, SubagentRunId = lane },
        _ => new TextMessageEndEvent { MessageId = id, SubagentRunId = lane },
    };

    private static TextMessageRole? Role(ItemHeads heads) => heads.Role is { } role ? TextMessageRole.Of(role) : null;
}

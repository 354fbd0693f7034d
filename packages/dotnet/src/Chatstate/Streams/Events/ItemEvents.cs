namespace Chatstate;

/// <content>What it says of its place.</content>
public sealed partial class TextMessageStartEvent
{
    internal override EventKind Kind => EventKind.TextMessageStart;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override ItemHeads Heads => new(Role?.Value, Name, null, null);

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class TextMessageContentEvent
{
    internal override EventKind Kind => EventKind.TextMessageContent;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class TextMessageEndEvent
{
    internal override EventKind Kind => EventKind.TextMessageEnd;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class TextMessageChunkEvent
{
    internal override EventKind Kind => EventKind.TextMessageChunk;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override ItemHeads Heads => new(Role?.Value, Name, null, null);

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ToolCallStartEvent
{
    internal override EventKind Kind => EventKind.ToolCallStart;

    internal override string? ItemId => ToolCallId;

    internal override string? Owner => SubagentRunId;

    internal override ItemHeads Heads => new(null, null, ToolCallName, ParentMessageId);

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ToolCallArgsEvent
{
    internal override EventKind Kind => EventKind.ToolCallArgs;

    internal override string? ItemId => ToolCallId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ToolCallEndEvent
{
    internal override EventKind Kind => EventKind.ToolCallEnd;

    internal override string? ItemId => ToolCallId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ToolCallChunkEvent
{
    internal override EventKind Kind => EventKind.ToolCallChunk;

    internal override string? ItemId => ToolCallId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override ItemHeads Heads => new(null, null, ToolCallName, ParentMessageId);

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningMessageStartEvent
{
    internal override EventKind Kind => EventKind.ReasoningMessageStart;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningMessageContentEvent
{
    internal override EventKind Kind => EventKind.ReasoningMessageContent;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningMessageEndEvent
{
    internal override EventKind Kind => EventKind.ReasoningMessageEnd;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningMessageChunkEvent
{
    internal override EventKind Kind => EventKind.ReasoningMessageChunk;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override string? Streamed => Delta;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ToolCallResultEvent
{
    internal override EventKind Kind => EventKind.ToolCallResult;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

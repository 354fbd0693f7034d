namespace Chatstate;

/// <content>What it says of its place.</content>
public sealed partial class StateSnapshotEvent
{
    internal override EventKind Kind => EventKind.StateSnapshot;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class StateDeltaEvent
{
    internal override EventKind Kind => EventKind.StateDelta;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class MessagesSnapshotEvent
{
    internal override EventKind Kind => EventKind.MessagesSnapshot;
}

/// <content>What it says of its place.</content>
public sealed partial class ActivitySnapshotEvent
{
    internal override EventKind Kind => EventKind.ActivitySnapshot;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ActivityDeltaEvent
{
    internal override EventKind Kind => EventKind.ActivityDelta;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;

    internal override EventNotes Notes => new(Timestamp, RawEvent, Metadata, ExtensionData);
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningStartEvent
{
    internal override EventKind Kind => EventKind.ReasoningStart;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningEndEvent
{
    internal override EventKind Kind => EventKind.ReasoningEnd;

    internal override string? ItemId => MessageId;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningEncryptedValueEvent
{
    internal override EventKind Kind => EventKind.ReasoningEncryptedValue;

    internal override string? ItemId => EntityId;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class RawEvent
{
    internal override EventKind Kind => EventKind.Raw;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class CustomEvent
{
    internal override EventKind Kind => EventKind.Custom;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class UnknownEvent
{
    internal override EventKind Kind => EventKind.Unknown;
}

namespace Chatstate;

/// <content>What it says of its place.</content>
public sealed partial class RunStartedEvent
{
    internal override EventKind Kind => EventKind.RunStarted;
}

/// <content>What it says of its place.</content>
public sealed partial class RunFinishedEvent
{
    internal override EventKind Kind => EventKind.RunFinished;
}

/// <content>What it says of its place.</content>
public sealed partial class RunErrorEvent
{
    internal override EventKind Kind => EventKind.RunError;
}

/// <content>What it says of its place.</content>
public sealed partial class StepStartedEvent
{
    internal override EventKind Kind => EventKind.StepStarted;

    internal override string? ItemId => StepName;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class StepFinishedEvent
{
    internal override EventKind Kind => EventKind.StepFinished;

    internal override string? ItemId => StepName;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class SubagentStartedEvent
{
    internal override EventKind Kind => EventKind.SubagentStarted;

    internal override string? ItemId => SubagentRunId;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class SubagentFinishedEvent
{
    internal override EventKind Kind => EventKind.SubagentFinished;

    internal override string? ItemId => SubagentRunId;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class SubagentErrorEvent
{
    internal override EventKind Kind => EventKind.SubagentError;

    internal override string? ItemId => SubagentRunId;

    internal override string? Owner => SubagentRunId;
}

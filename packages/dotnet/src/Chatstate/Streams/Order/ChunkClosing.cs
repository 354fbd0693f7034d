namespace Chatstate;

/// <summary>The chunk items that an event closes by standing where it does.</summary>
internal enum ClosedChunks
{
    /// <summary>None; chunks decide for themselves.</summary>
    Nothing,

    /// <summary>What the lane of its subagent, or of the parent agent, has open.</summary>
    Lane,

    /// <summary>What all lanes have open.</summary>
    All,
}

/// <summary>Tells which chunk items events close.</summary>
internal static class ChunkClosing
{
    public static ClosedChunks Of(EventKind kind) => kind switch
    {
        EventKind.RunStarted or EventKind.RunFinished or EventKind.RunError
            or EventKind.MessagesSnapshot => ClosedChunks.All,
        EventKind.TextMessageChunk or EventKind.ToolCallChunk or EventKind.ReasoningMessageChunk or EventKind.Raw
            or EventKind.ActivitySnapshot or EventKind.ActivityDelta or EventKind.ReasoningEncryptedValue
            or EventKind.SubagentStarted or EventKind.Unknown => ClosedChunks.Nothing,
        _ => ClosedChunks.Lane,
    };
}

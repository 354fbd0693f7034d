namespace Chatstate;

/// <summary>
/// The ids that an event writes, and the kind of item on whose behalf. Deltas that are joined write nothing
/// where they stood, since they do not stay there.
/// </summary>
internal readonly record struct Writes(ItemKind? Kind, string? First, string? Second)
{
    /// <summary>What a delta or the end of an item writes: those of a tool call reach nothing else.</summary>
    public static Writes OfProgress(ItemKind kind, string id) =>
        new(kind, kind == ItemKind.ToolCall ? null : id, null);

    /// <summary>What the beginning of an item writes.</summary>
    public static Writes OfBeginning(ItemKind kind, string id, string? parent) => new(kind, id, parent);

    /// <summary>What an event that stays in its place writes.</summary>
    public static Writes Of(Event written) => written.Kind switch
    {
        EventKind.TextMessageStart or EventKind.TextMessageContent or EventKind.TextMessageEnd
            or EventKind.ReasoningMessageStart or EventKind.ReasoningMessageContent
            or EventKind.ReasoningMessageEnd => new(written.Item, written.ItemId, null),
        EventKind.ToolCallResult or EventKind.ActivitySnapshot or EventKind.ActivityDelta
            or EventKind.ReasoningStart or EventKind.ReasoningEnd
            or EventKind.ReasoningEncryptedValue => new(null, written.ItemId, null),
        EventKind.ToolCallStart => new(ItemKind.ToolCall, written.ItemId, written.Heads.ParentMessageId),
        _ => default,
    };
}

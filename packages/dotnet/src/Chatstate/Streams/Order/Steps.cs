namespace Chatstate;

/// <summary>What an event says of the item that it begins.</summary>
/// <param name="Kind">The kind of item.</param>
/// <param name="Id">The item.</param>
/// <param name="Owner">The subagent that the event names; of a subagent, its parent.</param>
/// <param name="Heads">What it says of its item.</param>
internal readonly record struct Beginning(ItemKind Kind, string Id, string? Owner, ItemHeads Heads);

/// <summary>What an event says of the item that it continues or ends.</summary>
internal readonly record struct ItemPart(ItemKind Kind, string Id, string? Owner);

/// <summary>
/// Takes what events do to items. Text and metadata are not repeated here: the caller has the event
/// at hand.
/// </summary>
internal interface ISteps
{
    /// <summary>The item is begun.</summary>
    void Begin(in Beginning beginning);

    /// <summary>The item is continued by the event's text, and by none if it has none.</summary>
    void Append(in ItemPart part);

    /// <summary>The item is continued by a chunk that says nothing.</summary>
    void Idle(in ItemPart part);

    /// <summary>The item is ended by an event of its own.</summary>
    void End(in ItemPart part);

    /// <summary>The item, which chunks kept open, is ended by an event that is about something else.</summary>
    void Close(in ItemPart part);

    /// <summary>The item, begun by the event of this index, is left open by the end of its run.</summary>
    void Left(int index, OpenItem item);
}

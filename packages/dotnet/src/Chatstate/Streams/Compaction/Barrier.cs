namespace Chatstate;

/// <summary>
/// The ids that an event writes, and the kind of item on whose behalf. Deltas that are merged write nothing
/// where they were, since they do not stay there.
/// </summary>
internal readonly record struct Writes(ItemKind? Kind, string? First, string? Second)
{
    /// <summary>What a delta or the end of an item writes: those of a tool call reach nothing else.</summary>
    public static Writes OfProgress(ItemKind kind, string id) =>
        new(kind, kind.Append() is { WritesItem: true } ? id : null, null);

    /// <summary>What the beginning of an item writes.</summary>
    public static Writes OfBeginning(ItemKind kind, string id, string? parent)
    {
        var begin = kind.Begin();
        return new(kind, begin.WritesItem ? id : null, begin.WritesParent ? parent : null);
    }

    /// <summary>What an event that stays in its place writes.</summary>
    public static Writes Of(Event written)
    {
        var role = written.EventRole;
        // A chunk that stays a chunk without an item writes to nothing.
        return role.Does == EventDoes.Chunk
            ? default
            : new(role.Item, role.WritesItem ? written.ItemId : null, role.WritesParent ? written.Parent : null);
    }
}

using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// The open texts that end in an unpaired surrogate, each with the index of the event that had it. A text and a
/// reasoning message of one id write to the same message.
/// </summary>
internal sealed class PendingSurrogates
{
    private readonly Dictionary<TextKey, int> surrogates = [];

    private readonly record struct TextKey(bool IsCall, string Id)
    {
        public static TextKey Of(ItemKind kind, string id) => new(kind == ItemKind.ToolCall, id);
    }

    /// <summary>
    /// Takes what is appended to a text. It must begin with an unpaired low surrogate exactly if the text ends with
    /// a high one.
    /// </summary>
    public Violation? Append(int index, ItemKind kind, string id, string delta)
    {
        if (delta.Length == 0)
        {
            return null;
        }

        var leading = char.IsLowSurrogate(delta[0]);
        var trailing = char.IsHighSurrogate(delta[^1]);
        if (!leading && !trailing && surrogates.Count == 0)
        {
            return null;
        }

        var before = Take(kind, id);
        if (before is not null != leading)
        {
            return Unpaired(before);
        }

        if (trailing)
        {
            surrogates[TextKey.Of(kind, id)] = index;
        }

        return null;
    }

    /// <summary>Rejects the end of a text that ends with an unpaired surrogate.</summary>
    public Violation? End(ItemKind kind, string id) => Take(kind, id) is { } surrogate ? Unpaired(surrogate) : null;

    /// <summary>Discards all, as the end of a run and a `MESSAGES_SNAPSHOT` do.</summary>
    public void Clear() => surrogates.Clear();

    /// <summary>Whether the same texts end with an unpaired surrogate in both.</summary>
    public bool StandLike(PendingSurrogates other) =>
        surrogates.Count == other.surrogates.Count && surrogates.Keys.All(other.surrogates.ContainsKey);

    public PendingSurrogates Copy()
    {
        var copy = new PendingSurrogates();
        foreach (var (text, index) in surrogates)
        {
            copy.surrogates.Add(text, index);
        }

        return copy;
    }

    private static Violation Unpaired(int? other) =>
        new("text.unpaired-surrogate", "the text holds an unpaired surrogate that nothing completes", other);

    private int? Take(ItemKind kind, string id) =>
        surrogates.Remove(TextKey.Of(kind, id), out var index) ? index : null;
}

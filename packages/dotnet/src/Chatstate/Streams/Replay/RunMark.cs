using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>What chatstate writes into the metadata of the event that begins a run.</summary>
internal static class RunMark
{
    /// <summary>The member of a run's metadata that holds the mark.</summary>
    private const string Mark = "chatstate";

    /// <summary>The member of the mark that names the runs which a prelude leaves out.</summary>
    private const string Without = "without";

    /// <summary>A member of the mark of a run.</summary>
    public static JsonElement? MemberOf(RunStartedEvent started, string name) =>
        started.Metadata is { } metadata
        && metadata.TryGetValue(Mark, out var mark)
        && mark.ValueKind == JsonValueKind.Object
        && mark.TryGetProperty(name, out var member)
            ? member
            : null;

    /// <summary>The ids of the runs that a prelude leaves out which begins so, in their order.</summary>
    public static IEnumerable<string> LeftOutBy(RunStartedEvent started) =>
        MemberOf(started, Without) is { ValueKind: JsonValueKind.Array } runIds
            ? runIds.EnumerateArray().Where(id => id.ValueKind == JsonValueKind.String).Select(JsonRead.SplitText)
            : [];

    /// <summary>The beginning of a prelude that names the runs which it leaves out.</summary>
    public static RunStartedEvent LeavingOut(RunStartedEvent started, IEnumerable<string> runIds) =>
        With(started, Without, JsonTree.OfItems(runIds.Select(JsonTree.Of)));

    /// <summary>The beginning of a run with a member of its mark, beside those that it has.</summary>
    public static RunStartedEvent With(RunStartedEvent started, string name, JsonTree member)
    {
        var metadata = MetadataFolding.Fold([], started.Metadata)!;
        var mark = metadata.TryGetValue(Mark, out var before) && before.ValueKind == JsonValueKind.Object
            ? JsonTree.Of(before)
            : JsonTree.OfTexts();
        mark.Set(name, member);
        metadata[Mark] = mark.ToElement();
        var marked = (RunStartedEvent)started.Copy();
        marked.Metadata = metadata;
        return marked;
    }
}

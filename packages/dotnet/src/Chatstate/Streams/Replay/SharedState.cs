using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// The state of a path of runs. A run takes the state of its predecessor along and changes it in place. The
/// predecessor keeps what its events did to the state, so that a second run that continues it finds it again.
/// </summary>
internal sealed class SharedState
{
    /// <summary>The patches of the run since the state was last said whole.</summary>
    private List<JsonPatch> patches = [];

    /// <summary>The last value that the run said whole; without one, the state continues the predecessor's.</summary>
    private JsonElement? whole;

    /// <summary>Where the two go once a later run has the state, if nobody else has the events.</summary>
    private readonly PackedTexts? texts;

    /// <summary>The two in less memory.</summary>
    private PackedText? packed;

    /// <summary>The state; none if a later run has it, or it is not asked for.</summary>
    private PatchApplication? value;

    private SharedState(PatchApplication? value, bool isLeftOut, bool isKnown = true, PackedTexts? texts = null)
    {
        this.texts = texts;
        this.value = value;
        IsLeftOut = isLeftOut;
        IsKnown = isKnown;
    }

    /// <summary>Whether it is not asked for.</summary>
    public bool IsLeftOut { get; }

    /// <summary>Whether no operation was left out since the state was last said whole.</summary>
    public bool IsKnown { get; private set; }

    /// <summary>Whether a run that continues here took it along.</summary>
    public bool HasMovedOn => value is null && !IsLeftOut;

    /// <summary>Whether the events of the run said the state whole.</summary>
    public bool SaysWhole { get; private set; }

    public JsonTree Value => value?.Document ?? JsonTree.OfTexts();

    /// <summary>The state before any event.</summary>
    /// <param name="texts">Where what earlier runs did to it is kept, if that is to take little memory.</param>
    public static SharedState AtFirst(PackedTexts? texts = null) =>
        new(new(JsonTree.OfTexts()), isLeftOut: false, texts: texts);

    /// <summary>A state that is not asked for.</summary>
    public static SharedState LeftOut() => new(null, isLeftOut: true);

    /// <summary>A run begins, which may copy as much as any.</summary>
    public void BeginRun()
    {
        if (value is not null)
        {
            value.Copied = 0;
        }
    }

    /// <summary>The state is another value from now on.</summary>
    public void Set(JsonElement said)
    {
        IsKnown = true;
        if (IsLeftOut)
        {
            return;
        }

        (whole, SaysWhole) = (said, true);
        patches.Clear();
        value = new(JsonTree.Of(said));
    }

    /// <summary>Applies a patch, or says why it does not apply.</summary>
    public PatchFailure? Patch(JsonPatch patch)
    {
        IsKnown &= !patch.Any(operation => operation is UnknownOperation);
        if (value is null)
        {
            return null;
        }

        patches.Add(patch);
        return value.Apply(patch);
    }

    /// <summary>Gives the state away to a run that continues here.</summary>
    public SharedState MoveOn()
    {
        var next = new SharedState(value, IsLeftOut, IsKnown, texts);
        value = null;
        if (texts is not null)
        {
            packed ??= texts.Add(WriteChanges);
            (whole, patches) = (null, []);
        }

        return next;
    }

    /// <summary>Works the state out again that was given away, from the end of the run before.</summary>
    public void Recall(SharedState? before)
    {
        var (said, done) = packed is null ? (whole, patches) : Unpacked(packed);
        value = new(said is { } state ? JsonTree.Of(state) : before?.Value.Copy() ?? JsonTree.OfTexts());
        // A patch that did not apply then does not apply now.
        done.ForEach(patch => value.Apply(patch));
    }

    private (JsonElement? Whole, List<JsonPatch> Patches) Unpacked(PackedText text)
    {
        var changes = text.Element().EnumerateArray().ToList();
        var patches = changes.Skip(SaysWhole ? 1 : 0).Select(JsonPatch.FromElement);
        return (SaysWhole ? changes[0] : null, patches.ToList());
    }

    private void WriteChanges(Utf8JsonWriter writer)
    {
        writer.WriteStartArray();
        whole?.WriteTo(writer);
        patches.ForEach(patch => patch.WriteTo(writer));
        writer.WriteEndArray();
    }
}

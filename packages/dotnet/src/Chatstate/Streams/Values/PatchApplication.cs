using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>Why a patch does not apply. The document is as it was before.</summary>
/// <param name="Operation">The position of the operation that failed.</param>
/// <param name="Reason">Why it failed.</param>
/// <param name="IsLimit">Whether it is a <c>copy</c> beyond a limit.</param>
internal sealed record PatchFailure(int Operation, string Reason, bool IsLimit)
{
    public string Sentence => $"operation {Operation} of the patch does not apply: {Reason}";

    /// <summary>The rejection of the event of this index, whose <c>copy</c> is beyond a limit.</summary>
    public RejectionException Limit(int index) => new(RejectionClass.Limit, "patch-copy", Reason, $"/{index}");
}

/// <summary>Applies JSON Patches (RFC 6902) to one document: all operations of a patch or none.</summary>
/// <param name="document">The document at first.</param>
internal sealed class PatchApplication(JsonTree document)
{
    /// <summary>
    /// The longest compact text, in bytes, that a document may have after a <c>copy</c>, and that the <c>copy</c>
    /// operations of a run may copy.
    /// </summary>
    private const long MaxCopy = 64L * 1024 * 1024;

    /// <summary>
    /// How deep a patched document may be nested: an activity stands three levels down in a <c>MESSAGES_SNAPSHOT</c>.
    /// </summary>
    private const int MaxPatchedDepth = JsonChecker.MaxDepth - 3;

    /// <summary>What takes the changes of the patch in progress back, the first change first.</summary>
    private readonly List<Action> undo = [];

    /// <summary>At most how long the document's text is; unknown until a <c>copy</c> makes it matter.</summary>
    private long? bound;

    public JsonTree Document { get; private set; } = document;

    /// <summary>How many bytes of compact text this run has copied, whether its patches applied or not.</summary>
    public long Copied { get; set; }

    /// <summary>Applies a patch, or says why it does not apply.</summary>
    public PatchFailure? Apply(IReadOnlyList<PatchOperation> patch)
    {
        undo.Clear();
        for (var index = 0; index < patch.Count; index++)
        {
            var reason = NoPointer(patch[index]);
            var limit = reason is null ? Expect(patch[index]) : null;
            reason ??= limit ?? Step(patch[index]);
            limit ??= reason is null && patch[index] is CopyOperation ? TooLong() : null;
            reason ??= limit;
            if (reason is null)
            {
                continue;
            }

            TakeBack();
            return new(index, reason, limit is not null);
        }

        return null;
    }

    private void TakeBack()
    {
        for (var index = undo.Count - 1; index >= 0; index--)
        {
            undo[index]();
        }
    }

    /// <summary>What is wrong with an operation, or nothing once it is done.</summary>
    private string? Step(PatchOperation operation) => operation switch
    {
        AddOperation add => Insert(add.Path, JsonTree.Of(add.Value)),
        RemoveOperation remove => Take(remove.Path, out _),
        ReplaceOperation replace => Put(replace.Path, JsonTree.Of(replace.Value)),
        MoveOperation move => Move(move.From, move.Path),
        CopyOperation copy => Find(copy.From) is { } value ? Insert(copy.Path, value.Copy()) : NothingAt(copy.From),
        TestOperation test => Find(test.Path) is { } value
            ? value.IsEqualTo(JsonTree.Of(test.Value)) ? null : $"the value at `{test.Path}` is not the tested one"
            : NothingAt(test.Path),
        // What a newer version means by it is not known here; the rest of the patch holds all the same.
        _ => null,
    };

    private string? Move(string from, string path)
    {
        if (path.StartsWith(from + "/", StringComparison.Ordinal))
        {
            return $"`{from}` cannot move into itself";
        }

        return Take(from, out var value) ?? Insert(path, value!);
    }

    /// <summary><c>add</c>: a new member or item, or another value for a member that exists.</summary>
    private string? Insert(string pointer, JsonTree value)
    {
        var path = Segments(pointer);
        if (TooDeep(path, value) is { } reason)
        {
            return reason;
        }

        if (path.Length == 0)
        {
            return SetRoot(value);
        }

        var holder = Find(path[..^1]);
        if (holder?.Members is { } members)
        {
            SetMember(members, path[^1], value);
            return null;
        }

        if (holder?.Items is not { } items)
        {
            return holder is null
                ? $"there is nothing that could hold `{pointer}`"
                : $"the value that holds `{pointer}` is neither an object nor an array";
        }

        var index = path[^1] == "-" ? items.Count : Index(path[^1]);
        if (index is not { } place || place > items.Count)
        {
            return $"`{pointer}` is no place in an array of {items.Count} item(s)";
        }

        items.Insert(place, value);
        undo.Add(() => items.RemoveAt(place));
        return null;
    }

    private void SetMember(OrderedDictionary<string, JsonTree> members, string name, JsonTree value)
    {
        if (members.TryGetValue(name, out var before))
        {
            undo.Add(() => members[name] = before);
        }
        else
        {
            undo.Add(() => members.Remove(name));
        }

        members[name] = value;
    }

    private string? SetRoot(JsonTree value)
    {
        var before = Document;
        undo.Add(() => Document = before);
        Document = value;
        return null;
    }

    /// <summary><c>replace</c>: another value for a place that exists.</summary>
    private string? Put(string pointer, JsonTree value)
    {
        var path = Segments(pointer);
        if (TooDeep(path, value) is { } reason)
        {
            return reason;
        }

        if (path.Length == 0)
        {
            return SetRoot(value);
        }

        var holder = Find(path[..^1]);
        if (holder?.Members is { } members && members.ContainsKey(path[^1]))
        {
            SetMember(members, path[^1], value);
            return null;
        }

        if (holder?.Items is { } items && Index(path[^1]) is { } place && place < items.Count)
        {
            var before = items[place];
            undo.Add(() => items[place] = before);
            items[place] = value;
            return null;
        }

        return NothingAt(pointer);
    }

    /// <summary><c>remove</c>, and the first half of <c>move</c>.</summary>
    private string? Take(string pointer, out JsonTree? value)
    {
        value = null;
        var path = Segments(pointer);
        if (path.Length == 0)
        {
            return "the whole document cannot be removed";
        }

        var holder = Find(path[..^1]);
        var name = path[^1];
        if (holder?.Members is { } members && members.IndexOf(name) is >= 0 and var position)
        {
            var taken = value = members[name];
            members.RemoveAt(position);
            undo.Add(() => members.Insert(position, name, taken));
            return null;
        }

        if (holder?.Items is { } items && Index(name) is { } place && place < items.Count)
        {
            var taken = value = items[place];
            items.RemoveAt(place);
            undo.Add(() => items.Insert(place, taken));
            return null;
        }

        return NothingAt(pointer);
    }

    private JsonTree? Find(string pointer) => Find(Segments(pointer));

    private JsonTree? Find(ReadOnlySpan<string> path)
    {
        var value = Document;
        foreach (var segment in path)
        {
            if (value.Members is { } members)
            {
                if (!members.TryGetValue(segment, out value!))
                {
                    return null;
                }
            }
            else if (value.Items is { } items && Index(segment) is { } index && index < items.Count)
            {
                value = items[index];
            }
            else
            {
                return null;
            }
        }

        return value;
    }

    /// <summary>Notes what an operation copies and may add to the document; the reason if it copies too much.</summary>
    private string? Expect(PatchOperation operation)
    {
        var (path, length) = operation switch
        {
            AddOperation add => (add.Path, LengthIfBound(add.Value)),
            ReplaceOperation replace => (replace.Path, LengthIfBound(replace.Value)),
            CopyOperation copy => (copy.Path, Find(copy.From)?.Length() ?? 0),
            MoveOperation move => (move.Path, 0),
            _ => (null, 0L),
        };
        if (path is not null)
        {
            // In text, a character of a name takes six bytes at most; quotes, colon and comma.
            bound += length + (6L * path.Length) + 4;
        }

        Copied += operation is CopyOperation ? length : 0;
        return Copied > MaxCopy ? Sentence("the patches of this run copy more") : null;
    }

    /// <summary>The length of a value, which only a bound needs.</summary>
    private long LengthIfBound(JsonElement value) => bound is null ? 0 : JsonTree.Of(value).Length();

    /// <summary>The reason if the document is too long after a copy. It is only looked at if it may be.</summary>
    private string? TooLong()
    {
        if (bound is null or > MaxCopy)
        {
            bound = Document.Length();
        }

        return bound > MaxCopy ? Sentence("a `copy` makes the document longer") : null;
    }

    private static string Sentence(string what) =>
        $"{what} than {MaxCopy / (1024 * 1024)} MiB; send the value with `add` instead";

    private static string? TooDeep(string[] path, JsonTree value) =>
        path.Length + value.Depth() > MaxPatchedDepth
            ? $"the document would be nested deeper than {MaxPatchedDepth} levels"
            : null;

    /// <summary>
    /// What is wrong with the pointers of an operation that a program made; a reader has checked the others.
    /// </summary>
    private static string? NoPointer(PatchOperation operation)
    {
        string[] pointers = operation switch
        {
            AddOperation add => [add.Path],
            RemoveOperation remove => [remove.Path],
            ReplaceOperation replace => [replace.Path],
            TestOperation test => [test.Path],
            MoveOperation move => [move.From, move.Path],
            CopyOperation copy => [copy.From, copy.Path],
            _ => [],
        };
        var wrong = Array.Find(pointers, pointer => pointer.Length > 0 && pointer[0] != '/');
        return wrong is null ? null : $"`{wrong}` is not a JSON pointer";
    }

    private static string NothingAt(string pointer) => $"there is nothing at `{pointer}`";

    /// <summary>The segments of a pointer, of which the schema has checked the form.</summary>
    private static string[] Segments(string pointer) =>
        pointer.Length == 0
            ? []
            : pointer[1..].Split('/').Select(segment => segment.Replace("~1", "/").Replace("~0", "~")).ToArray();

    /// <summary>The index that a segment is: digits without a leading zero.</summary>
    private static int? Index(string segment)
    {
        var isIndex = segment == "0" || (segment.Length > 0 && segment[0] != '0' && segment.All(char.IsAsciiDigit));
        return isIndex && int.TryParse(segment, NumberStyles.None, CultureInfo.InvariantCulture, out var index)
            ? index
            : null;
    }
}

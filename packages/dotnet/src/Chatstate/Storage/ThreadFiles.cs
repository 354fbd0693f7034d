using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Chatstate.Storage;

/// <summary>The files of a folder. Those with a former name are renamed when they are used.</summary>
/// <param name="folder">The folder.</param>
internal sealed class ThreadFiles(string folder)
{
    public const string Log = ".jsonl";
    public const string Snapshot = ".snapshot.json";

    private readonly object gate = new();

    /// <summary>By file, its former name; nothing before the folder was looked at.</summary>
    private Dictionary<string, string>? former;

    /// <summary>The file of a thread, by its name.</summary>
    public string PathOf(string name, string suffix)
    {
        var file = name + suffix;
        lock (gate)
        {
            former ??= FormerNames();
            if (former.TryGetValue(file, out var old))
            {
                Rename(old, file);
                former?.Remove(file);
            }
        }

        return Path.Combine(folder, file);
    }

    /// <summary>The threads that have files. Files that are of none are passed over.</summary>
    public List<string> Threads() =>
        Found().Select(found => found.Thread).Distinct().Order(StringComparer.Ordinal).ToList();

    private IEnumerable<(string File, string Thread, string Suffix)> Found()
    {
        foreach (var file in Directory.EnumerateFiles(folder).Select(path => Path.GetFileName(path)))
        {
            var suffix = new[] { Snapshot, Log }.FirstOrDefault(end => file.EndsWith(end, StringComparison.Ordinal));
            if (suffix is not null && ThreadNames.ThreadOf(file[..^suffix.Length]) is { } thread)
            {
                yield return (file, thread, suffix);
            }
        }
    }

    private Dictionary<string, string> FormerNames() => Found()
        .Where(found => found.File != ThreadNames.NameOf(found.Thread) + found.Suffix)
        .ToDictionary(found => ThreadNames.NameOf(found.Thread) + found.Suffix, found => found.File);

    private void Rename(string old, string file)
    {
        // Names are compared here, since to a file system both may be one file.
        if (Directory.EnumerateFiles(folder).Any(path => Path.GetFileName(path) == file))
        {
            // The next use looks again.
            former = null;
            throw new RejectionException(
                RejectionClass.Semantic,
                "store.two-files",
                $"`{file}` and `{old}` are of one thread; append the events of one to the other, and remove it");
        }

        try
        {
            File.Move(Path.Combine(folder, old), Path.Combine(folder, file));
        }
        catch (FileNotFoundException)
        {
            // Another process has renamed it.
        }
    }
}

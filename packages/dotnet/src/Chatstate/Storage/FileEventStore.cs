using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// Keeps events in the files of a folder: of each thread an append-only log in JSON Lines, and a snapshot beside it.
/// </summary>
/// <remarks>
/// A writer that dies leaves a torn line at the end of a log. What is after the last line feed was never
/// appended: it is not read, and the next append takes it away. One store may be used by several threads at once;
/// a folder has one writing process at a time.
/// </remarks>
[Serializable]
[JsonConverter(typeof(EventStoreConverter<FileEventStore>))]
public sealed class FileEventStore : IEventStore, ISystemTextJsonOnly
{
    private const string LogSuffix = ".jsonl";
    private const string SnapshotSuffix = ".snapshot.json";

    /// <summary>The longest name of a file without its suffix, which every file system takes.</summary>
    private const int MaxNameLength = 200;

    private readonly string folder;
    private readonly SemaphoreSlim gate = new(1, 1);

    /// <summary>By log, its length in bytes and its number of events when this store wrote it last.</summary>
    private readonly Dictionary<string, (long Length, long Count)> known = [];

    /// <summary>Makes a store in a folder, which is made if it is not there.</summary>
    public FileEventStore(string folder)
    {
        Directory.CreateDirectory(folder);
        this.folder = folder;
    }

    /// <inheritdoc/>
    public async Task<long> AppendAsync(
        string threadId, IReadOnlyList<Event> events, CancellationToken cancellationToken = default)
    {
        var path = PathOf(threadId, LogSuffix);
        var text = Encoding.UTF8.GetBytes(string.Concat(events.Select(appended => appended.ToJson() + "\n")));
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (events.Count == 0 && !File.Exists(path))
            {
                return 0;
            }

            using var log = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
            var count = await MendAsync(path, log, cancellationToken).ConfigureAwait(false);
            // From here on nothing is cancelled, so that all events are there or none.
            await log.WriteAsync(text, CancellationToken.None).ConfigureAwait(false);
            await log.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            log.Flush(flushToDisk: true);
            known[path] = (log.Length, count + events.Count);
            return count + events.Count;
        }
        finally
        {
            gate.Release();
        }
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<Event> ReadAsync(
        string threadId, long from = 0, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var path = PathOf(threadId, LogSuffix);
        if (!File.Exists(path))
        {
            yield break;
        }

        using var log = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var lines = new LogLines(log);
        for (var position = 0L; await lines.NextAsync(cancellationToken).ConfigureAwait(false) is { } line; position++)
        {
            if (position >= from)
            {
                yield return StoredEvent.Read(line, position);
            }
        }
    }

    /// <inheritdoc/>
    public async Task SaveSnapshotAsync(
        string threadId, ThreadSnapshot snapshot, CancellationToken cancellationToken = default)
    {
        var path = PathOf(threadId, SnapshotSuffix);
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // The snapshot is there whole, or the one before is.
            var written = path + ".new";
            await File.WriteAllTextAsync(written, snapshot.ToJson(), cancellationToken).ConfigureAwait(false);
            File.Move(written, path, overwrite: true);
        }
        finally
        {
            gate.Release();
        }
    }

    /// <inheritdoc/>
    public async Task<ThreadSnapshot?> LoadSnapshotAsync(string threadId, CancellationToken cancellationToken = default)
    {
        var path = PathOf(threadId, SnapshotSuffix);
        if (!File.Exists(path))
        {
            return null;
        }

        return ThreadSnapshot.FromJson(await File.ReadAllBytesAsync(path, cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<string>> ListThreadsAsync(CancellationToken cancellationToken = default)
    {
        var names = Directory.EnumerateFiles(folder).Select(path => Path.GetFileName(path)).ToList();
        var ids = Stems(names, LogSuffix)
            .Union(Stems(names, SnapshotSuffix))
            .Select(Uri.UnescapeDataString)
            .Order(StringComparer.Ordinal);
        return Task.FromResult<IReadOnlyList<string>>(ids.ToList());
    }

    private static IEnumerable<string> Stems(List<string> names, string suffix) =>
        names.Where(name => name.EndsWith(suffix, StringComparison.Ordinal)).Select(name => name[..^suffix.Length]);

    /// <summary>Takes a torn line away, goes to the end, and counts the events.</summary>
    private async Task<long> MendAsync(string path, FileStream log, CancellationToken cancellationToken)
    {
        if (known.TryGetValue(path, out var last) && last.Length == log.Length)
        {
            log.Seek(0, SeekOrigin.End);
            return last.Count;
        }

        var lines = new LogLines(log);
        var count = 0L;
        while (await lines.NextAsync(cancellationToken).ConfigureAwait(false) is not null)
        {
            count++;
        }

        log.SetLength(lines.Read);
        log.Seek(0, SeekOrigin.End);
        return count;
    }

    private string PathOf(string threadId, string suffix)
    {
        ArgumentException.ThrowIfNullOrEmpty(threadId);
        var name = string.Concat(Encoding.UTF8.GetBytes(threadId).Select(Escaped));
        return name.Length <= MaxNameLength
            ? Path.Combine(folder, name + suffix)
            : throw new ArgumentException(
                $"the id of the thread takes {name.Length} characters in the name of a file; {MaxNameLength} are the most",
                nameof(threadId));
    }

    /// <summary>
    /// One byte of an id in the name of a file. Capital letters are escaped too, since some file systems take them
    /// for small ones.
    /// </summary>
    private static string Escaped(byte part) =>
        char.IsAsciiLetterLower((char)part) || char.IsAsciiDigit((char)part) || part is (byte)'-' or (byte)'_'
            ? ((char)part).ToString()
            : string.Create(CultureInfo.InvariantCulture, $"%{part:X2}");
}

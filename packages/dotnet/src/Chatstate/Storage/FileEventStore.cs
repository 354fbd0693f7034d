using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate.Storage;

/// <summary>
/// Keeps events in the files of a folder: of each thread an append-only log in JSON Lines, and a snapshot beside it.
/// </summary>
/// <remarks>
/// An append that fails, or whose process dies, appended nothing. One store may be used by several threads at once, and
/// several processes may write to a folder; the stores of the other languages have the same files.
/// </remarks>
[Serializable]
[JsonConverter(typeof(EventStoreConverter<FileEventStore>))]
public sealed class FileEventStore : IEventStore, ISystemTextJsonOnly
{
    private readonly ThreadFiles files;
    private readonly SemaphoreSlim gate = new(1, 1);

    /// <summary>By log, its length in bytes and its number of events when this store wrote it last.</summary>
    private readonly Dictionary<string, (long Length, long Count)> known = [];

    /// <summary>Makes a store in a folder, which is made if it is not there.</summary>
    public FileEventStore(string folder)
    {
        Directory.CreateDirectory(folder);
        files = new(folder);
    }

    /// <inheritdoc/>
    public async Task<long> AppendAsync(
        string threadId, IReadOnlyList<Event> events, CancellationToken cancellationToken = default)
    {
        var name = ThreadNames.NameOf(threadId);
        var text = EventLines.Of(events);
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var path = files.PathOf(name, ThreadFiles.Log);
            if (events.Count == 0)
            {
                return (await CountAsync(path, WriterLock.AppendedLength(path), cancellationToken).ConfigureAwait(false)).Count;
            }

            return await WriterLock.HoldAsync(
                path, held => AppendAsync(path, text, events.Count, held, cancellationToken), cancellationToken).ConfigureAwait(false);
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
        var path = files.PathOf(ThreadNames.NameOf(threadId), ThreadFiles.Log);
        var length = WriterLock.AppendedLength(path);
        using var log = Opened(path);
        if (log is null)
        {
            yield break;
        }

        var lines = new LogLines(log, length);
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
        var name = ThreadNames.NameOf(threadId);
        var text = JsonText.WriteUtf8(snapshot);
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var path = files.PathOf(name, ThreadFiles.Snapshot);
            var log = files.PathOf(name, ThreadFiles.Log);
            _ = await WriterLock.HoldAsync(log, _ => ReplaceAsync(path, text), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }

    /// <inheritdoc/>
    public async Task<ThreadSnapshot?> LoadSnapshotAsync(string threadId, CancellationToken cancellationToken = default)
    {
        var path = files.PathOf(ThreadNames.NameOf(threadId), ThreadFiles.Snapshot);
        using var file = Opened(path);
        if (file is null)
        {
            return null;
        }

        using var text = new MemoryStream();
        await file.CopyToAsync(text, cancellationToken).ConfigureAwait(false);
        return ThreadSnapshot.FromJson(text.ToArray());
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<string>> ListThreadsAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult<IReadOnlyList<string>>(files.Threads());

    private async Task<long> AppendAsync(
        string path, ReadOnlyMemory<byte> text, int events, WriterLock held, CancellationToken cancellationToken)
    {
        var (length, count) = await MendAsync(path, cancellationToken).ConfigureAwait(false);
        held.Keep(length);
        // From here on nothing is cancelled, so that all events are there or none.
        using (var log = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0))
        {
            await log.WriteAsync(text, CancellationToken.None).ConfigureAwait(false);
            log.Flush(flushToDisk: true);
        }

        known[path] = (length + text.Length, count + events);
        return count + events;
    }

    /// <summary>Puts text in the place of a file: it is there whole, or what was there before is.</summary>
    private static async Task<bool> ReplaceAsync(string path, ReadOnlyMemory<byte> text)
    {
        var written = path + ".new";
        try
        {
            using (var file = new FileStream(written, FileMode.Create, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0))
            {
                await file.WriteAsync(text).ConfigureAwait(false);
                file.Flush(flushToDisk: true);
            }

            File.Move(written, path, overwrite: true);
            return true;
        }
        catch
        {
            File.Delete(written);
            throw;
        }
    }

    /// <summary>A file to be read, if it is there.</summary>
    private static FileStream? Opened(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Takes a torn line away, and gives the length of the events and their number.</summary>
    private async Task<(long Length, long Count)> MendAsync(string path, CancellationToken cancellationToken)
    {
        var length = File.Exists(path) ? new FileInfo(path).Length : 0;
        var whole = await CountAsync(path, length, cancellationToken).ConfigureAwait(false);
        if (whole.Length < length)
        {
            using var log = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            log.SetLength(whole.Length);
        }

        return whole;
    }

    /// <summary>Counts the events of a log of a length, from where they are known on.</summary>
    private async Task<(long Length, long Count)> CountAsync(string path, long length, CancellationToken cancellationToken)
    {
        var last = known.GetValueOrDefault(path);
        var (whole, count) = last.Length <= length ? last : default;
        using var log = whole < length ? Opened(path) : null;
        if (log is null)
        {
            return (whole, count);
        }

        log.Seek(whole, SeekOrigin.Begin);
        var lines = new LogLines(log, length - whole);
        while (await lines.NextAsync(cancellationToken).ConfigureAwait(false) is not null)
        {
            count++;
        }

        return (whole + lines.Read, count);
    }
}

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate.Storage;

/// <summary>
/// Keeps events in memory, as text, so that what a caller does to an event later changes nothing. It may be used by
/// several threads at once. It takes the ids that a folder takes, so that tests with it find the others.
/// </summary>
[Serializable]
[JsonConverter(typeof(EventStoreConverter<MemoryEventStore>))]
public sealed class MemoryEventStore : IEventStore, ISystemTextJsonOnly
{
    private readonly Dictionary<string, List<byte[]>> threads = [];
    private readonly Dictionary<string, byte[]> snapshots = [];
    private readonly object gate = new();

    /// <inheritdoc/>
    public Task<long> AppendAsync(
        string threadId, IReadOnlyList<Event> events, CancellationToken cancellationToken = default)
    {
        _ = ThreadNames.NameOf(threadId);
        cancellationToken.ThrowIfCancellationRequested();
        var texts = events.Select(appended => JsonText.WriteUtf8(appended).ToArray()).ToList();
        lock (gate)
        {
            var thread = threads.GetValueOrDefault(threadId) ?? [];
            thread.AddRange(texts);
            if (thread.Count > 0)
            {
                threads[threadId] = thread;
            }

            return Task.FromResult((long)thread.Count);
        }
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<Event> ReadAsync(
        string threadId, long from = 0, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        _ = ThreadNames.NameOf(threadId);
        await Task.CompletedTask.ConfigureAwait(false);
        for (var position = from; Text(threadId, position) is { } text; position++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return StoredEvent.Read(text, position);
        }
    }

    /// <inheritdoc/>
    public Task SaveSnapshotAsync(
        string threadId, ThreadSnapshot snapshot, CancellationToken cancellationToken = default)
    {
        _ = ThreadNames.NameOf(threadId);
        cancellationToken.ThrowIfCancellationRequested();
        var text = JsonText.WriteUtf8(snapshot).ToArray();
        lock (gate)
        {
            snapshots[threadId] = text;
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<ThreadSnapshot?> LoadSnapshotAsync(string threadId, CancellationToken cancellationToken = default)
    {
        _ = ThreadNames.NameOf(threadId);
        byte[]? text;
        lock (gate)
        {
            text = snapshots.GetValueOrDefault(threadId);
        }

        return Task.FromResult(text is null ? null : ThreadSnapshot.FromJson(text));
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<string>> ListThreadsAsync(CancellationToken cancellationToken = default)
    {
        lock (gate)
        {
            var ids = threads.Keys.Union(snapshots.Keys).Order(StringComparer.Ordinal).ToList();
            return Task.FromResult<IReadOnlyList<string>>(ids);
        }
    }

    private byte[]? Text(string threadId, long position)
    {
        lock (gate)
        {
            var thread = threads.GetValueOrDefault(threadId);
            return thread is not null && position >= 0 && position < thread.Count ? thread[(int)position] : null;
        }
    }
}

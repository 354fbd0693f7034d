using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate.Storage;

/// <summary>Keeps the events of threads, and of each thread at most one snapshot.</summary>
[JsonConverter(typeof(EventStoreConverter<IEventStore>))]
public interface IEventStore
{
    /// <summary>Appends events to a thread, which begins with its first event. All of them are kept, or none.</summary>
    /// <returns>The number of events that the thread has now, which is the position after the last one.</returns>
    /// <exception cref="RejectionException">
    /// No file can be named after the id (rule `store.thread-id`), or another process writes to the thread for seconds
    /// (rule `store.locked`).
    /// </exception>
    Task<long> AppendAsync(string threadId, IReadOnlyList<Event> events, CancellationToken cancellationToken = default);

    /// <summary>Reads the events of a thread from a position on. A thread that is not there has none.</summary>
    /// <exception cref="RejectionException">An event is not valid; its place is its position.</exception>
    IAsyncEnumerable<Event> ReadAsync(string threadId, long from = 0, CancellationToken cancellationToken = default);

    /// <summary>Keeps a snapshot of a thread, in the place of the one before.</summary>
    Task SaveSnapshotAsync(string threadId, ThreadSnapshot snapshot, CancellationToken cancellationToken = default);

    /// <summary>The snapshot of a thread, if there is one.</summary>
    /// <exception cref="RejectionException">The snapshot is not valid.</exception>
    Task<ThreadSnapshot?> LoadSnapshotAsync(string threadId, CancellationToken cancellationToken = default);

    /// <summary>The threads that have events or a snapshot, ordered by the code units of their ids.</summary>
    Task<IReadOnlyList<string>> ListThreadsAsync(CancellationToken cancellationToken = default);
}

/// <summary>
/// The result of the first events of a thread, such as <see cref="EventStream.Compact"/> makes them. The events from
/// the position on continue after it.
/// </summary>
/// <param name="Position">How many events of the thread it covers.</param>
/// <param name="Events">Fewer events that mean the same.</param>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<ThreadSnapshot>))]
public sealed record ThreadSnapshot(long Position, EventStream Events) : IJsonType<ThreadSnapshot>
{
    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static ThreadSnapshot FromJson(string json) => JsonText.Read<ThreadSnapshot>(json);

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(ReadOnlySpan{byte})"/>
    public static ThreadSnapshot FromJson(ReadOnlySpan<byte> utf8Json) => JsonText.Read<ThreadSnapshot>(utf8Json);

    /// <inheritdoc/>
    public static ThreadSnapshot FromElement(JsonElement element)
    {
        var members = new ObjectReader(element);
        // The stores of TypeScript had other names once.
        var isFormer = element.TryGetProperty("next", out _) && element.TryGetProperty("value", out _);
        var position = members.Required(
            isFormer ? "next"u8 : "position"u8, position => JsonRead.Integer(position, 0, long.MaxValue));
        return new ThreadSnapshot(position, members.Required(isFormer ? "value"u8 : "events"u8, EventStream.FromElement));
    }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(ThreadSnapshot? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteNumber("position", Position);
        writer.WritePropertyName("events");
        Events.WriteTo(writer);
        writer.WriteEndObject();
    }
}

/// <summary>Says what to save of a store of events.</summary>
/// <typeparam name="T">The type of the store.</typeparam>
public sealed class EventStoreConverter<T>() : RefusingConverter<T>(
    "a store is not its events; read these by `ReadAsync`, and write them.")
    where T : IEventStore;

/// <summary>Reads events one by one, wherever they are kept.</summary>
internal static class StoredEvent
{
    /// <summary>The event at a position.</summary>
    public static Event Read(byte[] utf8Json, long position)
    {
        try
        {
            return Event.FromJson(utf8Json);
        }
        catch (RejectionException rejection) when (rejection.Within(position.ToString(CultureInfo.InvariantCulture)))
        {
            throw;
        }
    }
}

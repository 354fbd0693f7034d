using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>Keeps the events of threads, and of each thread at most one snapshot.</summary>
public interface IEventStore
{
    /// <summary>Appends events to a thread, which begins with its first event. All of them are kept, or none.</summary>
    /// <returns>The number of events that the thread has now, which is the position after the last one.</returns>
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
public sealed record ThreadSnapshot(long Position, EventStream Events)
{
    internal string ToJson() => JsonText.Write(this, static (writer, snapshot) =>
    {
        writer.WriteStartObject();
        writer.WriteNumber("position", snapshot.Position);
        writer.WritePropertyName("events");
        snapshot.Events.WriteTo(writer);
        writer.WriteEndObject();
    });

    internal static ThreadSnapshot FromJson(byte[] utf8Json) => JsonText.Read(utf8Json, static element =>
    {
        var members = new ObjectReader(element);
        var position = members.Required("position", position => JsonRead.Integer(position, 0, long.MaxValue));
        return new ThreadSnapshot(position, members.Required("events", EventStream.FromElement));
    });
}

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

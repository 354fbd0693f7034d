using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Chatstate.Storage;

/// <summary>Events as JSON Lines: one event in each line of UTF-8.</summary>
public static class EventLines
{
    /// <summary>
    /// Reads events one after another, and no more of the stream than they need. The last one needs no line feed after it.
    /// </summary>
    /// <param name="utf8Lines">The lines. The stream stays open.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="RejectionException">
    /// A line is no event; <see cref="RejectionException.At"/> begins with the number of lines before it.
    /// </exception>
    public static async IAsyncEnumerable<Event> ReadAsync(
        Stream utf8Lines, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(utf8Lines);
        var lines = new LogLines(utf8Lines, long.MaxValue);
        var position = 0L;
        while (await lines.NextAsync(cancellationToken).ConfigureAwait(false) is { } line)
        {
            yield return StoredEvent.Read(line, position++);
        }

        if (lines.Unended is { Length: > 0 } last)
        {
            yield return StoredEvent.Read(last, position);
        }
    }

    /// <summary>Writes an event and a line feed. Nothing is written of an event that is rejected.</summary>
    /// <param name="utf8Lines">Where they go.</param>
    /// <param name="written">The event.</param>
    /// <exception cref="RejectionException">The event has something that readers reject.</exception>
    public static void Write(IBufferWriter<byte> utf8Lines, Event written)
    {
        ArgumentNullException.ThrowIfNull(utf8Lines);
        ArgumentNullException.ThrowIfNull(written);
        JsonText.Write(utf8Lines, written);
        utf8Lines.Write("\n"u8);
    }

    /// <summary>The lines of events.</summary>
    internal static ReadOnlyMemory<byte> Of(IEnumerable<Event> events)
    {
        ArgumentNullException.ThrowIfNull(events);
        var lines = new ArrayBufferWriter<byte>();
        foreach (var written in events)
        {
            Write(lines, written);
        }

        return lines.WrittenMemory;
    }
}

using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate.Storage;

/// <summary>The whole lines of a log. What is after the last line feed is none.</summary>
/// <param name="log">The log, where a line begins.</param>
/// <param name="rest">How many bytes from there on were appended.</param>
internal sealed class LogLines(Stream log, long rest)
{
    private long rest = rest;
    private byte[] buffer = new byte[64 * 1024];

    /// <summary>Where in the buffer the bytes that are not given yet begin and end.</summary>
    private int start;
    private int end;

    /// <summary>The number of bytes of the lines so far, with their line feeds.</summary>
    public long Read { get; private set; }

    /// <summary>What was read after the last line feed.</summary>
    public byte[] Unended => buffer[start..end];

    /// <summary>The next line without its line feed, or nothing if there is none.</summary>
    public async Task<byte[]?> NextAsync(CancellationToken cancellationToken)
    {
        var searched = start;
        while (true)
        {
            var found = Array.IndexOf(buffer, (byte)'\n', searched, end - searched);
            if (found >= 0)
            {
                var line = buffer[start..found];
                Read += found + 1 - start;
                start = found + 1;
                return line;
            }

            MakeRoom();
            searched = end;
            var room = buffer.AsMemory(end, (int)Math.Min(buffer.Length - end, rest));
            var count = await log.ReadAsync(room, cancellationToken).ConfigureAwait(false);
            if (count == 0)
            {
                return null;
            }

            rest -= count;
            end += count;
        }
    }

    /// <summary>Moves what is not given yet to the front, or takes a larger buffer.</summary>
    private void MakeRoom()
    {
        if (end < buffer.Length)
        {
            return;
        }

        var rest = buffer.AsSpan(start, end - start);
        var larger = rest.Length > buffer.Length / 2 ? new byte[buffer.Length * 2] : buffer;
        rest.CopyTo(larger);
        (buffer, start, end) = (larger, 0, rest.Length);
    }
}

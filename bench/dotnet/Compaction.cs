using System.Buffers;
using System.Diagnostics;
using Chatstate.Storage;

namespace Chatstate.Bench;

/// <summary>Compaction of a log of JSON Lines.</summary>
internal static class Compaction
{
    private const int Passes = 12;

    /// <summary>
    /// The time that the events take which are parsed already. Of several passes the fastest counts, for a compiler that learns.
    /// </summary>
    public static Dictionary<string, Dictionary<string, double>> OfParsed(string log)
    {
        var lines = File.ReadAllLines(log).Where(line => line.Length > 0).ToList();
        var best = double.PositiveInfinity;
        for (var pass = 0; pass < Passes; pass++)
        {
            var events = new EventStream(lines.Select(Event.FromJson));
            GC.Collect();
            var watch = Stopwatch.StartNew();
            _ = events.Compact();
            best = Math.Min(best, watch.Elapsed.TotalSeconds);
        }

        return new() { ["seconds"] = new() { ["compaction"] = best } };
    }

    /// <summary>The most memory that the process has at once while it compacts a file to level <c>snapshot</c>.</summary>
    public static async Task<Dictionary<string, Dictionary<string, double>>> ToSnapshots(string log, string output)
    {
        await using var input = File.OpenRead(log);
        await using var written = File.Create(output);
        var lines = new ArrayBufferWriter<byte>();
        var options = new CompactOptions { Level = CompactLevel.Snapshot };
        await foreach (var compacted in EventLines.ReadAsync(input).CompactAsync(options))
        {
            EventLines.Write(lines, compacted);
            await written.WriteAsync(lines.WrittenMemory);
            lines.ResetWrittenCount();
        }

        using var process = Process.GetCurrentProcess();
        return new() { ["bytes"] = new() { ["peak"] = process.PeakWorkingSet64, ["output"] = written.Length } };
    }
}

using System.Diagnostics;
using System.Text.Json;

namespace Chatstate.Bench;

/// <summary>Reading with the package beside reading of plain classes with the same members.</summary>
internal static class Reading
{
    /// <summary>How often each of two readers reads, in turn.</summary>
    private const int Rounds = 15;

    /// <summary>How long each reads before the clock starts, for a compiler that learns.</summary>
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(3);

    /// <summary>The median time and the allocated bytes of each reader.</summary>
    public static Dictionary<string, Dictionary<string, double>> Compared(string chat, string events)
    {
        var (chatText, eventsText) = (File.ReadAllBytes(chat), File.ReadAllBytes(events));
        var options = PlainClasses.Options();
        var chats = InTurn(
            () => ChatState.FromJson(chatText).History.Count,
            () => JsonSerializer.Deserialize<Plain.ChatState>(chatText, options)!.History.Count);
        var streams = InTurn(
            () => EventStream.FromJson(eventsText).Count,
            () => JsonSerializer.Deserialize<List<Plain.Event>>(eventsText, options)!.Count);
        var all = new Dictionary<string, Reader>
        {
            ["chat"] = chats.Ours,
            ["plainChat"] = chats.Plain,
            ["events"] = streams.Ours,
            ["plainEvents"] = streams.Plain,
        };
        return new()
        {
            ["medians"] = all.ToDictionary(reader => reader.Key, reader => reader.Value.MedianSeconds),
            ["bytes"] = all.ToDictionary(reader => reader.Key, reader => reader.Value.Allocated),
            ["results"] = all.ToDictionary(reader => reader.Key, reader => (double)reader.Value.Result),
        };
    }

    private static (Reader Ours, Reader Plain) InTurn(Func<int> ours, Func<int> plain)
    {
        var readers = (Ours: new Reader(ours), Plain: new Reader(plain));
        readers.Ours.WarmUp();
        readers.Plain.WarmUp();
        for (var round = 0; round < Rounds; round++)
        {
            readers.Ours.Read();
            readers.Plain.Read();
        }

        return readers;
    }

    /// <summary>One reader, and what its readings took. It gives the number of the messages or events that it has read.</summary>
    private sealed class Reader(Func<int> read)
    {
        private readonly List<double> seconds = [];

        public int Result { get; private set; }

        public double Allocated { get; private set; }

        public double MedianSeconds => seconds.Order().ElementAt(seconds.Count / 2);

        public void WarmUp()
        {
            var watch = Stopwatch.StartNew();
            while (watch.Elapsed < Reading.WarmUp)
            {
                _ = read();
            }
        }

        public void Read()
        {
            GC.Collect();
            var before = GC.GetAllocatedBytesForCurrentThread();
            var watch = Stopwatch.StartNew();
            Result = read();
            seconds.Add(watch.Elapsed.TotalSeconds);
            Allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }
}

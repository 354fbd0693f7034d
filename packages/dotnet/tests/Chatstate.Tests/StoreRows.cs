using System.Runtime.InteropServices;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Tests;

/// <summary>One list of scenarios, which every store of events goes through.</summary>
internal static class StoreRows
{
    /// <summary>What a store is asked, and what comes of it.</summary>
    private sealed record Scenario(string Name, string Expected, Func<IEventStore, Task<string>> Act);

    private static readonly Scenario[] Scenarios =
    [
        new("nothing is there at first", "0  none", async store =>
            $"{(await store.ListThreadsAsync()).Count} {await Read(store, "t")} {await Snapshot(store, "t")}"),
        new("events come back in their order", "3 a b c", async store =>
        {
            _ = await store.AppendAsync("t", [Mark("a"), Mark("b")]);
            return $"{await store.AppendAsync("t", [Mark("c")])} {await Read(store, "t")}";
        }),
        new("a part is read", "b c", async store =>
        {
            _ = await store.AppendAsync("t", [Mark("a"), Mark("b"), Mark("c")]);
            return await Read(store, "t", 1);
        }),
        new("nothing is after the end", "", async store =>
        {
            _ = await store.AppendAsync("t", [Mark("a")]);
            return await Read(store, "t", 7);
        }),
        new("no events make no thread", "0 0", async store =>
            $"{await store.AppendAsync("t", [])} {(await store.ListThreadsAsync()).Count}"),
        new("threads do not mix", "a | b", async store =>
        {
            _ = await store.AppendAsync("one", [Mark("a")]);
            _ = await store.AppendAsync("two", [Mark("b")]);
            return $"{await Read(store, "one")} | {await Read(store, "two")}";
        }),
        new("any text is an id", "../x | A | T é | a | con | t/1", async store =>
        {
            foreach (var id in new[] { "t/1", "../x", "T é", "con", "a", "A" })
            {
                _ = await store.AppendAsync(id, [Mark(id)]);
            }

            return string.Join(" | ", await store.ListThreadsAsync());
        }),
        new("ids of other letter case are others", "a | A", async store =>
        {
            _ = await store.AppendAsync("x", [Mark("a")]);
            _ = await store.AppendAsync("X", [Mark("A")]);
            return $"{await Read(store, "x")} | {await Read(store, "X")}";
        }),
        new("a later change of an event changes nothing", "a", async store =>
        {
            var appended = Mark("a");
            _ = await store.AppendAsync("t", [appended]);
            appended.Name = "b";
            return await Read(store, "t");
        }),
        new("unknown members and half characters are kept", """{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d","later":1.10}""", async store =>
        {
            _ = await store.AppendAsync("t", [Event.FromJson("""{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d","later":1.10}""")]);
            return (await All(store, "t", 0))[0].ToJson();
        }),
        new("the last snapshot counts", "2 b", async store =>
        {
            await store.SaveSnapshotAsync("t", new(1, new([Mark("a")])));
            await store.SaveSnapshotAsync("t", new(2, new([Mark("b")])));
            return await Snapshot(store, "t");
        }),
        new("a thread may have a snapshot alone", "t", async store =>
        {
            await store.SaveSnapshotAsync("t", new(0, []));
            return string.Join(' ', await store.ListThreadsAsync());
        }),
        new("a snapshot and the rest are the thread", "a b c", async store =>
        {
            _ = await store.AppendAsync("t", [Mark("a"), Mark("b"), Mark("c")]);
            await store.SaveSnapshotAsync("t", new(2, new([Mark("a"), Mark("b")])));
            var snapshot = (await store.LoadSnapshotAsync("t"))!;
            return $"{Names(snapshot.Events)} {await Read(store, "t", snapshot.Position)}";
        }),
        new("events that are appended at once are all there", "200 True", async store =>
        {
            var appends = Enumerable.Range(0, 100).Select(number => store.AppendAsync("t", [Mark($"{number}"), Mark($"{number}")]));
            await Task.WhenAll(appends);
            var names = (await All(store, "t", 0)).Cast<CustomEvent>().Select(mark => mark.Name).Chunk(2).ToList();
            return $"{names.Count * 2} {names.TrueForAll(pair => pair[0] == pair[1])}";
        }),
    ];

    public static IEnumerable<Row> Memory => Scenarios.Select(it =>
        new Row($"memory: {it.Name}", it.Expected, () => it.Act(new MemoryEventStore()).GetAwaiter().GetResult()));

    public static IEnumerable<Row> File => Scenarios.Select(it =>
        new Row($"file: {it.Name}", it.Expected, () => InFolder(folder => it.Act(new FileEventStore(folder)))));

    public static Row[] Torn =>
    [
        new("a torn line is not read", "a", () => InFolder(async folder =>
        {
            await Write(folder, """{"type":"CUSTOM","name":"a","value":1}""" + "\n" + """{"type":"CUSTOM","name":"b","val""");
            return await Read(new FileEventStore(folder), "t");
        })),
        new("an append takes a torn line away", "2 a c", () => InFolder(async folder =>
        {
            await Write(folder, """{"type":"CUSTOM","name":"a","value":1}""" + "\n" + """{"type":"CUSTOM","name":"b","value":1}""");
            var store = new FileEventStore(folder);
            return $"{await store.AppendAsync("t", [Mark("c")])} {await Read(store, "t")}";
        })),
        new("a bad line says where it is", "json at /1", () => InFolder(async folder =>
        {
            await Write(folder, """{"type":"CUSTOM","name":"a","value":1}""" + "\nnothing\n");
            return await Read(new FileEventStore(folder), "t");
        })),
        new("another store continues", "3 a b c", () => InFolder(async folder =>
        {
            _ = await new FileEventStore(folder).AppendAsync("t", [Mark("a"), Mark("b")]);
            var store = new FileEventStore(folder);
            return $"{await store.AppendAsync("t", [Mark("c")])} {await Read(store, "t")}";
        })),
        new("two stores of one folder take turns", "3 a b c", () => InFolder(async folder =>
        {
            var (one, two) = (new FileEventStore(folder), new FileEventStore(folder));
            _ = await one.AppendAsync("t", [Mark("a")]);
            _ = await two.AppendAsync("t", [Mark("b")]);
            return $"{await one.AppendAsync("t", [Mark("c")])} {await Read(one, "t")}";
        })),
        new("long lines are read", "100000", () => InFolder(async folder =>
        {
            var store = new FileEventStore(folder);
            _ = await store.AppendAsync("t", [Mark("a"), Mark(new string('x', 100_000)), Mark("b")]);
            return $"{((CustomEvent)(await All(store, "t", 1))[0]).Name.Length}";
        })),
    ];

    /// <summary>A limit of the length of files is what a full disk is. It holds for a process, so another one appends.</summary>
    public static Row[] FullDisk =>
    [
        new("an append that fails in the middle of a batch appends nothing", "refused refused 2 a b t", () => InFolder(folder =>
        {
            var program = new System.Diagnostics.ProcessStartInfo("sh")
            {
                ArgumentList =
                {
                    "-c", "ulimit -f 20; exec dotnet \"$0\" \"$@\"",
                    typeof(StoreRows).Assembly.Location, FullDiskArgument, folder,
                },
                // The memory of compiled code would be such a file.
                Environment = { ["DOTNET_EnableWriteXorExecute"] = "0" },
                RedirectStandardOutput = true,
            };
            using var ran = System.Diagnostics.Process.Start(program)!;
            return ran.StandardOutput.ReadToEndAsync();
        })),
    ];

    /// <summary>What this program is called with to append where the length of files is limited.</summary>
    public const string FullDiskArgument = "full-disk";

    /// <summary>Appends too much, and then little.</summary>
    public static async Task AppendToFullDisk(string folder)
    {
        // SIGXFSZ, which has no name in .NET, would end the process.
        using var limit = PosixSignalRegistration.Create((PosixSignal)25, context => context.Cancel = true);
        var store = new FileEventStore(folder);
        _ = await store.AppendAsync("t", [Mark("a")]);
        var batch = Enumerable.Range(0, 100).Select(_ => Mark(new string('x', 400))).ToList();
        foreach (var thread in new[] { "t", "u" })
        {
            try
            {
                Console.Write($"{await store.AppendAsync(thread, batch)} ");
            }
            catch (Exception error) when (error is IOException or ArgumentOutOfRangeException)
            {
                // The second is what .NET says of a file that would be too long.
                Console.Write("refused ");
            }
        }

        var position = await store.AppendAsync("t", [Mark("b")]);
        Console.Write($"{position} {await Read(store, "t")} {string.Join(' ', await store.ListThreadsAsync())}");
    }

    private static CustomEvent Mark(string name) => new() { Name = name, Value = System.Text.Json.JsonElement.Parse("1") };

    private static string Names(IEnumerable<Event> events) => string.Join(' ', events.Cast<CustomEvent>().Select(mark => mark.Name));

    private static async Task<string> Read(IEventStore store, string threadId, long from = 0) => Names(await All(store, threadId, from));

    private static async Task<List<Event>> All(IEventStore store, string threadId, long from)
    {
        var events = new List<Event>();
        await foreach (var next in store.ReadAsync(threadId, from))
        {
            events.Add(next);
        }

        return events;
    }

    private static async Task<string> Snapshot(IEventStore store, string threadId) =>
        await store.LoadSnapshotAsync(threadId) is { } snapshot ? $"{snapshot.Position} {Names(snapshot.Events)}" : "none";

    private static Task Write(string folder, string log) => System.IO.File.WriteAllTextAsync(Path.Combine(folder, "t.jsonl"), log);

    /// <summary>Does something in a folder that is gone afterwards.</summary>
    public static string InFolder(Func<string, Task<string>> act)
    {
        var folder = Directory.CreateTempSubdirectory("chatstate-");
        try
        {
            return act(folder.FullName).GetAwaiter().GetResult();
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}

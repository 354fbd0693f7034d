using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Tests;

/// <summary>
/// The scenarios that all stores of events of all languages play. They are read from `store-scenarios.json` in the
/// folder of the run.
/// </summary>
internal static class ScenarioRows
{
    private const string Played = "played";

    public static IEnumerable<Row> All
    {
        get
        {
            using var file = JsonDocument.Parse(System.IO.File.ReadAllBytes("store-scenarios.json"));
            return file.RootElement.Clone().EnumerateArray().SelectMany(Rows).ToList();
        }
    }

    private static IEnumerable<Row> Rows(JsonElement scenario)
    {
        var title = scenario.GetProperty("title").GetString();
        if (!scenario.TryGetProperty("lasting", out _))
        {
            yield return new($"scenario in memory: {title}", Played, () => Play(scenario, null).GetAwaiter().GetResult());
        }

        yield return new($"scenario in files: {title}", Played, () => StoreRows.InFolder(folder => Play(scenario, folder)));
    }

    /// <summary>Plays the steps in memory, or in a folder. Gives the first step that went otherwise.</summary>
    private static async Task<string> Play(JsonElement scenario, string? folder)
    {
        IEventStore Open() => folder is null ? new MemoryEventStore() : new FileEventStore(folder);
        var store = Open();
        foreach (var step in scenario.GetProperty("steps").EnumerateArray())
        {
            var done = step.GetProperty("do").GetString();
            if (done == "reopen")
            {
                store = Open();
            }
            else if (await (Change(done, folder, step) ?? Do(done, store, step)) is { } otherwise)
            {
                return $"{step.GetRawText()}: {otherwise}";
            }
        }

        return Played;
    }

    /// <summary>
    /// Does what others than a store do to its folder, or looks what is in it. Gives what was found, if it is not what is
    /// expected, and nothing for other steps.
    /// </summary>
    private static Task<string?>? Change(string? done, string? folder, JsonElement step)
    {
        string In(string file) => Path.Combine(folder!, file);
        switch (done)
        {
            case "tear":
                System.IO.File.AppendAllText(In($"{Text(step, "thread")}.jsonl"), Text(step, "text"));
                return Task.FromResult<string?>(null);
            case "write":
                System.IO.File.WriteAllText(In(Text(step, "file")), Text(step, "text"));
                return Task.FromResult<string?>(null);
            case "die":
                System.IO.File.WriteAllText(In($"{Text(step, "thread")}.lock"), DeadLock(step));
                return Task.FromResult<string?>(null);
            case "files":
                var names = Directory.EnumerateFiles(folder!).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal).ToList();
                return Task.FromResult(Unless(names.SequenceEqual(Texts(step, "names")), string.Join(' ', names)));
            case "text":
                var text = System.IO.File.ReadAllText(In(Text(step, "file")));
                return Task.FromResult(Unless(text == Text(step, "text"), text));
            default:
                return null;
        }
    }

    /// <summary>The lock of a process of this machine that is not there.</summary>
    private static string DeadLock(JsonElement step)
    {
        var ids = new FileInfo("/proc/self/ns/pid").LinkTarget is { } target ? $" {target}" : "";
        var owner = $"{{\"host\":\"{Dns.GetHostName()}{ids}\",\"pid\":{int.MaxValue},\"started\":\"1\"}}\n";
        return step.TryGetProperty("length", out var length) ? owner + $"{{\"length\":{length}}}\n" : owner;
    }

    /// <summary>Does one step with a store. Gives what was found, if it is not what is expected.</summary>
    private static async Task<string?> Do(string? done, IEventStore store, JsonElement step)
    {
        try
        {
            var found = await Found(done, store, Text(step, "thread"), step);
            var expected = step.TryGetProperty("refused", out _) ? "a rejection" : Expected(done, step);
            return Unless(found == expected, found);
        }
        catch (RejectionException rejected) when (step.TryGetProperty("refused", out var rejection))
        {
            var said = rejection.EnumerateObject().Select(part => part.Name switch
            {
                "class" => rejected.Class.ToString().ToLowerInvariant(),
                "rule" => rejected.Rule,
                _ => rejected.At,
            });
            return Unless(said.SequenceEqual(rejection.EnumerateObject().Select(part => part.Value.GetString())), rejected.ToString());
        }
    }

    private static async Task<string> Found(string? done, IEventStore store, string thread, JsonElement step)
    {
        switch (done)
        {
            case "append":
                var position = await store.AppendAsync(thread, EventStream.FromElement(step.GetProperty("events")));
                return position.ToString(CultureInfo.InvariantCulture);
            case "read":
                return await Read(store, thread, step);
            case "save":
                await store.SaveSnapshotAsync(thread, Snapshot(step)!);
                return "saved";
            case "load":
                return Text(await store.LoadSnapshotAsync(thread));
            case "list":
                return string.Join(' ', await store.ListThreadsAsync());
            default:
                return "nobody knows this step";
        }
    }

    private static string Expected(string? done, JsonElement step) => done switch
    {
        "append" => step.GetProperty("position").GetRawText(),
        "read" => EventStream.FromElement(step.GetProperty("events")).ToJson(),
        "save" => "saved",
        "load" => Text(Snapshot(step)),
        _ => string.Join(' ', Texts(step, "threads")),
    };

    private static async Task<string> Read(IEventStore store, string thread, JsonElement step)
    {
        var from = step.TryGetProperty("start", out var start) ? start.GetInt64() : 0;
        var found = new EventStream();
        await foreach (var next in store.ReadAsync(thread, from))
        {
            found.Add(next);
        }

        return found.ToJson();
    }

    private static IEnumerable<string?> Texts(JsonElement step, string name) =>
        step.GetProperty(name).EnumerateArray().Select(it => it.GetString());

    /// <summary>A text of a step, in which half a character may be.</summary>
    private static string Text(JsonElement step, string name)
    {
        if (!step.TryGetProperty(name, out var text))
        {
            return "";
        }

        var raw = text.GetRawText()[1..^1];
        return Regex.IsMatch(raw, @"\\u[dD]") ? Regex.Unescape(raw) : text.GetString()!;
    }

    private static ThreadSnapshot? Snapshot(JsonElement step)
    {
        var snapshot = step.GetProperty("snapshot");
        return snapshot.ValueKind == JsonValueKind.Null
            ? null
            : new(snapshot.GetProperty("position").GetInt64(), EventStream.FromElement(snapshot.GetProperty("events")));
    }

    private static string Text(ThreadSnapshot? snapshot) =>
        snapshot is null ? "none" : $"{snapshot.Position} {snapshot.Events.ToJson()}";

    private static string? Unless(bool asExpected, string found) => asExpected ? null : found;
}

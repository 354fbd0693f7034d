using System.Text.Json;
using Chatstate;

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
            var thread = step.TryGetProperty("thread", out var id) ? id.GetString()! : "";
            var done = step.GetProperty("do").GetString();
            if (done == "reopen")
            {
                store = Open();
            }
            else if (done == "tear")
            {
                var log = Path.Combine(folder!, $"{thread}.jsonl");
                await System.IO.File.AppendAllTextAsync(log, step.GetProperty("text").GetString());
            }
            else if (await Do(done, store, thread, step) is { } otherwise)
            {
                return $"{step.GetRawText()}: {otherwise}";
            }
        }

        return Played;
    }

    /// <summary>Does one step. Gives what was found, if it is not what is expected.</summary>
    private static async Task<string?> Do(string? done, IEventStore store, string thread, JsonElement step)
    {
        switch (done)
        {
            case "append":
                var position = await store.AppendAsync(thread, EventStream.FromElement(step.GetProperty("events")));
                return Unless(position == step.GetProperty("position").GetInt64(), $"{position}");
            case "read":
                return await Read(store, thread, step);
            case "save":
                await store.SaveSnapshotAsync(thread, Snapshot(step)!);
                return null;
            case "load":
                var (found, expected) = (await store.LoadSnapshotAsync(thread), Snapshot(step));
                return Unless(Text(found) == Text(expected), Text(found));
            case "list":
                var threads = await store.ListThreadsAsync();
                var listed = step.GetProperty("threads").EnumerateArray().Select(it => it.GetString());
                return Unless(threads.SequenceEqual(listed), string.Join(' ', threads));
            default:
                return "nobody knows this step";
        }
    }

    private static async Task<string?> Read(IEventStore store, string thread, JsonElement step)
    {
        var from = step.TryGetProperty("start", out var start) ? start.GetInt64() : 0;
        var found = new EventStream();
        try
        {
            await foreach (var next in store.ReadAsync(thread, from))
            {
                found.Add(next);
            }
        }
        catch (RejectionException rejected) when (step.TryGetProperty("refused", out var rejection))
        {
            var said = $"{rejected.Class.ToString().ToLowerInvariant()} at {rejected.At}";
            return Unless(said == $"{rejection.GetProperty("class")} at {rejection.GetProperty("at")}", said);
        }

        var expected = step.TryGetProperty("events", out var events) ? EventStream.FromElement(events).ToJson() : "a rejection";
        return Unless(found.ToJson() == expected, found.ToJson());
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

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading.Tasks;
using Chatstate;
using Chatstate.Storage;

/// <summary>
/// Uses stores in files as other processes and languages do: one step a line on stdin, what comes of it a line on stdout.
/// `tests/tests/stores.rs` says what the steps are.
/// </summary>
internal static class Stores
{
    private static readonly Dictionary<string, FileEventStore> Opened = [];

    /// <summary>Does the step of a line.</summary>
    public static async Task<string> Answer(string line)
    {
        using var step = JsonDocument.Parse(line);
        try
        {
            return (await Do(step.RootElement))?.ToJsonString() ?? "null";
        }
        catch (RejectionException rejection)
        {
            return new JsonObject { ["refused"] = rejection.Rule, ["message"] = rejection.Message }.ToJsonString();
        }
    }

    private static async Task<JsonNode?> Do(JsonElement step)
    {
        string Of(string name) => step.TryGetProperty(name, out var text) ? text.GetString()! : "";
        var (folder, thread) = (Of("folder"), Of("thread"));
        if (!Opened.TryGetValue(folder, out var store))
        {
            Opened[folder] = store = new FileEventStore(folder);
        }

        switch (Of("do"))
        {
            case "append":
                var position = 0L;
                for (var time = 0; time < step.GetProperty("times").GetInt32(); time++)
                {
                    position = await store.AppendAsync(thread, Events(Of("text"), step.GetProperty("batch").GetInt32()));
                }

                return position;
            case "read":
                var read = new EventStream();
                await foreach (var next in store.ReadAsync(thread))
                {
                    read.Add(next);
                }

                return Texts(read);
            case "save":
                await store.SaveSnapshotAsync(thread, new(1, Events(Of("text"), 1)));
                return null;
            case "load":
                var snapshot = await store.LoadSnapshotAsync(thread);
                var texts = snapshot is null ? null : Texts(snapshot.Events);
                texts?.Insert(0, snapshot!.Position);
                return texts;
            default:
                return new JsonArray((await store.ListThreadsAsync()).Select(id => (JsonNode?)JsonValue.Create(id)).ToArray());
        }
    }

    private static EventStream Events(string text, int count)
    {
        var one = new JsonObject { ["type"] = "RAW", ["event"] = text }.ToJsonString();
        return EventStream.FromJson($"[{string.Join(',', Enumerable.Repeat(one, count))}]");
    }

    private static JsonArray Texts(EventStream events) =>
        new(JsonNode.Parse(events.ToJson())!.AsArray().Select(text => text!["event"]!.DeepClone()).ToArray());
}

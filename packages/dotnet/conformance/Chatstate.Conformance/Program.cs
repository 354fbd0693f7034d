// Lets the chatstate runner talk to the .NET package: one JSON request per line on stdin, one JSON
// answer per line on stdout (adapter protocol 1). Everything goes through the package's public API.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Chatstate;

var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
while (input.ReadLine() is { } line && (args is ["stores"] ? await Stores.Answer(line) : Adapter.Answer(line)) is { } answer)
{
    output.WriteLine(answer);
    output.Flush();
}

/// <summary>Answers requests.</summary>
internal static class Adapter
{
    private static readonly string[] Capabilities =
    [
        "round-trip",
        "validate",
        "canonicalize",
        "encode",
        "decode",
        "seal",
        "unseal",
        "to-cbor",
        "from-cbor",
        "channel-key",
        "verify",
        "replay",
        "lineage",
        "compact",
        "attach",
        "restore",
        "session",
        "chat",
        "sessions",
        "events",
        "chunks",
        "branches",
        "snapshots",
        "unknown-members",
        "unknown-variants",
        "big-numbers",
        "split-surrogates",
        "definitions",
        "warnings",
    ];

    /// <summary>The depth to which the package reads and writes.</summary>
    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 512 };

    /// <summary>How a document of a type is read and written again; null where the package has no such type.</summary>
    private static Func<byte[], string>? Reader(string type) =>
        typeof(ChatState).Assembly.GetType($"Chatstate.{type}") is { } found && Array.Exists(
            found.GetInterfaces(),
            face => face == typeof(IJsonType<>).MakeGenericType(found))
            ? typeof(Adapter).GetMethod(nameof(Again), BindingFlags.NonPublic | BindingFlags.Static)!
                .MakeGenericMethod(found).CreateDelegate<Func<byte[], string>>()
            : null;

    private static string Again<T>(byte[] document)
        where T : IJsonType<T> => T.FromJson((ReadOnlySpan<byte>)document).ToJson();

    /// <summary>The answer to one line, or none when the runner says stop.</summary>
    public static string? Answer(string line)
    {
        using var request = JsonDocument.Parse(line);
        var root = request.RootElement;
        return root.GetProperty("cmd").GetString() switch
        {
            "stop" => null,
            "start" => Start(root).ToJsonString(),
            _ => Run(root).ToJsonString(),
        };
    }

    private static JsonObject Start(JsonElement request)
    {
        if (request.GetProperty("protocol").GetInt32() != 1)
        {
            return new() { ["protocol"] = 0, ["error"] = "this adapter supports protocol 1" };
        }

        var capabilities = new JsonArray();
        Array.ForEach(Capabilities, capability => capabilities.Add((JsonNode)capability));
        return new()
        {
            ["protocol"] = 1,
            ["implementation"] = new JsonObject
            {
                ["name"] = "Chatstate",
                ["version"] = "0.1.0",
                ["language"] = "dotnet",
            },
            ["capabilities"] = capabilities,
            ["maxInFlight"] = 16,
        };
    }

    private static JsonObject Run(JsonElement request)
    {
        var answer = new JsonObject { ["seq"] = request.GetProperty("seq").GetInt64() };
        try
        {
            var done = Do(request);
            answer[done is null ? "unsupported" : "ok"] = done ?? "this adapter does not do that";
        }
        catch (RejectionException rejection)
        {
            answer["rejected"] = new JsonObject
            {
                ["class"] = rejection.Class.ToString().ToLowerInvariant(),
                ["at"] = rejection.At,
                ["rule"] = rejection.Rule,
                ["message"] = rejection.Message,
            };
        }
        catch (Exception exception)
        {
            // A defect of the package costs this case and not the run.
            answer["fault"] = exception.ToString();
        }

        return answer;
    }

    /// <summary>What the package makes of one document, or null where it does no such thing.</summary>
    private static string? Do(JsonElement request)
    {
        var type = request.TryGetProperty("type", out var given) ? given.GetString()! : "";
        var document = request.TryGetProperty("inputBase64", out var bytes)
            ? bytes.GetBytesFromBase64()
            : Encoding.UTF8.GetBytes(request.GetProperty("input").GetString()!);
        return (request.GetProperty("op").GetString(), Reader(type)) switch
        {
            ("round-trip", { } read) => read(document),
            ("validate", { } read) => read(document) is not null ? "true" : null,
            ("canonicalize", null) when type.Length == 0 => CanonicalJson.FromJson(document),
            ("canonicalize", { } read) => CanonicalJson.Of(JsonElement.Parse(read(document), Deep)),
            ("encode", _) => ChatState.FromJson(document).Encode().ToJson(),
            ("decode", _) => EncodedChatState.FromJson(document).Decode().ToJson(),
            ("seal", _) => Sealing.Seal(document, Key(request)),
            ("unseal", _) => Sealing.Unseal(document, Key(request)),
            ("to-cbor", _) => $"\"{Convert.ToBase64String(Cbor.FromJson(document))}\"",
            ("from-cbor", _) => Cbor.ToJson(BytesIn(document)),
            ("channel-key", _) => $"\"{ChannelKey.FromJson(document)}\"",
            ("verify", _) => Verified(EventStream.FromJson(document), request),
            ("replay", _) => Replayed(EventStream.FromJson(document), request),
            ("lineage", _) => EventStream.FromJson(document).Lineage().ToJson(),
            ("compact", _) when Options(request) is { } options => EventStream.FromJson(document).Compact(options).ToJson(),
            ("attach", _) => EventStream.FromJson(document).Attach().ToJson(),
            ("restore", _) => Scenario.Run(document, request.TryGetProperty("save", out var save) && save.GetBoolean()),
            ("session", _) => SessionSteps.Run(document),
            _ => null,
        };
    }

    private static string Verified(EventStream events, JsonElement request)
    {
        var complete = Flag(request, "complete");
        events.Verify(complete);
        return Flag(request, "warnings")
            ? new JsonObject { ["warnings"] = new JsonArray(events.Check(complete).Warnings.Select(Row).ToArray()) }.ToJsonString()
            : "true";
    }

    private static JsonNode Row(Finding found) => new JsonObject { ["rule"] = found.Rule, ["at"] = found.At };

    /// <summary>The bytes whose Base64 a JSON string is.</summary>
    private static byte[] BytesIn(byte[] document)
    {
        var text = JsonNode.Parse(CanonicalJson.FromJson(document)) is JsonValue value && value.TryGetValue(out string? encoded) ? encoded : null;
        var decoded = new byte[text?.Length ?? 0];
        return text is not null && Convert.TryFromBase64String(text, decoded, out var count) && Convert.ToBase64String(decoded, 0, count) == text
            ? decoded[..count]
            : throw new RejectionException(RejectionClass.Schema, "base64", "must be Base64 in a text");
    }

    private static SealKey Key(JsonElement request) =>
        new(request.GetProperty("key").GetBytesFromBase64(), Argument(request, "keyId"));

    private static string Replayed(EventStream events, JsonElement request) =>
        events.Replay(Argument(request, "run"), Flag(request, "lenient")).ToJson();

    private static string? Argument(JsonElement request, string name) =>
        request.TryGetProperty(name, out var value) ? value.GetString() : null;

    private static bool Flag(JsonElement request, string name) =>
        request.TryGetProperty(name, out var value) && value.GetBoolean();

    /// <summary>How a request wants its events compacted; null where the package has no such way.</summary>
    private static CompactOptions? Options(JsonElement request)
    {
        CompactOptions? options = (Argument(request, "level"), Argument(request, "retain")) switch
        {
            ("stream", _) => new(),
            ("snapshot", null or "tips") => new() { Level = CompactLevel.Snapshot },
            ("snapshot", "runs") => new() { Level = CompactLevel.Snapshot, Retain = RetainedRuns.All },
            _ => null,
        };
        var (partial, lenient) = (Flag(request, "partial"), Flag(request, "lenient"));
        return options is null ? null : options with { Partial = partial, Lenient = lenient };
    }
}

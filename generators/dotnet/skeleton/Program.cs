// Lets the chatstate runner talk to an SDK: one JSON request per line on stdin, one JSON answer per
// line on stdout. Put your SDK's own calls into `Sdk` below; the rest can stay as it is.

using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
while (input.ReadLine() is { } line)
{
    var request = JsonNode.Parse(line)!.AsObject();
    var command = (string?)request["cmd"];
    if (command == "stop")
    {
        break;
    }

    output.WriteLine((command == "start" ? Adapter.Start(request) : Adapter.Run(request)).ToJsonString());
    output.Flush();
}

/// <summary>The SDK under test. It is the base class library's own JSON reader until you change it.</summary>
internal static class Sdk
{
    public const string Name = "system-text-json";

    public const string Version = "10.0.0";

    /// <summary>What the SDK promises; the words are in the adapter guide.</summary>
    public static readonly string[] Capabilities = ["round-trip", "events", "unknown-members", "unknown-variants"];

    /// <summary>Reads a document as your users do. <c>type</c> is its type, such as <c>Event</c>.</summary>
    public static object Read(string type, byte[] document) =>
        JsonDocument.Parse(document, new JsonDocumentOptions { MaxDepth = 512 });

    /// <summary>Writes what was read as your users do.</summary>
    public static string Write(object value) => ((JsonDocument)value).RootElement.GetRawText();
}

/// <summary>The adapter protocol.</summary>
internal static class Adapter
{
    public static JsonObject Start(JsonObject request)
    {
        if ((int?)request["protocol"] != 1)
        {
            return new() { ["protocol"] = 0, ["error"] = "this adapter supports protocol 1" };
        }

        return new()
        {
            ["protocol"] = 1,
            ["implementation"] = new JsonObject
            {
                ["name"] = Sdk.Name,
                ["version"] = Sdk.Version,
                ["language"] = "dotnet",
            },
            ["capabilities"] = new JsonArray([.. Sdk.Capabilities.Select(word => (JsonNode)word)]),
        };
    }

    public static JsonObject Run(JsonObject request)
    {
        var answer = new JsonObject { ["seq"] = (long?)request["seq"] };
        try
        {
            if ((string?)request["op"] == "round-trip")
            {
                answer["ok"] = Sdk.Write(Sdk.Read((string?)request["type"] ?? "", Document(request)));
            }
            else
            {
                answer["unsupported"] = "this adapter does not do that";
            }
        }
        catch (JsonException exception)
        {
            // The SDK rejects the document. Tell the class of each of its own exceptions here.
            answer["rejected"] = new JsonObject { ["class"] = "syntax", ["message"] = exception.Message };
        }
        catch (Exception exception)
        {
            // A defect of the SDK costs this case and not the run.
            answer["fault"] = exception.ToString();
        }

        return answer;
    }

    private static byte[] Document(JsonObject request) =>
        (string?)request["inputBase64"] is { } bytes
            ? Convert.FromBase64String(bytes)
            : Encoding.UTF8.GetBytes((string?)request["input"] ?? "");
}

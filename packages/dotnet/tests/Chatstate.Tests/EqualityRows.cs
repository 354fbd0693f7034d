using System.Text.Json;
using Chatstate;
using Chatstate.Testing;

namespace Chatstate.Tests;

/// <summary>What is equal is so in every language; <c>packages/testdata/equality.json</c> has the rows.</summary>
internal static class EqualityRows
{
    public static IEnumerable<Row> All(string path)
    {
        using var data = JsonDocument.Parse(File.ReadAllText(path));
        return data.RootElement.EnumerateArray().Select(RowOf).ToList();
    }

    private static Row RowOf(JsonElement row)
    {
        var (left, right) = (row.GetProperty("left").GetString()!, row.GetProperty("right").GetString()!);
        var isEqual = row.GetProperty("equal").GetBoolean();
        var digest = row.GetProperty("digest").GetString()!;
        var type = row.TryGetProperty("type", out var given) ? given.GetString() : null;
        return new($"{left} and {right}", $"{digest} {isEqual} {isEqual}", () => type switch
        {
            null => OfValues(left, right),
            "AgentSession" => OfDocuments<AgentSession>(left, right),
            "ChatState" => OfDocuments<ChatState>(left, right),
            "Event" => OfDocuments<Event>(left, right),
            _ => throw new InvalidOperationException($"add the type `{type}` to this test"),
        });
    }

    private static string OfValues(string leftJson, string rightJson)
    {
        var (left, right) = (JsonElement.Parse(leftJson), JsonElement.Parse(rightJson));
        var same = IsSame(() => SnapshotAssert.Equal(left, right));
        var sameText = IsSame(() => SnapshotAssert.Equal(leftJson, rightJson));
        return $"{CanonicalJson.Digest(left)} {CanonicalJson.AreEqual(left, right)} {(same == sameText ? same : "as texts otherwise")}";
    }

    private static string OfDocuments<T>(string leftJson, string rightJson)
        where T : IJsonType<T>
    {
        var (left, right, value) = (T.FromJson(leftJson), T.FromJson(rightJson), JsonElement.Parse(rightJson));
        var isEqual = CanonicalJson.AreEqual(left, right);
        var same = IsSame(() => SnapshotAssert.Equal(left, right));
        var isOtherwise = CanonicalJson.AreEqual(value, left) != isEqual || IsSame(() => SnapshotAssert.Equal(value, left)) != same;
        return $"{CanonicalJson.Digest(left)} {isEqual} {(isOtherwise ? "as a value otherwise" : same)}";
    }

    private static bool IsSame(Action assert)
    {
        try
        {
            assert();
            return true;
        }
        catch (SnapshotException)
        {
            return false;
        }
    }
}

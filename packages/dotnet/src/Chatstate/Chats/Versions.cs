using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>The versions of documents that are supported here.</summary>
internal static class Versions
{
    private const string Spoken = "1";

    /// <summary>
    /// Rejects a document of another version. It may well break the schema of this version, so it is
    /// asked for its version first.
    /// </summary>
    public static void Check(JsonElement document)
    {
        if (document.ValueKind == JsonValueKind.Object
            && document.TryGetProperty("schemaVersion", out var version)
            && version.ValueKind == JsonValueKind.String
            && JsonRead.Text(version) is var text)
        {
            Check(text);
        }
    }

    /// <summary>Rejects another version, of which a document to be written may say to be.</summary>
    public static void Check(string? version)
    {
        if (version is not null && !IsSpoken(version))
        {
            var sentence = $"the version `{version}` is not supported; the supported versions are `{Spoken}` and `{Spoken}.x`";
            throw new RejectionException(RejectionClass.Version, "version.unspoken", sentence, "/schemaVersion");
        }
    }

    /// <summary>Rejects a list that holds a document of another version.</summary>
    public static void CheckEach(JsonElement documents)
    {
        if (documents.ValueKind == JsonValueKind.Array)
        {
            _ = JsonRead.List(documents, static document =>
            {
                Check(document);
                return document;
            });
        }
    }

    private static bool IsSpoken(string version)
    {
        var point = version.IndexOf('.');
        if (point < 0)
        {
            return version == Spoken;
        }

        var minor = version[(point + 1)..];
        return version[..point] == Spoken && minor.Length > 0 && minor.All(char.IsAsciiDigit);
    }
}

/// <content>The version of a chat state.</content>
public sealed partial class ChatState
{
    static partial void BeforeReading(JsonElement document) => Versions.Check(document);

    partial void BeforeWriting() => Versions.Check(SchemaVersion);
}

/// <content>The version of an encoded chat state.</content>
public sealed partial class EncodedChatState
{
    static partial void BeforeReading(JsonElement document) => Versions.Check(document);

    partial void BeforeWriting() => Versions.Check(SchemaVersion);
}

/// <content>The versions of sessions in a list.</content>
public sealed partial class SessionList
{
    static partial void BeforeReading(JsonElement document) => Versions.CheckEach(document);
}

/// <content>The version of a session, and the keys of its state bag.</content>
public sealed partial class AgentSession
{
    static partial void BeforeReading(JsonElement document) => Versions.Check(document);

    static partial void AfterReading(AgentSession document) => document.CheckKeys();

    partial void BeforeWriting()
    {
        Versions.Check(SchemaVersion);
        CheckKeys();
    }

    private void CheckKeys()
    {
        if (StateBag?.Keys.FirstOrDefault(string.IsNullOrWhiteSpace) is { } blank)
        {
            throw new RejectionException(
                RejectionClass.Semantic,
                "session.blank-key",
                "a key of the state bag is blank, so that no provider can have it; give it a name",
                $"/stateBag/{blank}");
        }
    }
}

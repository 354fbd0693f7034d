using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>The documents of the corpus that a round trip keeps, through every door that takes any type.</summary>
internal static class Corpus
{
    private static readonly Regex HalfOfCharacter =
        new(@"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]");

    /// <summary>How deep the serializer of .NET reads and writes unless it is told otherwise.</summary>
    private const int SerializerDepth = 64;

    /// <summary>Takes each case of a folder through each door. Gives what is otherwise than the document.</summary>
    public static IEnumerable<string> Faults(string folder)
    {
        var documents = Directory.GetFiles(folder, "*.json").Order(StringComparer.Ordinal).Select(DocumentOf).ToList();
        foreach (var document in documents.OfType<Document>())
        {
            foreach (var (call, door, _) in Serializers.OfAnyType)
            {
                var fault = WriteFault(door, document) ?? ReadFault(door, document, mayRefuse: document.MayBeRefused);
                if (fault is not null)
                {
                    yield return $"{document.Name}, {call}: {fault}";
                }
            }

            if (Newtonsoft.Door.Missing is null && NewtonsoftFault(document) is { } other)
            {
                yield return $"{document.Name}, {Newtonsoft.Door.Call}: {other}";
            }
        }

        var read = documents.Count(document => document is not null);
        if (read < documents.Count - 1)
        {
            yield return $"only {read} of {documents.Count} documents are read";
        }
    }

    private static string? WriteFault(ReadAndWrite door, Document document)
    {
        if (Law.Said(() => door.Write(document.Value, document.Type), out var written) is { } refusal)
        {
            return document.MayBeRefused && refusal.Length > 0 ? null : $"is not written: {refusal}";
        }

        return Law.Differs("is written as", written, document.Own);
    }

    private static string? ReadFault(ReadAndWrite door, Document document, bool mayRefuse)
    {
        if (Law.Said(() => door.Read(document.Text, document.Type), out var read) is { } refusal)
        {
            return mayRefuse && refusal.Length > 0 ? null : $"is not read: {refusal}";
        }

        return read is null ? "is read as null" : Law.Differs("is read as", Law.Own(read), document.Own);
    }

    /// <summary>It writes and reads nothing but what is the same anyway, such as an empty list.</summary>
    private static string? NewtonsoftFault(Document document)
    {
        var door = Newtonsoft.Convert();
        return Law.Said(() => door.Write(document.Value, document.Type), out var written) is null && written != document.Own
            ? $"is written as {written}"
            : ReadFault(door, document, mayRefuse: true);
    }

    /// <summary>The document of a case, unless its own reader rejects it.</summary>
    private static Document? DocumentOf(string file)
    {
        using var read = JsonDocument.Parse(File.ReadAllText(file), new() { MaxDepth = 512 });
        var name = read.RootElement.GetProperty("type").GetString()!;
        var type = PublicTypes.All.Single(type => type.Name == name);
        var text = read.RootElement.GetProperty("input").GetRawText();
        var fromJson = type.GetMethod("FromJson", BindingFlags.Public | BindingFlags.Static | BindingFlags.FlattenHierarchy, [typeof(string)])!;
        return Law.Said(() => fromJson.Invoke(null, [text]), out var value) is null
            ? new(Path.GetFileNameWithoutExtension(file), type, text, value!)
            : null;
    }

    /// <summary>A document of the corpus.</summary>
    private sealed record Document(string Name, Type Type, string Text, object Value)
    {
        /// <summary>What the type itself writes.</summary>
        public string Own => Law.Own(Value)!;

        /// <summary>Whether it is deeper than the serializer goes by default, or has half a character, which a `JsonNode` cannot hold.</summary>
        public bool MayBeRefused => Depth() >= SerializerDepth || HalfOfCharacter.IsMatch(Text);

        private int Depth()
        {
            var (depth, most) = (0, 0);
            foreach (var character in Text)
            {
                depth += character is '[' or '{' ? 1 : character is ']' or '}' ? -1 : 0;
                most = Math.Max(most, depth);
            }

            return most;
        }
    }
}

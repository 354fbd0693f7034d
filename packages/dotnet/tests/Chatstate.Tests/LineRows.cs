using System.Buffers;
using System.Text;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Tests;

/// <summary>Events as JSON Lines, and whole documents, in streams of bytes and in buffers.</summary>
internal static class LineRows
{
    private const string One = """{"type":"CUSTOM","name":"a","value":1.0}""";
    private const string Two = """{"type":"LATER","é":1}""";

    public static Row[] All =>
    [
        new("lines: nothing is no event", "", () => Read("")),
        new("lines: each line is an event", $"{One}|{One}", () => Read($"{One}\n{One}\n")),
        new("lines: the last one may lack its line feed", $"{One}|{One}", () => Read($"{One}\n{One}")),
        new("lines: a line may end in CRLF", $"{One}|{One}", () => Read($"{One}\r\n{One}\r\n")),
        new("lines: an empty line is no event", "json at /1", () => Read($"{One}\n\n{One}\n")),
        new("lines: half an event at the end is none", "json at /1/type", () => Read($"{One}\n{One[..9]}")),
        new("lines: a member says where it is", "type at /1/name", () => Read(One + "\n" + """{"type":"CUSTOM","name":1,"value":1}""")),
        new("lines: an event is there before the next is read", "a", First),
        new("lines: writing is the reverse of reading", $"{One}\n{Two}\n", () =>
        {
            var output = new ArrayBufferWriter<byte>();
            EventLines.Write(output, Event.FromJson(One));
            EventLines.Write(output, Event.FromJson(Two));
            return Encoding.UTF8.GetString(output.WrittenSpan);
        }),
        new("lines: nothing is written of what is rejected", "unpaired-surrogate 0", () =>
        {
            var output = new ArrayBufferWriter<byte>();
            try
            {
                EventLines.Write(output, new CustomEvent { Name = "\ud83d", Value = System.Text.Json.JsonElement.Parse("1") });
            }
            catch (RejectionException rejection)
            {
                return $"{rejection.Rule} {output.WrittenCount}";
            }

            return "accepted";
        }),
        new("documents: a stream is read to its end", One, () => Document(One)),
        new("documents: a stream of two is none", "json", () => Document(One + One)),
        new("documents: a stream of nothing is none", "json", () => Document("")),
        new("documents: a byte order mark is rejected", "byte-order-mark", () => Document("\uFEFF" + One)),
        new("documents: a buffer has what a stream has", $"{One} {One}", () =>
        {
            var buffer = new ArrayBufferWriter<byte>();
            using var stream = new MemoryStream();
            Utf8Document.Write(buffer, Event.FromJson(One));
            Utf8Document.WriteAsync(stream, Event.FromJson(One)).AsTask().GetAwaiter().GetResult();
            return $"{Encoding.UTF8.GetString(buffer.WrittenSpan)} {Encoding.UTF8.GetString(stream.ToArray())}";
        }),
        new("documents: a value that a program made is validated", "unpaired-surrogate at /name", () => Validated(new CustomEvent { Name = "\ud83d", Value = System.Text.Json.JsonElement.Parse("1") })),
        new("documents: nothing is written of what is rejected", "unpaired-surrogate 0", () =>
        {
            using var stream = new MemoryStream();
            var rejected = new CustomEvent { Name = "\ud83d", Value = System.Text.Json.JsonElement.Parse("1") };
            try
            {
                Utf8Document.WriteAsync(stream, rejected).AsTask().GetAwaiter().GetResult();
            }
            catch (RejectionException rejection)
            {
                return $"{rejection.Rule} {stream.Length}";
            }

            return "accepted";
        }),
    ];

    private static string Validated(Event made)
    {
        try
        {
            made.Validate();
            return "valid";
        }
        catch (RejectionException rejection)
        {
            return $"{rejection.Rule} at {rejection.At}";
        }
    }

    private static string Document(string text)
    {
        using var stream = new Pieces(Encoding.UTF8.GetBytes(text), 3);
        try
        {
            return Utf8Document.ReadAsync<Event>(stream).AsTask().GetAwaiter().GetResult().ToJson();
        }
        catch (RejectionException rejection)
        {
            return rejection.Rule;
        }
    }

    private static string Read(string text)
    {
        // Pieces of three bytes end in the middle of lines and of characters.
        using var stream = new Pieces(Encoding.UTF8.GetBytes(text), 3);
        return string.Join('|', AllOf(stream).GetAwaiter().GetResult());
    }

    private static async Task<List<string>> AllOf(Stream stream)
    {
        var found = new List<string>();
        await foreach (var next in EventLines.ReadAsync(stream))
        {
            found.Add(next.ToJson());
        }

        return found;
    }

    /// <summary>What comes after the first line is no event, which its reader does not see yet.</summary>
    private static string First()
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes($"{One}\nnothing\n"));
        return FirstOf(stream).GetAwaiter().GetResult();
    }

    private static async Task<string> FirstOf(Stream stream)
    {
        await foreach (var next in EventLines.ReadAsync(stream))
        {
            return ((CustomEvent)next).Name;
        }

        return "none";
    }

    /// <summary>A stream that gives few bytes at a time.</summary>
    private sealed class Pieces(byte[] bytes, int length) : MemoryStream(bytes)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(length, buffer.Length)], cancellationToken);
    }
}

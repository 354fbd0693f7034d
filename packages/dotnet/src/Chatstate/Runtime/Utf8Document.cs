using System;
using System.Buffers;

namespace Chatstate;

/// <summary>Whole documents as UTF-8, in streams and in buffers.</summary>
public static class Utf8Document
{
    /// <summary>Reads a stream to its end as one document of this type. The stream stays open.</summary>
    /// <param name="utf8Json">The text of the document in UTF-8.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="RejectionException">The text is rejected; it says where, and which rule is broken.</exception>
    public static async System.Threading.Tasks.ValueTask<T> ReadAsync<T>(
        System.IO.Stream utf8Json, System.Threading.CancellationToken cancellationToken = default)
        where T : IJsonType<T>
    {
        ArgumentNullException.ThrowIfNull(utf8Json);
        using var text = new System.IO.MemoryStream();
        await utf8Json.CopyToAsync(text, cancellationToken).ConfigureAwait(false);
        return JsonText.Read<T>(text.GetBuffer().AsSpan(0, (int)text.Length));
    }

    /// <summary>Writes a document. Nothing is written of one that is rejected.</summary>
    /// <param name="utf8Json">Where it goes.</param>
    /// <param name="document">The document.</param>
    /// <exception cref="RejectionException">The document has something that readers reject.</exception>
    public static void Write(System.Buffers.IBufferWriter<byte> utf8Json, IJsonWritable document)
    {
        ArgumentNullException.ThrowIfNull(utf8Json);
        ArgumentNullException.ThrowIfNull(document);
        JsonText.Write(utf8Json, document);
    }

    /// <summary>Writes a document to a stream, which stays open. Nothing is written of one that is rejected.</summary>
    /// <param name="utf8Json">Where it goes.</param>
    /// <param name="document">The document.</param>
    /// <param name="cancellationToken">Ends the writing.</param>
    /// <exception cref="RejectionException">The document has something that readers reject.</exception>
    public static System.Threading.Tasks.ValueTask WriteAsync(
        System.IO.Stream utf8Json, IJsonWritable document, System.Threading.CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(utf8Json);
        ArgumentNullException.ThrowIfNull(document);
        return utf8Json.WriteAsync(JsonText.WriteUtf8(document), cancellationToken);
    }
}

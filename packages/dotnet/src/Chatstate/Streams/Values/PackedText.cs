using System;
using System.IO.Compression;

namespace Chatstate;

/// <summary>Text that is rarely needed again, compressed.</summary>
internal sealed class PackedText
{
    /// <summary>The fastest that looks for what occurs again.</summary>
    private const int Quality = 1;

    /// <summary>How far back it looks, as a power of two.</summary>
    private const int Window = 18;

    private readonly byte[] packed;
    private readonly int length;

    private PackedText(byte[] packed, int length) => (this.packed, this.length) = (packed, length);

    public static PackedText Of(ReadOnlySpan<byte> text)
    {
        var room = new byte[BrotliEncoder.GetMaxCompressedLength(text.Length)];
        return BrotliEncoder.TryCompress(text, room, out var written, Quality, Window)
            ? new(room[..written], text.Length)
            : throw new InvalidOperationException("there was too little room to compress a text");
    }

    /// <summary>The text again.</summary>
    public byte[] Text()
    {
        var text = new byte[length];
        return BrotliDecoder.TryDecompress(packed, text, out _)
            ? text
            : throw new InvalidOperationException("a text that was compressed here cannot be read again");
    }
}

using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO.Compression;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// Texts that are rarely needed again, compressed in blocks. A thread repeats itself: what a run says of the state and of
/// messages is in its events, in what it changed, and for the most part in the runs before it. In one block the compressor
/// finds it, and it is kept once.
/// </summary>
internal sealed class PackedTexts
{
    /// <summary>How long a block is at least, which whoever asks for a text unpacks.</summary>
    private const int BlockLength = 1 << 19;

    /// <summary>The fastest that looks back over a whole block.</summary>
    private const int Quality = 2;

    /// <summary>How far back it looks, as a power of two.</summary>
    private const int Window = 20;

    /// <summary>How long the buffers of a block are, unless a text needs more room.</summary>
    private const int BufferLength = BlockLength + (BlockLength / 4);

    private readonly List<Block> blocks = [];

    /// <summary>The block that is not full yet.</summary>
    private ArrayBufferWriter<byte> open = new(BufferLength);

    /// <summary>A block on its way: compressed, or unpacked for who asked last.</summary>
    private byte[] passing = [];

    /// <summary>The number of the block that is unpacked.</summary>
    private int? unpacked;

    /// <summary>Takes a text.</summary>
    /// <param name="write">Writes it.</param>
    public PackedText Add(Action<Utf8JsonWriter> write)
    {
        var start = open.WrittenCount;
        using (var writer = new Utf8JsonWriter(open, JsonWriting.Options))
        {
            write(writer);
        }

        var added = new PackedText(this, blocks.Count, start, open.WrittenCount - start);
        if (open.WrittenCount >= BlockLength)
        {
            Close();
        }

        return added;
    }

    /// <summary>A part of a block, until another text is added or looked at.</summary>
    public ReadOnlySpan<byte> Part(int block, int start, int length)
    {
        if (block == blocks.Count)
        {
            return open.WrittenSpan.Slice(start, length);
        }

        if (unpacked != block)
        {
            Unpack(block);
        }

        return passing.AsSpan(start, length);
    }

    /// <summary>Compresses the open block, and begins the next one.</summary>
    private void Close()
    {
        MakeRoom(BrotliEncoder.GetMaxCompressedLength(open.WrittenCount));
        if (!BrotliEncoder.TryCompress(open.WrittenSpan, passing, out var length, Quality, Window))
        {
            throw new InvalidOperationException("there was too little room to compress a text");
        }

        blocks.Add(new(passing[..length], open.WrittenCount));
        open.ResetWrittenCount();
        if (open.Capacity > BufferLength)
        {
            open = new(BufferLength);
        }
    }

    private void Unpack(int block)
    {
        MakeRoom(blocks[block].Length);
        if (!BrotliDecoder.TryDecompress(blocks[block].Packed, passing, out _))
        {
            throw new InvalidOperationException("a text that was compressed here cannot be read again");
        }

        unpacked = block;
    }

    /// <summary>Makes room for a block on its way.</summary>
    private void MakeRoom(int size)
    {
        unpacked = null;
        if (passing.Length < size || passing.Length > Math.Max(size, BufferLength))
        {
            passing = new byte[Math.Max(size, BufferLength)];
        }
    }

    /// <summary>A block that is full.</summary>
    /// <param name="Packed">Its text, compressed.</param>
    /// <param name="Length">How many bytes the text has.</param>
    private readonly record struct Block(byte[] Packed, int Length);
}

/// <summary>A text that is rarely needed again.</summary>
/// <param name="texts">Where it is kept.</param>
/// <param name="block">The number of its block.</param>
/// <param name="start">Where it begins there.</param>
/// <param name="length">How many bytes it has.</param>
internal sealed class PackedText(PackedTexts texts, int block, int start, int length)
{
    public int Length => length;

    /// <summary>The text as a value.</summary>
    public JsonElement Element() => Element(0, length);

    /// <summary>A part of it as a value.</summary>
    public JsonElement Element(int from, int bytes) => JsonWriting.Parse(texts.Part(block, start + from, bytes));
}

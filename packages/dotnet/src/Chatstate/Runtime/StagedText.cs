using System;
using System.Buffers;
using System.Collections.Generic;

namespace Chatstate;

/// <summary>
/// A text that goes on when it is whole, since a value may be rejected in its middle. It is kept in parts, so that a long
/// text is not copied while it grows.
/// </summary>
internal sealed class StagedText : IBufferWriter<byte>, System.IDisposable
{
    /// <summary>How long a part is at least: less than what .NET treats as a large object.</summary>
    private const int PartLength = 1 << 16;

    private readonly List<(byte[] Bytes, int Length)> full = [];
    private byte[] part = ArrayPool<byte>.Shared.Rent(PartLength);
    private int length;

    public void Advance(int count) => length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return part.AsMemory(length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return part.AsSpan(length);
    }

    /// <summary>Passes the text on.</summary>
    public void CopyTo(IBufferWriter<byte> destination)
    {
        full.ForEach(before => destination.Write(before.Bytes.AsSpan(0, before.Length)));
        destination.Write(part.AsSpan(0, length));
    }

    public void Dispose()
    {
        full.ForEach(before => ArrayPool<byte>.Shared.Return(before.Bytes));
        ArrayPool<byte>.Shared.Return(part);
        (part, length) = ([], 0);
        full.Clear();
    }

    private void MakeRoom(int size)
    {
        if (part.Length - length >= System.Math.Max(size, 1))
        {
            return;
        }

        full.Add((part, length));
        (part, length) = (ArrayPool<byte>.Shared.Rent(System.Math.Max(size, PartLength)), 0);
    }
}

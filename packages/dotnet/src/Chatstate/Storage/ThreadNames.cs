using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace Chatstate.Storage;

/// <summary>How the files of threads are named, which is the same in the stores of all languages.</summary>
internal static class ThreadNames
{
    /// <summary>The longest name of a file without its suffix, which every file system takes.</summary>
    private const int MaxLength = 200;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>What is a device on Windows, whatever suffix follows it.</summary>
    private static readonly Regex Device = new("^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$", RegexOptions.CultureInvariant);

    /// <summary>The name of a thread's files without their suffix.</summary>
    /// <exception cref="RejectionException">No file can be named after the id.</exception>
    public static string NameOf(string threadId)
    {
        ArgumentNullException.ThrowIfNull(threadId);
        if (!JsonStrings.IsWhole(threadId))
        {
            throw Refused("has an unpaired surrogate");
        }

        if (threadId.Length == 0)
        {
            throw Refused("is empty");
        }

        var name = Escaped(threadId);
        if (name.Length > MaxLength)
        {
            throw Refused($"takes {name.Length} characters in the name of a file, and {MaxLength} are the most");
        }

        return Device.IsMatch(name) ? EscapedByte((byte)name[0]) + name[1..] : name;
    }

    /// <summary>The name that former stores gave, which escaped in lower case or did not know of devices.</summary>
    public static string FormerNameOf(string threadId) => Escaped(threadId).ToLowerInvariant();

    /// <summary>The thread whose files have a name, or had it in former versions; nothing if it is of none.</summary>
    public static string? ThreadOf(string name)
    {
        try
        {
            var threadId = Utf8.GetString(Unescaped(name).ToArray());
            return NameOf(threadId) == name || FormerNameOf(threadId) == name ? threadId : null;
        }
        catch (Exception error) when (error is DecoderFallbackException or RejectionException)
        {
            return null;
        }
    }

    private static IEnumerable<byte> Unescaped(string name)
    {
        for (var at = 0; at < name.Length; at++)
        {
            var isEscape = name[at] == '%' && at + 2 < name.Length
                && char.IsAsciiHexDigit(name[at + 1]) && char.IsAsciiHexDigit(name[at + 2]);
            yield return isEscape ? Convert.FromHexString(name.AsSpan(at + 1, 2))[0] : (byte)name[at];
            at += isEscape ? 2 : 0;
        }
    }

    /// <summary>
    /// Letters may be the same in upper and lower case in the names of files, so those in upper case are escaped.
    /// </summary>
    private static string Escaped(string threadId) => string.Concat(Utf8.GetBytes(threadId).Select(part =>
        char.IsAsciiLetterLower((char)part) || char.IsAsciiDigit((char)part) || part is (byte)'-' or (byte)'_'
            ? ((char)part).ToString()
            : EscapedByte(part)));

    private static string EscapedByte(byte part) => string.Create(CultureInfo.InvariantCulture, $"%{part:X2}");

    private static RejectionException Refused(string why) =>
        new(RejectionClass.Semantic, "store.thread-id", $"the id of the thread {why}; choose another id");
}

using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;

namespace Chatstate;

/// <summary>The key under which the state of a channel is saved.</summary>
public static class ChannelKey
{
    /// <summary>
    /// The key of the parts that identify a channel: the Base64 of the SHA-256 of the parts with a colon
    /// between them. Two lists of parts that join to one text have one key.
    /// </summary>
    public static string Of(IEnumerable<string> parts) =>
        Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join(':', parts))));

    /// <summary>The key of the parts in a JSON array of texts.</summary>
    /// <exception cref="RejectionException">The text is something else.</exception>
    public static string FromJson(string json) =>
        Of(JsonText.Read(json, static element => JsonRead.List(element, JsonRead.Text)));

    /// <inheritdoc cref="FromJson(string)"/>
    public static string FromJson(ReadOnlySpan<byte> utf8Json) =>
        Of(JsonText.Read(utf8Json, static element => JsonRead.List(element, JsonRead.Text)));
}

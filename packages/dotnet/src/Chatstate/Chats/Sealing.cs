using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>
/// Seals: a proof that no one without the key has changed a document. A seal is an HMAC-SHA256 over the canonical form
/// of the document, with its member <c>seal</c> and all that is in it but <c>mac</c>. So the spelling of a document may
/// change under its seal, and its values may not. A seal hides nothing.
/// </summary>
public static class Sealing
{
    private const string Algorithm = "HMAC-SHA256";

    /// <summary>A document with a seal, as text.</summary>
    /// <exception cref="RejectionException">
    /// The document is sealed: sealing again would confirm changes that were never checked. Or it is no object.
    /// </exception>
    public static string Seal(string json, SealKey key) => Seal(JsonText.Parse(json), key);

    /// <inheritdoc cref="Seal(string, SealKey)"/>
    public static string Seal(ReadOnlySpan<byte> utf8Json, SealKey key) => Seal(JsonText.Parse(utf8Json), key);

    /// <summary>A document without its seal, which is verified first, as text.</summary>
    /// <exception cref="RejectionException">
    /// The document was changed, was sealed with another key, or has no seal.
    /// </exception>
    public static string Unseal(string json, SealKey key) => Unseal(JsonText.Parse(json), key);

    /// <inheritdoc cref="Unseal(string, SealKey)"/>
    public static string Unseal(ReadOnlySpan<byte> utf8Json, SealKey key) => Unseal(JsonText.Parse(utf8Json), key);

    /// <summary>Rejects the use of a document that still has its seal, since nothing has verified it.</summary>
    internal static void RejectUnverified(bool isSealed)
    {
        if (isSealed)
        {
            throw new RejectionException(
                RejectionClass.Semantic,
                "seal.unverified",
                "the document is sealed, and its seal was not verified; unseal it with its key, or take off the "
                    + "member `seal`",
                "/seal");
        }
    }

    private static string Seal(JsonElement element, SealKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        var document = Members(element);
        if (document.ContainsKey("seal"))
        {
            const string Sentence = "the document is sealed; take the seal off first, which verifies it";
            throw new RejectionException(RejectionClass.Semantic, "seal.present", Sentence, "/seal");
        }

        var seal = new OrderedDictionary<string, string> { ["algorithm"] = CanonicalJson.Quoted(Algorithm) };
        if (key.Id is { } id)
        {
            seal["keyId"] = CanonicalJson.Quoted(id);
        }

        seal["mac"] = CanonicalJson.Quoted(Convert.ToBase64String(CodeOf(document, seal, key)));
        document["seal"] = Text(seal);
        return Text(document);
    }

    private static string Unseal(JsonElement element, SealKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        var document = Members(element);
        if (!document.Remove("seal"))
        {
            const string Sentence = "the document is not sealed, so nothing shows whether it was changed";
            throw new RejectionException(RejectionClass.Semantic, "seal.missing", Sentence, "/seal");
        }

        var seal = element.GetProperty("seal");
        var mac = CodeIn(seal, key);
        var covered = Members(seal);
        covered.Remove("mac");
        if (!CryptographicOperations.FixedTimeEquals(CodeOf(document, covered, key), mac))
        {
            throw new RejectionException(
                RejectionClass.Semantic,
                "seal.mismatch",
                "the seal does not fit: the document was changed after it was sealed, or it was sealed with another key",
                "/seal/mac");
        }

        return Text(document);
    }

    /// <summary>The code of a document with a seal that has no <c>mac</c>.</summary>
    private static byte[] CodeOf(
        OrderedDictionary<string, string> document, OrderedDictionary<string, string> seal, SealKey key)
    {
        var covered = new OrderedDictionary<string, string>(document) { ["seal"] = Text(seal) };
        return key.CodeOf(CanonicalJson.FromJson(Text(covered)));
    }

    /// <summary>The code in a seal that can be verified.</summary>
    private static byte[] CodeIn(JsonElement seal, SealKey key)
    {
        if (seal.ValueKind != JsonValueKind.Object)
        {
            throw Malformed("type", "must be of type object", "/seal");
        }

        if (TextIn(seal, "algorithm") != Algorithm)
        {
            throw Malformed("const", $"must be the text `{Algorithm}`", "/seal/algorithm");
        }

        var mac = BytesOf(TextIn(seal, "mac"));
        if (seal.TryGetProperty("keyId", out _) && TextIn(seal, "keyId") is var named && key.Id is { } id && named != id)
        {
            var sentence = $"was sealed with the key `{named}`, not with `{id}`";
            throw new RejectionException(RejectionClass.Semantic, "seal.other-key", sentence, "/seal/keyId");
        }

        return mac;
    }

    private static byte[] BytesOf(string text)
    {
        // The reader of .NET passes over whitespace.
        var bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out var length) && Convert.ToBase64String(bytes, 0, length) == text
            ? bytes[..length]
            : throw Malformed("pattern", "must be Base64 of RFC 4648 section 4, with padding", "/seal/mac");
    }

    private static string TextIn(JsonElement seal, string name)
    {
        if (!seal.TryGetProperty(name, out var value))
        {
            throw Malformed("required", $"the member `{name}` is missing", $"/seal/{name}");
        }

        return value.ValueKind == JsonValueKind.String
            ? JsonRead.SplitText(value)
            : throw Malformed("type", "must be of type string", $"/seal/{name}");
    }

    private static RejectionException Malformed(string rule, string sentence, string at) =>
        new(RejectionClass.Schema, rule, sentence, at);

    /// <summary>The members of an object, each as its own text.</summary>
    private static OrderedDictionary<string, string> Members(JsonElement element)
    {
        if (element.ValueKind != JsonValueKind.Object)
        {
            const string Sentence =
                "only an object can be sealed, and this is none; seal the elements of a list one by one";
            throw Malformed("type", Sentence, "");
        }

        JsonRead.Any(element);
        var members = new OrderedDictionary<string, string>();
        foreach (var member in element.EnumerateObject())
        {
            members.Add(member.Name, member.Value.GetRawText());
        }

        return members;
    }

    private static string Text(OrderedDictionary<string, string> members) =>
        $"{{{string.Join(',', members.Select(member => $"{CanonicalJson.Quoted(member.Key)}:{member.Value}"))}}}";
}

/// <summary>
/// A secret that seals documents, and the name that documents give it. Nothing shows or writes the secret.
/// </summary>
[Serializable]
[JsonConverter(typeof(SealKeyConverter))]
public sealed class SealKey : ISystemTextJsonOnly
{
    private const int LeastBytes = 16;

    private readonly byte[] secret;

    /// <summary>
    /// Takes the bytes of a key, all of which count, and its name, which is written into what the key seals. A document
    /// that was sealed with a key of another name is rejected without a look at its code. 32 bytes of
    /// <see cref="RandomNumberGenerator"/> are right.
    /// </summary>
    /// <exception cref="RejectionException">
    /// The key has fewer than 16 bytes, so that it can be guessed, or is zero bytes alone, with which HMAC fills keys up.
    /// </exception>
    public SealKey(ReadOnlySpan<byte> secret, string? id = null)
    {
        if (secret.Length < LeastBytes)
        {
            throw Unusable($"has {secret.Length} bytes, fewer than {LeastBytes}");
        }

        if (!secret.ContainsAnyExcept((byte)0))
        {
            throw Unusable("is nothing but zero bytes");
        }

        this.secret = secret.ToArray();
        Id = id;
    }

    /// <summary>The name, if the key has one.</summary>
    public string? Id { get; }

    internal byte[] CodeOf(string canonical) => HMACSHA256.HashData(secret, Encoding.UTF8.GetBytes(canonical));

    private static RejectionException Unusable(string what) => new(
        RejectionClass.Semantic, "seal.key", $"the key {what}; use at least 32 bytes from a random source");
}

/// <summary>Says that a key is not written.</summary>
public sealed class SealKeyConverter() : RefusingConverter<SealKey>("a key is a secret, and no document holds it.");

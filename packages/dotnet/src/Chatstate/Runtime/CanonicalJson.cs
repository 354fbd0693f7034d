using System;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// The canonical form of JSON: one text for each value, after RFC 8785, with all digits of numbers that
/// a double cannot hold. Values are equal if their canonical texts are.
/// </summary>
public static class CanonicalJson
{
    /// <summary>The canonical form of JSON text.</summary>
    /// <exception cref="RejectionException">The text is not JSON.</exception>
    public static string FromJson(string json) => Of(JsonText.Read(json, JsonRead.Any));

    /// <inheritdoc cref="FromJson(string)"/>
    public static string FromJson(ReadOnlySpan<byte> utf8Json) => Of(JsonText.Read(utf8Json, JsonRead.Any));

    /// <summary>The canonical form of a parsed value.</summary>
    public static string Of(JsonElement element)
    {
        var text = new StringBuilder();
        Append(text, element);
        return text.ToString();
    }

    /// <summary>The canonical form of a value of a generated type.</summary>
    public static string Of<T>(T value)
        where T : IJsonType<T> => Of(JsonText.Parse(value.ToJson()));

    /// <summary>The digest of a value: the SHA-256 of its canonical text, in lower-case digits.</summary>
    public static string Digest(JsonElement element) => DigestOf(Of(element));

    /// <inheritdoc cref="Digest(JsonElement)"/>
    public static string Digest<T>(T value)
        where T : IJsonType<T> => DigestOf(Of(value));

    /// <summary>
    /// Whether two values are equal: the order of members, escapes and the spelling of numbers make no
    /// difference.
    /// </summary>
    public static bool AreEqual(JsonElement left, JsonElement right) => Of(left) == Of(right);

    /// <inheritdoc cref="AreEqual(JsonElement, JsonElement)"/>
    public static bool AreEqual<T>(T left, T right)
        where T : IJsonType<T> => Of(left) == Of(right);

    /// <inheritdoc cref="AreEqual(JsonElement, JsonElement)"/>
    public static bool AreEqual<T>(JsonElement left, T right)
        where T : IJsonType<T> => Of(left) == Of(right);

    /// <summary>A text with its quotes, in which no character is escaped that need not be.</summary>
    internal static string Quoted(string text)
    {
        var quoted = new StringBuilder(text.Length + 2);
        AppendText(quoted, text);
        return quoted.ToString();
    }

    private static string DigestOf(string text) =>
        System.Convert.ToHexStringLower(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(text)));

    private static void Append(StringBuilder text, JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                AppendMembers(text, element);
                break;
            case JsonValueKind.Array:
                AppendItems(text, element);
                break;
            case JsonValueKind.String:
                AppendText(text, JsonRead.SplitText(element));
                break;
            case JsonValueKind.Number:
                var number = JsonRead.Number(element);
                text.Append(number.Decimal.ToCanonical(number.ToDouble()));
                break;
            default:
                text.Append(element.GetRawText());
                break;
        }
    }

    private static void AppendMembers(StringBuilder text, JsonElement element)
    {
        var members = element.EnumerateObject().Select(member => (member.Name, member.Value));
        var separator = "{";
        foreach (var (name, value) in members.OrderBy(member => member.Name, StringComparer.Ordinal))
        {
            text.Append(separator);
            AppendText(text, name);
            text.Append(':');
            Append(text, value);
            separator = ",";
        }

        text.Append(separator == "{" ? "{}" : "}");
    }

    private static void AppendItems(StringBuilder text, JsonElement element)
    {
        var separator = "[";
        foreach (var item in element.EnumerateArray())
        {
            text.Append(separator);
            Append(text, item);
            separator = ",";
        }

        text.Append(separator == "[" ? "[]" : "]");
    }

    private static void AppendText(StringBuilder text, string value)
    {
        text.Append('"');
        for (var index = 0; index < value.Length; index++)
        {
            var isUnpaired = char.IsSurrogate(value[index]) && IsAlone(value, index);
            _ = Short(value[index]) is { } escape
                ? text.Append(escape)
                : isUnpaired || value[index] < ' '
                    ? text.Append(CultureInfo.InvariantCulture, $"\\u{(int)value[index]:x4}")
                    : text.Append(value[index]);
        }

        text.Append('"');
    }

    /// <summary>Unpaired surrogates are at the ends of a text only.</summary>
    private static bool IsAlone(string value, int index) =>
        (index == 0 && char.IsLowSurrogate(value[index]))
        || (index == value.Length - 1 && char.IsHighSurrogate(value[index]));

    private static string? Short(char character) => character switch
    {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\b' => "\\b",
        '\f' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        _ => null,
    };
}

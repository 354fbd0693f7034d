using System;
using System.Globalization;

namespace Chatstate;

/// <summary>Texts of the formats that .NET has a type for. A text that is none gives null.</summary>
internal static class JsonFormat
{
    /// <summary>RFC 3339, with a fraction as long as .NET keeps one.</summary>
    private const string Internet = "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK";

    public static DateTimeOffset? DateTimeOffset(string? text) =>
        System.DateTimeOffset.TryParseExact(
            text?.ToUpperInvariant(), Internet, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var value)
            ? value
            : null;

    public static DateOnly? DateOnly(string? text) =>
        System.DateOnly.TryParseExact(text, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : null;

    public static Guid? Guid(string? text) => System.Guid.TryParseExact(text, "D", out var value) ? value : null;

    public static Uri? Uri(string? text) =>
        System.Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out var value) ? value : null;
}

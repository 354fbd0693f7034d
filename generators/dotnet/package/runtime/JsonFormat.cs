using System;
using System.Globalization;

namespace Chatstate;

/// <summary>Texts of the formats that .NET has a type for. A text that is none gives null.</summary>
internal static class JsonFormat
{
    public static DateTimeOffset? DateTimeOffset(string? text) =>
        System.DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var value)
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

using System.Linq;
using System.Numerics;

namespace Chatstate;

/// <summary>The versions of AG-UI that runs name.</summary>
internal static class ProtocolVersions
{
    /// <summary>The version that the schema describes.</summary>
    private const string Known = "1.1";

    /// <summary>Why a version is not one that is known here.</summary>
    public static string? Newer(string version)
    {
        if (Parts(version) is not { } parts)
        {
            return $"`{version}` is no version of AG-UI such as `{Known}`; the run is read as one of it";
        }

        return Parts(Known) is { } known && parts.CompareTo(known) > 0
            ? $"`{version}` is newer than `{Known}`, which is known here"
            : null;
    }

    private static (BigInteger Major, BigInteger Minor)? Parts(string version)
    {
        var parts = version.Split('.');
        var isVersion = parts.Length == 2 && parts.All(part => part.Length > 0 && part.All(char.IsAsciiDigit));
        return isVersion ? (BigInteger.Parse(parts[0]), BigInteger.Parse(parts[1])) : null;
    }
}

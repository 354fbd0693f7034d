using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace Chatstate.Trimming;

/// <summary>Uses that are right and uses that are wrong, to see that the wrong ones are found.</summary>
internal static class Planted
{
    /// <summary>What is wrong below.</summary>
    public static readonly string[] Expected =
    [
        "IL2026: Planted.InALambda uses JsonSerializer.Serialize",
        "IL2026: Planted.InAnIterator uses JsonSerializer.Serialize",
        "IL2026: Planted.Silent uses JsonSerializer.Serialize",
        "IL2026: Planted.SuppressedWithoutReason uses JsonSerializer.Serialize",
        "IL3050: Planted.InALambda uses JsonSerializer.Serialize",
        "IL3050: Planted.InAnIterator uses JsonSerializer.Serialize",
        "IL3050: Planted.SaysOne uses JsonSerializer.Serialize",
        "IL3050: Planted.Silent uses JsonSerializer.Serialize",
    ];

    public static string Silent(object value) => JsonSerializer.Serialize(value);

    public static Func<string> InALambda(object value) => () => JsonSerializer.Serialize(value);

    public static IEnumerable<string> InAnIterator(object value)
    {
        yield return JsonSerializer.Serialize(value);
    }

    [RequiresUnreferencedCode("It says so.")]
    public static string SaysOne(object value) => JsonSerializer.Serialize(value);

    [RequiresUnreferencedCode("It says so.")]
    [RequiresDynamicCode("It says so.")]
    public static Func<string> Says(object value) => () => JsonSerializer.Serialize(value);

    [RequiresDynamicCode("It says so.")]
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "This is a test.")]
    public static string Suppressed(object value) => JsonSerializer.Serialize(value);

    [RequiresDynamicCode("It says so.")]
    [UnconditionalSuppressMessage("Trimming", "IL2026")]
    public static string SuppressedWithoutReason(object value) => JsonSerializer.Serialize(value);
}

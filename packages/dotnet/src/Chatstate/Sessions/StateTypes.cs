using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate;

/// <summary>How the types of states are read and written.</summary>
internal static class StateTypes
{
    /// <summary>What a trimmed program is told.</summary>
    public const string ByReflection =
        "Without options, or with such that say so, types that the package does not have are read and written by reflection. "
            + "Give a `JsonTypeInfo<T>` instead.";

    private static readonly JsonSerializerOptions Own = Strict(JsonTypes.Resolver);

    private static JsonSerializerOptions? all;

    /// <summary>A type of the package.</summary>
    public static JsonTypeInfo<T> OfPackage<T>() => (JsonTypeInfo<T>)Own.GetTypeInfo(typeof(T));

    /// <summary>
    /// A type as options say. By default that are the package's own, and all others where the serializer may use
    /// reflection.
    /// </summary>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static JsonTypeInfo<T> Of<T>(JsonSerializerOptions? options) =>
        (JsonTypeInfo<T>)(options ?? All()).GetTypeInfo(typeof(T));

    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    private static JsonSerializerOptions All() => all ??= JsonSerializer.IsReflectionEnabledByDefault
        ? Strict(JsonTypeInfoResolver.Combine(JsonTypes.Resolver, new DefaultJsonTypeInfoResolver()))
        : Own;

    private static JsonSerializerOptions Strict(IJsonTypeInfoResolver types) => new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        TypeInfoResolver = types,
    };
}

using System.Reflection;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>The public types of the package that hold something, found by reflection.</summary>
internal static class PublicTypes
{
    /// <summary>All of them, each closed over a type of this program where it is open.</summary>
    public static IReadOnlyList<Type> All { get; } = typeof(Session).Assembly.GetExportedTypes()
        .Where(HoldsSomething)
        .Select(type => type.IsGenericTypeDefinition ? Closed(type) : type)
        .OrderBy(type => type.FullName, StringComparer.Ordinal)
        .ToList();

    /// <summary>
    /// Static classes hold nothing. Enumerations are numbers, functions are rejected by every serializer, and
    /// converters and resolvers are parts of one. C# takes no interface with static members as a type of values.
    /// </summary>
    private static bool HoldsSomething(Type type) =>
        !(type is { IsAbstract: true, IsSealed: true } || type.IsEnum)
        && !typeof(Delegate).IsAssignableFrom(type)
        && !typeof(JsonConverter).IsAssignableFrom(type)
        && !typeof(IJsonTypeInfoResolver).IsAssignableFrom(type)
        && type != typeof(IJsonType<>);

    private static Type Closed(Type type)
    {
        var parameters = type.GetGenericArguments();
        return type.MakeGenericType(Array.ConvertAll(parameters, _ => typeof(Participant)));
    }
}

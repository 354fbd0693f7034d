using System.Reflection;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>The doors that take any type.</summary>
internal static class Serializers
{
    private const string Same = "the document of `ToJson`, for every type; what is not only data says what to use";

    private static readonly JsonSerializerOptions WithoutReflection = new()
    {
        TypeInfoResolver = JsonTypeInfoResolver.Combine(new ConvertersOnly(), JsonTypes.Resolver),
    };

    private static readonly JsonSerializerOptions Resolver = new() { TypeInfoResolver = JsonTypes.Resolver };

    public static Door[] Doors =>
    [
        .. OfAnyType.Select(door => new Door(door.Call, $"{Same}{door.More}", () => Law.Faults(door.Door))),
        new("`ISerializable`, as serializers without a registration of types use it", "nothing: both directions are rejected, with what to use", SerializableFaults),
        Newtonsoft.Door,
    ];

    /// <summary>What a program calls, what it does, and what the page says of it beside what it says of all.</summary>
    public static (string Call, ReadAndWrite Door, string More)[] OfAnyType =>
    [
        ("`JsonSerializer.Serialize(value)`, `Deserialize<T>(text)`", With(JsonSerializerOptions.Default), ""),
        ("with `JsonSerializerOptions.Web`, as ASP.NET Core does", With(JsonSerializerOptions.Web), ""),
        ("with a `JsonSerializerContext` of your own", With(WithoutReflection), ": it takes the public converter of each type"),
        ("with `JsonTypes.Resolver`, without reflection", With(Resolver), ", or that there is no metadata"),
        ("in a list, as a value of a dictionary, as a member of a type", Inside, ""),
        ("`JsonSerializer.SerializeToNode`, `JsonNode.Deserialize`", Node, ""),
        ("`JsonSerializer.SerializeAsync(stream, value)`, `DeserializeAsync<T>(stream)`", Streamed, ""),
    ];

    private static readonly ReadAndWrite Inside = new(
        (value, type) => Unwrapped(JsonSerializer.Serialize(Wrapped(value, type))),
        (text, type) => JsonSerializer.Deserialize($"[{{\"k\":{text}}}]", Wrapping(type)) is System.Collections.IEnumerable list
            ? ((System.Collections.IDictionary)list.Cast<object>().Single())["k"]
            : null);

    private static readonly ReadAndWrite Node = new(
        (value, type) => JsonSerializer.SerializeToNode(value, type)!.ToJsonString(),
        (text, type) => JsonNode.Parse(text).Deserialize(type));

    private static readonly ReadAndWrite Streamed = new(
        (value, type) =>
        {
            using var stream = new MemoryStream();
            JsonSerializer.SerializeAsync(stream, value, type).GetAwaiter().GetResult();
            return System.Text.Encoding.UTF8.GetString(stream.ToArray());
        },
        (text, type) =>
        {
            using var stream = new MemoryStream(System.Text.Encoding.UTF8.GetBytes(text));
            return JsonSerializer.DeserializeAsync(stream, type).AsTask().GetAwaiter().GetResult();
        });

    private static ReadAndWrite With(JsonSerializerOptions options) => new(
        (value, type) => JsonSerializer.Serialize(value, type, options),
        (text, type) => JsonSerializer.Deserialize(text, type, options));

    /// <summary>The type of a list of dictionaries of a type.</summary>
    private static Type Wrapping(Type type) =>
        typeof(List<>).MakeGenericType(typeof(Dictionary<,>).MakeGenericType(typeof(string), type));

    private static object Wrapped(object value, Type type)
    {
        var list = (System.Collections.IList)Activator.CreateInstance(Wrapping(type))!;
        var map = (System.Collections.IDictionary)Activator.CreateInstance(list.GetType().GetGenericArguments()[0])!;
        map["k"] = value;
        list.Add(map);
        return list;
    }

    private static string Unwrapped(string text) => JsonElement.Parse(text)[0].GetProperty("k").GetRawText();

    /// <summary>
    /// What serializers ask of a type before they go by its members: it has the attribute, writes nothing, and has
    /// no constructor by which it would be read.
    /// </summary>
    private static IEnumerable<string> SerializableFaults() => PublicTypes.All
        .Where(type => !type.IsInterface)
        .Select(type => (type.Name, Fault: SerializableFault(type)))
        .Where(row => row.Fault is not null)
        .Select(row => $"{row.Name}: {row.Fault}");

    private static string? SerializableFault(Type type)
    {
        if (!type.IsDefined(typeof(SerializableAttribute), inherit: false) || !typeof(ISerializable).IsAssignableFrom(type))
        {
            return "is not `[Serializable]` and `ISystemTextJsonOnly`";
        }

        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        if (type.GetConstructor(Any, [typeof(SerializationInfo), typeof(StreamingContext)]) is not null)
        {
            return "has a constructor for other serializers";
        }

        var value = (ISerializable)Maker.Of(type);
#pragma warning disable SYSLIB0050 // It is obsolete, and asked for all the same.
        var refusal = Law.Said<object>(
            () =>
            {
                value.GetObjectData(null!, default);
                return value;
            },
            out _);
#pragma warning restore SYSLIB0050
        return refusal is null ? "is written" : null;
    }

    /// <summary>What the source generator makes of a type: a call of its converter, which it takes only if it is public.</summary>
    private sealed class ConvertersOnly : IJsonTypeInfoResolver
    {
        public JsonTypeInfo? GetTypeInfo(Type type, JsonSerializerOptions options)
        {
            var converter = type.GetCustomAttribute<JsonConverterAttribute>()?.ConverterType;
            if (converter is not { IsVisible: true } || converter.GetConstructor([]) is not { } constructor)
            {
                return null;
            }

            var made = (JsonConverter)constructor.Invoke(null);
            made = made is JsonConverterFactory factory ? factory.CreateConverter(type, options)! : made;
            var create = typeof(JsonMetadataServices).GetMethod(nameof(JsonMetadataServices.CreateValueInfo))!;
            return (JsonTypeInfo)create.MakeGenericMethod(type).Invoke(null, [options, made])!;
        }
    }
}

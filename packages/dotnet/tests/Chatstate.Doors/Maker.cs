using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using Chatstate;
using Chatstate.Storage;

namespace Chatstate.Doors;

/// <summary>Makes a value of any public type, in which every member has something that a serializer could lose.</summary>
internal static class Maker
{
    /// <summary>How deep optional members are given values; types may contain themselves.</summary>
    private const int MaxDepth = 3;

    /// <summary>A value that a double, a type of .NET, or a serializer that drops nulls would not keep.</summary>
    private const string Anything = """{"big":12345678901234567890123.10,"none":null,"text":"\u0000<é+😀"}""";

    /// <summary>Texts of the forms that a schema asks for: any, a version, a pointer, a code in Base64.</summary>
    private static readonly string[] Texts = ["x", "1", "/x", Convert.ToBase64String(new byte[32])];

    /// <summary>Where the stores of files are; it goes when the program ends.</summary>
    private static readonly DirectoryInfo Folder = TemporaryFolder();

    /// <summary>Types that nobody makes but the package itself, and those that take more than any value.</summary>
    private static readonly Dictionary<Type, Func<object>> Known = new()
    {
        [typeof(string)] = () => "x",
        [typeof(bool)] = () => true,
        [typeof(int)] = () => 1,
        [typeof(long)] = () => 1L,
        [typeof(object)] = () => "x",
        [typeof(JsonElement)] = () => JsonElement.Parse(Anything),
        [typeof(JsonNumber)] = () => JsonNumber.Parse("12345678901234567890123.10"),
        [typeof(IChatMessageStore)] = () => new StoreRegistry().Attach(new Session(), "m"),
        [typeof(IChatAgent)] = () => new Speaker("a"),
        [typeof(FileEventStore)] = () => new FileEventStore(Folder.FullName),
        [typeof(AgentChat)] = () => Samples.Chat(),
        [typeof(HistoryChannel)] = () => new HistoryChannel(JsonElement.Parse($"[{Samples.Message}]")),
        [typeof(ReplayedThread)] = () => Samples.Events().Replay(),
        [typeof(Session)] = () => Session.FromJson(Samples.SessionText),
        [typeof(StateBag)] = () => Session.FromJson(Samples.SessionText).State,
        [typeof(StoreState)] = () => StoreState.FromJson($$"""{"x":1.10,"$type":"K","any":{{Anything}}}"""),
        [typeof(EncodedChatState)] = Encoded,
        [typeof(AgentChatSerializer)] = () => AgentChatSerializer.Deserialize(
            System.Text.Encoding.UTF8.GetBytes(Unsealed().ToJson())),
        [typeof(SealKey)] = () => new SealKey("a key that only this program has"u8, "door"),
    };

    private static DirectoryInfo TemporaryFolder()
    {
        var folder = Directory.CreateTempSubdirectory("chatstate-");
        AppDomain.CurrentDomain.ProcessExit += (_, _) => folder.Delete(recursive: true);
        return folder;
    }

    /// <summary>A seal holds for one form of a document only.</summary>
    private static EncodedChatState Encoded() => Unsealed().Encode();

    /// <summary>A chat state whose seal nobody has to verify.</summary>
    private static ChatState Unsealed()
    {
        var state = (ChatState)Of(typeof(ChatState));
        state.Seal = null;
        return state;
    }

    /// <summary>A value of a type.</summary>
    public static object Of(Type type) => Of(type, 0);

    private static object Of(Type type, int depth)
    {
        if (Known.TryGetValue(type, out var make))
        {
            return make();
        }

        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return Of(underlying, depth);
        }

        return Collection(type, depth)
            ?? (type.IsEnum ? Enum.GetValues(type).GetValue(^1) : null)
            ?? (type.IsInterface || type.IsAbstract ? Of(Variant(type), depth) : null)
            ?? (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Optional<>) ? Held(type, depth) : null)
            ?? OfItself(type)
            ?? Unknown(type)
            ?? Made(type, depth)
            ?? throw new InvalidOperationException($"nothing makes a `{type}`; add how to `{nameof(Maker)}`");
    }

    private static object? GetValue(this Array values, Index index) => values.GetValue(index.GetOffset(values.Length));

    private static object Held(Type type, int depth) =>
        type.GetMethod("Of")!.Invoke(null, [Of(type.GetGenericArguments()[0], depth)])!;

    /// <summary>A list or a map with one entry, or a class that is one.</summary>
    private static object? Collection(Type type, int depth)
    {
        var (arguments, isMap) = (type.GetGenericArguments(), type.Name.StartsWith("IDictionary", StringComparison.Ordinal));
        if (isMap)
        {
            var map = (IDictionary)Activator.CreateInstance(typeof(OrderedDictionary<,>).MakeGenericType(arguments))!;
            map.Add("x-unknown", Of(arguments[1], depth + 1));
            return map;
        }

        if (type.IsInterface && arguments.Length == 1 && typeof(IEnumerable).IsAssignableFrom(type))
        {
            var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(arguments))!;
            list.Add(Of(arguments[0], depth + 1));
            return list;
        }

        if (typeof(IList).IsAssignableFrom(type) && type.GetConstructor([]) is not null)
        {
            var list = (IList)Activator.CreateInstance(type)!;
            var items = type.GetInterfaces().First(one => one.Name == "IList`1").GetGenericArguments()[0];
            list.Add(Of(items, depth + 1));
            return list;
        }

        return null;
    }

    /// <summary>A class that is what is asked for, and holds what it read.</summary>
    private static Type Variant(Type type) => PublicTypes.All.First(other =>
        type.IsAssignableFrom(other) && !other.IsAbstract && !other.Name.StartsWith("Unknown", StringComparison.Ordinal));

    /// <summary>A word of an enumeration, or one variant of a union without a class hierarchy.</summary>
    private static object? OfItself(Type type)
    {
        if (typeof(IEquatable<>).MakeGenericType(type).IsAssignableFrom(type) && type.IsValueType)
        {
            return type.GetProperties(BindingFlags.Static | BindingFlags.Public)
                .FirstOrDefault(one => one.PropertyType == type)?.GetValue(null);
        }

        var of = type.GetMethods(BindingFlags.Static | BindingFlags.Public).FirstOrDefault(method =>
            method.Name.StartsWith("Of", StringComparison.Ordinal) && method.ReturnType == type
            && method.GetParameters().Length == 1 && !method.IsGenericMethod);
        return of?.Invoke(null, [Of(of.GetParameters()[0].ParameterType, MaxDepth)]);
    }

    /// <summary>A variant of a union that the package does not know.</summary>
    private static object? Unknown(Type type)
    {
        if (!type.Name.StartsWith("Unknown", StringComparison.Ordinal))
        {
            return null;
        }

        var tag = type.BaseType!.GetProperties().First(one => one.GetMethod!.IsAbstract);
        var wire = tag.GetCustomAttribute<JsonPropertyNameAttribute>()!.Name;
        return type.GetMethod("FromJson", [typeof(string)])!
            .Invoke(null, [$$"""{"x":{{Anything}},"{{wire}}":"x-unknown"}"""]);
    }

    private static object? Made(Type type, int depth)
    {
        var constructor = type.GetConstructors().MaxBy(one => one.GetParameters().Length);
        if (constructor is null)
        {
            return null;
        }

        var made = constructor.Invoke(Array.ConvertAll(constructor.GetParameters(), one => Argument(one, depth)));
        var properties = type.GetProperties().Where(one => one.SetMethod?.IsPublic == true && one.GetIndexParameters().Length == 0).ToList();
        properties.ForEach(property => Required(made, property, depth));
        if (!IsRead(made) && !Texts.Any(text => IsSetRight(made, properties, text)))
        {
            throw new InvalidOperationException($"no `{type}` that its reader takes; add how it is made to `{nameof(Maker)}`");
        }

        if (depth < MaxDepth)
        {
            properties.ForEach(property => Optional(made, property, depth));
        }

        return made;
    }

    private static void Required(object made, PropertyInfo property, int depth)
    {
        if (property.IsDefined(typeof(RequiredMemberAttribute)))
        {
            property.SetValue(made, Of(property.PropertyType, depth + 1));
        }
    }

    /// <summary>Sets the required texts to one, and then one of them to another, until the schema takes them.</summary>
    private static bool IsSetRight(object made, List<PropertyInfo> properties, string text)
    {
        var required = properties.FindAll(property =>
            property.IsDefined(typeof(RequiredMemberAttribute)) && property.PropertyType == typeof(string));
        required.ForEach(property => property.SetValue(made, text));
        return IsRead(made) || required.Exists(property => Texts.Any(other =>
        {
            property.SetValue(made, other);
            return IsRead(made);
        }));
    }

    /// <summary>Sets a member, if the type takes the value; the schema may ask for a certain one.</summary>
    private static void Optional(object made, PropertyInfo property, int depth)
    {
        if (property.IsDefined(typeof(RequiredMemberAttribute)) || typeof(Delegate).IsAssignableFrom(property.PropertyType))
        {
            return;
        }

        var before = property.GetValue(made);
        object[] candidates = property.PropertyType == typeof(string) ? Texts : [Of(property.PropertyType, depth + 1)];
        foreach (var candidate in candidates)
        {
            property.SetValue(made, candidate);
            if (IsRead(made))
            {
                return;
            }
        }

        property.SetValue(made, before);
    }

    /// <summary>Whether a type reads what it writes of a value, if it does.</summary>
    private static bool IsRead(object made)
    {
        var read = made.GetType().GetMethod("FromJson", [typeof(string)]);
        return read is null || made is not IJsonWritable written
            || Law.Said(() => read.Invoke(null, [written.ToJson()]), out _) is null;
    }

    private static object? Argument(ParameterInfo parameter, int depth) =>
        typeof(Delegate).IsAssignableFrom(parameter.ParameterType)
            || parameter.ParameterType == typeof(JsonSerializerOptions)
            || (parameter.HasDefaultValue && depth >= MaxDepth)
                ? null
                : Of(parameter.ParameterType, depth + 1);
}

using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate.Bench;

/// <summary>
/// How the serializer reads the plain declarations that <c>chatstate generate dotnet --only types</c> writes. Metadata is made by
/// reflection once, before the clock starts; the converters that read are those of generated metadata.
/// </summary>
internal static class PlainClasses
{
    public static JsonSerializerOptions Options() => new()
    {
        AllowDuplicateProperties = false,
        AllowOutOfOrderMetadataProperties = true,
        MaxDepth = 512,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { TellVariantsApart } },
        Converters = { new WordConverterFactory(), new TextOrPartsConverter() },
    };

    /// <summary>Reads the classes below an abstract one by the value that their discriminator begins with.</summary>
    private static void TellVariantsApart(JsonTypeInfo info)
    {
        if (IsUnion(info.Type))
        {
            var tag = DiscriminatorOf(info.Type);
            info.PolymorphismOptions = new() { TypeDiscriminatorPropertyName = tag };
            foreach (var variant in info.Type.Assembly.GetTypes().Where(type => type.BaseType == info.Type))
            {
                // The class of unknown variants has none.
                if (TagOf(variant) is { } value)
                {
                    info.PolymorphismOptions.DerivedTypes.Add(new(variant, value));
                }
            }

            info.Properties.Clear();
        }
        else if (info.Type.BaseType is { } union && IsUnion(union))
        {
            var tag = DiscriminatorOf(union);
            info.Properties.Remove(info.Properties.Single(property => property.Name == tag));
        }
    }

    private static bool IsUnion(Type type) => type is { IsClass: true, IsAbstract: true, Namespace: nameof(Plain) };

    private static string DiscriminatorOf(Type union) =>
        union.GetProperties().Single().GetCustomAttribute<JsonPropertyNameAttribute>()!.Name;

    /// <summary>The value of the discriminator in a new instance.</summary>
    private static string? TagOf(Type variant) =>
        (string?)variant.BaseType!.GetProperties().Single().GetValue(Activator.CreateInstance(variant));

    /// <summary>Reads the structs around one text.</summary>
    private sealed class WordConverterFactory : JsonConverterFactory
    {
        public override bool CanConvert(Type type) => type is { IsValueType: true, Namespace: nameof(Plain) };

        public override JsonConverter CreateConverter(Type type, JsonSerializerOptions options) =>
            (JsonConverter)Activator.CreateInstance(typeof(WordConverter<>).MakeGenericType(type))!;
    }

    private sealed class WordConverter<T> : JsonConverter<T>
    {
        private static readonly Func<string, T> Make = Constructor();

        public override T Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) => Make(reader.GetString()!);

        public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => throw new NotSupportedException();

        private static Func<string, T> Constructor()
        {
            var text = Expression.Parameter(typeof(string));
            return Expression.Lambda<Func<string, T>>(Expression.New(typeof(T).GetConstructor([typeof(string)])!, text), text).Compile();
        }
    }

    private sealed class TextOrPartsConverter : JsonConverter<Plain.TextOrParts>
    {
        public override Plain.TextOrParts Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            reader.TokenType == JsonTokenType.String
                ? new() { AsText = reader.GetString() }
                : new() { AsList = JsonSerializer.Deserialize<IList<Plain.ContentPart>>(ref reader, options) };

        public override void Write(Utf8JsonWriter writer, Plain.TextOrParts value, JsonSerializerOptions options) =>
            throw new NotSupportedException();
    }
}

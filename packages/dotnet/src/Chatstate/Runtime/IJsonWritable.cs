using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>A type that is written as JSON without reflection.</summary>
[JsonConverter(typeof(WritingConverter<IJsonWritable>))]
public interface IJsonWritable : ISystemTextJsonOnly
{
    /// <summary>Writes compact JSON text.</summary>
    string ToJson();

    /// <summary>Writes the value.</summary>
    void WriteTo(Utf8JsonWriter writer);
}

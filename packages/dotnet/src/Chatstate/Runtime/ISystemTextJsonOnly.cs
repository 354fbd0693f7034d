using System;
using System.Runtime.Serialization;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>
/// What only <c>System.Text.Json</c> reads and writes. A serializer that asks its types for their members by
/// <see cref="ISerializable"/>, such as Newtonsoft.Json, would lose some of them, so that it is rejected in both
/// directions. The types that are this have <see cref="SerializableAttribute"/>, without which it is not asked.
/// </summary>
[JsonConverter(typeof(SystemTextJsonOnlyConverter))]
public interface ISystemTextJsonOnly : ISerializable
{
    /// <summary>Rejects the serializer. Without a constructor for it, it reads nothing either.</summary>
    void ISerializable.GetObjectData(SerializationInfo info, StreamingContext context) =>
        throw new NotSupportedException(
            $"this serializer would lose a part of `{GetType().Name}`; use `System.Text.Json`, or what the type itself has");
}

/// <summary>Says as what a value is written.</summary>
public sealed class SystemTextJsonOnlyConverter() : RefusingConverter<ISystemTextJsonOnly>(
    "a value is read and written as its own type; name that in the call.");

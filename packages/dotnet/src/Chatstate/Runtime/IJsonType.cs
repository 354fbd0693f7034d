using System;
using System.Text.Json;

namespace Chatstate;

/// <summary>A type that is read from JSON and written as JSON without reflection.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IJsonType<TSelf> : IJsonWritable
    where TSelf : IJsonType<TSelf>
{
    /// <summary>Reads JSON text as this type.</summary>
    /// <exception cref="RejectionException">The text is rejected; it says where, and which rule is broken.</exception>
    static virtual TSelf FromJson(string json) => JsonText.Read<TSelf>(json);

    /// <summary>Reads JSON text in UTF-8 as this type.</summary>
    /// <exception cref="RejectionException">The text is rejected; it says where, and which rule is broken.</exception>
    static virtual TSelf FromJson(ReadOnlySpan<byte> utf8Json) => JsonText.Read<TSelf>(utf8Json);

    /// <summary>
    /// Reads a parsed JSON value as this type. Its parser has decided what becomes of duplicate
    /// names.
    /// </summary>
    /// <exception cref="RejectionException">The value is rejected; it says where, and which rule is broken.</exception>
    static abstract TSelf FromElement(JsonElement element);
}

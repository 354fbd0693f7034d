using System;
using System.Globalization;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>What kind of rule a rejected document breaks.</summary>
public enum RejectionClass
{
    /// <summary>The text is no JSON, or a string in it is no Unicode text.</summary>
    Syntax,

    /// <summary>Depth or size beyond what is read.</summary>
    Limit,

    /// <summary>A version that is not supported.</summary>
    Version,

    /// <summary>A value against the schema.</summary>
    Schema,

    /// <summary>One document contradicts itself.</summary>
    Semantic,

    /// <summary>The events of a stream cannot be in their order.</summary>
    Sequence,

    /// <summary>A restore that is rejected.</summary>
    Restore,
}

/// <summary>A document that is rejected: what kind of rule it breaks, where, and which.</summary>
[Serializable]
[JsonConverter(typeof(RejectionExceptionConverter))]
public sealed class RejectionException : JsonException, ISystemTextJsonOnly
{
    private readonly string sentence;

    /// <summary>Rejects the value at hand.</summary>
    public RejectionException(RejectionClass rejectionClass, string rule, string sentence, string at = "")
    {
        Class = rejectionClass;
        Rule = rule;
        At = at;
        this.sentence = sentence;
    }

    /// <summary>The kind of rule that is broken.</summary>
    public RejectionClass Class { get; }

    /// <summary>The rule: for <see cref="RejectionClass.Schema"/> the keyword of JSON Schema.</summary>
    public string Rule { get; }

    /// <summary>JSON Pointer to the offending value; a missing member is named itself.</summary>
    public string At { get; private set; }

    /// <inheritdoc/>
    /// <remarks>Inside of a value that another converter reads, the serializer says by its path where this one is.</remarks>
    public override string Message => Path is null or "$" ? Placed : $"{Placed} in the value at `{Path}`";

    private string Placed => At.Length == 0 ? sentence : $"{sentence}, at `{At}`";

    /// <summary>What is wrong, without the place.</summary>
    internal string Sentence => sentence;

    void ISerializable.GetObjectData(SerializationInfo info, StreamingContext context) =>
        throw new NotSupportedException(RejectionExceptionConverter.Sentence);

    /// <summary>Rejects the value at hand because of the schema.</summary>
    internal static RejectionException Schema(string keyword, string sentence) =>
        new(RejectionClass.Schema, keyword, sentence);

    /// <summary>
    /// Says that the rejected value is under a name. For exception filters: it is called from the
    /// inside to the outside, and gives false, so that the stack is unwound once and not at every level.
    /// </summary>
    internal bool Within(string name)
    {
        At = $"/{Escape(name)}{At}";
        return false;
    }

    /// <inheritdoc cref="Within(string)"/>
    internal bool Within(ReadOnlySpan<byte> name) => Within(System.Text.Encoding.UTF8.GetString(name));

    /// <summary>The same for a value that is at an index.</summary>
    internal bool Within(int index) => Within(index.ToString(CultureInfo.InvariantCulture));

    /// <summary>One step of a JSON Pointer.</summary>
    internal static string Escape(string name) => name.Replace("~", "~0").Replace("/", "~1");
}

/// <summary>Says what to write of a rejection.</summary>
public sealed class RejectionExceptionConverter() : RefusingConverter<RejectionException>(Sentence)
{
    internal const string Sentence =
        "an exception is not read and written; write its `Class`, `Rule`, `At` and `Message`.";
}

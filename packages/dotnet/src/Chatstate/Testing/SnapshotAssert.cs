using System;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate.Testing;

/// <summary>
/// Assertions for tests of any framework: values are compared by what they mean, and a failure names what was lost.
/// </summary>
public static class SnapshotAssert
{
    /// <summary>The environment variable with which <see cref="Matches"/> writes the files.</summary>
    public const string UpdateVariable = "CHATSTATE_UPDATE_SNAPSHOTS";

    /// <summary>
    /// Fails unless two JSON texts have one value. The order of members, escapes and the spelling of numbers make no
    /// difference.
    /// </summary>
    /// <exception cref="SnapshotException">They differ; the message has one line for each difference.</exception>
    public static void Equal(string expectedJson, string actualJson) => Equal(Parsed(expectedJson), Parsed(actualJson));

    /// <inheritdoc cref="Equal(string, string)"/>
    public static void Equal(JsonElement expected, JsonElement actual)
    {
        var differences = JsonDifference.Between(expected, actual);
        if (differences.Count > 0)
        {
            var lines = string.Join("\n  ", differences.Select(difference => difference.ToString()));
            throw new SnapshotException($"{differences.Count} difference(s) from what is expected:\n  {lines}");
        }
    }

    /// <inheritdoc cref="Equal(string, string)"/>
    public static void Equal<T>(T expected, T actual)
        where T : IJsonType<T> => Equal(expected.ToJson(), actual.ToJson());

    /// <inheritdoc cref="Equal(string, string)"/>
    public static void Equal<T>(JsonElement expected, T actual)
        where T : IJsonType<T> => Equal(expected, Parsed(actual.ToJson()));

    /// <summary>
    /// Fails unless a JSON text has the value of a file. Where the environment variable
    /// <see cref="UpdateVariable"/> is 1, the file is written instead.
    /// </summary>
    /// <exception cref="SnapshotException">They differ; the message has one line for each difference.</exception>
    public static void Matches(string path, string actualJson)
    {
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            _ = Parsed(actualJson);
            File.WriteAllText(path, actualJson + "\n");
            return;
        }

        if (!File.Exists(path))
        {
            throw new SnapshotException($"{path}: there is no such file\n  set {UpdateVariable}=1 to write it");
        }

        try
        {
            Equal(File.ReadAllText(path), actualJson);
        }
        catch (SnapshotException exception)
        {
            throw new SnapshotException($"{path}: {exception.Message}\n  set {UpdateVariable}=1 to write the file anew");
        }
    }

    private static JsonElement Parsed(string json) => JsonText.Read(json, JsonRead.Any);
}

/// <summary>A value is not the expected one.</summary>
/// <param name="message">What differs.</param>
[Serializable]
[JsonConverter(typeof(SnapshotExceptionConverter))]
public sealed class SnapshotException(string message) : Exception(message), ISystemTextJsonOnly
{
    void ISerializable.GetObjectData(SerializationInfo info, StreamingContext context) =>
        throw new NotSupportedException(SnapshotExceptionConverter.Sentence);
}

/// <summary>Says what to write of a failed assertion.</summary>
public sealed class SnapshotExceptionConverter() : RefusingConverter<SnapshotException>(Sentence)
{
    internal const string Sentence = "an exception is not read and written; write its `Message`.";
}

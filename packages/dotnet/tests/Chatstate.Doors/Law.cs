using System.Reflection;
using System.Text.Json;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>One way to write values of any type and to read them again.</summary>
/// <param name="Write">Gives the text of a value, which is written as a type.</param>
/// <param name="Read">Gives the value of a text, read as a type.</param>
internal sealed record ReadAndWrite(Func<object, Type, string> Write, Func<string, Type, object?> Read);

/// <summary>
/// The law of every public type: a door writes the document that the type itself writes, and reads that document as
/// the same value. It says no to what is not only data, and never to what reads itself. A type that does not write itself comes back as an equal value.
/// </summary>
internal static class Law
{
    /// <summary>What is wrong with a door, type by type.</summary>
    public static IEnumerable<string> Faults(
        ReadAndWrite door, bool mayWrite = true, Func<Type, bool>? takes = null)
    {
        foreach (var type in PublicTypes.All.Where(takes ?? (_ => true)))
        {
            if (Fault(door, type, mayWrite) is { } fault)
            {
                yield return $"{type.Name}: {fault}";
            }
        }
    }

    /// <summary>The document that a value writes by itself, if it does.</summary>
    public static string? Own(object value) => (value as IJsonWritable)?.ToJson();

    private static string? Fault(ReadAndWrite door, Type type, bool mayWrite)
    {
        var value = Maker.Of(type);
        var text = Said(() => door.Write(value, type), out var written) ?? written;
        if (written is not null && !mayWrite)
        {
            return $"it is written as {written}";
        }

        if (string.IsNullOrEmpty(text))
        {
            return "the refusal says nothing";
        }

        // What reads itself is never refused, but by a door that writes nothing.
        var isDocument = mayWrite && type.GetMethod("FromElement") is not null && typeof(IJsonWritable).IsAssignableFrom(type);
        if (isDocument && written is null)
        {
            return $"is not written: {text}";
        }

        return Own(value) is { } own
            ? Differs("is written as", written, own) ?? ReadFault(door, type, own, isDocument)
            : written is null ? null : EqualFault(door, type, value, written);
    }

    /// <summary>What is wrong with a value that is read of its own document.</summary>
    private static string? ReadFault(ReadAndWrite door, Type type, string own, bool isDocument)
    {
        if (Said(() => door.Read(own, type), out var read) is { } refusal)
        {
            return refusal.Length > 0 && !isDocument ? null : $"is not read: {refusal}";
        }

        return read is null ? "is read as null" : Differs("is read as", Own(read), own);
    }

    /// <summary>What is wrong with a value that has no document of its own.</summary>
    private static string? EqualFault(ReadAndWrite door, Type type, object value, string written)
    {
        if (Said(() => door.Read(written, type), out var read) is { } refusal)
        {
            return $"is written as {written}, and not read: {refusal}";
        }

        return value.Equals(read) ? null : $"is written as {written}, and read as another value";
    }

    /// <summary>What is wrong with a text that is not the document.</summary>
    public static string? Differs(string how, string? found, string own) =>
        found is null || found == own || CanonicalJson.FromJson(found) == CanonicalJson.FromJson(own) ? null : $"{how} {found}, not {own}";

    /// <summary>What an act says that is refused; null if it is done.</summary>
    public static string? Said<T>(Func<T> act, out T? done)
        where T : class?
    {
        done = null;
        try
        {
            done = act();
            return null;
        }
        catch (TargetInvocationException exception) when (IsRefusal(exception.InnerException!))
        {
            return exception.InnerException!.Message;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            return exception.Message;
        }
    }

    /// <summary>Whether an exception is a serializer's no; any other is a fault of the program.</summary>
    private static bool IsRefusal(Exception exception) =>
        exception is NotSupportedException or JsonException or InvalidOperationException
        || exception.GetType().Namespace?.StartsWith("Newtonsoft", StringComparison.Ordinal) == true;
}

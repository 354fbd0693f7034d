using Chatstate;

namespace Chatstate.Doors;

/// <summary>The law of every type that writes itself: equal documents are equal values, and a value shows its document.</summary>
internal static class Values
{
    public static IEnumerable<string> Faults() => PublicTypes.All
        .Where(type => !type.IsInterface && typeof(IJsonWritable).IsAssignableFrom(type))
        .Select(type => (type.Name, Fault: Fault(type, Maker.Of(type))))
        .Where(row => row.Fault is not null)
        .Select(row => $"{row.Name}: {row.Fault}");

    private static string? Fault(Type type, object value)
    {
        if (value.ToString() == type.ToString())
        {
            return "shows its type, and not its document";
        }

        if (type.IsClass && type.GetProperty("CanonicalText") is null && !IsPlain(type))
        {
            return "shows nothing by which a walk over its public members finds a difference";
        }

        return Again(type, value) is { } again ? Differs(value, again) : null;
    }

    /// <summary>A record of texts and numbers alone, whose members show every difference.</summary>
    private static bool IsPlain(Type type) => type.GetProperties().All(property =>
        property.PropertyType == typeof(string) || property.PropertyType.IsValueType);

    /// <summary>The same document read anew, of a type that is equal by value.</summary>
    private static object? Again(Type type, object value)
    {
        var isEqualByValue = type.GetMethod(nameof(Equals), [typeof(object)])!.DeclaringType != typeof(object);
        var read = type.GetMethod("FromJson", [typeof(string)]);
        return isEqualByValue && read is { IsStatic: true } ? read.Invoke(null, [Law.Own(value)]) : null;
    }

    private static string? Differs(object value, object again) =>
        !value.Equals(again) ? "is not equal to what is read of its document"
        : value.GetHashCode() != again.GetHashCode() ? "has another hash than what is read of its document"
        : null;
}

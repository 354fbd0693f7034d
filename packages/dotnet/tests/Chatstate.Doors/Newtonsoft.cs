using System.Reflection;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>
/// The door of Newtonsoft.Json, which the package does not depend on. The variable names the assembly to run it with.
/// </summary>
internal static class Newtonsoft
{
    private const string Variable = "CHATSTATE_NEWTONSOFT";

    public static Door Door { get; } = new(
        "Newtonsoft.Json, `JsonConvert.SerializeObject(value)`, `DeserializeObject<T>(text)`",
        "nothing: both directions are rejected, but for a word of an enumeration, which is read as what it is",
        () => Law.Faults(Convert(), mayWrite: false),
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } ? null : $"set `{Variable}` to the path of `Newtonsoft.Json.dll`");

    private static ReadAndWrite Convert()
    {
        var assembly = Assembly.LoadFrom(Environment.GetEnvironmentVariable(Variable)!);
        var convert = assembly.GetType("Newtonsoft.Json.JsonConvert", throwOnError: true)!;
        var write = convert.GetMethod("SerializeObject", [typeof(object)])!;
        var read = convert.GetMethod("DeserializeObject", [typeof(string), typeof(Type)])!;
        return new(
            (value, _) => (string)write.Invoke(null, [value])!,
            (text, type) => read.Invoke(null, [text, type]));
    }
}

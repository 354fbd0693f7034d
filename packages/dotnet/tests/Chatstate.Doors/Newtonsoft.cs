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
        "nothing: both directions are rejected, but for an empty list, and a text or an integer that is read, which are what they are",
        Faults,
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } ? null : $"set `{Variable}` to the path of `Newtonsoft.Json.dll`");

    /// <summary>The law, once the library has written and read a type of this program. Interfaces stand for programs' own types.</summary>
    private static IEnumerable<string> Faults()
    {
        var convert = Convert();
        var text = convert.Write(new Control { Text = "x" }, typeof(Control));
        return text == """{"Text":"x"}""" && convert.Read(text, typeof(Control)) is Control { Text: "x" }
            ? Law.Faults(convert, mayWrite: false, type => !type.IsInterface)
            : [$"the library writes its control as {text}"];
    }

    /// <summary>What the library does, where it is.</summary>
    public static ReadAndWrite Convert()
    {
        var assembly = Assembly.LoadFrom(Environment.GetEnvironmentVariable(Variable)!);
        var convert = assembly.GetType("Newtonsoft.Json.JsonConvert", throwOnError: true)!;
        var write = convert.GetMethod("SerializeObject", [typeof(object)])!;
        var read = convert.GetMethod("DeserializeObject", [typeof(string), typeof(Type)])!;
        return new(
            (value, _) => (string)write.Invoke(null, [value])!,
            (text, type) => read.Invoke(null, [text, type]));
    }

    public sealed class Control
    {
        public string? Text { get; set; }
    }
}

using System.Reflection;

namespace Chatstate.Layout;

/// <summary>
/// The formatter behind <c>dotnet format whitespace</c>, with the options that it has where no <c>.editorconfig</c> gives others.
/// It is found when the program runs, since no project here depends on it.
/// </summary>
internal sealed class Roslyn
{
    /// <summary>The variable with the path of the assembly that knows how C# is laid out; those that it needs lie beside it.</summary>
    public const string Variable = "CHATSTATE_ROSLYN";

    private readonly MethodInfo parse;

    private readonly MethodInfo format;

    private readonly object workspace;

    /// <summary>Loads the assemblies beside the one with this path.</summary>
    public Roslyn(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        Assembly Load(string name) => Assembly.LoadFrom(Path.Combine(folder, $"Microsoft.CodeAnalysis{name}.dll"));
        var syntax = Load("").GetType("Microsoft.CodeAnalysis.SyntaxNode", throwOnError: true)!;
        var factory = Load(".CSharp").GetType("Microsoft.CodeAnalysis.CSharp.SyntaxFactory", throwOnError: true)!;
        var workspaces = Load(".Workspaces");
        Type Find(string name) => workspaces.GetType($"Microsoft.CodeAnalysis.{name}", throwOnError: true)!;
        parse = factory.GetMethod("ParseCompilationUnit")!;
        format = Find("Formatting.Formatter").GetMethod(
            "Format",
            [syntax, Find("Workspace"), Find("Options.OptionSet"), typeof(CancellationToken)])!;
        workspace = Activator.CreateInstance(Find("AdhocWorkspace"))!;
    }

    /// <summary>A file of C# as the formatter lays it out.</summary>
    public string Format(string text)
    {
        var unit = parse.Invoke(null, [text, 0, null]);
        var formatted = format.Invoke(null, [unit, workspace, null, CancellationToken.None])!;
        return formatted.GetType().GetMethod("ToFullString")!.Invoke(formatted, null)!.ToString()!;
    }
}

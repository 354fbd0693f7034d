// Names the files of C# below some folders that the formatter of Roslyn would change, with the first lines that differ.
using Chatstate.Layout;

const int LinesShown = 3;

var path = Environment.GetEnvironmentVariable(Roslyn.Variable);
if (string.IsNullOrEmpty(path))
{
    Console.Error.WriteLine($"set `{Roslyn.Variable}` to the path of `Microsoft.CodeAnalysis.CSharp.Workspaces.dll`");
    return 2;
}

var roslyn = new Roslyn(path);

// One that leaves everything alone would find nothing.
if (roslyn.Format("class  Control{ }\n") != "class Control { }\n")
{
    Console.Error.WriteLine("the formatter leaves alone what is laid out badly");
    return 2;
}

// Packages of one schema have many files in common, which are laid out once.
var files = args.SelectMany(Sources).Order(StringComparer.Ordinal).Select(file => (Name: file, Text: File.ReadAllText(file)))
    .DistinctBy(file => file.Text).ToList();
var changed = 0;
foreach (var (name, text) in files)
{
    var formatted = roslyn.Format(text);
    if (formatted != text)
    {
        changed++;
        Show(name, text.Split('\n'), formatted.Split('\n'));
    }
}

Console.WriteLine($"the formatter changes {changed} of {files.Count} different files");
return changed == 0 ? 0 : 1;

// What a build makes is not looked at.
static IEnumerable<string> Sources(string folder) =>
    Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        .Where(file => !Path.GetRelativePath(folder, file).Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj"));

static void Show(string name, string[] before, string[] after)
{
    var first = before.Zip(after).TakeWhile(lines => lines.First == lines.Second).Count();
    Console.WriteLine($"{name}:{first + 1}");
    foreach (var line in before.Skip(first).Take(LinesShown))
    {
        Console.WriteLine($"- {line}");
    }

    foreach (var line in after.Skip(first).Take(LinesShown))
    {
        Console.WriteLine($"+ {line}");
    }
}

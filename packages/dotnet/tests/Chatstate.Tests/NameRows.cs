using System.Reflection;
using System.Text.Json;
using Chatstate;

namespace Chatstate.Tests;

/// <summary>Each name of <c>docs/names.md</c> is there; <c>packages/testdata/names.json</c> has them.</summary>
internal static class NameRows
{
    public static IEnumerable<Row> All(string path)
    {
        using var data = JsonDocument.Parse(File.ReadAllText(path));
        var rows = data.RootElement.EnumerateArray().SelectMany(group => group.GetProperty("names").EnumerateArray());
        var names = rows.Select(row => row.GetProperty("dotnet").GetString()).OfType<string>();
        return names.Select(name => new Row($"the name {name}", "is there", () => Found(name)))
            .Append(new("a type that is not there", "no type `Chat`", () => Found("Chat")))
            .Append(new("a member that is not there", "`Session` has no `Nothing`", () => Found("Session.Nothing")))
            .ToList();
    }

    private static string Found(string name)
    {
        var parts = name.Split('.');
        var types = typeof(Session).Assembly.GetExportedTypes();
        var type = Array.Find(types, one => one.Name.Split('`')[0] == parts[0]);
        if (type is null)
        {
            return $"no type `{parts[0]}`";
        }

        const BindingFlags Public =
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.FlattenHierarchy;
        return parts.Length == 1 || type.GetMember(parts[1], Public).Length > 0
            ? "is there"
            : $"`{parts[0]}` has no `{parts[1]}`";
    }
}

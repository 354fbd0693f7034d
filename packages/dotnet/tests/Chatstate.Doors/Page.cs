using System.Text;

namespace Chatstate.Doors;

/// <summary>One line of the page about ways to save.</summary>
/// <param name="Call">What a program calls.</param>
/// <param name="Keeps">What is kept, or why not.</param>
/// <param name="Faults">What is otherwise.</param>
/// <param name="Missing">Why it cannot be run here, if it cannot.</param>
internal sealed record Door(string Call, string Keeps, Func<IEnumerable<string>> Faults, string? Missing = null);

/// <summary>The lines of the page, in its order.</summary>
internal static class Page
{
    public static IReadOnlyList<Door> Doors { get; } =
    [
        .. Documents.Own,
        .. Serializers.Doors,
        .. Documents.Members,
        .. Documents.Sessions,
        .. Documents.Chats,
        .. Documents.Stores,
    ];

    /// <summary>The table as it is in the page.</summary>
    public static string Table
    {
        get
        {
            var table = new StringBuilder("| door | what it keeps |\n|---|---|\n");
            foreach (var door in Doors)
            {
                table.Append($"| {door.Call} | {door.Keeps} |\n");
            }

            return table.ToString();
        }
    }
}

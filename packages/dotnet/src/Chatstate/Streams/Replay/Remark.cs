namespace Chatstate;

/// <summary>Something that replay passed over.</summary>
/// <param name="Rule">The rule.</param>
/// <param name="Index">The index of the event.</param>
/// <param name="Place">JSON Pointer from the event to what was passed over.</param>
/// <param name="Sentence">What it was, for people.</param>
internal sealed record Remark(string Rule, int Index, string Place, string Sentence)
{
    private const string ConflictRule = "lineage.conflict";

    /// <summary>Whether it is about an input that brings another value of a message.</summary>
    public bool IsConflict => Rule == ConflictRule;

    public static Remark FailedPatch(int index, string member, PatchFailure failure) => new(
        "verify.failed-patch",
        index,
        $"/{member}/{failure.Operation}",
        $"{failure.Sentence}; replay skips the whole patch");

    public static Remark UnknownOperation(int index, string member, int place, string op) => new(
        "verify.unknown-operation",
        index,
        $"/{member}/{place}",
        $"`{op}` is no known operation; replay leaves it out and applies the rest of the patch");

    /// <summary>A word of an open set that is unknown, so that its event has no effect.</summary>
    public static Remark UnknownWord(int index, string member, string word) =>
        new("verify.unknown-word", index, $"/{member}", $"`{word}` is no known `{member}`; replay ignores the event");

    /// <summary>An event about something that is not there, which has no effect; a member names it.</summary>
    public static Remark NoTarget(int index, string member, string id, string what) => new(
        "verify.no-target", index, $"/{member}", $"there is no {what} `{id}`, so replay ignores the event");

    public static Remark Conflict(int index, int place, string? id) => new(
        ConflictRule,
        index,
        $"/input/messages/{place}",
        $"the run already holds another message `{id}`, which replay keeps");
}

namespace Chatstate;

/// <summary>An event that is not allowed in its place.</summary>
/// <param name="Rule">The rule, such as <c>text.not-open</c>.</param>
/// <param name="Sentence">What is wrong, for people.</param>
/// <param name="Other">The index of the other event involved, if there is one.</param>
internal sealed record Violation(string Rule, string Sentence, int? Other = null)
{
    /// <summary>JSON Pointer from the event to what is wrong.</summary>
    public string Place { get; init; } = "";

    /// <summary>The rejection of the event of this index.</summary>
    public RejectionException Reject(int index) => new(RejectionClass.Sequence, Rule, Sentence, $"/{index}{Place}");
}

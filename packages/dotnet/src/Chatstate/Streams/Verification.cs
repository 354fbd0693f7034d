using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>Something that is wrong with an event stream, or suspicious.</summary>
/// <param name="Rule">The rule, such as <c>text.not-open</c>.</param>
/// <param name="Index">The index of the event.</param>
/// <param name="Sentence">What is wrong, for people.</param>
/// <param name="Other">The index of the other event involved, if there is one.</param>
public sealed record Finding(string Rule, int Index, string Sentence, int? Other = null)
{
    internal RejectionException Reject() => new(RejectionClass.Sequence, Rule, Sentence, $"/{Index}");
}

/// <summary>What verification found, in the order of the events.</summary>
/// <param name="Errors">What makes the stream invalid.</param>
/// <param name="Warnings">What does not.</param>
public sealed record Verification(IReadOnlyList<Finding> Errors, IReadOnlyList<Finding> Warnings)
{
    /// <summary>Whether the order of the events is valid.</summary>
    public bool IsValid => Errors.Count == 0;

    internal static Verification Of(IReadOnlyList<Event> events)
    {
        var verifier = new Verifier();
        for (var index = 0; index < events.Count; index++)
        {
            verifier.Push(index, events[index]);
        }

        foreach (var problem in verifier.Runs.Outside())
        {
            verifier.Warnings.Add(new(problem.Rule, problem.Index, problem.Sentence));
        }

        var remarks = Checkpoints.Of(events, keepsRemarks: true).Remarks();
        verifier.Warnings.AddRange(remarks.Select(remark => new Finding(remark.Rule, remark.Index, remark.Sentence)));
        return new(
            verifier.Errors.OrderBy(finding => finding.Index).ToList(),
            verifier.Warnings.OrderBy(finding => finding.Index).ToList());
    }
}

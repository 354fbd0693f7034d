using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>Something that is wrong with an event stream, or suspicious.</summary>
/// <param name="Rule">The rule, such as <c>text.not-open</c>.</param>
/// <param name="Index">The index of the event.</param>
/// <param name="Sentence">What is wrong, for people.</param>
/// <param name="Other">The index of the other event involved, if there is one.</param>
[Serializable]
[JsonConverter(typeof(WritingConverter<Finding>))]
public sealed record Finding(string Rule, int Index, string Sentence, int? Other = null) : IJsonWritable
{
    /// <summary>JSON Pointer from the event to what this is about; empty for the whole event.</summary>
    public string Place { get; init; } = "";

    /// <summary>The class of the rejection that it means, if it is no warning.</summary>
    public RejectionClass Class { get; init; } = RejectionClass.Sequence;

    /// <summary>JSON Pointer from the stream to what this is about.</summary>
    public string At => EventAt(Index) + Place;

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, finding) => finding.WriteTo(writer));

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("rule", Rule);
        writer.WriteString("at", At);
        writer.WriteString("message", Sentence);
        if (Other is { } other)
        {
            writer.WriteString("other", EventAt(other));
        }

        writer.WriteEndObject();
    }

    internal static Finding Of(Remark remark) => new(remark.Rule, remark.Index, remark.Sentence) { Place = remark.Place };

    /// <summary>An error is about the whole event, a warning about its place.</summary>
    internal static Finding Of(LineageProblem problem)
    {
        var place = problem.IsError ? "" : problem.At[EventAt(problem.Index).Length..];
        return new(problem.Rule, problem.Index, problem.Sentence, problem.Other) { Place = place };
    }

    /// <summary>What is to say of the version that a run names, if it is not one that is known here.</summary>
    internal static Finding? OfVersion(Event happened, int index) =>
        happened is RunStartedEvent { ProtocolVersion: { } version } && ProtocolVersions.Newer(version) is { } sentence
            ? new("verify.newer-version", index, sentence) { Place = "/protocolVersion" }
            : null;

    /// <summary>An event that is rejected for another reason than its order.</summary>
    internal static Finding Of((int Index, RejectionException Limit) beyond) =>
        new(beyond.Limit.Rule, beyond.Index, beyond.Limit.Sentence) { Class = beyond.Limit.Class };

    internal RejectionException Reject() => new(Class, Rule, Sentence, At);

    private static string EventAt(int index) => string.Create(CultureInfo.InvariantCulture, $"/{index}");
}

/// <summary>What verification found, in the order of the events.</summary>
/// <param name="Errors">What makes the stream invalid.</param>
/// <param name="Warnings">What does not.</param>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(WritingConverter<Verification>))]
public sealed record Verification(IReadOnlyList<Finding> Errors, IReadOnlyList<Finding> Warnings) : IJsonWritable
{
    /// <summary>Whether the order of the events is valid.</summary>
    public bool IsValid => Errors.Count == 0;

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, verification) => verification.WriteTo(writer));

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(Verification? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        WriteTo(writer, "errors", Errors);
        WriteTo(writer, "warnings", Warnings);
        writer.WriteEndObject();
    }

    internal static Verification Of(IReadOnlyList<Event> events, bool isComplete)
    {
        var verifier = Verifier.Of(events, isComplete);
        var checkpoints = Checkpoints.Of(events, keepsRemarks: true);
        var outside = verifier.Runs.Outside().Select(Finding.Of);
        var newer = events.Select(Finding.OfVersion).OfType<Finding>();
        var passedOver = checkpoints.Remarks().Select(Finding.Of);
        var noted = newer.Concat(UnknownValues.Of(events)).Concat(MarkedRuns.Of(events));
        var warnings = verifier.Warnings.Concat(outside).Concat(passedOver).Concat(noted);
        return new(ErrorsOf(verifier, checkpoints), InOrder(warnings));
    }

    /// <summary>What makes the stream invalid.</summary>
    internal static IReadOnlyList<Finding> ErrorsOf(IReadOnlyList<Event> events, bool isComplete) =>
        ErrorsOf(Verifier.Of(events, isComplete), Checkpoints.Of(events, keepsRemarks: false));

    /// <summary>What a log is rejected for.</summary>
    internal static IReadOnlyList<Finding> ErrorsOf(Verifier verifier, Checkpoints checkpoints) =>
        InOrder(verifier.Errors.Concat(checkpoints.Limits.Select(Finding.Of)));

    private static List<Finding> InOrder(IEnumerable<Finding> findings) =>
        findings.OrderBy(finding => finding.Index).ToList();

    private static void WriteTo(Utf8JsonWriter writer, string name, IReadOnlyList<Finding> findings)
    {
        writer.WriteStartArray(name);
        foreach (var finding in findings)
        {
            finding.WriteTo(writer);
        }

        writer.WriteEndArray();
    }
}

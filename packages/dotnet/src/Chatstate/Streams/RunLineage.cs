using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>How the runs of a log continue each other.</summary>
/// <param name="Runs">The runs in the order of the log.</param>
/// <param name="Tips">The ids of the runs from which no run continues, in the order of the log.</param>
/// <param name="Problems">What is wrong, in the order of the log.</param>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(WritingConverter<RunLineage>))]
public sealed record RunLineage(
    IReadOnlyList<LineageRun> Runs, IReadOnlyList<string> Tips, IReadOnlyList<LineageProblem> Problems) : IJsonWritable
{
    internal static RunLineage Of(IReadOnlyList<Event> events)
    {
        var checkpoints = Checkpoints.Of(events, keepsRemarks: true);
        var runs = checkpoints.Runs;
        var conflicts = checkpoints.Remarks().Where(remark => remark.IsConflict).Select(Conflict);
        return new(
            runs.Rows.Select(row => Run(row, runs)).ToList(),
            runs.Tips().Select(row => row.RunId).ToList(),
            checkpoints.Problems.Concat(conflicts).OrderBy(problem => problem.Index).ToList());
    }

    private static LineageRun Run(RunRow row, RunLog runs)
    {
        var predecessor = row.Predecessor is { } place ? runs.Rows[place].RunId : null;
        return new(row.RunId, predecessor, row.ParentRunId, row.Index);
    }

    private static LineageProblem Conflict(Remark remark) =>
        new(remark.Rule, $"/{remark.Index}{remark.Place}", remark.Sentence) { Index = remark.Index };

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, lineage) => lineage.WriteTo(writer));

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(RunLineage? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("runs");
        foreach (var run in Runs)
        {
            run.WriteTo(writer);
        }

        writer.WriteEndArray();
        writer.WriteStartArray("tips");
        foreach (var tip in Tips)
        {
            writer.WriteStringValue(tip);
        }

        writer.WriteEndArray();
        writer.WriteStartArray("problems");
        foreach (var problem in Problems)
        {
            problem.WriteTo(writer);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}

/// <summary>One run of a log.</summary>
/// <param name="RunId">Its id.</param>
/// <param name="Predecessor">The id of the run that it continues; the first run has none.</param>
/// <param name="ParentRunId">The run that it names as its parent, whether or not that is in the log.</param>
/// <param name="Index">The index of its <c>RUN_STARTED</c> in the log.</param>
[Serializable]
[JsonConverter(typeof(WritingConverter<LineageRun>))]
public sealed record LineageRun(string RunId, string? Predecessor, string? ParentRunId, int Index) : IJsonWritable
{
    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, run) => run.WriteTo(writer));

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("runId", RunId);
        writer.WriteString("predecessor", Predecessor);
        if (ParentRunId is not null)
        {
            writer.WriteString("parentRunId", ParentRunId);
        }

        writer.WriteEndObject();
    }
}

/// <summary>Something about the lineage that is wrong or suspicious.</summary>
/// <param name="Rule">The rule, such as <c>lineage.run-reused</c>.</param>
/// <param name="At">JSON Pointer to what is wrong, from the log.</param>
/// <param name="Sentence">What is wrong, for people.</param>
[Serializable]
[JsonConverter(typeof(WritingConverter<LineageProblem>))]
public sealed record LineageProblem(string Rule, string At, string Sentence) : IJsonWritable
{
    /// <summary>Whether verification rejects the log for it; otherwise it is a warning.</summary>
    public bool IsError { get; init; }

    /// <summary>The index of the <c>RUN_STARTED</c> that is wrong.</summary>
    public int Index { get; init; }

    /// <summary>The index of the other event involved, if there is one.</summary>
    public int? Other { get; init; }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, problem) => problem.WriteTo(writer));

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("rule", Rule);
        writer.WriteString("at", At);
        writer.WriteEndObject();
    }
}

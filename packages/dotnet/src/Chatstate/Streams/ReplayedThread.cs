using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>The meaning of an event stream at the end of one of its runs.</summary>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(WritingConverter<ReplayedThread>))]
public sealed class ReplayedThread : IJsonWritable, IEquatable<ReplayedThread>
{
    private readonly IReadOnlyList<JsonTree> messages;

    internal ReplayedThread(
        IReadOnlyList<JsonTree> messages,
        JsonTree state,
        IReadOnlyList<ReplayedRun> runs,
        IReadOnlyList<OpenItem> open,
        IReadOnlyList<Interrupt> interrupts)
    {
        var said = JsonTree.OfTexts();
        said.Set("messages", JsonTree.OfItems(messages));
        said.Set("state", state);
        said.Check();
        this.messages = messages;
        Messages = messages.Select(Restating.ToMessage).ToList();
        State = state.ToElement();
        Runs = runs;
        Open = open;
        Interrupts = interrupts;
    }

    /// <summary>
    /// The messages in order, each with every member. The text of an open message may end in an unpaired surrogate;
    /// <see cref="ToJson"/> writes it as its escape, and the message by itself is not written until it is whole. A
    /// message that the schema does not allow, as a patch may make one, is an
    /// <see cref="UnknownMessage"/>.
    /// </summary>
    public IReadOnlyList<Message> Messages { get; }

    /// <summary>The shared state.</summary>
    public JsonElement State { get; }

    /// <summary>The runs that lead here, the earliest first.</summary>
    public IReadOnlyList<ReplayedRun> Runs { get; }

    /// <summary>What was begun and not ended, in the order of beginning.</summary>
    public IReadOnlyList<OpenItem> Open { get; }

    /// <summary>What the last finished run waits for.</summary>
    public IReadOnlyList<Interrupt> Interrupts { get; }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, replay) => replay.WriteTo(writer));

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(ReplayedThread? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as ReplayedThread);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WritePropertyName("messages");
        JsonTree.OfItems(messages).WriteTo(writer);
        JsonWrite.Required(writer, "state"u8, State, JsonWrite.Any);
        writer.WriteStartArray("runs");
        foreach (var run in Runs)
        {
            run.WriteTo(writer);
        }

        writer.WriteEndArray();
        writer.WriteStartArray("open");
        foreach (var item in Open)
        {
            item.WriteTo(writer);
        }

        writer.WriteEndArray();
        writer.WritePropertyName("interrupts");
        JsonWrite.List(writer, Interrupts.ToList(), JsonWrite.Value);
        writer.WriteEndObject();
    }
}

/// <summary>The status of a run.</summary>
public enum RunStatus
{
    /// <summary>It has no terminal event yet.</summary>
    Running,

    /// <summary>It finished.</summary>
    Finished,

    /// <summary>It ended in an error.</summary>
    Failed,

    /// <summary>It finished and waits for answers.</summary>
    Interrupted,

    /// <summary>It was cancelled.</summary>
    Cancelled,
}

/// <summary>One run of a replay.</summary>
/// <param name="RunId">Its id; none for an error before any run.</param>
/// <param name="ParentRunId">The run that it names as its parent.</param>
[Serializable]
[JsonConverter(typeof(WritingConverter<ReplayedRun>))]
public sealed record ReplayedRun(string? RunId, string? ParentRunId) : IJsonWritable
{
    /// <summary>Its status.</summary>
    public RunStatus Status { get; internal set; }

    /// <summary>The outcome that it finished with.</summary>
    public RunFinishedOutcome? Outcome { get; internal set; }

    /// <summary>The result that it finished with.</summary>
    public JsonElement? Result { get; internal set; }

    /// <summary>Why it failed, for people.</summary>
    public string? ErrorMessage { get; internal set; }

    /// <summary>Why it failed, for programs.</summary>
    public string? ErrorCode { get; internal set; }

    /// <summary>The tokens that it used, as the last event that ended it gave them.</summary>
    public IReadOnlyList<TokenUsage>? Usage { get; internal set; }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, run) => run.WriteTo(writer));

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <summary>Whether two values are equal as JSON.</summary>
    public bool Equals(ReplayedRun? other) => JsonEquality.AreEqual(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => JsonEquality.HashOf(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("runId", RunId);
        if (ParentRunId is not null)
        {
            writer.WriteString("parentRunId", ParentRunId);
        }

        writer.WriteString("status", Status.ToString().ToLowerInvariant());
        JsonWrite.Optional(writer, "outcome"u8, Outcome, JsonWrite.Value);
        JsonWrite.Optional(writer, "result"u8, Result, JsonWrite.Any);
        if (ErrorMessage is not null)
        {
            writer.WriteStartObject("error");
            writer.WriteString("message", ErrorMessage);
            if (ErrorCode is not null)
            {
                writer.WriteString("code", ErrorCode);
            }

            writer.WriteEndObject();
        }

        if (Usage is not null)
        {
            writer.WritePropertyName("usage");
            JsonWrite.List(writer, Usage.ToList(), JsonWrite.Value);
        }

        writer.WriteEndObject();
    }
}

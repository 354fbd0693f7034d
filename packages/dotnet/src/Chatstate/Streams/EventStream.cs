using System;
using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <content>What the events of a thread mean, and what they may become.</content>
public sealed partial class EventStream
{
    /// <summary>Makes one of events.</summary>
    public EventStream(IEnumerable<Event> events)
        : base(events.ToList())
    {
    }

    /// <summary>
    /// Says what is wrong with the order of the events, and what is suspicious. Behind an error the
    /// verification continues as well as it can.
    /// </summary>
    /// <param name="complete">Whether the stream is said to be complete, so that its last run has to be over.</param>
    public Verification Check(bool complete = false) => Verification.Of(this, complete);

    /// <summary>Rejects events whose order is not valid.</summary>
    /// <param name="complete">Whether the stream is said to be complete, so that its last run has to be over.</param>
    /// <exception cref="RejectionException">
    /// The class is <see cref="RejectionClass.Sequence"/>, and <see cref="RejectionException.At"/> is the first
    /// event that breaks a rule; or <see cref="RejectionClass.Limit"/>, where a patch copies too much.
    /// </exception>
    public void Verify(bool complete = false)
    {
        if (Verification.ErrorsOf(this, complete).FirstOrDefault() is { } error)
        {
            throw error.Reject();
        }
    }

    /// <summary>
    /// What the events mean at the end of a run, along the runs that lead to it. Runs of other branches are
    /// passed over.
    /// </summary>
    /// <param name="runId">The run; the last one of the stream if it is left out.</param>
    /// <param name="lenient">
    /// Whether the events that break a rule are passed over, but for those that begin or end the run in progress.
    /// Which they are, the errors of <see cref="Check"/> say.
    /// </param>
    /// <exception cref="RejectionException">
    /// The order of the events is not valid, the stream has no such run, or compaction has removed what the
    /// run needs.
    /// </exception>
    public ReplayedThread Replay(string? runId = null, bool lenient = false)
    {
        var verifier = Verifier.Of(this);
        var checkpoints = Checkpoints.Of(this, passedOver: lenient ? verifier.PassedOver : null);
        if (!lenient && Verification.ErrorsOf(verifier, checkpoints).FirstOrDefault() is { } error)
        {
            throw error.Reject();
        }

        return checkpoints.Replayed(runId);
    }

    /// <summary>
    /// How the runs continue each other. Nothing is rejected: what is wrong is among the problems, and a
    /// parent that cannot be followed leaves the run just before as the predecessor.
    /// </summary>
    public RunLineage Lineage() => RunLineage.Of(this);

    /// <summary>
    /// The events of a run and of those that lead to it, in the order of this stream. A replay of them is a replay of this
    /// stream at that run.
    /// </summary>
    /// <param name="runId">The run in which the branch ends.</param>
    /// <exception cref="RejectionException">
    /// <see cref="Replay"/> rejects the run: the order of the events is not valid, the stream has no such run, or
    /// compaction has removed what the run needs.
    /// </exception>
    public EventStream Branch(string runId)
    {
        ArgumentNullException.ThrowIfNull(runId);
        _ = Replay(runId);
        var runs = Checkpoints.Of(this).Runs;
        var path = runs.PathTo(runs.PlaceOf(runId)!.Value);
        return new(path.SelectMany(run => runs.EventsOf(run, Count)).Select(index => this[index]));
    }

    /// <summary>
    /// Fewer events that mean the same. What follows a cut may be appended to the result and compacted again.
    /// The events of this stream stay as they are; the result may share some of them.
    /// </summary>
    /// <param name="options">How much is kept; level <see cref="CompactLevel.Stream"/> if they are left out.</param>
    /// <exception cref="RejectionException">The order of the events is not valid.</exception>
    public EventStream Compact(CompactOptions? options = null) => new(EventCompactor.Compact(this, options));

    /// <summary>
    /// What a client needs that joins the thread now: a prelude of few events, after which the live events go
    /// on without a character lost or repeated.
    /// </summary>
    /// <exception cref="RejectionException">
    /// The order of the events is not valid, or compaction has removed what the last run needs.
    /// </exception>
    public EventStream Attach() => new(Prelude.Of(this));
}

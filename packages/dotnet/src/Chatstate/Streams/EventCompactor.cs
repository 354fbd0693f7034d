using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// Compacts events as they arrive. The events of a finished run are given when its terminal event arrives.
/// What is held is the run in progress, what is open, the state, and a short digest of each message.
/// </summary>
public sealed class EventCompactor
{
    private readonly CompactOptions options;
    private readonly Verifier verifier = new();
    private readonly HeldMessages held = new();
    private readonly RunInProgress run;

    /// <summary>What makes snapshots, at the level that has some.</summary>
    private readonly RunSnapshots? snapshots;

    /// <summary>The number of events that were taken.</summary>
    private int taken;

    private bool isRunning;
    private bool isFinished;

    /// <summary>Why events are refused, or passed through if the options are lenient.</summary>
    private Func<RejectionException>? refusal;

    /// <summary>The run in progress as it came, for options that are lenient.</summary>
    private readonly List<Event> verbatim = [];

    /// <summary>Makes a compactor for events that are yet to come.</summary>
    /// <param name="options">How they are compacted; to level <see cref="CompactLevel.Stream"/> if left out.</param>
    public EventCompactor(CompactOptions? options = null)
    {
        this.options = options ?? new();
        run = new(held);
        snapshots = this.options.Level == CompactLevel.Snapshot ? new(this.options) : null;
    }

    /// <summary>Why a lenient compactor passes through what comes, once it does.</summary>
    public RejectionException? Refusal => refusal?.Invoke();

    /// <summary>Takes the next event and gives the events that are settled by it.</summary>
    /// <exception cref="RejectionException">
    /// The event cannot stand where it stands, and the options are not lenient. It stops the compaction: later calls
    /// are refused likewise.
    /// </exception>
    public IReadOnlyList<Event> Push(Event next)
    {
        ArgumentNullException.ThrowIfNull(next);
        Go();
        return options.Lenient ? PushLeniently(next) : Take(next);
    }

    private IReadOnlyList<Event> PushLeniently(Event next)
    {
        if (refusal is not null)
        {
            return [next];
        }

        try
        {
            var settled = Take(next);
            if (isRunning)
            {
                verbatim.Add(next);
            }
            else
            {
                verbatim.Clear();
            }

            return settled;
        }
        catch (RejectionException) when (refusal is not null)
        {
            return [.. snapshots?.Finish([]) ?? [], .. verbatim, next];
        }
    }

    private IReadOnlyList<Event> Take(Event next)
    {
        var index = taken++;
        verifier.Push(index, next);
        verifier.Warnings.Clear();
        if (verifier.Errors.Count > 0)
        {
            throw Stop(verifier.Errors[0].Refuse);
        }

        return Settle(index, next);
    }

    /// <summary>Gives the compacted events of a run that is not over, and ends the compaction.</summary>
    public IReadOnlyList<Event> Finish()
    {
        Go();
        isFinished = true;
        if (refusal is not null)
        {
            return [];
        }

        var unfinished = run.Finish();
        return snapshots is null ? unfinished : snapshots.Finish(unfinished);
    }

    internal static List<Event> Compact(IEnumerable<Event> events, CompactOptions? options)
    {
        var compactor = new EventCompactor(options);
        var compacted = new List<Event>();
        foreach (var next in events)
        {
            compacted.AddRange(compactor.Push(next));
        }

        compacted.AddRange(compactor.Finish());
        return compacted;
    }

    private void Go()
    {
        if (refusal is not null && !options.Lenient)
        {
            throw refusal();
        }

        if (isFinished)
        {
            throw new InvalidOperationException("the compaction is finished; make a new compactor for further events");
        }
    }

    private RejectionException Stop(Func<RejectionException> why)
    {
        refusal = why;
        return why();
    }

    private IReadOnlyList<Event> Settle(int index, Event next)
    {
        if (next is RunStartedEvent started)
        {
            isRunning = true;
            Begin(started);
            return [];
        }

        if (!isRunning)
        {
            return snapshots is null ? [next] : snapshots.Take([next]);
        }

        if (next.IsTerminal)
        {
            isRunning = false;
            return End(next);
        }

        return run.Push(next, options.Keeps(next)) is { } failure ? throw TooLarge(failure, index) : [];
    }

    private RejectionException TooLarge(PatchFailure failure, int index) => Stop(() => failure.Limit(index));

    /// <summary>Begins a run; what its path holds already is taken out of its input.</summary>
    private void Begin(RunStartedEvent started)
    {
        held.BeginRun(started.RunId, started.ParentRunId);
        var messages = started.Input?.Messages ?? [];
        var isKept = options.Keeps(started);
        var kept = messages.Where(message => !held.TakeInput(message) || isKept).ToList();
        run.Begin(kept.Count < messages.Count ? started.With(input => input.Messages = kept) : started);
    }

    private IReadOnlyList<Event> End(Event terminal)
    {
        var events = run.End(terminal);
        if (snapshots is null)
        {
            held.EndRun();
            return events;
        }

        var written = snapshots.Take(events);
        // What a later run did to a message is known here, since snapshots hold all messages.
        held.Learn(snapshots.Messages());
        held.EndRun();
        return written;
    }
}

/// <summary>Compacts events that a live stream brings.</summary>
public static class EventCompaction
{
    /// <summary>Compacts the events of a live stream: those of a run come when the run is over.</summary>
    /// <exception cref="RejectionException">An event cannot stand where it stands.</exception>
    public static async IAsyncEnumerable<Event> CompactAsync(
        this IAsyncEnumerable<Event> events,
        CompactOptions? options = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var compactor = new EventCompactor(options);
        await foreach (var next in events.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            foreach (var settled in compactor.Push(next))
            {
                yield return settled;
            }
        }

        foreach (var settled in compactor.Finish())
        {
            yield return settled;
        }
    }
}

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate;

/// <summary>
/// Compacts events as they arrive. The events of a finished run are given when its terminal event arrives.
/// What is held is the run in progress, the state, and the messages at the end of each run, as far as they differ.
/// </summary>
[Serializable]
[JsonConverter(typeof(EventCompactorConverter))]
public sealed class EventCompactor : ISystemTextJsonOnly
{
    private readonly CompactOptions options;
    private readonly Verifier verifier = new();
    private readonly List<RunRecord> records = [];
    private readonly RunEnds ends;

    /// <summary>What makes snapshots, at the level that has some.</summary>
    private readonly RunSnapshots? snapshots;

    /// <summary>The run in progress as it came, for options that are lenient.</summary>
    private readonly List<Event> verbatim = [];

    /// <summary>The number of events that were taken.</summary>
    private int taken;

    private RunningRun? running;

    /// <summary>Whether no known event has come, and the first one may be inside of a run.</summary>
    private bool mayBeginInside;

    private bool isFinished;

    /// <summary>Why events are rejected, or passed through if the options are lenient.</summary>
    private Func<RejectionException>? rejection;

    /// <summary>Makes a compactor for events that are yet to come.</summary>
    /// <param name="options">How they are compacted; to level <see cref="CompactLevel.Stream"/> if left out.</param>
    public EventCompactor(CompactOptions? options = null)
    {
        this.options = options ?? new();
        mayBeginInside = this.options.Partial;
        if (this.options.Level == CompactLevel.Snapshot)
        {
            var texts = new PackedTexts();
            snapshots = new(this.options, texts);
            ends = new(Conversation.OfPassingEvents(texts), texts);
        }
        else
        {
            // No event of this level says a state that another run made.
            ends = new(Conversation.WithoutState());
        }
    }

    /// <summary>Why a lenient compactor passes through what comes, once it does.</summary>
    public RejectionException? Rejection => rejection?.Invoke();

    /// <summary>Takes the next event and gives the events that are settled by it.</summary>
    /// <exception cref="RejectionException">
    /// The event is not allowed in its place, and the options are not lenient. It stops the compaction: later calls
    /// are rejected likewise.
    /// </exception>
    public IReadOnlyList<Event> Push(Event next)
    {
        ArgumentNullException.ThrowIfNull(next);
        Go();
        if (rejection is not null)
        {
            return [next];
        }

        var settled = Take(next);
        if (rejection is not null)
        {
            return options.Lenient ? [.. snapshots?.Finish(ends, null) ?? [], .. verbatim, next] : throw rejection();
        }

        if (running is null)
        {
            verbatim.Clear();
        }
        else if (options.Lenient)
        {
            verbatim.Add(next);
        }

        return settled;
    }

    /// <summary>Gives the compacted events of a run that is not over, and ends the compaction.</summary>
    public IReadOnlyList<Event> Finish() => Rest().ToList();

    /// <summary>The same events, of which each is made when it is asked for.</summary>
    internal IEnumerable<Event> Rest()
    {
        Go();
        isFinished = true;
        return rejection is null
            ? (snapshots?.Finish(ends, running?.Predecessor) ?? []).Concat(running?.Buffer.Finish() ?? [])
            : [];
    }

    internal static List<Event> Compact(IEnumerable<Event> events, CompactOptions? options)
    {
        var compactor = new EventCompactor(options);
        var compacted = new List<Event>();
        foreach (var next in events)
        {
            compacted.AddRange(compactor.Push(next));
        }

        compacted.AddRange(compactor.Rest());
        return compacted;
    }

    private void Go()
    {
        if (rejection is not null && !options.Lenient)
        {
            throw rejection();
        }

        if (isFinished)
        {
            throw new InvalidOperationException("the compaction is finished; make a new compactor for further events");
        }
    }

    private IReadOnlyList<Event> Take(Event next)
    {
        var index = taken++;
        // Level `snapshot` writes the event, and level `stream` looks into some of its values.
        if (snapshots is not null && UnwritableEvent.Rejection(next, index) is { } unwritable)
        {
            rejection = () => unwritable;
            return [];
        }

        try
        {
            return Take(index, next);
        }
        catch (RejectionException met)
        {
            var unreadable = UnwritableEvent.Rejection(next, index, met);
            rejection = () => unreadable;
            return [];
        }
    }

    private IReadOnlyList<Event> Take(int index, Event next)
    {
        var arrived = new Arrived(index, next, options.Keeps(next));
        if (mayBeginInside && next.Kind != EventKind.Unknown)
        {
            BeginInside(next);
        }

        running?.Buffer.Expect(arrived);
        verifier.Push(arrived.Arrival, next, running?.Buffer);
        verifier.Warnings.Clear();
        if (verifier.Errors.Count > 0)
        {
            // A finding may be about an earlier event.
            rejection = verifier.Errors[0].Reject;
            return [];
        }

        if (next is RunStartedEvent started)
        {
            Begin(started, arrived.IsKept);
            return [];
        }

        if (running is null)
        {
            return Outside([next]);
        }

        if (next.IsTerminal)
        {
            return End(running);
        }

        running.Restates |= next is MessagesSnapshotEvent;
        if (running.Buffer.Take() is { } limit)
        {
            rejection = Limited(limit, arrived.Arrival);
        }

        return [];
    }

    /// <summary>
    /// Begins with the rest of a run, which belongs to no path that could be looked at, if the first known event is in one.
    /// </summary>
    private void BeginInside(Event first)
    {
        mayBeginInside = false;
        if (first.Kind is not EventKind.RunStarted and not EventKind.RunError)
        {
            verifier.BeginInside();
            running = new(new(ends.GoOnFrom(null)), null) { IsFirst = true, IsRest = true };
        }
    }

    /// <summary>What is settled by events that belong to no run of the stream.</summary>
    private List<Event> Outside(IReadOnlyList<Event> events) =>
        snapshots is null ? [.. events] : events.SelectMany(snapshots.TakeOutside).ToList();

    private static Func<RejectionException> Limited(PatchFailure limit, int index) => () => limit.Limit(index);

    /// <summary>Begins a run without the messages that its path holds already.</summary>
    private void Begin(RunStartedEvent started, bool isKept)
    {
        var before = verifier.Predecessor is { } place ? records[place] : null;
        var conversation = ends.GoOnFrom(verifier.Predecessor);
        conversation.Happened(taken - 1, started);
        var isRemoved = RemovedRuns.IsRemoved(started);
        var isLeft = verifier.Runs.Rows[^1].ContinuesLeftOut;
        var isKnown = !isLeft && before is not { IsRemoved: true } and not { IsIncomplete: true } && !isRemoved && !isKept;
        var messages = started.Input?.Messages ?? [];
        var stay = conversation.TakeInput(messages, isKnown);
        var reduced = stay.Count == messages.Count ? started : started.With(input => input.Messages = stay);
        running = new(new(reduced, conversation), verifier.Predecessor)
        {
            Start = snapshots is null ? null : conversation.Thread.Copy(),
            IsRemoved = isRemoved,
            ContinuesLeftOut = isLeft,
            IsFirst = before is not { IsFollowed: true },
        };
        if (before is not null)
        {
            before.IsFollowed = true;
        }
    }

    private IReadOnlyList<Event> End(RunningRun run)
    {
        running = null;
        var (compacted, conversation) = (run.Buffer.End(), run.Buffer.Conversation);
        if (run.IsRest)
        {
            return Outside(compacted);
        }

        var before = run.Predecessor is { } place ? records[place] : null;
        var isSaid = run.IsFirst && (run.IsRemoved || run.Restates);
        var isIncomplete = run.ContinuesLeftOut
            || before is { IsIncomplete: true }
            || (before is { IsRemoved: true } && !isSaid);
        _ = conversation.EndRun();
        ends.Add(run.Predecessor, conversation);
        records.Add(new() { IsRemoved = run.IsRemoved, IsIncomplete = isIncomplete });
        if (snapshots is null)
        {
            return compacted;
        }

        var finished = new FinishedRun(new(compacted, options), run.Predecessor, isIncomplete, run.IsRemoved);
        return snapshots.Take(finished, run.Start!, conversation).ToList();
    }

    /// <summary>The run in progress.</summary>
    /// <param name="buffer">Its events.</param>
    /// <param name="predecessor">The run that it continues.</param>
    private sealed class RunningRun(RunBuffer buffer, int? predecessor)
    {
        public RunBuffer Buffer => buffer;

        public int? Predecessor => predecessor;

        /// <summary>The messages of its path with those of its input, for a level that has snapshots.</summary>
        public MessageThread? Start { get; init; }

        public bool IsRemoved { get; init; }

        /// <summary>Whether it continues a run that a prelude leaves out.</summary>
        public bool ContinuesLeftOut { get; init; }

        /// <summary>Whether it is the first that continues its predecessor.</summary>
        public bool IsFirst { get; init; }

        /// <summary>Whether it is the rest of a run that began elsewhere.</summary>
        public bool IsRest { get; init; }

        /// <summary>Whether it says all messages again.</summary>
        public bool Restates { get; set; }
    }

    /// <summary>A run that is over, as far as later ones need to know.</summary>
    private sealed class RunRecord
    {
        /// <summary>Whether compaction kept only its frame.</summary>
        public bool IsRemoved { get; init; }

        /// <summary>Whether its path needs what compaction removed.</summary>
        public bool IsIncomplete { get; init; }

        public bool IsFollowed { get; set; }
    }
}

/// <summary>Compacts events that a live stream brings.</summary>
public static class EventCompaction
{
    /// <summary>Compacts the events of a live stream: those of a run come when the run is over.</summary>
    /// <exception cref="RejectionException">An event cannot be where it is.</exception>
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

        foreach (var settled in compactor.Rest())
        {
            yield return settled;
        }
    }
}

/// <summary>Says what to save of a compactor.</summary>
public sealed class EventCompactorConverter() : RefusingConverter<EventCompactor>(
    "a compactor is not saved; save the events that it gives.");

using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>The meaning of a stream between two events.</summary>
internal sealed partial class Reducer : ISteps
{
    private readonly Tracker tracker;
    private readonly MessageThread thread;
    private readonly List<ReplayedRun> runs = [];

    /// <summary>What replay passed over, if anybody wants to hear of it.</summary>
    private List<Remark>? remarks;

    private PatchApplication state;

    /// <summary>Whether copies of this have the state too, so that nobody may change it.</summary>
    private bool isStateShared;

    /// <summary>The event that is applied.</summary>
    private Event current = NoEvent;

    private int index;

    public Reducer()
        : this(new(), new(), new(JsonTree.OfTexts()))
    {
    }

    private Reducer(Tracker tracker, MessageThread thread, PatchApplication state)
    {
        this.tracker = tracker;
        this.thread = thread;
        this.state = state;
    }

    /// <summary>The state up to here.</summary>
    public JsonTree State => state.Document;

    /// <summary>What the last finished run waits for.</summary>
    public IReadOnlyList<Interrupt> Interrupts { get; private set; } = [];

    /// <summary>The messages up to here.</summary>
    public IEnumerable<ThreadMessage> Messages => thread.Messages;

    private static Event NoEvent { get; } = new RunErrorEvent { Message = "" };

    /// <summary>Applies events; gives why one of them is refused.</summary>
    public RejectionException? ApplyAll(IReadOnlyList<Event> events, IEnumerable<int> indexes)
    {
        foreach (var place in indexes)
        {
            if (Apply(place, events[place]) is { } refusal)
            {
                return refusal;
            }
        }

        return null;
    }

    /// <summary>Applies all events of a run on its own, and tells whether that can be done.</summary>
    public bool TryApply(IReadOnlyList<Event> run)
    {
        var isDone = ApplyAll(run, Enumerable.Range(0, run.Count)) is null;
        EndRun();
        return isDone;
    }

    /// <summary>Applies the event of this index; gives why it is refused.</summary>
    public RejectionException? Apply(int place, Event happened)
    {
        (index, current) = (place, happened);
        return tracker.Take(place, happened, this)?.Refuse(place) ?? Happened(happened);
    }

    /// <summary>Keeps remarks on what is passed over from now on.</summary>
    public void KeepRemarks() => remarks = [];

    /// <summary>
    /// What was remarked in the run that ends here. The list of runs is forgotten, which no remark needs and
    /// every branch would copy.
    /// </summary>
    public List<Remark> EndRun()
    {
        runs.Clear();
        var made = remarks ?? [];
        remarks = null;
        return made;
    }

    /// <summary>What is open, each with the index of its first event.</summary>
    public List<(int Index, OpenItem Item)> Open() => tracker.Open();

    /// <summary>Whether what an open item appends to is there.</summary>
    public bool Holds(OpenItem item) => item.Kind switch
    {
        ItemKind.Text or ItemKind.Reasoning => thread.Find(item.Id) is not null,
        ItemKind.ToolCall => thread.HoldsCall(item.Id),
        _ => true,
    };

    /// <summary>
    /// Whether messages, state and interrupts are the same, and whatever follows makes the same of both.
    /// </summary>
    public bool StandsLike(Reducer other) =>
        tracker.StandsLike(other.tracker)
        && IsSaid(other)
        && State.IsEqualTo(other.State)
        && Interrupts.Count == other.Interrupts.Count
        && Interrupts.Zip(other.Interrupts).All(pair => CanonicalJson.AreEqual(pair.First, pair.Second));

    /// <summary>Whether both have the same messages.</summary>
    public bool IsSaid(Reducer other) => thread.IsEqualTo(other.thread);

    public Reducer Copy()
    {
        isStateShared = true;
        var copy = new Reducer(tracker.Copy(), thread.Copy(), state) { isStateShared = true, Interrupts = Interrupts };
        copy.runs.AddRange(runs.Select(run => run with { }));
        return copy;
    }

    /// <summary>What the stream means up to here.</summary>
    public ReplayedThread Finish() => new(
        Messages.Select(message => message.Value).ToList(),
        State,
        runs,
        Open().Select(open => open.Item).ToList(),
        Interrupts);

    void ISteps.Begin(in Beginning beginning)
    {
        if (beginning.Kind == ItemKind.ToolCall)
        {
            BeginCall(beginning);
        }
        else if (beginning.Kind.IsStreamed())
        {
            BeginMessage(beginning);
        }
    }

    void ISteps.Append(in ItemPart part) => Continue(part);

    void ISteps.End(in ItemPart part) => Continue(part);

    void ISteps.Close(in ItemPart part)
    {
        // Who ends an item by being about something else says nothing of it.
    }

    void ISteps.Left(int place, OpenItem item)
    {
        // What is left open stays as it is.
    }

    /// <summary>
    /// Applies the event itself. Those that only begin, continue or end an item are done by now, and RAW,
    /// CUSTOM and events that this version does not know mean nothing to the chat. The events that
    /// set, patch or add a value are told apart by their classes and not by their roles: each carries another
    /// value in another member, and what is done with it is nowhere but here.
    /// </summary>
    private RejectionException? Happened(Event happened)
    {
        switch (happened)
        {
            case RunStartedEvent started:
                BeginRun(started);
                break;
            case RunFinishedEvent finished:
                FinishRun(finished);
                break;
            case RunErrorEvent:
                CurrentRun().Status = RunStatus.Failed;
                break;
            case StateSnapshotEvent snapshot:
                SetState(JsonTree.Of(snapshot.Snapshot));
                break;
            case StateDeltaEvent delta:
                return PatchState(delta.Delta);
            case MessagesSnapshotEvent snapshot:
                thread.Restate(snapshot.Messages.Select(message => JsonTree.Of(message)));
                break;
            case ActivitySnapshotEvent snapshot:
                SnapshotActivity(snapshot);
                break;
            case ActivityDeltaEvent delta:
                return PatchActivity(delta);
            case ReasoningEncryptedValueEvent encrypted:
                Encrypt(encrypted);
                break;
            case ToolCallResultEvent result:
                AddResult(result);
                break;
        }

        return null;
    }

    private void BeginRun(RunStartedEvent started)
    {
        runs.Add(new(started.RunId, started.ParentRunId));
        if (started.Input is not { } input)
        {
            return;
        }

        if (input.State is { } given)
        {
            SetState(JsonTree.Of(given));
        }

        for (var place = 0; place < input.Messages.Count; place++)
        {
            var message = input.Messages[place];
            var known = message.Identity is { } id ? thread.Find(id) : null;
            if (known is null)
            {
                thread.Push(JsonTree.Of(message));
            }
            else if (remarks is not null && !known.Value.IsEqualTo(JsonTree.Of(message)))
            {
                // What is known is passed over, and only who asks for remarks looks at it.
                remarks.Add(Remark.Conflict(index, place, known.Id));
            }
        }
    }

    private void FinishRun(RunFinishedEvent finished)
    {
        var run = CurrentRun();
        run.Status = finished.Outcome switch
        {
            RunFinishedInterruptOutcome => RunStatus.Interrupted,
            RunFinishedCancelledOutcome => RunStatus.Cancelled,
            _ => RunStatus.Finished,
        };
        (run.Outcome, run.Result) = (finished.Outcome, finished.Result);
        Interrupts = finished.Outcome is RunFinishedInterruptOutcome outcome ? [.. outcome.Interrupts] : [];
    }

    /// <summary>The run that is in progress or was last; an error before any run is a run without an id.</summary>
    private ReplayedRun CurrentRun()
    {
        if (runs.Count == 0)
        {
            runs.Add(new(null, null));
        }

        return runs[^1];
    }

    private void SetState(JsonTree value)
    {
        state = new(value);
        isStateShared = false;
    }

    /// <summary>A patch that does not apply is skipped whole.</summary>
    private RejectionException? PatchState(JsonPatch patch)
    {
        if (isStateShared)
        {
            SetState(State.Copy());
        }

        return Skip(state.Apply(patch));
    }

    private RejectionException? Skip(PatchFailure? failure)
    {
        if (failure is null)
        {
            return null;
        }

        if (failure.IsLimit)
        {
            return failure.Limit(index);
        }

        remarks?.Add(Remark.FailedPatch(index, failure));
        return null;
    }
}

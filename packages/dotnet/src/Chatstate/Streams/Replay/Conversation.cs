using System;
using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

// Names many events: each changes messages, state or runs in its own way, which no role can say.

/// <summary>What was said, whatever the order of its events: every step and every event can be applied.</summary>
internal sealed partial class Conversation
{
    private readonly SharedState state;
    private List<ReplayedRun> runs = [];
    private MessageThread? thread;

    /// <summary>Whether the messages depend on operations, or on encrypted values, that were left out.</summary>
    private bool hasOpenMessages;

    /// <summary>How many bytes the patches of this run have copied in activities.</summary>
    private long copiedActivities;

    /// <summary>What was passed over, if the caller asks for it.</summary>
    private List<Remark>? remarks;

    /// <summary>The index of the event that is applied.</summary>
    private int index;

    public Conversation()
        : this(new(), SharedState.AtFirst(), new())
    {
    }

    private Conversation(MessageThread thread, SharedState state, MessageText text)
    {
        this.thread = thread;
        this.state = state;
        this.text = text;
    }

    /// <summary>The messages.</summary>
    public MessageThread Thread => thread ?? throw new InvalidOperationException("the messages are with a later run");

    public JsonTree State => state.Value;

    /// <summary>What the last finished run waits for.</summary>
    public IReadOnlyList<Interrupt> Interrupts { get; private set; } = [];

    /// <summary>Whether all operations on the state were known.</summary>
    public bool KnowsState => state.IsKnown;

    /// <summary>Whether all operations on activities and all subtypes of encrypted values were known.</summary>
    public bool KnowsMessages => !hasOpenMessages;

    /// <summary>Whether the state is not here any more, since a run that continues here took it along.</summary>
    public bool HasMovedOn => state.HasMovedOn;

    /// <summary>Whether the events of the run said the state whole.</summary>
    public bool SaysState => state.SaysWhole;

    /// <summary>One whose state is not needed, so it is not computed.</summary>
    public static Conversation WithoutState() => new(new(), SharedState.LeftOut(), new());

    /// <summary>One for events that come one after another and that nobody keeps.</summary>
    /// <param name="texts">Where what is needed of earlier runs is kept.</param>
    public static Conversation OfPassingEvents(PackedTexts texts) => new(new(), SharedState.AtFirst(texts), new());

    /// <summary>One of which only the messages are known.</summary>
    public static Conversation Of(MessageThread thread) => new(thread.Copy(), SharedState.AtFirst(), new());

    /// <summary>Leaves this to be the end of a run, and gives it for a run that continues there.</summary>
    public Conversation MoveOn() => new(Thread.Copy(), state.MoveOn(), text)
    {
        hasOpenMessages = hasOpenMessages,
        Interrupts = Interrupts,
    };

    /// <summary>Leaves the messages to a run that continues here.</summary>
    public void LeaveThread() => thread = null;

    /// <summary>Has the messages again that were left.</summary>
    public void Keep(MessageThread recalled) => thread = recalled;

    /// <summary>Works out a state again that was taken along, from the end of the run before.</summary>
    public void RecallState(Conversation? before) => state.Recall(before?.state);

    /// <summary>Keeps remarks on what is passed over from now on.</summary>
    public void KeepRemarks() => remarks = [];

    /// <summary>Gives away what was remarked, and the runs that began.</summary>
    public (List<Remark> Remarks, List<ReplayedRun> Runs) EndRun()
    {
        var ended = (remarks ?? [], runs);
        (remarks, runs) = (null, []);
        return ended;
    }

    /// <summary>Whether messages, state and interrupts are the same.</summary>
    public bool IsEqualTo(Conversation other) =>
        Thread.IsEqualTo(other.Thread)
        && State.IsEqualTo(other.State)
        && Interrupts.Count == other.Interrupts.Count
        && Interrupts.Zip(other.Interrupts).All(pair => CanonicalJson.AreEqual(pair.First, pair.Second));

    /// <summary>Whether what an open item appends to is there.</summary>
    public bool Holds(OpenItem item) => item.Kind switch
    {
        ItemKind.Text or ItemKind.Reasoning => Thread.Find(item.Id) is not null,
        ItemKind.ToolCall => Thread.HoldsCall(item.Id),
        _ => true,
    };

    /// <summary>
    /// Applies the event of this index itself but for the messages of an input; gives the limit that it passes. Those
    /// that only begin, continue or end an item are done by now, and RAW, CUSTOM and events that this version does not
    /// know mean nothing to the chat. The events that set, patch or add a value are distinguished by their classes and
    /// not by their roles: each carries another value in another member, and what is done with it is nowhere but here.
    /// </summary>
    public PatchFailure? Happened(int at, Event happened)
    {
        index = at;
        switch (happened)
        {
            case RunStartedEvent started:
                BeginRun(started);
                break;
            case RunFinishedEvent finished:
                FinishRun(finished);
                break;
            case RunErrorEvent failed:
                FailRun(failed);
                break;
            case StateSnapshotEvent snapshot:
                state.Set(snapshot.Snapshot);
                break;
            case StateDeltaEvent delta:
                return PatchState(delta.Delta);
            case MessagesSnapshotEvent snapshot:
                Restate(snapshot);
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
                Thread.InsertResult(result.ToolCallId, MessageBuilding.Result(result));
                break;
        }

        return null;
    }

    private void BeginRun(RunStartedEvent started)
    {
        runs.Add(new(started.RunId, started.Parent));
        copiedActivities = 0;
        state.BeginRun();
        if (started.Input?.State is { } given)
        {
            state.Set(given);
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
        run.Usage = finished.Usage?.ToList();
        Interrupts = finished.Outcome is RunFinishedInterruptOutcome outcome ? [.. outcome.Interrupts] : [];
    }

    /// <summary>A late error takes nothing away of what the run had finished with.</summary>
    private void FailRun(RunErrorEvent failed)
    {
        var run = CurrentRun();
        run.Status = RunStatus.Failed;
        (run.ErrorMessage, run.ErrorCode) = (failed.Message, failed.Code);
        run.Usage = failed.Usage?.ToList() ?? run.Usage;
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

    private PatchFailure? PatchState(JsonPatch patch)
    {
        if (state.IsLeftOut)
        {
            return null;
        }

        NoteUnknown("delta", patch);
        return Skip("delta", state.Patch(patch));
    }

    /// <summary>Operations that are unknown here are left out of their patch.</summary>
    private void NoteUnknown(string member, JsonPatch patch)
    {
        for (var place = 0; remarks is not null && place < patch.Count; place++)
        {
            if (patch[place] is UnknownOperation operation)
            {
                remarks.Add(Remark.UnknownOperation(index, member, place, operation.Op));
            }
        }
    }

    /// <summary>A patch that does not apply is skipped whole; only one that passes a limit is rejected.</summary>
    private PatchFailure? Skip(string member, PatchFailure? failure)
    {
        if (failure is { IsLimit: false })
        {
            remarks?.Add(Remark.FailedPatch(index, member, failure));
            return null;
        }

        return failure;
    }
}

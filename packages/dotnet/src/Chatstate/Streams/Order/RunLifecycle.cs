using System.Collections.Generic;

namespace Chatstate;

/// <summary>Where runs begin and end, and which events may be outside of them.</summary>
internal sealed class RunLifecycle
{
    private Phase phase;

    /// <summary>Whether an event outside of all runs has been reported since the last run ended.</summary>
    private bool hasStrayed;

    /// <summary>The index of the event that ended the last run.</summary>
    private int ended;

    /// <summary>The run in progress, or the last one.</summary>
    private (string ThreadId, string RunId, int Index)? run;

    /// <summary>The thread, and the index of the event that named it first.</summary>
    private (string Id, int Index)? thread;

    /// <summary>What the last event of a run, or the lack of one, leaves open.</summary>
    private enum Phase
    {
        Before,
        Running,
        Finished,
        Failed,
    }

    /// <summary>
    /// Whether an event belongs to a run. The first known one that does not is rejected, those after it are not
    /// admitted. Unknown ones are not admitted either, and never rejected.
    /// </summary>
    public bool Admit(int index, Event happened, out Violation? violation)
    {
        violation = Judge(happened, out var isAdmitted);
        switch (happened.Kind)
        {
            case EventKind.RunStarted:
                phase = Phase.Running;
                break;
            case EventKind.RunFinished when phase == Phase.Running:
                (phase, ended) = (Phase.Finished, index);
                break;
            case EventKind.RunError when isAdmitted:
                (phase, ended) = (Phase.Failed, index);
                break;
        }

        return isAdmitted;
    }

    /// <summary>A run is in progress whose beginning is elsewhere; nobody knows its id and its thread.</summary>
    public void BeginInside() => phase = Phase.Running;

    /// <summary>The run that is not over, at its beginning.</summary>
    public Finding? Unfinished() => phase == Phase.Running && run is { } begun
        ? new("run.unfinished", begun.Index, $"the log ends before the run `{begun.RunId}` has finished or failed")
        : null;

    /// <summary>Checks the thread of an event that begins a run.</summary>
    public Violation? Begin(int index, RunStartedEvent started)
    {
        hasStrayed = false;
        run = (started.ThreadId, started.RunId, index);
        thread ??= (started.ThreadId, index);
        if (thread.Value.Id == started.ThreadId)
        {
            return null;
        }

        var sentence = $"the run is on the thread `{started.ThreadId}`, and the log began on `{thread.Value.Id}`";
        return new("run.wrong-thread", sentence, thread.Value.Index);
    }

    /// <summary>Checks the run of an event that finishes one.</summary>
    public Violation? WrongRun(RunFinishedEvent finished)
    {
        if (run is not { } begun || begun.RunId == finished.RunId)
        {
            return null;
        }

        return new("run.wrong-run", $"the run `{begun.RunId}` finishes as `{finished.RunId}`", begun.Index);
    }

    /// <summary>Checks the thread of an event that finishes a run.</summary>
    public Violation? WrongThread(RunFinishedEvent finished)
    {
        if (run is not { } begun || begun.ThreadId == finished.ThreadId)
        {
            return null;
        }

        var sentence = $"the run on the thread `{begun.ThreadId}` finishes on `{finished.ThreadId}`";
        return new("run.wrong-thread", sentence, begun.Index);
    }

    /// <summary>The interrupts that have the id of an earlier one: nobody could answer both.</summary>
    public static IEnumerable<Violation> RepeatedInterrupts(RunFinishedEvent finished)
    {
        var interrupts = finished.Outcome is RunFinishedInterruptOutcome outcome ? outcome.Interrupts : [];
        var ids = new HashSet<string>();
        for (var place = 0; place < interrupts.Count; place++)
        {
            var id = interrupts[place].Id;
            if (!ids.Add(id))
            {
                yield return new("run.repeated-interrupt", $"two interrupts of the run have the id `{id}`")
                {
                    Place = $"/outcome/interrupts/{place}/id",
                };
            }
        }
    }

    private Violation? Judge(Event happened, out bool isAdmitted)
    {
        isAdmitted = happened.Kind switch
        {
            EventKind.RunStarted => phase != Phase.Running,
            EventKind.RunError => phase != Phase.Failed,
            _ => phase == Phase.Running,
        };
        if (isAdmitted || happened.Kind == EventKind.Unknown)
        {
            return null;
        }

        if (phase == Phase.Running)
        {
            return new("run.already-started", "a run begins while another one is in progress", run?.Index);
        }

        var violation = hasStrayed ? null : Stray(happened.Type);
        hasStrayed = true;
        return violation;
    }

    private Violation Stray(string type) => phase switch
    {
        Phase.Failed => new("run.after-error", $"`{type}` comes after the run has failed", ended),
        Phase.Finished => new("run.after-finish", $"`{type}` comes after the run has finished", ended),
        _ => new("run.first-event", $"`{type}` comes before any run has begun"),
    };
}

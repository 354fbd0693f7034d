using System.Collections.Generic;

namespace Chatstate;

/// <summary>
/// Verifies events as they come. It remembers only what is open, the owners within the run in progress and
/// the ids of the runs. After an error it continues as well as it can.
/// </summary>
internal sealed class Verifier : ISteps
{
    private readonly Tracker tracker = new();
    private readonly RunLifecycle lifecycle = new();
    private Owners owners = new();
    private readonly List<LineageProblem> problems = [];

    /// <summary>The index of the event that is taken.</summary>
    private int taken;

    /// <summary>Whether the event that is taken must leave nothing open.</summary>
    private bool mustClose;

    /// <summary>Who else takes the steps of the event.</summary>
    private ISteps? follower;

    /// <summary>What makes the stream invalid. A finding may be about an earlier event.</summary>
    public List<Finding> Errors { get; } = [];

    /// <summary>What does not make it invalid.</summary>
    public List<Finding> Warnings { get; } = [];

    /// <summary>
    /// The indexes of the events that a lenient replay passes over: those that break a rule, but for those that
    /// begin or end the run in progress, since what follows would belong to another run without them.
    /// </summary>
    public HashSet<int> PassedOver { get; } = [];

    public RunLog Runs { get; } = new();

    /// <summary>The run that the run in progress continues, or the last one.</summary>
    public int? Predecessor => Runs.Rows.Count == 0 ? null : Runs.Rows[^1].Predecessor;

    /// <summary>One that has taken all events of a log.</summary>
    public static Verifier Of(IReadOnlyList<Event> events, bool isComplete = false)
    {
        var verifier = new Verifier();
        for (var index = 0; index < events.Count; index++)
        {
            verifier.Push(index, events[index]);
        }

        if (isComplete && verifier.lifecycle.Unfinished() is { } unfinished)
        {
            verifier.Errors.Add(unfinished);
        }

        return verifier;
    }

    /// <summary>The stream begins inside of a run.</summary>
    public void BeginInside() => lifecycle.BeginInside();

    /// <summary>
    /// Takes the event of this index, and hands its steps on. Whether patches apply is not looked at.
    /// </summary>
    public void Push(int index, Event happened, ISteps? steps = null)
    {
        (taken, follower) = (index, steps);
        if (happened.Kind == EventKind.Unknown)
        {
            Warnings.Add(new("verify.unknown-event", index, $"`{happened.Type}` is no known type of event"));
        }

        var isAdmitted = lifecycle.Admit(index, happened, out var stray);
        Note(stray);
        if (happened is RunStartedEvent started)
        {
            // To clear dictionaries takes the time of the largest that they were.
            owners = new();
            Runs.Push(index, started, problems);
            NoteProblems();
        }
        else if (!isAdmitted)
        {
            // What is outside of all runs is reported once and has no further meaning.
            PassedOver.Add(index);
            return;
        }

        mustClose = happened.Kind == EventKind.RunFinished;
        Note(tracker.Take(index, happened, this));
        CheckRun(happened);
        Note(owners.Happened(index, happened));
        if (!happened.FramesRun && Errors.Count > 0 && Errors[^1].Index == index)
        {
            PassedOver.Add(index);
        }
    }

    /// <summary>Whether both reject the same of what may follow within the run in progress.</summary>
    public bool StandsLike(Verifier other) => tracker.StandsLike(other.tracker) && owners.StandLike(other.owners);

    void ISteps.Begin(in Beginning beginning)
    {
        follower?.Begin(beginning);
        Note(owners.Begun(taken, beginning));
    }

    void ISteps.Append(in ItemPart part)
    {
        follower?.Append(part);
        Note(owners.Continued(part));
    }

    void ISteps.Idle(in ItemPart part) => follower?.Idle(part);

    void ISteps.End(in ItemPart part)
    {
        follower?.End(part);
        Note(owners.Continued(part));
    }

    void ISteps.Close(in ItemPart part)
    {
        follower?.Close(part);
        Note(owners.Continued(part));
    }

    void ISteps.Left(int index, OpenItem item)
    {
        follower?.Left(index, item);
        if (mustClose)
        {
            var sentence = $"the run finishes, but the {item.Kind.Word()} `{item.Id}` is open";
            Note(new("run.open-item", sentence, index));
        }
    }

    private void CheckRun(Event happened)
    {
        if (happened is RunStartedEvent started)
        {
            Note(lifecycle.Begin(taken, started));
        }
        else if (happened is RunFinishedEvent finished)
        {
            Note(lifecycle.WrongRun(finished));
            Note(lifecycle.WrongThread(finished));
            foreach (var repeated in RunLifecycle.RepeatedInterrupts(finished))
            {
                Note(repeated);
            }
        }
    }

    private void Note(Violation? violation)
    {
        if (violation is not null)
        {
            Errors.Add(new(violation.Rule, taken, violation.Sentence, violation.Other) { Place = violation.Place });
        }
    }

    private void NoteProblems()
    {
        foreach (var problem in problems)
        {
            (problem.IsError ? Errors : Warnings).Add(Finding.Of(problem));
        }

        problems.Clear();
    }
}

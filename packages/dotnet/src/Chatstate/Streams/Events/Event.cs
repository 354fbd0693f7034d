namespace Chatstate;

/// <content>What an event is by its role.</content>
public abstract partial class Event
{
    /// <summary>The kind of item that it begins, continues or ends.</summary>
    internal ItemKind? Item => EventRole.Item;

    /// <summary>Whether it is a chunk, which begins, continues and ends its item by where it is.</summary>
    internal bool IsChunk => EventRole.Does == EventDoes.Chunk;

    /// <summary>Whether it begins or ends a run.</summary>
    internal bool FramesRun => EventRole.Does is EventDoes.StartRun or EventDoes.EndRun;

    /// <summary>Whether it ends a run.</summary>
    internal bool IsTerminal => EventRole.Does == EventDoes.EndRun;

    /// <summary>An event of its own with the same values.</summary>
    internal Event Copy() => (Event)MemberwiseClone();
}

/// <content>A beginning of a run with another input.</content>
public sealed partial class RunStartedEvent
{
    /// <summary>The same event with an input that is changed; the input of this event stays.</summary>
    internal RunStartedEvent With(System.Action<RunAgentInput> change)
    {
        var changed = (RunStartedEvent)Copy();
        if (Input is not null)
        {
            changed.Input = Input.Copy();
            change(changed.Input);
        }

        return changed;
    }
}

/// <content>A copy to be changed.</content>
public sealed partial class RunAgentInput
{
    internal RunAgentInput Copy() => (RunAgentInput)MemberwiseClone();
}

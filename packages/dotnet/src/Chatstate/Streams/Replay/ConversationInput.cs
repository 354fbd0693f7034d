using System.Collections.Generic;

namespace Chatstate;

/// <content>The messages that runs get and snapshots say.</content>
internal sealed partial class Conversation
{
    /// <summary>Compares messages with those of the thread.</summary>
    private readonly MessageText text;

    /// <summary>
    /// Takes the messages of the input of the run that has begun, and gives those that the input may not leave out: a
    /// message is held where the path is known and has it. AG-UI assigns owners again in each run, so one with an owner
    /// never is.
    /// </summary>
    public List<Message> TakeInput(IList<Message> messages, bool isKnown)
    {
        var stay = new List<Message>(messages.Count);
        for (var place = 0; place < messages.Count; place++)
        {
            var message = messages[place];
            var held = Held(message);
            var isEqual = held is not null && (isKnown || remarks is not null) && text.IsEqual(message, held);
            if (held is null)
            {
                Thread.Push(text.Read(message, null));
            }
            else if (!isEqual)
            {
                remarks?.Add(Remark.Conflict(index, place, held.Id));
            }

            if (!isKnown || !isEqual || message.Owner is not null)
            {
                stay.Add(message);
            }
        }

        return stay;
    }

    /// <summary>Most snapshots repeat most messages, and those stay shared.</summary>
    private void Restate(MessagesSnapshotEvent snapshot)
    {
        var restated = new List<ThreadMessage>(snapshot.Messages.Count);
        foreach (var message in snapshot.Messages)
        {
            restated.Add(text.Read(message, Held(message)));
        }

        Thread.Restate(restated);
    }

    private ThreadMessage? Held(Message message) => message.Identity is { } id ? Thread.Find(id) : null;
}

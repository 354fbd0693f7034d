using System.Collections.Generic;

namespace Chatstate;

/// <summary>The messages of a run's input that its path holds already.</summary>
internal static class InputMessages
{
    /// <summary>
    /// Takes the messages of an input into a thread, and gives the beginning of the run with those that stay: a message
    /// does not if the path is known and the thread holds it. AG-UI tells owners to each run anew, so a message with
    /// one stays.
    /// </summary>
    public static RunStartedEvent Take(RunStartedEvent started, MessageThread thread, bool isKnown)
    {
        var messages = started.Input?.Messages ?? [];
        var stay = new List<Message>(messages.Count);
        foreach (var message in messages)
        {
            var tree = JsonTree.Of(message);
            var held = message.Identity is { } id ? thread.Find(id) : null;
            if (held is null)
            {
                thread.Push(tree);
            }

            if (held is null || !isKnown || message.Owner is not null || !held.Value.IsEqualTo(tree))
            {
                stay.Add(message);
            }
        }

        return stay.Count == messages.Count ? started : started.With(input => input.Messages = stay);
    }
}

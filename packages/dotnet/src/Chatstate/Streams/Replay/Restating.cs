using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>Messages and state as events again: the way back from a replay.</summary>
internal static class Restating
{
    /// <summary>A message as its type holds it.</summary>
    public static Message ToMessage(JsonTree tree)
    {
        try
        {
            return IsWhole(tree) ? Message.FromElement(tree.ToElement()) : WithSplitEnds(tree);
        }
        catch (RejectionException)
        {
            return UnknownMessage.OfAny(tree.TextOf("role") ?? "", tree.ToElement());
        }
    }

    /// <summary>
    /// All messages as one snapshot; none if one cannot say them: each id is there once, which readers of a
    /// snapshot go by, and no text ends in an unpaired surrogate, which no message can say.
    /// </summary>
    public static MessagesSnapshotEvent? MessagesSnapshot(IEnumerable<JsonTree> messages)
    {
        var said = messages.ToList();
        if (!CanBeRestated(said))
        {
            return null;
        }

        try
        {
            return new() { Messages = said.Select(message => Message.FromElement(message.ToElement())).ToList() };
        }
        catch (RejectionException)
        {
            return null;
        }
    }

    /// <summary>Whether one snapshot can say these messages.</summary>
    public static bool CanBeRestated(IReadOnlyList<JsonTree> messages)
    {
        var (ids, callIds) = (new HashSet<string>(), new HashSet<string>());
        return messages.All(message =>
            message.TextOf("id") is { } id
            && ids.Add(id)
            && IsWhole(message)
            && Calls(message).All(call => call.TextOf("id") is { } callId && callIds.Add(callId)));
    }

    /// <summary>The state as a snapshot.</summary>
    public static StateSnapshotEvent StateSnapshot(JsonTree state) => new() { Snapshot = state.ToElement() };

    /// <summary>
    /// The beginning of a run without the messages of its input, which a snapshot after it says in their
    /// order.
    /// </summary>
    public static RunStartedEvent WithoutMessages(RunStartedEvent started) => started.With(input => input.Messages = []);

    public static IReadOnlyList<JsonTree> Calls(JsonTree message) => message.Member("toolCalls")?.Items ?? [];

    /// <summary>Whether no text of a message ends in an unpaired surrogate.</summary>
    private static bool IsWhole(JsonTree message) =>
        IsWhole(message.TextOf("content"))
        && Calls(message).All(call => IsWhole(call.Member("function")?.TextOf("arguments")));

    private static bool IsWhole(string? text) => text is null || JsonStrings.IsWhole(text);

    /// <summary>A message whose texts end in unpaired surrogates, which only events may read.</summary>
    private static Message WithSplitEnds(JsonTree tree)
    {
        var splitEnds = new SplitEnds([tree]);
        var message = Message.FromElement(splitEnds.Messages[0].ToElement());
        if (message.Identity is { } id && splitEnds.Take(new(ItemKind.Text, id, null)) is { } surrogate)
        {
            Append(message, surrogate);
        }

        foreach (var call in message.Calls)
        {
            call.Function.Arguments += splitEnds.Take(new(ItemKind.ToolCall, call.Id, null));
        }

        return message;
    }

    private static void Append(Message message, string surrogate)
    {
        switch (message)
        {
            case AssistantMessage assistant:
                assistant.Content += surrogate;
                break;
            case ReasoningMessage reasoning:
                reasoning.Content += surrogate;
                break;
            case DeveloperMessage developer:
                developer.Content += surrogate;
                break;
            case SystemMessage system:
                system.Content += surrogate;
                break;
            case UserMessage user:
                user.Content = user.Content.AsText + surrogate;
                break;
            case ToolMessage tool:
                tool.Content = tool.Content.AsText + surrogate;
                break;
        }
    }
}

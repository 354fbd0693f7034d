using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// Who owns what: what one subagent began, no other may continue. Owners are kept for a whole run, also of
/// what is closed, and begin again with the next run. An event without a subagent never disagrees; an opening
/// without one makes the parent agent the owner.
/// </summary>
internal sealed class Owners
{
    private readonly Dictionary<string, Owner> messages = [];
    private readonly Dictionary<string, Owner> calls = [];
    private readonly Dictionary<string, Owner> activities = [];

    /// <summary>Of reasoning messages and reasoning spans alike.</summary>
    private readonly Dictionary<string, Owner> reasoning = [];

    /// <summary>The subagents that have begun in this run, each with the index of its beginning.</summary>
    private readonly Dictionary<string, int> subagents = [];

    /// <summary>Whether both know the same owners.</summary>
    public bool StandLike(Owners other) =>
        AreSame(messages, other.messages)
        && AreSame(calls, other.calls)
        && AreSame(activities, other.activities)
        && AreSame(reasoning, other.reasoning)
        && subagents.Keys.ToHashSet().SetEquals(other.subagents.Keys);

    /// <summary>Checks and notes the owner of what is begun.</summary>
    public Violation? Begun(int index, in Beginning beginning) => beginning.Kind switch
    {
        ItemKind.Text => BegunIn(messages, "message", index, beginning),
        ItemKind.Reasoning or ItemKind.ReasoningSpan => BegunIn(reasoning, "reasoning", index, beginning),
        ItemKind.ToolCall => CallBegun(index, beginning),
        ItemKind.Subagent => SubagentBegun(index, beginning),
        _ => null,
    };

    /// <summary>Checks the owner of what is continued or ended.</summary>
    public Violation? Continued(in ItemPart part) => part.Kind switch
    {
        // Most events name no owner, and for those none is looked up.
        _ when part.Owner is null => null,
        ItemKind.Text => Agree(messages, part.Owner, "message", part.Id),
        ItemKind.ToolCall => Agree(calls, part.Owner, "tool call", part.Id),
        ItemKind.Reasoning or ItemKind.ReasoningSpan => Agree(reasoning, part.Owner, "reasoning", part.Id),
        _ => null,
    };

    /// <summary>Checks and notes what an event says of owners beside the items that it begins or continues.</summary>
    public Violation? Happened(int index, Event happened)
    {
        // Most events are of items, and those say nothing beside.
        if (happened.Item is not null)
        {
            return null;
        }

        switch (happened)
        {
            case RunStartedEvent { Input: { } input }:
                Seed(index, input.Messages, overrules: false);
                break;
            case MessagesSnapshotEvent snapshot:
                Seed(index, snapshot.Messages, overrules: true);
                break;
            case ToolCallResultEvent result:
                messages[result.MessageId] = new(result.SubagentRunId, index);
                break;
            case ActivitySnapshotEvent activity:
                // An activity belongs to whom its last replacing snapshot names.
                if (activity.Replace != false || !activities.ContainsKey(activity.MessageId))
                {
                    activities[activity.MessageId] = new(activity.SubagentRunId, index);
                }

                break;
            case ActivityDeltaEvent delta:
                return Agree(activities, delta.SubagentRunId, "activity", delta.MessageId);
            case ReasoningEncryptedValueEvent encrypted:
                return Encrypted(encrypted);
        }

        return null;
    }

    private static bool AreSame(Dictionary<string, Owner> one, Dictionary<string, Owner> two) =>
        one.Count == two.Count
        && one.All(known => two.TryGetValue(known.Key, out var owner) && owner.SubagentRunId == known.Value.SubagentRunId);

    private static Violation? Agree(Dictionary<string, Owner> owners, string? tag, string what, string id) =>
        tag is not null && owners.TryGetValue(id, out var owner) ? owner.Agree(tag, what, id) : null;

    private static Violation? BegunIn(Dictionary<string, Owner> owners, string what, int index, in Beginning beginning)
    {
        if (owners.TryGetValue(beginning.Id, out var owner))
        {
            return owner.Agree(beginning.Owner, what, beginning.Id);
        }

        owners.Add(beginning.Id, new(beginning.Owner, index));
        return null;
    }

    /// <summary>A call lives in the message that makes it and belongs to the owner of that message.</summary>
    private Violation? CallBegun(int index, in Beginning beginning)
    {
        var (id, tag, parent) = (beginning.Id, beginning.Owner, beginning.Heads.ParentMessageId);
        Owner? holder = parent is not null && messages.TryGetValue(parent, out var known) ? known : null;
        if (holder?.Agree(tag, "message", parent!) is not null)
        {
            var sentence = $"the call `{id}` is put into `{parent}` of {holder.Value.Name}";
            return new("subagent.wrong-parent", sentence, holder.Value.Index);
        }

        if (!calls.TryGetValue(id, out var owner))
        {
            calls.Add(id, new(tag ?? holder?.SubagentRunId, index));
            return null;
        }

        if (owner.Agree(tag, "tool call", id) is { } violation)
        {
            return violation;
        }

        // A call that is begun again without a tag is the one of the message around it.
        return holder is null || holder.Value.SubagentRunId == owner.SubagentRunId
            ? null
            : new(
                "subagent.wrong-parent",
                $"the call `{id}` of {owner.Name} is put into a message of {holder.Value.Name}",
                owner.Index);
    }

    /// <summary>The id of a subagent is for one time that it works, and its parent has begun before.</summary>
    private Violation? SubagentBegun(int index, in Beginning beginning)
    {
        var (id, parent) = (beginning.Id, beginning.Owner);
        var isUnknown = parent is not null && !subagents.ContainsKey(parent);
        if (!subagents.TryAdd(id, index))
        {
            return new("subagent.reused", $"the run has had a subagent `{id}` before", subagents[id]);
        }

        return isUnknown
            ? new("subagent.unknown-parent", $"the subagent `{id}` names `{parent}`, which has not begun")
            : null;
    }

    private Violation? Encrypted(ReasoningEncryptedValueEvent encrypted)
    {
        var (id, tag) = (encrypted.EntityId, encrypted.SubagentRunId);
        if (encrypted.Subtype == EncryptedValueSubtype.ToolCall)
        {
            return Agree(calls, tag, "tool call", id);
        }

        // Of another subtype, it is not known what the id is of.
        return encrypted.Subtype.IsKnown
            ? Agree(messages.ContainsKey(id) ? messages : reasoning, tag, "message", id)
            : null;
    }

    /// <summary>Notes the owners that messages name. A snapshot overrules what was known, an input does not.</summary>
    private void Seed(int index, IEnumerable<Message> named, bool overrules)
    {
        foreach (var message in named)
        {
            // A message of an unknown role may lack an id, and then no event can name it.
            if (message.Identity is not { } id)
            {
                continue;
            }

            var owner = new Owner(message.Owner, index);
            var owners = message.Role switch
            {
                "reasoning" => reasoning,
                "activity" => activities,
                _ => messages,
            };
            Note(owners, id, owner, overrules);
            foreach (var call in message.Calls)
            {
                Note(calls, call.Id, owner, overrules);
            }
        }
    }

    private static void Note(Dictionary<string, Owner> owners, string id, Owner owner, bool overrules)
    {
        if (overrules)
        {
            owners[id] = owner;
        }
        else
        {
            owners.TryAdd(id, owner);
        }
    }

    /// <summary>An owner, by the event that said so; none is the parent agent.</summary>
    private readonly record struct Owner(string? SubagentRunId, int Index)
    {
        public string Name => SubagentRunId is null ? "the parent agent" : $"the subagent `{SubagentRunId}`";

        /// <summary>Rejects a `subagentRunId` that is not the owner.</summary>
        public Violation? Agree(string? tag, string what, string id)
        {
            if (tag is null || tag == SubagentRunId)
            {
                return null;
            }

            return new(
                "subagent.wrong-owner",
                $"the event names the subagent `{tag}`, but the {what} `{id}` belongs to {Name}",
                Index);
        }
    }
}

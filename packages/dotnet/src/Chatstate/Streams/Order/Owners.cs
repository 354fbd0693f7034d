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
    private readonly Dictionary<OwnedKind, Dictionary<string, Owner>> byKind = [];

    /// <summary>Whether both know the same owners.</summary>
    public bool StandLike(Owners other) =>
        byKind.Keys.Union(other.byKind.Keys).All(owned => AreSame(Of(owned), other.Of(owned)));

    /// <summary>Checks and notes the owner of what is begun.</summary>
    public Violation? Begun(int index, in Beginning beginning)
    {
        if (beginning.Kind.Owners() is not { } owned)
        {
            return null;
        }

        return beginning.Kind switch
        {
            ItemKind.ToolCall => CallBegun(owned, index, beginning),
            ItemKind.Subagent => SubagentBegun(owned, index, beginning),
            _ => OtherBegun(owned, index, beginning),
        };
    }

    /// <summary>Checks the owner of what is continued or ended.</summary>
    public Violation? Continued(in ItemPart part) =>
        // Most events name no owner, and for those none is looked up.
        part.Owner is not null && part.Kind.Owners() is { } owned ? Agree(owned, part.Owner, part.Id) : null;

    /// <summary>Checks and notes what an event says of owners beside the items that it begins or continues.</summary>
    public Violation? Happened(int index, Event happened)
    {
        // Most events are of items, and those say nothing beside.
        if (happened.Item is not null)
        {
            return null;
        }

        var owned = happened.EventRole.Value?.Owners();
        switch (happened)
        {
            case RunStartedEvent { Input: { } input }:
                Seed(index, input.Messages, overrules: false);
                break;
            case MessagesSnapshotEvent snapshot:
                Seed(index, snapshot.Messages, overrules: true);
                break;
            case ToolCallResultEvent result when owned is { } kind:
                Of(kind)[result.MessageId] = new(result.SubagentRunId, index);
                break;
            case ActivitySnapshotEvent activity when owned is { } kind:
                // An activity belongs to whom its last replacing snapshot names.
                var activities = Of(kind);
                if (activity.Replace != false || !activities.ContainsKey(activity.MessageId))
                {
                    activities[activity.MessageId] = new(activity.SubagentRunId, index);
                }

                break;
            case ActivityDeltaEvent delta when owned is { } kind:
                return Agree(kind, delta.SubagentRunId, delta.MessageId);
            case ReasoningEncryptedValueEvent encrypted:
                return Encrypted(encrypted);
        }

        return null;
    }

    private static bool AreSame(Dictionary<string, Owner> one, Dictionary<string, Owner> two) =>
        one.Count == two.Count
        && one.All(known => two.TryGetValue(known.Key, out var owner) && owner.SubagentRunId == known.Value.SubagentRunId);

    /// <summary>The owners of what such ids name.</summary>
    private Dictionary<string, Owner> Of(OwnedKind owned) =>
        byKind.TryGetValue(owned, out var owners) ? owners : byKind[owned] = [];

    private Violation? Agree(OwnedKind owned, string? tag, string id) =>
        tag is not null && Of(owned).TryGetValue(id, out var owner) ? owner.Agree(tag, owned, id) : null;

    private Violation? OtherBegun(OwnedKind owned, int index, in Beginning beginning)
    {
        var owners = Of(owned);
        if (owners.TryGetValue(beginning.Id, out var owner))
        {
            return owner.Agree(beginning.Owner, owned, beginning.Id);
        }

        owners.Add(beginning.Id, new(beginning.Owner, index));
        return null;
    }

    /// <summary>A call lives in the message that makes it and belongs to the owner of that message.</summary>
    private Violation? CallBegun(OwnedKind owned, int index, in Beginning beginning)
    {
        var (id, tag, parent) = (beginning.Id, beginning.Owner, beginning.Heads.ParentMessageId);
        Owner? holder = parent is not null && Of(OwnedKind.Message).TryGetValue(parent, out var known) ? known : null;
        if (holder?.Agree(tag, OwnedKind.Message, parent!) is not null)
        {
            var sentence = $"the call `{id}` is put into `{parent}` of {holder.Value.Name}";
            return new("subagent.wrong-parent", sentence, holder.Value.Index);
        }

        var owners = Of(owned);
        if (!owners.TryGetValue(id, out var owner))
        {
            owners.Add(id, new(tag ?? holder?.SubagentRunId, index));
            return null;
        }

        if (owner.Agree(tag, owned, id) is { } violation)
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
    private Violation? SubagentBegun(OwnedKind owned, int index, in Beginning beginning)
    {
        var (id, parent, subagents) = (beginning.Id, beginning.Owner, Of(owned));
        var isUnknown = parent is not null && !subagents.ContainsKey(parent);
        if (!subagents.TryAdd(id, new(parent, index)))
        {
            return new("subagent.reused", $"the run has had a subagent `{id}` before", subagents[id].Index);
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
            return Agree(OwnedKind.ToolCall, tag, id);
        }

        // Of another subtype, it is not known what the id is of.
        if (!encrypted.Subtype.IsKnown)
        {
            return null;
        }

        var isKnown = Of(OwnedKind.Message).TryGetValue(id, out var owner)
            || Of(OwnedKind.Reasoning).TryGetValue(id, out owner);
        return isKnown ? owner.Agree(tag, OwnedKind.Message, id) : null;
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
            var owned = message.Role switch
            {
                "reasoning" => OwnedKind.Reasoning,
                "activity" => OwnedKind.Activity,
                _ => OwnedKind.Message,
            };
            Note(owned, id, owner, overrules);
            foreach (var call in message.Calls)
            {
                Note(OwnedKind.ToolCall, call.Id, owner, overrules);
            }
        }
    }

    private void Note(OwnedKind owned, string id, Owner owner, bool overrules)
    {
        var owners = Of(owned);
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

        /// <summary>Rejects a `subagentRunId` that is not the owner of what the id names.</summary>
        public Violation? Agree(string? tag, OwnedKind owned, string id)
        {
            if (tag is null || tag == SubagentRunId)
            {
                return null;
            }

            return new(
                "subagent.wrong-owner",
                $"the event names the subagent `{tag}`, but the {owned.Word()} `{id}` belongs to {Name}",
                Index);
        }
    }
}

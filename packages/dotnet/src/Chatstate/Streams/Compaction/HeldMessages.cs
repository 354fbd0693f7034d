using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// Which messages the path of a run holds, so that its input need not repeat them.
/// </summary>
/// <remarks>
/// Only digests are kept: of a message its canonical value, and the spelling in which it was seen last. Of a
/// message that the events of one run build the value is known at the end of the run. What a later run does to
/// it makes its value unknown, and nothing that is unknown is dropped from an input. What is known depends only
/// on events that compaction keeps, so that compacting again finds the same.
/// </remarks>
internal sealed partial class HeldMessages
{
    private readonly RunPath path = new();
    private readonly MessageEntries entries = new();
    private readonly Spellings spellings = new();

    /// <summary>Which messages made a tool call, whatever the branch.</summary>
    private readonly Dictionary<string, HashSet<string>> callers = [];

    private RunMessages run = new(RunPath.None, RunPath.None);

    /// <summary>Begins a run.</summary>
    public void BeginRun(string runId, string? parentRunId)
    {
        var place = path.Begin(runId, parentRunId);
        run = new(place, path.Predecessor(place));
    }

    /// <summary>Learns the unknown values from the messages as they are at the end of the run in progress.</summary>
    public void Learn(IEnumerable<ThreadMessage>? messages)
    {
        if (messages is not null)
        {
            run.Learn(messages);
        }
    }

    /// <summary>Ends the run in progress: what it made of messages is known to those that come after it.</summary>
    public void EndRun()
    {
        foreach (var kind in run.Restated)
        {
            path.Restate(run.Place, kind);
        }

        foreach (var (id, message) in run.Messages)
        {
            Commit(id, message.Settled());
        }

        foreach (var (call, caller) in run.Callers)
        {
            (callers.TryGetValue(call, out var known) ? known : callers[call] = []).Add(caller);
        }

        run = new(RunPath.None, RunPath.None);
    }

    /// <summary>
    /// Takes a message of the run's input, and tells whether the path holds it. One that is new is held from
    /// now on. A message of a subagent is never told to be held: a verifier learns its owner from the input of
    /// each run.
    /// </summary>
    public bool TakeInput(Message message) =>
        message.Identity is { } id && IsHeld(id, message) && message.Owner is null;

    /// <summary>Takes an event that stands in the run as it is.</summary>
    public void Take(Event standing)
    {
        switch (standing)
        {
            case RunStartedEvent { Input: { } input }:
                foreach (var message in input.Messages)
                {
                    _ = TakeInput(message);
                }

                break;
            case MessagesSnapshotEvent snapshot:
                Restate(snapshot.Messages);
                break;
            case ToolCallResultEvent result:
                AddResult(result);
                break;
            case ActivitySnapshotEvent snapshot:
                SnapshotActivity(snapshot);
                break;
            case ActivityDeltaEvent delta when Role(delta.MessageId) == HeldRole.Activity:
                Touch(delta.MessageId);
                break;
            case ReasoningEncryptedValueEvent encrypted:
                Encrypt(encrypted);
                break;
            default:
                TakeItem(standing);
                break;
        }
    }

    /// <summary>Takes an event of an item; one that builds no message is passed over.</summary>
    private void TakeItem(Event standing)
    {
        if (standing.Item is not { } kind || !kind.IsStreamed())
        {
            return;
        }

        switch (standing.EventRole.Does)
        {
            case EventDoes.Begin:
                Begin(kind, standing.ItemId!, standing.Heads, standing.Owner, standing.Notes.Metadata);
                break;
            case EventDoes.Append or EventDoes.End:
                Continue(kind, standing.ItemId!, standing.Streamed, standing.Notes.Metadata);
                break;
        }
    }

    /// <summary>Takes the joined deltas of an item.</summary>
    public void Append(ItemKind kind, string id, DeltaPart part) =>
        Continue(kind, id, part.HasDelta ? part.Delta ?? "" : null, part.Metadata);

    private void Commit(string id, KnownMessage known)
    {
        var before = entries.At(path, run.Predecessor, id, out var place);
        var isRestated = known.Role.Class() is { } kind && run.Restated.Contains(kind);
        var stands = before is { } earlier
            && earlier.Role == known.Role
            && earlier.Digest == known.Digest
            && (!isRestated || entries.Confirm(path, run.Place, place));
        if (!stands)
        {
            entries.Add(run.Place, id, known);
        }
    }

    /// <summary>Whether there is a message with this id and value.</summary>
    private bool IsHeld(string id, Message message)
    {
        var spelling = spellings.Of(message);
        if (run.Messages.TryGetValue(id, out var own) && own.Draft is null)
        {
            return IsSame(own.Settled(), spelling);
        }

        if (entries.At(path, run.Predecessor, id, out var place) is { } known)
        {
            var isSame = IsSame(known, spelling);
            if (isSame && known.Spelling != spelling)
            {
                entries.Respell(place, spelling);
            }

            return isSame;
        }

        run.Messages[id] = new(new KnownMessage(HeldRoles.Of(message.Role), spellings.Value(), spelling));
        run.NoteCalls(id, message);
        return false;
    }

    /// <summary>Whether a known message has the value of the one that was spelled last.</summary>
    private bool IsSame(KnownMessage known, ValueDigest spelling) =>
        known.Digest is { } digest && (known.Spelling == spelling || spellings.Value() == digest);

    /// <summary>What is known of the message that has this id now.</summary>
    private HeldRole? Role(string id)
    {
        if (run.Messages.TryGetValue(id, out var own))
        {
            return own.Role;
        }

        if (entries.At(path, run.Predecessor, id, out _) is not { } known)
        {
            return null;
        }

        var isRestated = run.Restated.Contains(MessageClass.Conversation);
        var role = isRestated ? known.Role.WhenRestated() : known.Role;
        return role.Class() is { } kind && run.Restated.Contains(kind) ? null : role;
    }

    /// <summary>Makes the value of a message unknown, if there is such a message.</summary>
    private void Touch(string id)
    {
        if (Role(id) is { } role)
        {
            run.Messages[id] = RunMessage.Unknown(role);
        }
    }

    /// <summary>Makes the value of a message unknown, whether or not there is one.</summary>
    private void Doubt(string id) => run.Messages[id] = RunMessage.Unknown(Role(id) ?? HeldRole.Doubtful);

    private MessageDraft? Draft(string id) => run.Messages.GetValueOrDefault(id)?.Draft;

    /// <summary>A result is a message of its own. What stands with two of one id depends on their order.</summary>
    private void AddResult(ToolCallResultEvent result)
    {
        var known = Role(result.MessageId) is { } role
            ? new(role.WithResult(), null, null)
            : new KnownMessage(HeldRole.Other, MessageBuilding.Result(result).Digest(), null);
        run.Messages[result.MessageId] = new(known);
    }

    /// <summary>The values of activities are not followed.</summary>
    private void SnapshotActivity(ActivitySnapshotEvent snapshot)
    {
        var (role, replaces) = (Role(snapshot.MessageId), snapshot.Replace ?? true);
        var stays = role switch
        {
            HeldRole.Activity => !replaces && snapshot.Metadata is null,
            HeldRole.Shared or HeldRole.Doubtful => true,
            null => false,
            _ => !replaces,
        };
        if (!stays)
        {
            run.Messages[snapshot.MessageId] = RunMessage.Unknown(HeldRole.Activity);
        }
    }

    /// <summary>Only what a snapshot holds stays, and activities and reasoning if it holds none of them.</summary>
    private void Restate(IList<Message> snapshot)
    {
        run.Restate(snapshot);
        var seen = new HashSet<string>();
        foreach (var message in snapshot)
        {
            if (message.Identity is not { } id)
            {
                continue;
            }

            var spelling = spellings.Of(message);
            ValueDigest? digest = seen.Add(id) ? DigestOf(id, spelling) : null;
            run.Messages[id] = new(new KnownMessage(HeldRoles.Of(message.Role), digest, spelling));
            run.NoteCalls(id, message);
        }
    }

    /// <summary>The digest of the message that was spelled last, or of the one that was spelled so before.</summary>
    private ValueDigest DigestOf(string id, ValueDigest spelling)
    {
        var before = entries.At(path, run.Predecessor, id, out _);
        return before is { Digest: { } digest } known && known.Spelling == spelling ? digest : spellings.Value();
    }
}

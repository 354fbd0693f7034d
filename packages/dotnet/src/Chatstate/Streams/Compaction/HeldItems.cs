using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <content>Text, reasoning and tool calls: begun and continued.</content>
internal sealed partial class HeldMessages
{
    /// <summary>Begins an item.</summary>
    public void Begin(
        ItemKind kind, string id, ItemHeads heads, string? owner, IDictionary<string, JsonElement>? metadata)
    {
        if (kind == ItemKind.ToolCall)
        {
            BeginCall(id, heads, owner, metadata);
            return;
        }

        if (Role(id) is null)
        {
            run.Messages[id] = new(MessageDraft.OfItem(kind, id, heads, owner));
        }

        Continue(kind, id, null, metadata);
    }

    private void Continue(ItemKind kind, string id, string? delta, IDictionary<string, JsonElement>? metadata)
    {
        if (delta is null && metadata is null)
        {
            return;
        }

        if (kind == ItemKind.ToolCall)
        {
            ContinueCall(id, delta, metadata);
        }
        else if (Draft(id) is { } draft)
        {
            draft.Continue(delta, metadata);
        }
        else if (Role(id) != HeldRole.Activity)
        {
            Touch(id);
        }
    }

    private void ContinueCall(string id, string? delta, IDictionary<string, JsonElement>? metadata)
    {
        if (ChangedCall(id) is not { } call)
        {
            return;
        }

        if (delta is not null && call.Member("function") is { } function)
        {
            MessageBuilding.Append(function, "arguments", delta);
        }

        MessageBuilding.Fold(call, metadata);
    }

    private void Encrypt(ReasoningEncryptedValueEvent encrypted)
    {
        var id = encrypted.EntityId;
        if (encrypted.Subtype == EncryptedValueSubtype.ToolCall)
        {
            if (ChangedCall(id) is { } call)
            {
                MessageBuilding.Encrypt(call, encrypted);
            }
        }
        else if (Draft(id) is { } draft)
        {
            draft.Encrypt(encrypted);
        }
        else if (Role(id) != HeldRole.Activity)
        {
            Touch(id);
        }
    }

    private void BeginCall(string id, ItemHeads heads, string? owner, IDictionary<string, JsonElement>? metadata)
    {
        var (name, parent) = (heads.ToolCallName ?? "", heads.ParentMessageId);
        var place = run.Calls.GetValueOrDefault(id);
        if (place is { IsHidden: true })
        {
            return;
        }

        if (CallDraft(place) is { } call)
        {
            call.Member("function")?.Set("name", name);
            MessageBuilding.Fold(call, metadata);
        }
        else if (place is not null || IsCallOfEarlierRun(id))
        {
            BeginCallAgain(id, parent);
        }
        else
        {
            BeginNewCall(id, parent, name, owner, metadata);
        }
    }

    /// <summary>Whether an earlier run made a call, and no snapshot of this run took its message away.</summary>
    private bool IsCallOfEarlierRun(string id) =>
        !run.Restated.Contains(MessageClass.Conversation) && callers.ContainsKey(id);

    /// <summary>A call that another event made before, perhaps in a message that is gone by now.</summary>
    private void BeginCallAgain(string id, string? parent)
    {
        TouchCallers(id);
        Doubt(id);
        run.Calls[id] = CallPlace.Elsewhere;
        run.Callers.Add((id, id));
        if (parent is not null)
        {
            Doubt(parent);
            run.Callers.Add((id, parent));
        }
    }

    /// <summary>A call goes into its parent if that is an assistant's message, else into a new message.</summary>
    private void BeginNewCall(
        string id, string? parent, string name, string? owner, IDictionary<string, JsonElement>? metadata)
    {
        var role = parent is null ? null : Role(parent);
        if (role == HeldRole.Doubtful)
        {
            BeginCallAgain(id, parent);
            return;
        }

        var isParent = role == HeldRole.Assistant;
        var caller = parent is not null && (role is null || isParent) ? parent : id;
        run.Callers.Add((id, caller));
        switch (Role(caller))
        {
            case HeldRole.Doubtful:
                BeginCallAgain(id, caller);
                return;
            case not null when !isParent:
                run.Calls[id] = CallPlace.Hidden;
                return;
            case not null when Draft(caller) is null:
                Touch(caller);
                run.Calls[id] = CallPlace.Elsewhere;
                return;
            case null:
                run.Messages[caller] = new(MessageDraft.OfCaller(caller, owner));
                break;
        }

        var draft = Draft(caller)!;
        run.Calls[id] = new(caller, draft.AddCall(id, name, metadata), false);
    }

    /// <summary>
    /// The draft of a call that changes; the messages that may hold it are unknown from now on if there is none.
    /// </summary>
    private JsonTree? ChangedCall(string id)
    {
        var place = run.Calls.GetValueOrDefault(id);
        if (place is { IsHidden: true })
        {
            return null;
        }

        if (CallDraft(place) is { } call)
        {
            return call;
        }

        TouchCallers(id);
        return null;
    }

    /// <summary>The call at a place, as long as the message around it is a draft.</summary>
    private JsonTree? CallDraft(CallPlace? place) =>
        place is { Caller: { } caller, Call: { } call } && Draft(caller) is not null ? call : null;

    private void TouchCallers(string id)
    {
        var known = run.Callers.Where(caller => caller.Call == id).Select(caller => caller.Message).ToList();
        if (!run.Restated.Contains(MessageClass.Conversation) && callers.TryGetValue(id, out var earlier))
        {
            known.AddRange(earlier);
        }

        foreach (var caller in known)
        {
            Touch(caller);
        }
    }
}

using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <content>Text, reasoning, tool calls and activities: begun, continued and replaced.</content>
internal sealed partial class Conversation
{
    /// <summary>Applies the beginning of an item.</summary>
    public void Begin(in Beginning beginning, IDictionary<string, JsonElement>? metadata)
    {
        if (beginning.Kind == ItemKind.ToolCall)
        {
            BeginCall(beginning, metadata);
        }
        else if (beginning.Kind.IsStreamed())
        {
            BeginMessage(beginning, metadata);
        }
    }

    /// <summary>Continues or ends an item with text and metadata, or with one of the two.</summary>
    public void Continue(in ItemPart part, string? delta, IDictionary<string, JsonElement>? metadata)
    {
        if (part.Kind == ItemKind.ToolCall)
        {
            ContinueCall(part.Id, delta, metadata);
        }
        else if (part.Kind.IsStreamed())
        {
            ContinueMessage(part.Id, delta, metadata);
        }
    }

    private static void SetOwner(JsonTree message, string? owner)
    {
        message.Remove("subagentRunId");
        if (owner is not null)
        {
            message.Set("subagentRunId", owner);
        }
    }

    /// <summary>
    /// Begins a text or reasoning message. A message that exists keeps what it is; an activity of the same id
    /// is not touched.
    /// </summary>
    private void BeginMessage(in Beginning beginning, IDictionary<string, JsonElement>? metadata)
    {
        if (Thread.Find(beginning.Id) is null)
        {
            Thread.Push(MessageBuilding.Message(beginning.Kind, beginning.Id, beginning.Heads, beginning.Owner));
        }

        ContinueMessage(beginning.Id, null, metadata);
    }

    /// <summary>Begins a tool call. A call that exists takes the new name and is continued.</summary>
    private void BeginCall(in Beginning beginning, IDictionary<string, JsonElement>? metadata)
    {
        var name = beginning.Heads.ToolCallName ?? "";
        if (Thread.ChangeCall(beginning.Id) is { } known)
        {
            known.Member("function")?.Set("name", name);
            MessageBuilding.Fold(known, metadata);
            return;
        }

        var caller = Caller(beginning);
        Thread.PushCall(caller, beginning.Id, MessageBuilding.Call(beginning.Id, name, metadata));
    }

    /// <summary>
    /// The assistant message that makes a call: the parent, else a new one with the parent's id, else (nobody
    /// named, or the parent has another role) a new one with the call's id.
    /// </summary>
    private MessagePlace Caller(in Beginning beginning)
    {
        var parent = beginning.Heads.ParentMessageId;
        var named = parent is null ? null : Thread.Place(parent);
        if (named is { } place && Thread.Find(parent!)?.Role == "assistant")
        {
            return place;
        }

        var id = named is null ? parent ?? beginning.Id : beginning.Id;
        var message = JsonTree.OfTexts(("id", id), ("role", "assistant"));
        message.Set("toolCalls", JsonTree.OfItems([]));
        if (beginning.Owner is { } owner)
        {
            message.Set("subagentRunId", owner);
        }

        return Thread.Push(message);
    }

    private void ContinueCall(string id, string? delta, IDictionary<string, JsonElement>? metadata)
    {
        if (Thread.ChangeCall(id) is not { } call)
        {
            return;
        }

        if (delta is not null && call.Member("function") is { Members: not null } function)
        {
            MessageBuilding.Append(function, "arguments", delta);
        }

        MessageBuilding.Fold(call, metadata);
    }

    private void ContinueMessage(string id, string? delta, IDictionary<string, JsonElement>? metadata)
    {
        var isNothing = delta is null && metadata is null;
        if (isNothing || Thread.Find(id) is null or { IsActivity: true } || Thread.Change(id) is not { } message)
        {
            return;
        }

        if (delta is not null)
        {
            MessageBuilding.Append(message, "content", delta);
        }

        MessageBuilding.Fold(message, metadata);
    }

    private void SnapshotActivity(ActivitySnapshotEvent snapshot)
    {
        var existing = Thread.Find(snapshot.MessageId);
        if (existing is not null && snapshot.Replace == false)
        {
            if (existing.IsActivity && Thread.Change(snapshot.MessageId) is { } kept)
            {
                MessageBuilding.Fold(kept, snapshot.Metadata);
            }

            return;
        }

        // What an activity has beside its type, content and owner stays when it is replaced.
        var message = existing is { IsActivity: true }
            ? existing.Value.Copy()
            : JsonTree.OfTexts(("id", snapshot.MessageId), ("role", "activity"));
        var content = JsonTree.OfTexts();
        foreach (var (name, value) in snapshot.Content)
        {
            content.Set(name, JsonTree.Of(value));
        }

        message.Set("activityType", snapshot.ActivityType);
        message.Set("content", content);
        SetOwner(message, snapshot.SubagentRunId);
        MessageBuilding.Fold(message, snapshot.Metadata);
        if (existing is null)
        {
            Thread.Push(message);
        }
        else
        {
            Thread.Replace(snapshot.MessageId, message);
        }
    }

    private PatchFailure? PatchActivity(ActivityDeltaEvent delta)
    {
        if (Thread.Find(delta.MessageId) is not { IsActivity: true } || Thread.Change(delta.MessageId) is not { } message)
        {
            remarks?.Add(Remark.NoTarget(index, "messageId", delta.MessageId, "activity"));
            return null;
        }

        hasOpenMessages |= delta.Patch.Any(operation => operation is UnknownOperation);
        NoteUnknown("patch", delta.Patch);
        MessageBuilding.Fold(message, delta.Metadata);
        if (message.Member("content") is not { } content)
        {
            return null;
        }

        var patched = new PatchApplication(content) { Copied = copiedActivities };
        var failure = patched.Apply(delta.Patch);
        copiedActivities = patched.Copied;
        if (failure is null)
        {
            message.Set("content", patched.Document);
            message.Set("activityType", delta.ActivityType);
        }

        return Skip("patch", failure);
    }

    private void Encrypt(ReasoningEncryptedValueEvent encrypted)
    {
        if (!encrypted.Subtype.IsKnown)
        {
            hasOpenMessages = true;
            remarks?.Add(Remark.UnknownWord(index, "subtype", encrypted.Subtype.Value));
            return;
        }

        var id = encrypted.EntityId;
        var isCall = encrypted.Subtype == EncryptedValueSubtype.ToolCall;
        var isActivity = !isCall && Thread.Find(id) is { IsActivity: true };
        var entity = isCall ? Thread.ChangeCall(id) : isActivity ? null : Thread.Change(id);
        if (entity is not null)
        {
            MessageBuilding.Encrypt(entity, encrypted);
            return;
        }

        const string Holder = "message or tool call that may hold an encrypted value by the id";
        remarks?.Add(Remark.NoTarget(index, "entityId", id, Holder));
    }
}

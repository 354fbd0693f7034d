using System.Collections.Generic;

namespace Chatstate;

/// <content>Text, reasoning, tool calls and activities: begun, continued and replaced.</content>
internal sealed partial class Reducer
{
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
    private void BeginMessage(in Beginning beginning)
    {
        if (thread.Find(beginning.Id) is null)
        {
            thread.Push(MessageBuilding.Message(beginning.Kind, beginning.Id, beginning.Heads, beginning.Owner));
        }

        ContinueMessage(beginning.Id, null);
    }

    /// <summary>Begins a tool call. A call that exists takes the new name and is continued.</summary>
    private void BeginCall(in Beginning beginning)
    {
        var (name, metadata) = (beginning.Heads.ToolCallName ?? "", current.Notes.Metadata);
        if (thread.ChangeCall(beginning.Id) is { } known)
        {
            known.Member("function")?.Set("name", name);
            MessageBuilding.Fold(known, metadata);
            return;
        }

        var caller = Caller(beginning);
        thread.PushCall(caller, beginning.Id, MessageBuilding.Call(beginning.Id, name, metadata));
    }

    /// <summary>
    /// The assistant message that makes a call: the parent, else a new one with the parent's id, else (nobody
    /// named, or the parent speaks in another role) a new one with the call's id.
    /// </summary>
    private LinkedListNode<ThreadMessage> Caller(in Beginning beginning)
    {
        var parent = beginning.Heads.ParentMessageId;
        var named = parent is null ? null : thread.Place(parent);
        if (named?.Value.Role == "assistant")
        {
            return named;
        }

        var id = named is null ? parent ?? beginning.Id : beginning.Id;
        var message = JsonTree.OfTexts(("id", id), ("role", "assistant"));
        message.Set("toolCalls", JsonTree.OfItems([]));
        if (beginning.Owner is { } owner)
        {
            message.Set("subagentRunId", owner);
        }

        return thread.Push(message);
    }

    /// <summary>
    /// Continues or ends an item. A chunk that continues one without text of its own appends nothing, which
    /// still makes an empty text of none.
    /// </summary>
    private void Continue(in ItemPart part)
    {
        if (!part.Kind.IsStreamed())
        {
            return;
        }

        var delta = current.Streamed ?? (current.IsChunk ? "" : null);
        if (part.Kind != ItemKind.ToolCall)
        {
            ContinueMessage(part.Id, delta);
        }
        else if (thread.ChangeCall(part.Id) is { } call)
        {
            if (delta is not null && call.Member("function") is { Members: not null } function)
            {
                MessageBuilding.Append(function, "arguments", delta);
            }

            MessageBuilding.Fold(call, current.Notes.Metadata);
        }
    }

    private void ContinueMessage(string id, string? delta)
    {
        if (thread.Find(id) is null or { IsActivity: true } || thread.Change(id) is not { } message)
        {
            return;
        }

        if (delta is not null)
        {
            MessageBuilding.Append(message, "content", delta);
        }

        MessageBuilding.Fold(message, current.Notes.Metadata);
    }

    private void AddResult(ToolCallResultEvent result) =>
        thread.InsertResult(result.ToolCallId, MessageBuilding.Result(result));

    private void SnapshotActivity(ActivitySnapshotEvent snapshot)
    {
        var existing = thread.Find(snapshot.MessageId);
        if (existing is not null && snapshot.Replace == false)
        {
            if (existing.IsActivity && thread.Change(snapshot.MessageId) is { } kept)
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
            thread.Push(message);
        }
        else
        {
            thread.Replace(snapshot.MessageId, message);
        }
    }

    private RejectionException? PatchActivity(ActivityDeltaEvent delta)
    {
        if (thread.Find(delta.MessageId) is not { IsActivity: true } || thread.Change(delta.MessageId) is not { } message)
        {
            return null;
        }

        MessageBuilding.Fold(message, delta.Metadata);
        if (message.Member("content") is not { } content)
        {
            return null;
        }

        var patched = new PatchApplication(content);
        var failure = patched.Apply(delta.Patch);
        if (failure is null)
        {
            message.Set("content", patched.Document);
            message.Set("activityType", delta.ActivityType);
        }

        return Skip(failure);
    }

    private void Encrypt(ReasoningEncryptedValueEvent encrypted)
    {
        var id = encrypted.EntityId;
        var isCall = encrypted.Subtype == EncryptedValueSubtype.ToolCall;
        var isActivity = !isCall && thread.Find(id) is { IsActivity: true };
        var entity = isCall ? thread.ChangeCall(id) : isActivity ? null : thread.Change(id);
        if (entity is not null)
        {
            MessageBuilding.Encrypt(entity, encrypted);
        }
    }
}

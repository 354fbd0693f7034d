using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>A message that an item of this run made and only this run has written to, as replay builds it.</summary>
/// <param name="role">Its role.</param>
/// <param name="value">The message.</param>
internal sealed class MessageDraft(string role, JsonTree value)
{
    public HeldRole Role { get; } = HeldRoles.Of(role);

    /// <summary>The message, once nothing more is written to it.</summary>
    public KnownMessage Known => new(Role, value.Digest(), null);

    public static MessageDraft OfItem(ItemKind kind, string id, ItemHeads heads, string? owner)
    {
        var role = kind == ItemKind.Reasoning ? "reasoning" : heads.Role ?? "assistant";
        return new(role, MessageBuilding.Message(kind, id, heads, owner));
    }

    /// <summary>A message that only makes calls.</summary>
    public static MessageDraft OfCaller(string id, string? owner)
    {
        var value = JsonTree.OfTexts(("id", id), ("role", "assistant"), ("subagentRunId", owner));
        return new("assistant", value);
    }

    /// <summary>Appends to the text, and folds metadata.</summary>
    public void Continue(string? delta, IDictionary<string, JsonElement>? metadata)
    {
        if (delta is not null)
        {
            MessageBuilding.Append(value, "content", delta);
        }

        MessageBuilding.Fold(value, metadata);
    }

    public void Encrypt(ReasoningEncryptedValueEvent encrypted) => MessageBuilding.Encrypt(value, encrypted);

    /// <summary>Adds a tool call.</summary>
    public JsonTree AddCall(string id, string name, IDictionary<string, JsonElement>? metadata)
    {
        if (value.Member("toolCalls") is null)
        {
            value.Set("toolCalls", JsonTree.OfItems([]));
        }

        var call = MessageBuilding.Call(id, name, metadata);
        value.Member("toolCalls")!.Items!.Add(call);
        return call;
    }
}

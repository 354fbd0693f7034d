using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>What events do to messages and tool calls, each of which is an object.</summary>
internal static class MessageBuilding
{
    /// <summary>A text or reasoning message that an item begins.</summary>
    public static JsonTree Message(ItemKind kind, string id, ItemHeads heads, string? owner)
    {
        var isText = kind == ItemKind.Text;
        return JsonTree.OfTexts(
            ("id", id),
            ("role", isText ? heads.Role ?? "assistant" : "reasoning"),
            ("content", ""),
            ("name", isText ? heads.Name : null),
            ("subagentRunId", owner));
    }

    /// <summary>A tool call that an item begins.</summary>
    public static JsonTree Call(string id, string name, IDictionary<string, JsonElement>? metadata)
    {
        var call = JsonTree.OfTexts(("id", id), ("type", "function"));
        call.Set("function", JsonTree.OfTexts(("name", name), ("arguments", "")));
        Fold(call, metadata);
        return call;
    }

    /// <summary>The message that a tool's result is.</summary>
    public static JsonTree Result(ToolCallResultEvent result)
    {
        var message = JsonTree.OfTexts(
            ("id", result.MessageId),
            ("toolCallId", result.ToolCallId),
            ("role", "tool"),
            ("subagentRunId", result.SubagentRunId));
        message.Set("content", result.Content.AsText is { } text ? JsonTree.Of(text) : JsonTree.Of(result.Content));
        Fold(message, result.Metadata);
        return message;
    }

    /// <summary>Appends to a member that is a text, or begins one.</summary>
    public static void Append(JsonTree target, string name, string delta)
    {
        if (target.Member(name) is { } text)
        {
            text.Append(delta);
        }
        else
        {
            target.Set(name, delta);
        }
    }

    /// <summary>Folds metadata into an object, name by name; the last write wins.</summary>
    public static void Fold(JsonTree target, IDictionary<string, JsonElement>? metadata)
    {
        if (metadata is null)
        {
            return;
        }

        if (target.Member("metadata")?.Members is null)
        {
            target.Set("metadata", JsonTree.OfTexts());
        }

        foreach (var (name, value) in metadata)
        {
            target.Member("metadata")!.Set(name, JsonTree.Of(value));
        }
    }

    /// <summary>Sets an encrypted value. The type belongs to it, so one without a type removes it.</summary>
    public static void Encrypt(JsonTree target, ReasoningEncryptedValueEvent encrypted)
    {
        target.Set("encryptedValue", encrypted.EncryptedValue);
        target.Remove("encryptedValueType");
        if (encrypted.EncryptedValueType is { } type)
        {
            target.Set("encryptedValueType", type);
        }
    }
}

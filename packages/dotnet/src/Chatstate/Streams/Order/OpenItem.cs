using System.Text.Json;

namespace Chatstate;

/// <summary>The kinds of items that have a beginning and an end.</summary>
public enum ItemKind
{
    /// <summary>A text message.</summary>
    Text,

    /// <summary>A reasoning message.</summary>
    Reasoning,

    /// <summary>A tool call.</summary>
    ToolCall,

    /// <summary>A step.</summary>
    Step,

    /// <summary>A span of reasoning around reasoning messages.</summary>
    ReasoningSpan,

    /// <summary>A run of a subagent.</summary>
    Subagent,
}

/// <summary>An item that was begun and not ended.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Id">Its id; the name of a step.</param>
/// <param name="SubagentRunId">The subagent that it belongs to; none for the parent agent.</param>
public sealed record OpenItem(ItemKind Kind, string Id, string? SubagentRunId)
{
    internal void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("kind", Kind.Word());
        writer.WriteString("id", Id);
        if (SubagentRunId is not null)
        {
            writer.WriteString("subagentRunId", SubagentRunId);
        }

        writer.WriteEndObject();
    }
}

/// <summary>Kinds of items as results and rules spell them.</summary>
internal static class ItemKinds
{
    public static string Word(this ItemKind kind) => kind switch
    {
        ItemKind.Text => "text",
        ItemKind.Reasoning => "reasoning",
        ItemKind.ToolCall => "tool-call",
        ItemKind.Step => "step",
        ItemKind.ReasoningSpan => "reasoning-span",
        _ => "subagent",
    };

    /// <summary>Whether an item of the kind is built of text.</summary>
    public static bool IsStreamed(this ItemKind kind) => kind <= ItemKind.ToolCall;
}

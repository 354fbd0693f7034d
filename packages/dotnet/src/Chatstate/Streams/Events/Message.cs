using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <content>What a message says of its place, whatever its role.</content>
public abstract partial class Message
{
    /// <summary>Its id; a message of an unknown role may lack one.</summary>
    internal abstract string? Identity { get; }

    /// <summary>The subagent that it belongs to.</summary>
    internal abstract string? Owner { get; }

    /// <summary>The tool calls that an assistant makes in it.</summary>
    internal virtual IEnumerable<ToolCall> Calls => [];

    /// <summary>Its content, if that is one text.</summary>
    internal virtual string? Body => null;

    /// <summary>A message of its own with the same values but for an empty text.</summary>
    internal Message WithoutBody()
    {
        var copy = (Message)MemberwiseClone();
        copy.ClearBody();
        return copy;
    }

    private protected virtual void ClearBody()
    {
    }
}

/// <content>What it says of its place.</content>
public sealed partial class DeveloperMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content;

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place.</content>
public sealed partial class SystemMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content;

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place.</content>
public sealed partial class AssistantMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content;

    internal override IEnumerable<ToolCall> Calls => ToolCalls ?? [];

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place.</content>
public sealed partial class UserMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content.AsText;

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place.</content>
public sealed partial class ToolMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content.AsText;

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place.</content>
public sealed partial class ActivityMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;
}

/// <content>What it says of its place.</content>
public sealed partial class ReasoningMessage
{
    internal override string? Identity => Id;

    internal override string? Owner => SubagentRunId;

    internal override string? Body => Content;

    private protected override void ClearBody() => Content = "";
}

/// <content>What it says of its place, as far as that can be known.</content>
public sealed partial class UnknownMessage
{
    private UnknownMessage(string role, JsonElement raw)
    {
        Role = role;
        Raw = raw;
    }

    internal override string? Identity => TextOf("id");

    internal override string? Owner => TextOf("subagentRunId");

    /// <summary>A message that no type holds, whatever its role.</summary>
    internal static UnknownMessage OfAny(string role, JsonElement raw) => new(role, raw);

    private string? TextOf(string name) =>
        Raw.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? JsonRead.SplitText(value)
            : null;
}

using System;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>An item that was begun and not ended.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Id">Its id; the name of a step.</param>
/// <param name="SubagentRunId">The subagent that it belongs to; none for the parent agent.</param>
[Serializable]
[JsonConverter(typeof(WritingConverter<OpenItem>))]
public sealed record OpenItem(ItemKind Kind, string Id, string? SubagentRunId) : IJsonWritable
{
    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this, static (writer, item) => item.WriteTo(writer));

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer)
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

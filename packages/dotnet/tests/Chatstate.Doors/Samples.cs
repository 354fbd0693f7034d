using System.Text.Json;
using Chatstate;

namespace Chatstate.Doors;

/// <summary>Documents and values that more than one check needs.</summary>
internal static class Samples
{
    public const string Message =
        """{"role":"user","items":[{"type":"text","text":"Hi 😀"},{"type":"hologram","x":1.10}],"x-more":12345678901234567890123.10}""";

    public const string SessionText =
        """{"sessionId":"s","stateBag":{"p":{"Facts":["x"],"n":1.10,"none":null},"q":null},"x-more":12345678901234567890123.10}""";

    public const string Sessions = "[" + SessionText + """,{"sessionType":"K","stateBag":{}}]""";

    private const string EventsText =
        """
        [{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_START","messageId":"m"},
         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},{"type":"TEXT_MESSAGE_END","messageId":"m"},
         {"type":"STATE_SNAPSHOT","snapshot":{"n":1.10}},{"type":"PHASE","x":1.10},
         {"type":"RUN_FINISHED","threadId":"t","runId":"r"},{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r"}]
        """;

    public static EventStream Events() => EventStream.FromJson(EventsText);

    /// <summary>A chat in which an agent has taken part.</summary>
    public static AgentChat Chat()
    {
        var chat = new AgentChat();
        chat.AddAgent(new Speaker("a"));
        chat.AddMessageAsync(ChatMessage.FromJson(Message)).GetAwaiter().GetResult();
        _ = chat.TakePartAsync("a").GetAwaiter().GetResult();
        return chat;
    }
}

/// <summary>An agent whose channel is the messages that it received.</summary>
internal sealed class Speaker(string id) : IChatAgent
{
    public string Id => id;

    public string Type => "Speaker";

    public IReadOnlyList<string> ChannelKeys => ["HistoryChannel"];

    public Task<IChatChannel> CreateChannelAsync(CancellationToken cancellationToken = default) =>
        Task.FromResult<IChatChannel>(new HistoryChannel());

    public Task<IChatChannel> RestoreChannelAsync(JsonElement state, CancellationToken cancellationToken = default) =>
        Task.FromResult<IChatChannel>(new HistoryChannel(state));
}

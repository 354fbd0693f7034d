using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Chatstate;

namespace Chatstate.Tests;

/// <summary>Rows about chatstate's own package.</summary>
internal static class ChatRows
{
    public static Row[] Open =>
    [
        new("an unknown word is kept", "\"new\" False", () =>
        {
            var role = ChatRole.FromJson("\"new\"");
            return $"{role.ToJson()} {role.IsKnown}";
        }),
        new("words compare", "True", () => (ChatRole.FromJson("\"user\"") == ChatRole.User).ToString()),
        new("a closed word", "enum at ", () => TextMessageRole.FromJson("\"poet\"").ToJson()),
        new("a closed word is made of a known one", "must be one of `developer`, `system`, `assistant`, `user`, but is `poet`", () =>
            TextMessageRole.Of("poet").ToJson()),
        new("unknown members are kept", """{"id":"i","type":"t","z":1.10,"a":{"b":[null]}}""", () =>
            Participant.FromJson("""{"z":1.10,"id":"i","a":{"b":[null]},"type":"t"}""").ToJson()),
        new("unknown members can be set", """{"id":"i","type":"t","x":[1]}""", () =>
        {
            var made = new Participant { Id = "i", Type = "t" };
            made.ExtensionData = new Dictionary<string, JsonElement> { ["x"] = JsonElement.Parse("[1]") };
            return made.ToJson();
        }),
    ];

    public static Row[] Serializer =>
    [
        new("the serializer reads and writes without reflection", """{"id":"i","type":"t","x":1}""", () =>
            JsonSerializer.Serialize(JsonSerializer.Deserialize("""{"x":1,"type":"t","id":"i"}""", Info<Participant>())!, Info<Participant>())),
        new("the serializer reads a union", "RunErrorEvent", () =>
            JsonSerializer.Deserialize("""{"message":"m","type":"RUN_ERROR"}""", Info<Event>())!.GetType().Name),
        new("the serializer rejects what the types reject", "duplicate-member at /a", () =>
            JsonSerializer.Deserialize("""{"type":"x","a":1,"a":2}""", Info<Event>())!.ToJson()),
        new("every type is there", "no reflection", () =>
            JsonTypes.Resolver.GetTypeInfo(typeof(string), JsonSerializerOptions.Default) is null ? "no reflection" : "more"),
    ];

    public static Row[] Runtime =>
    [
        new("canonical numbers", "[0.1,100,1,9007199254740993,0,1e+21,1e-7,0.000001]", () =>
            CanonicalJson.FromJson("[0.1,1e2,1.0,9007199254740993,-0,1e21,1e-7,0.000001]")),
        new("equal values", "True", () =>
            CanonicalJson.AreEqual(JsonElement.Parse("""{"a":1.0,"b":"\u00e9"}"""), JsonElement.Parse("""{"b":"é","a":1}""")).ToString()),
        new("a digest", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", () =>
            CanonicalJson.Digest(JsonElement.Parse("{}"))),
        new("numbers compare by value", "True True", () =>
            $"{JsonNumber.Parse("1e2") == 100} {JsonNumber.Parse("-1.5") < JsonNumber.Parse("-1.4")}"),
        new("a number that is none", "json at ", () => JsonNumber.Parse("0x1").ToString()),
        new("a channel key", "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=", () =>
            ChannelKey.Of(["Microsoft.SemanticKernel.Agents.ChatHistoryChannel"])),
        new("sealed and back", """{"history":[],"channels":[]}""", () =>
            Sealing.Unseal(Sealing.Seal("""{"history":[],"channels":[]}""", DeskKey), DeskKey)),
        new("a sealed chat is not restored", "seal.unverified at /seal", () =>
            AgentChatSerializer.FromElement(JsonElement.Parse(Sealing.Seal("""{"history":[],"channels":[]}""", DeskKey))).ToString()!),
        new("a sealed session in a list is not used", "seal.unverified at /1/seal", () =>
            Session.ListFromJson("""[{"stateBag":{}},""" + Sealing.Seal("""{"stateBag":{}}""", DeskKey) + "]").Count.ToString()),
        new("a state that was text stays the same text", "\"[ ]\"", () => HistoryChannel.FromJson("\"[ ]\"").ToJson()),
        new("a state that was text is text when it has changed", "\"[{\\\"role\\\":\\\"user\\\",\\\"items\\\":[]}]\"", () =>
        {
            var channel = HistoryChannel.FromJson("\"[ ]\"");
            channel.ReceiveAsync([new ChatMessage { Role = ChatRole.User, Items = [] }]).Wait();
            return channel.ToJson();
        }),
        new("a key shows nothing", "Chatstate.SealKey", () => DeskKey.ToString()!),
        new("encoded and back", """{"history":[],"channels":[{"channelkey":"k","channelstate":null}]}""", () =>
            ChatState.FromJson("""{"history":[],"channels":[{"channelkey":"k","channelstate":null}]}""").Encode().Decode().ToJson()),
    ];

    private static SealKey DeskKey { get; } = new("a key of sixteen bytes and more"u8, "desk");

    private static JsonTypeInfo<T> Info<T>()
    {
        var options = new JsonSerializerOptions { TypeInfoResolver = JsonTypes.Resolver };
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }
}

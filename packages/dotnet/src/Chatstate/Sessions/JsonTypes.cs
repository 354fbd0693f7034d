using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Chatstate.Storage;

namespace Chatstate;

/// <content>The types beside those of the schema.</content>
public sealed partial class JsonTypes
{
    static partial void Find(Type type, JsonSerializerOptions options, ref JsonTypeInfo? found) =>
        found = Read(type, options) ?? Written(type, options) ?? Refused(type, options);

    private static JsonTypeInfo? Read(Type type, JsonSerializerOptions options) =>
        Info<Session>(type, options, new GeneratedConverter<Session>())
        ?? Info<StateBag>(type, options, new GeneratedConverter<StateBag>())
        ?? Info<StoreState>(type, options, new GeneratedConverter<StoreState>())
        ?? Info<InMemoryChatMessageStoreState>(type, options, new GeneratedConverter<InMemoryChatMessageStoreState>())
        ?? Info<HistoryChannel>(type, options, new GeneratedConverter<HistoryChannel>())
        ?? Info<OpaqueChannel>(type, options, new GeneratedConverter<OpaqueChannel>())
        ?? Info<ThreadSnapshot>(type, options, new GeneratedConverter<ThreadSnapshot>());

    private static JsonTypeInfo? Written(Type type, JsonSerializerOptions options) =>
        Info<ReplayedThread>(type, options, new WritingConverter<ReplayedThread>())
        ?? Info<RunLineage>(type, options, new WritingConverter<RunLineage>())
        ?? Info<Verification>(type, options, new WritingConverter<Verification>());

    private static JsonTypeInfo? Refused(Type type, JsonSerializerOptions options) =>
        Info<AgentChat>(type, options, new AgentChatConverter<AgentChat>())
        ?? Info<IAgentChat>(type, options, new AgentChatConverter<IAgentChat>());

    private static JsonTypeInfo? Info<T>(Type type, JsonSerializerOptions options, JsonConverter<T> converter) =>
        type == typeof(T) ? JsonMetadataServices.CreateValueInfo<T>(options, converter) : null;
}

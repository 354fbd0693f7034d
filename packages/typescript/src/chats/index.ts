// Chats of agents: saved, and restored into chats whose agents the application has made again.

export type { Agent, Awaitable, Channel, OpenChannel, RestoredParts, SavableChat } from "./agent.js";
export { AggregatorAgent, ChatChannel, HistoryAgent, HistoryChannel, OpaqueChannel } from "./agents.js";
export { AgentChat } from "./chat.js";
export { AgentChatSerializer, pendingKeys, type ByteSink, type ByteSource, type Restored } from "./serializer.js";

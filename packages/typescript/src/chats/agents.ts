// The agents and channels that are enough to save and restore a chat.

import { list } from "../runtime/check.js";
import { checkChatMessage } from "../generated/check.js";
import type { ChatMessage } from "../generated/types.js";
import { Rejection } from "../runtime/rejection.js";
import type { Agent, Channel } from "./agent.js";
import type { AgentChat } from "./chat.js";
import { AgentChatSerializer } from "./serializer.js";

/** A channel that keeps the messages it received. */
export class HistoryChannel implements Channel {
  readonly type = "HistoryChannel";
  private messages: readonly ChatMessage[];

  constructor(messages: readonly ChatMessage[] = []) {
    this.messages = [...messages];
  }

  /**
   * A channel that continues its state, an array of messages.
   *
   * @throws Rejection for another state
   */
  static restored(state: unknown): HistoryChannel {
    const found = list(state, checkChatMessage);
    if (found !== undefined) throw new Rejection(found);
    return new HistoryChannel(state as ChatMessage[]);
  }

  receive(messages: readonly ChatMessage[]): void {
    this.messages = this.messages.concat(messages);
  }

  state(): ChatMessage[] {
    return [...this.messages];
  }
}

/** A channel that is itself a chat of agents. Its state is a chat state. */
export class ChatChannel implements Channel {
  readonly type = "ChatChannel";

  constructor(readonly chat: AgentChat) {}

  /**
   * A channel that continues its state, with a chat that has its agents and nothing else yet.
   *
   * @throws Rejection for another state
   */
  static async restored(chat: AgentChat, state: unknown): Promise<ChatChannel> {
    await AgentChatSerializer.ofValue(state).restore(chat);
    return new ChatChannel(chat);
  }

  async receive(messages: readonly ChatMessage[]): Promise<void> {
    for (const message of messages) await this.chat.addMessage(message);
  }

  state(): unknown {
    return AgentChatSerializer.stateOf(this.chat);
  }
}

/** A channel to a service that keeps the messages. Its state is what the service finds them by. */
export class OpaqueChannel implements Channel {
  constructor(private readonly found: unknown = null) {}

  receive(): void {}

  state(): unknown {
    return this.found;
  }
}

/** An agent whose channel is the messages that it received. All of them share one channel. */
export class HistoryAgent implements Agent {
  readonly channelKeys = ["HistoryChannel"];

  constructor(
    readonly id: string,
    readonly type: string,
    readonly name?: string,
  ) {}

  createChannel(): HistoryChannel {
    return new HistoryChannel();
  }

  restoreChannel(state: unknown): HistoryChannel {
    return HistoryChannel.restored(state);
  }
}

/** An agent that wraps a chat of other agents. Its channel is known by its name, or by its identity. */
export class AggregatorAgent implements Agent {
  readonly type = "AggregatorAgent";

  /** @param chat makes the chat after the agent: its agents and nothing else */
  constructor(
    readonly id: string,
    private readonly chat: () => AgentChat,
    readonly name?: string,
  ) {}

  get channelKeys(): readonly string[] {
    return ["ChatChannel", this.name ?? this.id];
  }

  createChannel(): ChatChannel {
    return new ChatChannel(this.chat());
  }

  restoreChannel(state: unknown): Promise<ChatChannel> {
    return ChatChannel.restored(this.chat(), state);
  }
}

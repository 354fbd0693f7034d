// The agents and channels that are enough to save and restore a chat.

import { list } from "../runtime/check.js";
import { checkChatMessage } from "../generated/check.js";
import type { ChatMessage, Participant } from "../generated/types.js";
import { canonicalize } from "../runtime/canonical.js";
import { parseJson } from "../runtime/document.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { stringify, withoutBigInts } from "../runtime/writer.js";
import type { Agent, Channel } from "./agent.js";
import type { AgentChat } from "./chat.js";
import { AgentChatSerializer } from "./serializer.js";

const CHANNEL = "a channel is not copied or compared by its members; its state is `await channel.state()`";

const AGENT = "an agent is not copied or compared by its members; make it again from `serializer.getParticipants()`";

/** A channel that keeps the messages it received. */
export class HistoryChannel implements Channel {
  get type(): string {
    return "HistoryChannel";
  }

  #messages: readonly ChatMessage[];
  #escaped: string | undefined;

  constructor(messages: readonly ChatMessage[] = []) {
    this.#messages = [...messages];
    refuseCopies(this, CHANNEL);
  }

  /**
   * A channel that continues its state: an array of messages, or text that holds one.
   *
   * @throws Rejection for another state
   */
  static restored(state: unknown): HistoryChannel {
    if (typeof state !== "string") return new HistoryChannel(messagesOf(state));
    try {
      const channel = new HistoryChannel(messagesOf(parseJson(state)));
      channel.#escaped = state;
      return channel;
    } catch (error) {
      throw atText(error);
    }
  }

  receive(messages: readonly ChatMessage[]): void {
    this.#messages = this.#messages.concat(messages);
  }

  /** The messages; as text if the channel goes on from text. */
  state(): ChatMessage[] | string {
    return written([...this.#messages], this.#escaped);
  }

  /** The channel as `JSON.stringify` writes it: its state. */
  toJSON(): unknown {
    return withoutBigInts(this.state());
  }
}

/** A channel that is itself a chat of agents. Its state is a chat state. */
export class ChatChannel implements Channel {
  readonly #chat: AgentChat;
  #escaped: string | undefined;

  constructor(chat: AgentChat) {
    this.#chat = chat;
    refuseCopies(this, CHANNEL);
  }

  get type(): string {
    return "ChatChannel";
  }

  /** The chat of agents that this channel is. */
  get chat(): AgentChat {
    return this.#chat;
  }

  /**
   * A channel that continues its state, a chat state or text that holds one, with a chat that has its agents and nothing
   * else yet.
   *
   * @throws Rejection for another state
   */
  static async restored(chat: AgentChat, state: unknown): Promise<ChatChannel> {
    const channel = new ChatChannel(chat);
    if (typeof state !== "string") {
      await AgentChatSerializer.ofValue(state).restore(chat);
      return channel;
    }
    try {
      await AgentChatSerializer.deserialize(chat, state);
    } catch (error) {
      throw atText(error);
    }
    channel.#escaped = state;
    return channel;
  }

  async receive(messages: readonly ChatMessage[]): Promise<void> {
    for (const message of messages) await this.#chat.addMessage(message);
  }

  /** What is saved of the chat; as text if the channel goes on from text. */
  async state(): Promise<unknown> {
    return written(await AgentChatSerializer.stateOf(this.#chat), this.#escaped);
  }

  /** The state of a chat has to be waited for, which `JSON.stringify` does not do. */
  toJSON(): never {
    return refuse(CHANNEL);
  }
}

/** A channel to a service that keeps the messages. Its state is what the service finds them by. */
export class OpaqueChannel implements Channel {
  readonly #found: unknown;

  constructor(found: unknown = null) {
    this.#found = found;
    refuseCopies(this, CHANNEL);
  }

  receive(): void {}

  state(): unknown {
    return this.#found;
  }

  /** The channel as `JSON.stringify` writes it: its state. */
  toJSON(): unknown {
    return withoutBigInts(this.#found);
  }
}

function messagesOf(state: unknown): ChatMessage[] {
  const found = list(state, checkChatMessage);
  if (found !== undefined) throw new Rejection(found);
  return state as ChatMessage[];
}

/** A rejection of what is escaped: the text is its place, there is none inside of it. */
function atText(error: unknown): unknown {
  if (!(error instanceof Rejection)) return error;
  return new Rejection(new Fault(error.class, error.rule, `what is escaped here is rejected: ${error.message}`));
}

/** A state as it is saved: as text if it was text, and as the same one if it has the same value. */
function written<State>(state: State, escaped: string | undefined): State | string {
  if (escaped === undefined) return state;
  return canonicalize(parseJson(escaped)) === canonicalize(state) ? escaped : stringify(state);
}

/** An agent whose channel is the messages that it received. All of them share one channel. */
export class HistoryAgent implements Agent {
  readonly #participant: Participant;

  constructor(id: string, type: string, name?: string) {
    this.#participant = name === undefined ? { id, type } : { id, name, type };
    refuseCopies(this, AGENT);
  }

  get id(): string {
    return this.#participant.id;
  }

  get type(): string {
    return this.#participant.type;
  }

  get name(): string | undefined {
    return this.#participant.name;
  }

  get channelKeys(): readonly string[] {
    return ["HistoryChannel"];
  }

  createChannel(): HistoryChannel {
    return new HistoryChannel();
  }

  restoreChannel(state: unknown): HistoryChannel {
    return HistoryChannel.restored(state);
  }

  /** The agent as `JSON.stringify` writes it: what a saved chat has of it. */
  toJSON(): Participant {
    return this.#participant;
  }
}

/** An agent that wraps a chat of other agents. Its channel is known by its name, or by its identity. */
export class AggregatorAgent implements Agent {
  readonly #participant: Participant;
  readonly #chat: () => AgentChat;

  /** @param chat makes the chat after the agent: its agents and nothing else */
  constructor(id: string, chat: () => AgentChat, name?: string) {
    const type = "AggregatorAgent";
    this.#participant = name === undefined ? { id, type } : { id, name, type };
    this.#chat = chat;
    refuseCopies(this, AGENT);
  }

  get id(): string {
    return this.#participant.id;
  }

  get type(): string {
    return this.#participant.type;
  }

  get name(): string | undefined {
    return this.#participant.name;
  }

  get channelKeys(): readonly string[] {
    return ["ChatChannel", this.name ?? this.id];
  }

  createChannel(): ChatChannel {
    return new ChatChannel(this.#chat());
  }

  restoreChannel(state: unknown): Promise<ChatChannel> {
    return ChatChannel.restored(this.#chat(), state);
  }

  /** The agent as `JSON.stringify` writes it: what a saved chat has of it. */
  toJSON(): Participant {
    return this.#participant;
  }
}

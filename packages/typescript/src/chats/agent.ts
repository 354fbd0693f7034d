// What a chat asks of those who take part in it, and what its serializer asks of a chat.

import type { ChannelState, ChatMessage, ChatState } from "../generated/types.js";

/** A value, or one that is still to come: services take their time. */
export type Awaitable<T> = T | Promise<T>;

/**
 * A participant of a chat.
 *
 * Of an agent, a saved chat holds its identity, its name and its type, and nothing else: how it is defined and which secrets
 * it has is for the application to know when it makes the agent again.
 */
export interface Agent {
  /** The identity, which no other agent of the chat has. */
  readonly id: string;
  readonly name?: string | undefined;
  /** The type, as the SDK names it. */
  readonly type: string;
  /**
   * What the channel of this agent is known by, in order. Agents with the same keys share one channel, also in another
   * process, so nothing that changes from process to process belongs here.
   */
  readonly channelKeys: readonly string[];
  /** A new channel that has received nothing. */
  createChannel(): Awaitable<Channel>;
  /**
   * A channel that continues a saved state. What is thrown is the reason why the state is none of its kind. The chat is
   * not touched before all channels are there, so nothing may change elsewhere.
   */
  restoreChannel(state: unknown): Awaitable<Channel>;
}

/** What adapts the history of a chat to one kind of agent. */
export interface Channel {
  /** The type, for people who read the state. */
  readonly type?: string | undefined;
  /** Takes messages that others said, the oldest first. */
  receive(messages: readonly ChatMessage[]): Awaitable<void>;
  /** Takes what an agent of this channel said, where that is another thing than to receive it. */
  said?(message: ChatMessage): Awaitable<void>;
  /** All that the channel needs to continue elsewhere: any JSON value, or text that only the channel understands. */
  state(): unknown;
}

/** A channel that an agent has used, or that was restored. */
export interface OpenChannel {
  readonly key: string;
  readonly channel: Channel;
  /** What the document said of the channel, if it was restored. */
  readonly saved?: ChannelState | undefined;
}

/** What a restore puts into a chat, all at once. */
export interface RestoredParts {
  readonly history: readonly ChatMessage[];
  /** In the order of the document. */
  readonly channels: readonly OpenChannel[];
  /** The document, whose members that no part of the chat holds are written again. */
  readonly document?: ChatState | undefined;
}

/** A chat that can be saved and restored. An SDK's own chat needs no more than this. */
export interface SavableChat {
  /** In the order in which they were added. */
  readonly agents: readonly Agent[];
  /** The oldest first. */
  readonly history: readonly ChatMessage[];
  /** In the order in which they were made. */
  readonly channels: readonly OpenChannel[];
  /** The document that the chat was restored from, as `adopt` was given it. */
  readonly document?: ChatState | undefined;
  /** Takes over what was restored. It is called for a chat without history and channels only, and must not fail. */
  adopt(restored: RestoredParts): void;
}

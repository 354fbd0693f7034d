// A chat of agents: what it holds, and who has heard what of it.

import { channelKey } from "./channel-key.js";
import type { ChatMessage, ChatState } from "../generated/types.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import type { Agent, OpenChannel, RestoredParts, SavableChat } from "./agent.js";

const CHAT =
  "a chat is saved by `await AgentChatSerializer.serialize(chat, sink)`, and as a value by `await AgentChatSerializer.stateOf(chat)`";

/** A chat of agents, each of which may be of another kind. */
export class AgentChat implements SavableChat {
  readonly #members: { readonly agent: Agent; readonly key: string }[] = [];
  #messages: ChatMessage[] = [];
  #open: OpenChannel[] = [];
  #origin: ChatState | undefined;

  /** @param agents the agents of the chat; more may be added later */
  constructor(...agents: readonly Agent[]) {
    for (const agent of agents) this.addAgent(agent);
    refuseCopies(this, CHAT);
  }

  get agents(): readonly Agent[] {
    return this.#members.map(({ agent }) => agent);
  }

  get history(): readonly ChatMessage[] {
    return this.#messages;
  }

  get channels(): readonly OpenChannel[] {
    return this.#open;
  }

  get document(): ChatState | undefined {
    return this.#origin;
  }

  /** Adds an agent, which has no channel until it takes part. Tells whether it is new: its identity must be. */
  addAgent(agent: Agent): boolean {
    if (this.#members.some((member) => member.agent.id === agent.id)) return false;
    this.#members.push({ agent, key: channelKey(agent.channelKeys) });
    return true;
  }

  /** Adds a message that no agent said, and hands it to every channel. */
  async addMessage(message: ChatMessage): Promise<void> {
    for (const { channel } of this.#open) await channel.receive([message]);
    this.#messages.push(message);
  }

  /**
   * Lets an agent take part. Its channel is made if there is none, and receives the whole history, once. Tells the key of
   * the channel and how many messages a new one has received; nothing if the chat has no such agent.
   */
  async takePart(agentId: string): Promise<{ key: string; synchronized?: number } | undefined> {
    const member = this.#members.find(({ agent }) => agent.id === agentId);
    if (member === undefined) return undefined;
    const { agent, key } = member;
    if (this.#open.some((open) => open.key === key)) return { key };
    const channel = await agent.createChannel();
    await channel.receive(this.#messages);
    this.#open.push({ key, channel });
    return { key, synchronized: this.#messages.length };
  }

  /**
   * Adds a message of an agent of the chat, which takes part by it. Every channel receives it, but for the agent's
   * own, which knows that it was said. Tells whether the chat has such an agent.
   */
  async addReply(agentId: string, message: ChatMessage): Promise<boolean> {
    const part = await this.takePart(agentId);
    if (part === undefined) return false;
    for (const { key, channel } of this.#open) {
      if (key === part.key && channel.said !== undefined) await channel.said(message);
      else await channel.receive([message]);
    }
    this.#messages.push(message);
    return true;
  }

  adopt({ history, channels, document }: RestoredParts): void {
    this.#messages = [...history];
    this.#open = [...channels];
    this.#origin = document;
  }

  /** The channels of a chat have to be waited for, which `JSON.stringify` does not do. */
  toJSON(): never {
    return refuse(CHAT);
  }
}

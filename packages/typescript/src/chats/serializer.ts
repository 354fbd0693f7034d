// Saving a chat and restoring it into another, whose agents the application has made again.

import { channelKey } from "./channel-key.js";
import { isObject } from "../runtime/check.js";
import { rejecting } from "../runtime/document.js";
import { decode, encode } from "./encoding.js";
import {
  parseChatState,
  parseEncodedChatState,
  stringifyChatState,
  stringifyEncodedChatState,
} from "../generated/index.js";
import type { ChannelState, ChatState, EncodedChatState, Participant } from "../generated/types.js";
import { refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { textOf } from "../runtime/reader.js";
import { encodeUtf8 } from "../runtime/text.js";
import { stringify } from "../runtime/writer.js";
import type { OpenChannel, SavableChat } from "./agent.js";
import { rejectUnverified } from "./unverified.js";

/** The version of the format that new chats are saved in. */
const VERSION = "1";

/** Whatever bytes can be written to: a `WritableStream` of the web, or a `Writable` of Node.js. */
export type ByteSink =
  | { getWriter(): { write(chunk: Uint8Array): Promise<void>; releaseLock(): void } }
  | { write(chunk: Uint8Array): unknown };

/** Whatever a document can be read from: text, bytes, or a stream of either. */
export type ByteSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** What a restore came to. Keys are in the order of the document, or of the agents where it does not have them. */
export interface Restored {
  /** The channels that continue their state. */
  readonly restored: readonly string[];
  /** The channels of agents for which there was no state. Each synchronizes when an agent of it first takes part. */
  readonly pending: readonly string[];
  /** The channels whose state no agent claims. It is not kept. */
  readonly unclaimed: readonly string[];
}

/**
 * A saved chat that was read and is not restored yet: its participants say which agents to make before anything is
 * restored.
 *
 * Numbers are read exactly: one that no `number` is becomes an `ExactNumber`.
 */
export class AgentChatSerializer {
  readonly #state: ChatState;

  private constructor(state: ChatState) {
    this.#state = state;
    refuseCopies(this, "a saved chat that was read is not copied or compared by its members; use its `state`");
  }

  /** What was read. */
  get state(): ChatState {
    return this.#state;
  }

  /** Writes what is saved of a chat; `encoded` discourages editing and protects nothing. */
  static async serialize(chat: SavableChat, sink: ByteSink, options: { encoded?: boolean } = {}): Promise<void> {
    const state = await this.stateOf(chat);
    const text = options.encoded === true ? stringifyEncodedChatState(encode(state)) : stringifyChatState(state);
    const bytes = encodeUtf8(text);
    if (!("getWriter" in sink)) {
      sink.write(bytes);
      return;
    }
    const writer = sink.getWriter();
    try {
      await writer.write(bytes);
    } finally {
      writer.releaseLock();
    }
  }

  /**
   * Reads a saved chat, plain or encoded as its `encoding` says, and touches no chat. A sealed one is rejected, since
   * nothing has verified its seal: `unseal` of `chatstate/seal` does.
   *
   * @throws Rejection for what is no saved chat
   */
  static deserialize(source: ByteSource): Promise<AgentChatSerializer>;
  /**
   * Reads a saved chat and restores it into a chat that has agents and nothing else, in one call. After a rejection the chat is as
   * it was before.
   *
   * @throws Rejection for what is no saved chat, and for what `restore` rejects
   */
  static deserialize(chat: SavableChat, source: ByteSource): Promise<Restored>;
  static async deserialize(
    ...given: [source: ByteSource] | [chat: SavableChat, source: ByteSource]
  ): Promise<AgentChatSerializer | Restored> {
    const [first, second] = given;
    if (second === undefined) return this.ofSource(first as ByteSource);
    return (await this.ofSource(second)).restore(first as SavableChat);
  }

  /**
   * Reads a saved chat from a value, such as the state of a channel.
   *
   * @throws Rejection for what is no saved chat
   */
  static ofValue(value: unknown): AgentChatSerializer {
    return this.ofText(stringify(value));
  }

  /** What is saved of a chat. */
  static async stateOf(chat: SavableChat): Promise<ChatState> {
    const channels = [];
    for (const open of chat.channels) channels.push(await channelState(open));
    const document = chat.document;
    const version = document === undefined ? VERSION : document.schemaVersion;
    return {
      ...document,
      ...(version === undefined ? {} : { schemaVersion: version }),
      history: [...chat.history],
      participants: participantsOf(chat),
      channels,
    };
  }

  /** Who took part, in the order of the document. */
  getParticipants(): readonly Participant[] {
    return this.#state.participants ?? [];
  }

  /**
   * Restores the saved chat into a chat that has agents and nothing else. After a rejection the chat is as it was
   * before.
   *
   * @throws Rejection of class `restore` for a chat that is in use or has no agents, and for a channel that does not take
   *   its state
   */
  async restore(chat: SavableChat): Promise<Restored> {
    rejectTarget(chat);
    const agents = new Map(chat.agents.map((agent) => [channelKey(agent.channelKeys), agent] as const).reverse());
    const channels: OpenChannel[] = [];
    const unclaimed: string[] = [];
    for (const [index, saved] of this.#state.channels.entries()) {
      const agent = agents.get(saved.channelkey);
      if (agent === undefined) {
        unclaimed.push(saved.channelkey);
        continue;
      }
      try {
        const channel = await agent.restoreChannel(saved.channelstate);
        channels.push({ key: saved.channelkey, channel, saved });
      } catch (error) {
        throw rejectedState(error, index);
      }
    }
    // While the channels were made, others may have used the chat.
    rejectTarget(chat);
    chat.adopt({ history: this.#state.history, channels, document: this.#state });
    return { restored: channels.map(({ key }) => key), pending: pendingKeys(chat), unclaimed };
  }

  /** The saved chat as `JSON.stringify` writes it: what was read. */
  toJSON(): ChatState {
    return this.#state;
  }

  private static async ofSource(source: ByteSource): Promise<AgentChatSerializer> {
    if (typeof source === "string" || source instanceof Uint8Array) return this.ofText(source);
    const pieces = [];
    for await (const piece of source) pieces.push(typeof piece === "string" ? encodeUtf8(piece) : piece);
    return this.ofText(joined(pieces));
  }

  private static ofText(source: string | Uint8Array): AgentChatSerializer {
    const text = typeof source === "string" ? source : rejecting(() => textOf(source));
    const state = isEncoded(text) ? decode(unsealed(parseEncodedChatState(text))) : unsealed(parseChatState(text));
    rejecting(() => rejectRepeated(state.channels));
    return new AgentChatSerializer(state);
  }
}

/** The keys of the channels that agents of a chat would have and that are not there. */
export function pendingKeys(chat: SavableChat): string[] {
  const keys = new Set(chat.agents.map((agent) => channelKey(agent.channelKeys)));
  for (const { key } of chat.channels) keys.delete(key);
  return [...keys];
}

/** Whether a document says that its states are encoded. Nothing else says so. */
function isEncoded(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value["encoding"] === "base64";
  } catch {
    // The reader of a plain chat state says what is wrong.
    return false;
  }
}

function unsealed<State extends ChatState | EncodedChatState>(state: State): State {
  rejectUnverified(state);
  return state;
}

function rejectRepeated(channels: readonly ChannelState[]): void {
  const seen = new Set<string>();
  for (const [index, { channelkey }] of channels.entries()) {
    if (seen.has(channelkey)) {
      const reason = `the channel \`${channelkey}\` occurs twice; keep one of its states`;
      const fault = new Fault("semantic", "restore.repeated-channel", reason);
      throw fault.within("channelkey").within(index).within("channels");
    }
    seen.add(channelkey);
  }
}

/** A chat that is in use is rejected as such also when it has no agents, since adding some would not help. */
function rejectTarget(chat: SavableChat): void {
  if (chat.history.length > 0 || chat.channels.length > 0) {
    const reason = "the chat has messages or channels already, so nothing was restored; restore into a new chat";
    throw new Rejection(new Fault("restore", "restore.invalid", reason));
  }
  if (chat.agents.length === 0) {
    const reason = "the chat has no agents, so nothing was restored; add the agents first";
    throw new Rejection(new Fault("restore", "restore.empty", reason));
  }
}

/** Whatever is wrong with the state of a channel, the document is valid, and the restore fails. */
function rejectedState(error: unknown, index: number): Rejection {
  const place = ["channels", index, "channelstate"];
  if (error instanceof Rejection && error.rule === "restore.channel") return error.within(...place);
  const isOurs = error instanceof Rejection;
  const why = isOurs ? error.reason : String(error);
  const reason = `the channel does not take its state, so nothing was restored: ${why}`;
  const [kind, rule] = ["restore", "restore.channel"] as const;
  const fault = isOurs ? error.fault(kind, rule, reason) : new Fault(kind, rule, reason);
  return new Rejection(fault.from(place), { cause: error });
}

async function channelState({ key, channel, saved }: OpenChannel): Promise<ChannelState> {
  const channeltype = saved === undefined ? channel.type : saved.channeltype;
  const channelstate: unknown = await channel.state();
  return { ...saved, channelkey: key, ...(channeltype === undefined ? {} : { channeltype }), channelstate };
}

/** The agents as participants: those of the document in its order, then the others. */
function participantsOf(chat: SavableChat): Participant[] {
  const left = new Map(chat.agents.map((agent) => [agent.id, agent] as const));
  const participants: Participant[] = [];
  const add = (id: string, earlier?: Participant): void => {
    const agent = left.get(id);
    if (agent === undefined) return;
    left.delete(id);
    const { name, type } = agent;
    const participant: Participant = { ...earlier, id, ...(name === undefined ? {} : { name }), type };
    if (name === undefined) delete participant.name;
    participants.push(participant);
  };
  for (const earlier of chat.document?.participants ?? []) add(earlier.id, earlier);
  for (const id of [...left.keys()]) add(id);
  return participants;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

// Sessions: the state of an agent and its providers, apart from what they do.

import {
  parseAgentSession,
  parseSessionList,
  stringifyAgentSession,
  stringifySessionList,
} from "../generated/index.js";
import { rejectUnverified } from "../chats/unverified.js";
import type { AgentSession, ConversationId } from "../generated/types.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { withoutBigInts } from "../runtime/writer.js";
import { checkKey, StateBag } from "./bag.js";
import type { StateType } from "./entry.js";

/**
 * One session in use: the document, and its state bag with what has been read of it. It holds data alone. An agent attaches
 * its behavior when it uses the session, so that one agent can serve any number of sessions.
 *
 * Numbers are read exactly: one that no `number` is becomes an `ExactNumber`.
 */
export class Session {
  /** The state of each provider. */
  readonly bag: StateBag;
  readonly #document: AgentSession;

  private constructor(document: AgentSession, ...place: readonly number[]) {
    rejectUnverified(document, ...place);
    this.#document = document;
    this.bag = new StateBag(document.stateBag);
    refuseCopies(this, "a session is not copied or compared by its members; use `session.toJson()`");
  }

  /** A session without state. */
  static create(): Session {
    return new Session({ stateBag: {} });
  }

  /**
   * Reads an `AgentSession`.
   *
   * @throws Rejection for what is none, and for a sealed one, whose seal nothing has verified: `unseal` of `chatstate/seal`
   *   does
   */
  static fromJson(text: string | Uint8Array): Session {
    return new Session(parseAgentSession(text));
  }

  /**
   * Reads a `SessionList`, whose sessions may be of different kinds.
   *
   * @throws Rejection for what is none
   */
  static listFromJson(text: string | Uint8Array): Session[] {
    return parseSessionList(text).map((document, index) => new Session(document, index));
  }

  /** Sessions as the JSON text of a `SessionList`. */
  static listToJson(sessions: readonly Session[]): string {
    return stringifySessionList(sessions.map((session) => session.toDocument()));
  }

  /** The session as JSON text. */
  toJson(): string {
    return stringifyAgentSession(this.toDocument());
  }

  /** The session as a document. */
  toDocument(): AgentSession {
    return { ...this.#document, stateBag: this.bag.values() };
  }

  /**
   * The session as `JSON.stringify` writes it: as `toJson` does.
   *
   * @throws Rejection for what `toJson` rejects
   */
  toJSON(): unknown {
    const document = this.toDocument();
    stringifyAgentSession(document);
    return withoutBigInts(document);
  }

  /** The kind of session, if the document says it. */
  get kind(): string | undefined {
    return this.#document.sessionType;
  }

  set kind(kind: string) {
    this.#document.sessionType = kind;
  }

  /** The identity of the session, if it has one. */
  get id(): string | undefined {
    return this.#document.sessionId;
  }

  set id(id: string) {
    this.#document.sessionId = id;
  }

  /** The identity of the conversation at the service that keeps it. */
  get conversationId(): ConversationId | undefined {
    return this.#document.conversationId;
  }

  /**
   * Says which conversation of a service this is.
   *
   * @throws Rejection for blank text, since a service would begin a new conversation for it
   */
  setConversationId(id: ConversationId): void {
    if (typeof id === "string" && /^\p{White_Space}*$/u.test(id)) {
      const reason = "the identity of the conversation is blank; leave it out if there is none";
      throw new Rejection(new Fault("semantic", "session.conversation-id", reason).within("conversationId"));
    }
    this.#document.conversationId = id;
  }

  /**
   * Rejects a session of another kind than an agent takes. A session that does not say its kind is taken.
   *
   * @throws Rejection of class `restore` for a session of another kind
   */
  expectKind(expected: string): void {
    const { kind } = this;
    if (kind === undefined || kind === expected) return;
    const reason = `the session is a \`${kind}\`, and the agent takes \`${expected}\`; give it to the agent that made it`;
    throw new Rejection(new Fault("restore", "session.kind", reason).within("sessionType"));
  }
}

const PROVIDER =
  "a `ProviderState` is not saved, copied or compared; what it keeps is in the session: use `session.toJson()`";

/**
 * The state of one provider: where it is in a session, and what it is at first. A provider has one of these and no state of
 * its own, so that one provider serves any number of sessions at a time.
 */
export class ProviderState<T> {
  readonly #key: string;
  readonly #type: StateType<T>;
  readonly #initial: (session: Session) => T;

  /**
   * @param initial makes the state of a session that has none
   * @throws Rejection for a blank key
   */
  constructor(key: string, type: StateType<T>, initial: (session: Session) => T) {
    checkKey(key);
    this.#key = key;
    this.#type = type;
    this.#initial = initial;
    refuseCopies(this, PROVIDER);
  }

  /**
   * The state in a session, to change in place. Where there is none, or null, it begins with the initial one.
   *
   * @throws Rejection for a state of another type or shape, which is never replaced
   */
  get(session: Session): T {
    const state = session.bag.get(this.#key, this.#type);
    if (state !== undefined && state !== null) return state;
    const initial = this.#initial(session);
    session.bag.set(this.#key, initial, this.#type);
    return initial;
  }

  /** Where the state is in a session. */
  get key(): string {
    return this.#key;
  }

  /** A provider holds no state, so there is nothing to write. */
  toJSON(): never {
    return refuse(PROVIDER);
  }

  /** Replaces the state in a session, and all that was there. */
  save(session: Session, state: T): void {
    session.bag.set(this.#key, state, this.#type);
  }
}

/**
 * Rejects providers of one agent of which two have the same key: each would read and write the other's state.
 *
 * @throws Rejection of class `semantic` for two equal keys, or a blank one
 */
export function checkProviderKeys(keys: Iterable<string>): void {
  const known = new Set<string>();
  for (const key of keys) {
    checkKey(key);
    if (known.has(key)) {
      const reason = `two providers have the key \`${key}\`; give each a key of its own`;
      throw new Rejection(new Fault("semantic", "session.provider-conflict", reason));
    }
    known.add(key);
  }
}

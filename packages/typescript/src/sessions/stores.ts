// What keeps the messages of a session: it is attached when the session is used, and its state is saved with it.

import { isObject, list, missing, wrongKind } from "../runtime/check.js";
import { checkChatMessage } from "../generated/check.js";
import type { ChatMessage } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { withoutBigInts } from "../runtime/writer.js";
import { inBag } from "./bag.js";
import type { Awaitable } from "../chats/agent.js";
import { Entry, type StateType } from "./entry.js";
import type { Session } from "./session.js";

/** The member that names the kind of a state. */
const TAG = "$type";

/** The state of the store that there is without a factory: the messages themselves. */
export interface InMemoryChatMessageStoreState {
  /** The messages in order. A document without the member has none. */
  messages: ChatMessage[];
}

/** How such a state is read. */
export const inMemoryChatMessageStoreState: StateType<InMemoryChatMessageStoreState> = {
  name: "InMemoryChatMessageStoreState",
  read(value) {
    const messages = isObject(value) ? value["messages"] : undefined;
    const found = messages === undefined ? undefined : list(messages, checkChatMessage);
    if (found !== undefined) throw new Rejection(found.within("messages"));
    if (messages === undefined && isObject(value)) rejectOtherSpelling(value);
    return { messages: (messages as ChatMessage[] | undefined) ?? [] };
  },
};

/** Messages under a name such as `Messages` would seem to be none, and new ones would be saved beside them. */
function rejectOtherSpelling(value: Members): void {
  const name = Object.keys(value).find((known) => known.toLowerCase() === "messages");
  if (name === undefined) return;
  const reason = `the messages are in \`${name}\`; rename it to \`messages\``;
  throw new Rejection(new Fault("schema", "session.store-malformed", reason).within(name));
}

const REGISTRY = "a `StoreRegistry` is not saved, copied or compared; register the kinds again where they are needed";

/** The kinds of states that a program knows, by their `$type`. */
export class StoreRegistry {
  readonly #types = new Map<string, StateType<unknown>>();

  constructor() {
    refuseCopies(this, REGISTRY);
  }

  /** A registry holds no state, so there is nothing to write. */
  toJSON(): never {
    return refuse(REGISTRY);
  }

  /**
   * Adds a type under its name.
   *
   * @throws Rejection of class `semantic` for a second type of one name
   */
  register<T>(type: StateType<T>): this {
    if (this.#types.has(type.name)) {
      const reason = `a kind of state is registered as \`${type.name}\` already`;
      throw new Rejection(new Fault("semantic", "session.store-twice", reason));
    }
    this.#types.set(type.name, type as StateType<unknown>);
    return this;
  }

  /**
   * Takes a value as a state. One of a known kind is checked now and read when it is used; one of an unknown kind is kept
   * as it is.
   *
   * @throws Rejection of class `schema` for what is no such state
   */
  read(value: unknown): StoreState {
    return this.readEntry(Entry.ofValue(value));
  }

  /**
   * Takes an entry of a state bag as a state, which it goes on to share.
   *
   * @internal
   */
  readEntry(entry: Entry): StoreState {
    const { value } = entry;
    const tag = isObject(value) && Object.hasOwn(value, TAG) ? value[TAG] : undefined;
    if (!isObject(value)) throw new Rejection(wrongKind("object", value));
    if (typeof tag !== "string")
      throw new Rejection((tag === undefined ? missing() : wrongKind("string", tag)).within(TAG));
    const type = this.#types.get(tag);
    if (type !== undefined) entry.check(type);
    return new StoreState(tag, type !== undefined, entry);
  }
}

/** A state of one of several kinds, which says by `$type` which one it is. */
export class StoreState {
  readonly #kind: string;
  readonly #isKnown: boolean;
  readonly #entry: Entry;

  /** @internal */
  constructor(kind: string, isKnown: boolean, entry: Entry) {
    this.#kind = kind;
    this.#isKnown = isKnown;
    this.#entry = entry;
    refuseCopies(this, "the state of a store is not copied or compared by its members; use `state.value`");
  }

  /** The name of its type, which is its `$type`. */
  get kind(): string {
    return this.#kind;
  }

  /** Whether the registry that read it knows its kind. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** A state of a type, to change in place; it gets the type's name as its `$type`. */
  static of<T>(state: T, type: StateType<T>): StoreState {
    const write = (changed: T): unknown => {
      const value = type.write === undefined ? changed : type.write(changed);
      return { [TAG]: type.name, ...(value as Members) };
    };
    return new StoreState(
      type.name,
      true,
      Entry.ofState(state, { name: type.name, read: (value) => type.read(value), write }),
    );
  }

  /**
   * The state as its type, to change in place.
   *
   * @throws Rejection for another type than that of its kind
   */
  get<T>(type: StateType<T>): T {
    if (type.name !== this.kind) {
      const reason = `the state is a \`${this.kind}\` and cannot be read as \`${type.name}\``;
      throw new Rejection(new Fault("semantic", "session.other-type", reason).within(TAG));
    }
    return this.#entry.read(type);
  }

  /** The state as a value: what was read, with the changes made to its type. */
  get value(): unknown {
    return this.#entry.value;
  }

  /** The state as `JSON.stringify` writes it: its `value`. */
  toJSON(): unknown {
    return withoutBigInts(this.value);
  }
}

/** What keeps the messages of one session: in the session, or at a service that its state names. */
export interface ChatMessageStore {
  /** The state, which is all that is saved of it, and is saved as it is then. */
  readonly state: StoreState;
  /** The messages, the oldest first. */
  getMessages(): Awaitable<readonly ChatMessage[]>;
  /** Adds messages behind the others. */
  append(messages: readonly ChatMessage[]): Awaitable<void>;
}

/** A store whose state is the messages themselves. It holds nothing but the state, so all stores of a state are one list. */
export class InMemoryChatMessageStore implements ChatMessageStore {
  readonly #state: StoreState;

  /**
   * @param state a state in memory; a new one without messages if it is left out
   * @throws Rejection of class `restore` for a state of another kind
   */
  constructor(state: StoreState = StoreState.of({ messages: [] }, inMemoryChatMessageStoreState)) {
    if (state.kind !== inMemoryChatMessageStoreState.name) {
      const reason = `the state is a \`${state.kind}\`, and the agent has no factory for it; give it one`;
      throw new Rejection(new Fault("restore", "session.attach-unknown", reason).within(TAG));
    }
    this.#state = state;
    refuseCopies(this, "a store of messages is not copied or compared by its members; use `store.state.value`");
  }

  get state(): StoreState {
    return this.#state;
  }

  getMessages(): readonly ChatMessage[] {
    return this.#state.get(inMemoryChatMessageStoreState).messages;
  }

  /**
   * Adds messages behind the others, all or none.
   *
   * @throws Rejection of class `schema` for what is no message
   */
  append(messages: readonly ChatMessage[]): void {
    const found = list(messages, checkChatMessage);
    if (found !== undefined) throw new Rejection(found);
    const state = this.#state.get(inMemoryChatMessageStoreState);
    for (const message of messages) state.messages.push(message);
  }

  /** The store as `JSON.stringify` writes it: its state. */
  toJSON(): unknown {
    return this.#state.toJSON();
  }
}

/**
 * Makes a store of the state in a session, or a new one where the session has none. It has the clients and keys that a store
 * needs and that no session holds.
 */
export type StoreFactory = (state: StoreState | undefined) => ChatMessageStore;

/**
 * Attaches a store to a session that is used. Without a state in the session, it is what the factory makes of nothing, or a
 * new one in memory, and the session gets its state. With a state it is what the factory makes of it, or one in memory. From
 * then on the entry of the session is the state of the store: what is added through the store is saved with the session,
 * and what is not changed is saved as it was.
 *
 * @throws Rejection of class `restore` for a state of another kind without a factory, and of class `schema` for what is no
 *   state; the session is then as it was
 */
export function attachStore(
  session: Session,
  key: string,
  registry: StoreRegistry,
  factory?: StoreFactory,
): ChatMessageStore {
  const entry = session.bag.entry(key);
  if (entry === undefined || entry.isNull) {
    const store = factory === undefined ? new InMemoryChatMessageStore() : factory(undefined);
    session.bag.setEntry(
      key,
      Entry.ofLinked(() => store.state),
    );
    return store;
  }
  const state = inBag(key, () => registry.readEntry(entry));
  if (factory === undefined) return inBag(key, () => inMemory(state, entry));
  const store = factory(state);
  // A store with the state that it was given shares the entry; another state may know less than there is.
  if (store.state !== state)
    session.bag.setEntry(
      key,
      Entry.ofValueLinked(entry.value, () => store.state),
    );
  return store;
}

function inMemory(state: StoreState, entry: Entry): ChatMessageStore {
  const store = new InMemoryChatMessageStore(state);
  // The registry need not know the kind.
  entry.check(inMemoryChatMessageStoreState);
  return store;
}

// What keeps the messages of a session: attached when the session is used, never saved with it.

import { isObject, list, missing, wrongKind } from "../runtime/check.js";
import { checkChatMessage } from "../generated/check.js";
import type { ChatMessage } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { inBag } from "./bag.js";
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
    return { messages: (messages as ChatMessage[] | undefined) ?? [] };
  },
};

/** The kinds of states that a program knows, by their `$type`. */
export class StoreRegistry {
  private readonly types = new Map<string, StateType<unknown>>();

  /**
   * Adds a type under its name.
   *
   * @throws Rejection of class `semantic` for a second type of one name
   */
  register<T>(type: StateType<T>): this {
    if (this.types.has(type.name)) {
      const reason = `a kind of state is registered as \`${type.name}\` already`;
      throw new Rejection(new Fault("semantic", "session.store-twice", reason));
    }
    this.types.set(type.name, type as StateType<unknown>);
    return this;
  }

  /**
   * Reads a state. One of a known kind is read now; one of an unknown kind is kept as it is.
   *
   * @throws Rejection of class `schema` for what is no such state
   */
  read(value: unknown): StoreState {
    const tag = isObject(value) && Object.hasOwn(value, TAG) ? value[TAG] : undefined;
    if (!isObject(value)) throw new Rejection(wrongKind("object", value));
    if (typeof tag !== "string") throw new Rejection((tag === undefined ? missing() : wrongKind("string", tag)).within(TAG));
    const type = this.types.get(tag);
    const state = new StoreState(tag, type !== undefined, value);
    if (type !== undefined) state.get(type);
    return state;
  }
}

/** A state of one of several kinds, which says by `$type` which one it is. */
export class StoreState {
  private readonly entry: Entry;

  /** @param isKnown whether the registry that read it knows its kind */
  constructor(
    readonly kind: string,
    readonly isKnown: boolean,
    value: Members,
  ) {
    this.entry = Entry.ofValue(value);
  }

  /** A state of a type; it gets the type's name as its `$type`. */
  static of<T>(state: T, type: StateType<T>): StoreState {
    const value = type.write === undefined ? state : type.write(state);
    return new StoreState(type.name, true, { [TAG]: type.name, ...(value as Members) });
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
    return this.entry.read(type);
  }

  /** The state as a value: what was read, with the changes made to its type. */
  get value(): unknown {
    return this.entry.value;
  }
}

/** What keeps the messages of one session: in the session, or at a service that its state names. */
export interface ChatMessageStore {
  /** The state, which is all that is saved of it. */
  readonly state: StoreState;
}

/**
 * Makes a store of the state in a session, or a new one where the session has none. It has the clients and keys that a store
 * needs and that no session holds.
 */
export type StoreFactory = (state: StoreState | undefined) => ChatMessageStore;

/**
 * Attaches a store to a session that is used. Without a state in the session, it is what the factory makes of nothing, or a
 * new one in memory, and the session gets its state. With a state it is what the factory makes of it, or one in memory.
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
  const value = session.bag.value(key);
  if (value === undefined || value === null) {
    const state = StoreState.of({ messages: [] }, inMemoryChatMessageStoreState);
    const store = factory === undefined ? { state } : factory(undefined);
    session.bag.setValue(key, store.state.value);
    return store;
  }
  const state = inBag(key, () => registry.read(value));
  return factory === undefined ? inBag(key, () => inMemory(state)) : factory(state);
}

function inMemory(state: StoreState): ChatMessageStore {
  if (state.kind !== inMemoryChatMessageStoreState.name) {
    const reason = `the state is a \`${state.kind}\`, and the agent has no factory for it; give it one`;
    throw new Rejection(new Fault("restore", "session.attach-unknown", reason).within(TAG));
  }
  state.get(inMemoryChatMessageStoreState);
  return { state };
}

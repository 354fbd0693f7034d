// The state bag: plain data by key, read as types only on request.

import { refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { withoutBigInts } from "../runtime/writer.js";
import { setMember } from "../streams/values.js";
import { Entry, type StateType } from "./entry.js";

/**
 * The states of the providers of one session, by key. An entry that is not changed is written back as it was; what a
 * caller changes in a value that it has read is written beside all that the type does not know.
 */
export class StateBag {
  readonly #entries = new Map<string, Entry>();

  /**
   * A bag of the members of an object.
   *
   * @throws Rejection for a blank key
   */
  constructor(values: { readonly [key: string]: unknown } = {}) {
    for (const key of Object.keys(values)) this.setValue(key, values[key]);
    refuseCopies(this, "a state bag is not copied or compared by its members; use `new StateBag(bag.values())`");
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** The keys in order. */
  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /** Whether there is an entry of this key, be it null. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /**
   * The entry as a type; `undefined` without one, and null if it is. Later reads give the same value.
   *
   * @throws Rejection of class `schema` for a value that is none of the type, and of class `semantic` for an entry that is
   *   in use as another type; the entry stays what it is
   */
  get<T>(key: string, type: StateType<T>): T | null | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    return entry.isNull ? null : inBag(key, () => entry.read(type));
  }

  /**
   * Sets an entry to a value of a type, which replaces all that was there.
   *
   * @throws Rejection for a blank key
   */
  set<T>(key: string, state: T, type: StateType<T>): this {
    checkKey(key);
    this.#entries.set(key, Entry.ofState(state, type));
    return this;
  }

  /** The entry as a value, as it would be written now, without reading it as a type; `undefined` without one. */
  value(key: string): unknown {
    return this.#entries.get(key)?.value;
  }

  /**
   * Sets an entry to any value, null included.
   *
   * @throws Rejection for a blank key
   */
  setValue(key: string, value: unknown): this {
    checkKey(key);
    this.#entries.set(key, Entry.ofValue(value));
    return this;
  }

  /**
   * The entry of a key, for a store that shares it.
   *
   * @internal
   */
  entry(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /**
   * Puts an entry in the place of the one that is there.
   *
   * @internal
   */
  setEntry(key: string, entry: Entry): void {
    checkKey(key);
    this.#entries.set(key, entry);
  }

  /** Removes an entry, and says whether there was one. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  /** The bag as an object of values. */
  values(): { [key: string]: unknown } {
    const values = {};
    for (const [key, entry] of this.#entries) setMember(values, key, entry.value);
    return values;
  }

  /** The bag as `JSON.stringify` writes it: as it is in the session. */
  toJSON(): unknown {
    return withoutBigInts(this.values());
  }
}

/** What a function gives; a rejection that it throws is seen from the session. */
export function inBag<T>(key: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Rejection ? error.within("stateBag", key) : error;
  }
}

/** Rejects a blank key. Throws a `Rejection`. */
export function checkKey(key: string): void {
  if (!/^\p{White_Space}*$/u.test(key)) return;
  const reason = "the key of an entry is blank; name the provider whose state it is";
  throw new Rejection(new Fault("semantic", "session.blank-key", reason).from(["stateBag", key]));
}

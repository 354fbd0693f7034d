// A store for tests and for what need not outlive a process.

import { rejecting } from "../runtime/document.js";
import type { Event } from "../generated/types.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault } from "../runtime/rejection.js";
import { eventAt } from "../streams/events.js";
import { nameOf } from "./names.js";
import type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

/** What is known of a thread. */
interface StoredThread {
  events: readonly Event[];
  snapshot: StoredSnapshot | undefined;
}

/** What a store of events says when it is to be written or copied. */
export const STORE =
  "a store of events is not written, copied or compared as a whole; read a thread with `await store.read(threadId)`";

/**
 * Keeps events in memory, as they are: who changes one later changes what is stored. It takes the ids that a folder takes,
 * so that tests with it find the others.
 */
export class MemoryEventStore implements EventStore {
  readonly #all = new Map<string, StoredThread>();

  constructor() {
    refuseCopies(this, STORE);
  }

  /** The events of a store have to be waited for, which `JSON.stringify` does not do. */
  toJSON(): never {
    return refuse(STORE);
  }

  async append(threadId: string, events: readonly Event[], expected?: number): Promise<number> {
    const known = this.#known(threadId)?.events.length ?? 0;
    checkAppended(threadId, events, known, expected);
    if (events.length === 0) return known;
    const thread = this.#thread(threadId);
    thread.events = thread.events.concat(events);
    return thread.events.length;
  }

  async read(threadId: string, from = 0): Promise<StoredEvents> {
    const events = this.#known(threadId)?.events ?? [];
    return { events: events.slice(from), next: events.length };
  }

  async saveSnapshot(threadId: string, snapshot: StoredSnapshot): Promise<void> {
    this.#known(threadId);
    this.#thread(threadId).snapshot = snapshot;
  }

  async loadSnapshot(threadId: string): Promise<StoredSnapshot | undefined> {
    return this.#known(threadId)?.snapshot;
  }

  async threads(): Promise<readonly string[]> {
    return [...this.#all.keys()].sort();
  }

  #known(threadId: string): StoredThread | undefined {
    nameOf(threadId);
    return this.#all.get(threadId);
  }

  #thread(threadId: string): StoredThread {
    const thread = this.#all.get(threadId) ?? { events: [], snapshot: undefined };
    this.#all.set(threadId, thread);
    return thread;
  }
}

/** Rejects what must not be appended. Throws a `Rejection`. */
export function checkAppended(threadId: string, events: readonly Event[], known: number, expected?: number): void {
  rejecting(() => {
    events.forEach(eventAt);
    if (expected === undefined || expected === known) return;
    const reason = `the thread \`${threadId}\` has ${known} event(s), and ${expected} were expected; read them first`;
    throw new Fault("semantic", "store.conflict", reason);
  });
}

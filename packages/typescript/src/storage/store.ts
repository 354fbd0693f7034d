// Where the events of threads are kept.

import type { Event } from "../generated/types.js";

/** Part of a thread's events, and where the next ones begin. */
export interface StoredEvents {
  readonly events: readonly Event[];
  /** The number of events of the thread up to here; reading from it gives what came later. */
  readonly next: number;
}

/** The result of the first events of a thread, such as `compactEvents` makes them; those from the position on continue after it. */
export interface StoredSnapshot {
  /** How many events of the thread it covers. */
  readonly position: number;
  /** Fewer events that mean the same. */
  readonly events: readonly Event[];
}

/** Keeps the events of threads in the order in which they were appended, and a snapshot of each. */
export interface EventStore {
  /**
   * Appends events to a thread, all or none, and gives their number with all before them. With `expected`, the thread must
   * have that many events.
   *
   * @throws Rejection of class `schema` for an event that the schema does not allow, and of class `semantic` and rule
   *   `store.conflict` for a thread that has another number of events than expected, `store.locked` for one to which
   *   another process writes for seconds, and `store.thread-id` for an id that no file can be named after
   */
  append(threadId: string, events: readonly Event[], expected?: number): Promise<number>;
  /** The events of a thread from a number on; none of a thread that is not there. */
  read(threadId: string, from?: number): Promise<StoredEvents>;
  /** Saves a snapshot in the place of the one before. */
  saveSnapshot(threadId: string, snapshot: StoredSnapshot): Promise<void>;
  /** The snapshot that was saved last. */
  loadSnapshot(threadId: string): Promise<StoredSnapshot | undefined>;
  /** The threads that have events or a snapshot, in the order of the UTF-16 code units of their ids. */
  threads(): Promise<readonly string[]>;
}

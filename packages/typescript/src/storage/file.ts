// A store in a folder, one append-only file of JSON Lines for each thread. It needs Node.js, Deno or Bun.

import { mkdir, open, readFile, rename, stat, truncate, unlink } from "node:fs/promises";

import { parseJson } from "../runtime/document.js";
import { parseEvent, parseEventStream, stringifyEvent, stringifyEventStream } from "../generated/index.js";
import type { Event } from "../generated/types.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { stringify } from "../runtime/writer.js";
import { LOG, SNAPSHOT, ThreadFiles, unlessMissing } from "./folder.js";
import { appendedLength, locked, type Keep } from "./lock.js";
import { extentOf, linesOf, type Extent } from "./log.js";
import { checkAppended, STORE } from "./memory.js";
import { nameOf } from "./names.js";
import type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

export type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

const NOTHING: Extent = { count: 0, length: 0 };

/**
 * Keeps the events of each thread in a file of a folder, one event a line, and its snapshot in another one.
 *
 * An append that fails, or whose process dies, appended nothing. Several processes may write to a folder; the stores of the
 * other languages have the same files.
 */
export class FileEventStore implements EventStore {
  /** The last write to each thread, for the next one to wait for. */
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #folder: string;
  readonly #files: ThreadFiles;
  /** By log, how much of it this store has written or counted. */
  readonly #known = new Map<string, Extent>();

  /** @param folder where the files are; it is made when something is stored */
  constructor(folder: string) {
    this.#folder = folder;
    this.#files = new ThreadFiles(folder);
    refuseCopies(this, STORE);
  }

  /** The events of a store have to be waited for, which `JSON.stringify` does not do. */
  toJSON(): never {
    return refuse(STORE);
  }

  append(threadId: string, events: readonly Event[], expected?: number): Promise<number> {
    return this.#inTurn(threadId, async () => {
      const path = await this.#files.path(threadId, LOG);
      if (events.length === 0) return this.#checked(threadId, path, expected);
      checkAppended(threadId, events, 0);
      const added = events.map((event) => `${stringifyEvent(event)}\n`).join("");
      await mkdir(this.#folder, { recursive: true });
      return locked(path, async (keep) => {
        const before = await this.#mended(path);
        checkAppended(threadId, [], before.count, expected);
        const count = before.count + events.length;
        this.#known.set(path, { count, length: await appended(path, before.length, added, keep) });
        return count;
      });
    });
  }

  async read(threadId: string, from = 0): Promise<StoredEvents> {
    const path = await this.#files.path(threadId, LOG);
    const events: Event[] = [];
    let next = 0;
    for await (const lines of linesOf(path, 0, await appendedLength(path))) {
      for (const line of lines) {
        if (next >= from) events.push(eventOf(line, next));
        next += 1;
      }
    }
    return { events, next };
  }

  saveSnapshot(threadId: string, snapshot: StoredSnapshot): Promise<void> {
    return this.#inTurn(threadId, async () => {
      const { position, events } = snapshot;
      const text = `{"position":${stringify(position)},"events":${stringifyEventStream([...events])}}`;
      const path = await this.#files.path(threadId, SNAPSHOT);
      const log = await this.#files.path(threadId, LOG);
      await mkdir(this.#folder, { recursive: true });
      await locked(log, () => replaced(path, text));
    });
  }

  async loadSnapshot(threadId: string): Promise<StoredSnapshot | undefined> {
    const path = await this.#files.path(threadId, SNAPSHOT);
    const text = await unlessMissing(() => readFile(path), undefined);
    return text === undefined ? undefined : snapshotOf(parseJson(text));
  }

  threads(): Promise<readonly string[]> {
    return this.#files.threads();
  }

  /** Acts when what was begun before is done. */
  async #inTurn<T>(threadId: string, act: () => Promise<T>): Promise<T> {
    const before = this.#pending.get(nameOf(threadId)) ?? Promise.resolve();
    const acted = before.then(act);
    // A rejected one does not keep the next one from being tried.
    this.#pending.set(
      nameOf(threadId),
      acted.catch(() => undefined),
    );
    return acted;
  }

  /** The number of events of a thread, to which none are appended. */
  async #checked(threadId: string, path: string, expected?: number): Promise<number> {
    const { count } = await extentOf(path, this.#known.get(path) ?? NOTHING, await appendedLength(path));
    checkAppended(threadId, [], count, expected);
    return count;
  }

  /** Takes a torn line away. */
  async #mended(path: string): Promise<Extent> {
    const length = (await unlessMissing(() => stat(path), undefined))?.size ?? 0;
    const extent = await extentOf(path, this.#known.get(path) ?? NOTHING, length);
    if (extent.length < length) await truncate(path, extent.length);
    return extent;
  }
}

/** Appends text to a log, and gives the length of the log. */
async function appended(path: string, before: number, text: string, keep: Keep): Promise<number> {
  await keep(before);
  const file = await open(path, "a");
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return (await stat(path)).size;
}

/** Puts text in the place of a file: it is there whole, or what was there before is. */
async function replaced(path: string, text: string): Promise<void> {
  const written = `${path}.new`;
  try {
    const file = await open(written, "w");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, path);
  } catch (error) {
    await unlessMissing(() => unlink(written), undefined);
    throw error;
  }
}

/** A snapshot from its JSON value. Its members had other names once. */
function snapshotOf(value: unknown): StoredSnapshot {
  const members = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const [at, of] =
    "next" in members && "value" in members ? (["next", "value"] as const) : (["position", "events"] as const);
  const [position, events] = [members[at], members[of]];
  if (position === undefined || events === undefined) {
    throw new Rejection(new Fault("schema", "required", "a snapshot has a `position` and `events`"));
  }
  if (typeof position !== "number" || !Number.isSafeInteger(position) || position < 0) {
    throw new Rejection(new Fault("schema", "type", "must be a number of events").within(at));
  }
  return { position, events: within(of, () => parseEventStream(stringify(events))) };
}

function eventOf(line: Uint8Array, index: number): Event {
  return within(index, () => parseEvent(line));
}

/** Says of what is rejected where it is. */
function within<T>(segment: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Rejection ? error.within(segment) : error;
  }
}

// A store in a folder, one append-only file of JSON Lines for each thread. It needs Node.js, Deno or Bun.

import { mkdir, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { parseJson, rejecting } from "../runtime/document.js";
import { parseEvent, stringifyEvent } from "../generated/index.js";
import type { Event } from "../generated/types.js";
import { textOf } from "../runtime/reader.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { decodeUtf8, encodeUtf8, holdsUnpaired } from "../runtime/text.js";
import { stringify } from "../runtime/writer.js";
import { checkAppended, STORE } from "./memory.js";
import type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

export type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

const EVENTS = ".jsonl";
const SNAPSHOT = ".snapshot.json";

/** The longest name of a file without its suffix, which every file system takes. */
const LONGEST_NAME = 200;

/**
 * Keeps the events of each thread in `ID.jsonl` of a folder, one event a line, and its snapshot in `ID.snapshot.json`.
 *
 * A line that was cut off by a crash is not an event: it is passed over, and the next append takes it away. One process
 * at a time may append to a thread; within it, appends wait for each other.
 */
export class FileEventStore implements EventStore {
  /** The last append of each thread, for the next one to wait for. */
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #folder: string;
  /** The files whose former names are no longer there. */
  readonly #settled = new Set<string>();

  /** @param folder where the files are; it is made when something is stored */
  constructor(folder: string) {
    this.#folder = folder;
    refuseCopies(this, STORE);
  }

  /** The events of a store have to be waited for, which `JSON.stringify` does not do. */
  toJSON(): never {
    return refuse(STORE);
  }

  append(threadId: string, events: readonly Event[], expected?: number): Promise<number> {
    const before = this.#pending.get(threadId) ?? Promise.resolve();
    const appended = before.then(() => this.#appendNow(threadId, events, expected));
    // A rejected append does not keep the next one from being tried.
    this.#pending.set(threadId, appended.catch(() => undefined));
    return appended;
  }

  async read(threadId: string, from = 0): Promise<StoredEvents> {
    const { lines } = await this.#linesOf(threadId);
    const events = lines.slice(from).map((line, index) => eventOf(line, from + index));
    return { events, next: lines.length };
  }

  async saveSnapshot(threadId: string, snapshot: StoredSnapshot): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = await this.#path(threadId, SNAPSHOT);
    await writeFile(`${path}.new`, stringify(snapshot));
    await rename(`${path}.new`, path);
  }

  async loadSnapshot(threadId: string): Promise<StoredSnapshot | undefined> {
    const path = await this.#path(threadId, SNAPSHOT);
    const text = await unlessMissing(() => readFile(path), undefined);
    return text === undefined ? undefined : (parseJson(text) as StoredSnapshot);
  }

  async threads(): Promise<readonly string[]> {
    const names = await unlessMissing(() => readdir(this.#folder), []);
    const ids = names.flatMap((name) => {
      const end = [SNAPSHOT, EVENTS].find((suffix) => name.endsWith(suffix));
      return end === undefined ? [] : [threadOf(name.slice(0, -end.length))];
    });
    return [...new Set(ids)].sort();
  }

  async #appendNow(threadId: string, events: readonly Event[], expected?: number): Promise<number> {
    const { lines, length, torn } = await this.#linesOf(threadId);
    checkAppended(threadId, events, lines.length, expected);
    if (events.length === 0) return lines.length;
    await mkdir(this.#folder, { recursive: true });
    const file = await open(await this.#path(threadId, EVENTS), "a");
    try {
      if (torn) await file.truncate(length);
      await file.appendFile(events.map((event) => `${stringifyEvent(event)}\n`).join(""));
      await file.sync();
    } finally {
      await file.close();
    }
    return lines.length + events.length;
  }

  /** The whole lines of a thread, their length in bytes, and whether something follows them. */
  async #linesOf(threadId: string): Promise<{ lines: string[]; length: number; torn: boolean }> {
    const path = await this.#path(threadId, EVENTS);
    const bytes = await unlessMissing(() => readFile(path), undefined);
    if (bytes === undefined) return { lines: [], length: 0, torn: false };
    const length = bytes.lastIndexOf(0x0a) + 1;
    const text = rejecting(() => textOf(bytes.subarray(0, length)));
    return { lines: text.split("\n").slice(0, -1), length, torn: length < bytes.length };
  }

  /** The file of a thread. One that was named in lower case, as stores of TypeScript once did, is renamed. */
  async #path(threadId: string, suffix: string): Promise<string> {
    const name = nameOf(threadId);
    const path = join(this.#folder, name + suffix);
    const former = name.toLowerCase();
    if (former === name || this.#settled.has(path)) return path;
    const names: readonly string[] = await unlessMissing(() => readdir(this.#folder), []);
    if (names.includes(former + suffix)) {
      if (names.includes(name + suffix)) throw twoFiles(name + suffix, former + suffix);
      await unlessMissing(() => rename(join(this.#folder, former + suffix), path), undefined);
    }
    this.#settled.add(path);
    return path;
  }
}

/**
 * The name of a file without its suffix, as the stores of all languages make it. In the names of files letters may be the
 * same in upper and lower case, so those in upper case are escaped.
 *
 * @throws Rejection for an id that no file can be named after
 */
function nameOf(threadId: string): string {
  const named = [...encodeUtf8(threadId)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  });
  const name = named.join("");
  if (name !== "" && name.length <= LONGEST_NAME && !holdsUnpaired(threadId)) return name;
  const reason =
    `the id of the thread takes ${name.length} characters in the name of a file, of which 1 to ${LONGEST_NAME} are ` +
    "possible, or holds an unpaired surrogate; choose another id";
  throw new Rejection(new Fault("semantic", "store.thread-id", reason));
}

function twoFiles(name: string, former: string): Rejection {
  const reason = `\`${name}\` and \`${former}\` are of one thread; append the events of one to the other, and remove it`;
  return new Rejection(new Fault("semantic", "store.two-files", reason));
}

function threadOf(name: string): string {
  const bytes = name.split(/(%..|.)/s).filter((piece) => piece !== "");
  const byteOf = (piece: string): number => (piece.length === 1 ? piece.charCodeAt(0) : parseInt(piece.slice(1), 16));
  return decodeUtf8(Uint8Array.from(bytes, byteOf));
}

function eventOf(line: string, index: number): Event {
  try {
    return parseEvent(line);
  } catch (error) {
    throw error instanceof Rejection ? error.within(index) : error;
  }
}

/** What a function reads; something else where there is no such file. */
async function unlessMissing<T, U>(read: () => Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await read();
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return otherwise;
    throw error;
  }
}

// One writer at a time, of all processes and languages, and what a writer that died has left.

import { appendFile, open, readFile, readlink, stat, truncate, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { kill, pid } from "node:process";
import { setTimeout } from "node:timers/promises";

import { Fault, Rejection } from "../runtime/rejection.js";
import { decodeUtf8 } from "../runtime/text.js";
import { codeOf, LOG, unlessMissing } from "./folder.js";

const ATTEMPTS = 500;
const PAUSE = 10;

/** Who writes. A process id is used again by later processes, so it says when the process was started. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly started: string;
}

/** What a lock says. */
interface Held {
  /** Who has it; `undefined` before its writer could say so. */
  readonly owner: Owner | undefined;
  /** How long the log was before the events that are being appended. */
  readonly length: number | undefined;
}

/** Says how long a log is, before anything is written to it. */
export type Keep = (length: number) => Promise<void>;

/**
 * Writes to the files of a thread, whose log is given, while no other process does.
 *
 * The lock is a file beside the log. Its first line says who writes. Before events are written, a second one says how long
 * the log is, so that what a writer leaves that fails or dies is taken away by itself or by the next one, and read by
 * nobody. After an error, the log is as long as it was, or else it stays locked.
 *
 * @throws Rejection of rule `store.locked` if another writer keeps the lock
 */
export async function locked<T>(log: string, write: (keep: Keep) => Promise<T>): Promise<T> {
  const lock = lockOf(log);
  await taken(log, lock);
  let before: number | undefined;
  const keep = (length: number): Promise<void> => {
    before = length;
    return appendFile(lock, `{"length":${length}}\n`);
  };
  try {
    const written = await write(keep);
    await unlink(lock);
    return written;
  } catch (error) {
    if (before !== undefined) await takeBack(log, before);
    await unlink(lock);
    throw error;
  }
}

/** The length of a log without what is being appended now. */
export async function appendedLength(log: string): Promise<number> {
  const length = (await unlessMissing(() => stat(log), undefined))?.size ?? 0;
  // The lock is read after the length: if it is gone by now, the append was whole or taken back.
  return Math.min(length, (await heldIn(lockOf(log)))?.length ?? length);
}

function lockOf(log: string): string {
  return `${log.slice(0, -LOG.length)}.lock`;
}

async function taken(log: string, lock: string): Promise<void> {
  const mine = `${JSON.stringify({ host: await host(), pid, started: await startOf(pid) } satisfies Owner)}\n`;
  let seen: string | undefined;
  for (let times = 0; times < ATTEMPTS; times += 1) {
    if (await isTaken(lock, mine)) return;
    if (!(await takenFromDead(log, lock, false))) await setTimeout(PAUSE);
    // As long as others take turns, this one waits for its own.
    const held = JSON.stringify(await heldIn(lock));
    if (held !== seen) times = 0;
    seen = held;
  }
  // Who has not said in all this time who it is was killed before it could.
  if ((await takenFromDead(log, lock, true)) && (await isTaken(lock, mine))) return;
  const owner = (await heldIn(lock))?.owner;
  const who = owner === undefined ? "a process" : `process ${owner.pid} on \`${owner.host}\``;
  const reason = `\`${lock}\` says that ${who} writes to this thread; try again, or if none does, remove it and \`${lock}.old\``;
  throw new Rejection(new Fault("semantic", "store.locked", reason));
}

async function isTaken(lock: string, mine: string): Promise<boolean> {
  if (!(await isMadeAnew(lock, mine))) return false;
  // A process that was suspended before it wrote this may have been taken for dead.
  const bytes = await unlessMissing(() => readFile(lock), undefined);
  return bytes !== undefined && decodeUtf8(bytes) === mine;
}

/** Makes a file with a text, unless it is there. Gives whether it was made. */
async function isMadeAnew(path: string, text: string): Promise<boolean> {
  let file;
  try {
    file = await open(path, "wx");
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(text);
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Removes the lock of a writer that died. Only who has the claim does, so that no other lock is removed. */
async function takenFromDead(log: string, lock: string, nameless: boolean): Promise<boolean> {
  const claim = `${lock}.old`;
  if (!(await isDead(await heldIn(lock), nameless)) || !(await isMadeAnew(claim, ""))) return false;
  try {
    const held = await heldIn(lock);
    if (await isDead(held, nameless)) {
      if (held?.length !== undefined) await takeBack(log, held.length);
      await unlink(lock);
    }
  } finally {
    await unlink(claim);
  }
  return true;
}

async function takeBack(log: string, length: number): Promise<void> {
  if (length === 0) await unlessMissing(() => unlink(log), undefined);
  else if ((await stat(log)).size > length) await truncate(log, length);
}

/** Reads a lock, if there is one. What has no line feed yet is not said. */
async function heldIn(lock: string): Promise<Held | undefined> {
  const bytes = await unlessMissing(() => readFile(lock), undefined);
  if (bytes === undefined) return undefined;
  const [owner, appending] = decodeUtf8(bytes).split("\n").slice(0, -1);
  return {
    owner: owner === undefined ? undefined : (JSON.parse(owner) as Owner),
    length: appending === undefined ? undefined : (JSON.parse(appending) as { length: number }).length,
  };
}

/** Whether the writer is a process of this machine that is not there any more, or one without a name. */
async function isDead(held: Held | undefined, nameless: boolean): Promise<boolean> {
  if (held === undefined) return false;
  const { owner } = held;
  if (owner === undefined) return nameless;
  if (owner.host !== (await host())) return false;
  return !isRunning(owner.pid) || (await startOf(owner.pid)) !== owner.started;
}

function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
    if (codeOf(error) === "EPERM") return true;
    throw error;
  }
}

/** The machine, and on Linux what its process ids are of, since containers have their own ones. */
async function host(): Promise<string> {
  const namespace = await unlessMissing(() => readlink("/proc/self/ns/pid"), undefined);
  return namespace === undefined ? hostname() : `${hostname()} ${namespace}`;
}

/** When a process was started, as Linux counts it; empty elsewhere, and for one that has ended. */
async function startOf(process: number): Promise<string> {
  const bytes = await unlessMissing(() => readFile(`/proc/${process}/stat`), undefined);
  if (bytes === undefined) return "";
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return /[ZX]/.test(state) ? "" : (fields[18] ?? "");
}

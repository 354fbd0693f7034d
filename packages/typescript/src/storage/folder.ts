// The files of threads in a folder.

import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";

import { Fault, Rejection } from "../runtime/rejection.js";
import { formerNameOf, nameOf, threadOf } from "./names.js";

export const LOG = ".jsonl";
export const SNAPSHOT = ".snapshot.json";

/** The files of a folder. Those with a former name are renamed when they are used. */
export class ThreadFiles {
  readonly #folder: string;
  /** By file, its former name; `undefined` before the folder was looked at. */
  #former: Promise<Map<string, string>> | undefined;
  /** By file, when it has its name. */
  readonly #renamed = new Map<string, Promise<void>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file of a thread. */
  async path(threadId: string, suffix: string): Promise<string> {
    const file = nameOf(threadId) + suffix;
    this.#former ??= this.#formerNames();
    const former = (await this.#former).get(file);
    if (former !== undefined) await this.#renamedTo(file, former);
    return join(this.#folder, file);
  }

  /** The threads that have files. Files that are of none are passed over. */
  async threads(): Promise<readonly string[]> {
    const found = (await this.#names()).map((name) => threadAndSuffix(name)?.threadId);
    return [...new Set(found.filter((threadId) => threadId !== undefined))].sort();
  }

  async #names(): Promise<readonly string[]> {
    return unlessMissing(() => readdir(this.#folder), []);
  }

  async #formerNames(): Promise<Map<string, string>> {
    const former = new Map<string, string>();
    for (const name of await this.#names()) {
      const found = threadAndSuffix(name);
      if (found === undefined) continue;
      const current = nameOf(found.threadId) + found.suffix;
      if (name !== current && name === formerNameOf(found.threadId) + found.suffix) former.set(current, name);
    }
    return former;
  }

  async #renamedTo(file: string, former: string): Promise<void> {
    const renamed = this.#renamed.get(file) ?? this.#rename(file, former);
    this.#renamed.set(file, renamed);
    try {
      await renamed;
    } catch (error) {
      // The next use looks again.
      this.#renamed.delete(file);
      this.#former = undefined;
      throw error;
    }
  }

  async #rename(file: string, former: string): Promise<void> {
    if ((await this.#names()).includes(file)) {
      const reason = `\`${file}\` and \`${former}\` are of one thread; append the events of one to the other, and remove it`;
      throw new Rejection(new Fault("semantic", "store.two-files", reason));
    }
    // Another process may have renamed it.
    await unlessMissing(() => rename(join(this.#folder, former), join(this.#folder, file)), undefined);
  }
}

function threadAndSuffix(name: string): { threadId: string; suffix: string } | undefined {
  const suffix = [SNAPSHOT, LOG].find((end) => name.endsWith(end));
  if (suffix === undefined) return undefined;
  const threadId = threadOf(name.slice(0, -suffix.length));
  return threadId === undefined ? undefined : { threadId, suffix };
}

/** What a function does with a file; something else where there is no such file. */
export async function unlessMissing<T, U>(act: () => Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return otherwise;
    throw error;
  }
}

/** What the system says of an error, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

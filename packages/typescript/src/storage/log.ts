// The lines of a log. What is after the last line feed is none.

import { open, type FileHandle } from "node:fs/promises";

import { unlessMissing } from "./folder.js";

/** So many bytes are read at once. */
const CHUNK = 256 * 1024;
const LINE_FEED = 0x0a;

/** How many events a log has, and how many bytes they take. */
export interface Extent {
  readonly count: number;
  readonly length: number;
}

/** Gives whole lines without their line feeds, as many as come at once, from an offset on, of a log of a length. */
export async function* linesOf(path: string, offset: number, length: number): AsyncGenerator<Uint8Array[], void> {
  const log = offset < length ? await unlessMissing(() => open(path, "r"), undefined) : undefined;
  if (log === undefined) return;
  try {
    const lines = new Lines();
    for await (const bytes of chunksOf(log, offset, length)) yield lines.next(bytes);
  } finally {
    await log.close();
  }
}

/** The whole lines of a log of a length, where it is known how far some of them reach. */
export async function extentOf(path: string, known: Extent, length: number): Promise<Extent> {
  let extent = known.length <= length ? known : { count: 0, length: 0 };
  for await (const lines of linesOf(path, extent.length, length)) {
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
    extent = { count: extent.count + lines.length, length: extent.length + bytes };
  }
  return extent;
}

async function* chunksOf(log: FileHandle, offset: number, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = offset; at < length;) {
    const buffer = new Uint8Array(Math.min(CHUNK, length - at));
    const { bytesRead } = await log.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Puts lines together whose parts come one after the other. */
class Lines {
  /** The parts of a line that has not ended. */
  #begun: Uint8Array[] = [];

  next(bytes: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      lines.push(joined([...this.#begun, bytes.subarray(start, end)]));
      this.#begun = [];
      start = end + 1;
    }
    if (start < bytes.length) this.#begun.push(bytes.subarray(start));
    return lines;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

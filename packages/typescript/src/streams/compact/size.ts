// Sizes of values: the bytes of their canonical text, which every implementation counts alike.

import { isObject } from "../../runtime/check.js";
import type { Members } from "../../runtime/json.js";
import { canonicalNumber, isJsonNumber } from "../../runtime/numbers.js";
import type { Event } from "../../generated/types.js";

/** The size of an event. Timestamps do not count, since a snapshot has none of the many. */
export function sizeOf(event: Event): number {
  const { timestamp: _, ...others } = event as { timestamp?: unknown };
  const countdown = new Countdown(Infinity);
  countdown.value(others);
  return countdown.counted;
}

/** Counts down from a limit, and stops where it is passed, so that it costs no more than what it is compared with. */
export class Countdown {
  counted = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts bytes; tells whether they are within the limit. */
  bytes(bytes: number): boolean {
    this.counted += bytes;
    return this.counted <= this.#limit;
  }

  /** Counts a value; tells whether it is within the limit. */
  value(value: unknown): boolean {
    if (typeof value === "string") return this.#text(value);
    if (isJsonNumber(value)) return this.bytes(canonicalNumber(value).length);
    if (Array.isArray(value)) {
      return this.bytes(1 + Math.max(1, value.length)) && value.every((item) => this.value(item));
    }
    if (!isObject(value)) return this.bytes(String(value).length);
    return this.#members(value);
  }

  #members(object: Members): boolean {
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    if (!this.bytes(1 + Math.max(1, names.length))) return false;
    return names.every((name) => this.#text(name) && this.bytes(1) && this.value(object[name]));
  }

  /** Escapes and characters of several bytes only make a text longer. */
  #text(text: string): boolean {
    const { counted } = this;
    if (!this.bytes(text.length + 2)) return false;
    this.counted = counted;
    return this.bytes(2 + bytesOf(text));
  }
}

/** The escapes of one letter mean these. */
const SHORT = '"\\\b\t\n\f\r';

/** The bytes of a text within its quotes. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (code < 0x20 || code === 0x22 || code === 0x5c) bytes += SHORT.includes(text.charAt(at)) ? 1 : 5;
    } else if (code < 0x800) {
      bytes += 1;
    } else if (isPairAt(text, at)) {
      bytes += 2;
      at += 1;
    } else {
      // Half of a surrogate pair is written as an escape.
      bytes += (code & 0xf800) === 0xd800 ? 5 : 2;
    }
  }
  return bytes;
}

function isPairAt(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

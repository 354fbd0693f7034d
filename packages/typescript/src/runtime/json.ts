import { isDouble, Scalar } from "./numbers.js";
import { MAX_DEPTH, read, textOf, tooDeep, type Reading } from "./reader.js";
import { Fault, type Found } from "./rejection.js";
import { holdsUnpaired } from "./text.js";

/** How the numbers of a document are read. */
export interface ReadOptions {
  /**
   * `exact`, the default, reads a number that no `number` is as an `ExactNumber`, so that nothing of a document is lost.
   * `double` reads it as the nearest finite `number`, and what is written then is that other number; it is a little faster.
   */
  readonly numbers?: "exact" | "double";
}

/** Reads a document. Throws a `Fault`. */
export function readDocument(input: string | Uint8Array, options: ReadOptions = {}): Reading {
  const text = typeof input === "string" ? input : textOf(input);
  const exact = options.numbers !== "double";
  return readFast(text, exact) ?? read(text, exact);
}

/** What `JSON.parse` makes of a text, if that is right; else the exact reader has to look. */
function readFast(text: string, exact: boolean): Reading | undefined {
  if (mayHoldUnpaired(text)) return undefined;
  const members = scan(text, exact);
  if (members === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // `JSON.parse` keeps one of two members of a name, and then there are fewer than in the text.
    return countMembers(value) === members ? { value, hasUnpaired: false } : undefined;
  } catch {
    return undefined;
  }
}

function mayHoldUnpaired(text: string): boolean {
  return text.includes("\\ud") || text.includes("\\uD") || holdsUnpaired(text);
}

/** The longest number without an exponent that a double holds exactly for certain, in characters. */
const EXACT_LENGTH = 15;

/** The longest number that is finite for certain, in characters. */
const FINITE_LENGTH = 300;

/** The number of members that a text names; `undefined` where it is too deep, or has numbers that need a closer look. */
function scan(text: string, exact: boolean): number | undefined {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at + 1);
      if (at < 0) return undefined;
    } else if (code === 0x3a) {
      members += 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (code >= 0x30 && code <= 0x39) {
      const end = endOfNumber(text, at);
      if (end < 0 || end - at > FINITE_LENGTH) return undefined;
      if (exact && end - at > EXACT_LENGTH && !isDouble(text.slice(at, end))) return undefined;
      at = end - 1;
    }
  }
  return members;
}

/** The place after a number; -1 where its exponent has three digits. */
function endOfNumber(text: string, start: number): number {
  let exponent = Number.POSITIVE_INFINITY;
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x65 || code === 0x45) exponent = at;
    else if (code === 0x2b || code === 0x2d) exponent += 1;
    else if (code !== 0x2e && !(code >= 0x30 && code <= 0x39)) return at;
    if (at - exponent > 2) return -1;
  }
}

/** The place of the quote that ends the string whose first character is at `at`; -1 without one. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at); end >= 0; end = text.indexOf('"', end + 1)) {
    let slash = end - 1;
    while (slash >= at && text.charCodeAt(slash) === 0x5c) slash -= 1;
    if ((end - slash) % 2 === 1) return end;
  }
  return -1;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value) if (typeof item === "object") count += countMembers(item);
    return count;
  }
  const names = Object.keys(value);
  let count = names.length;
  for (const name of names) {
    const member = (value as Members)[name];
    if (typeof member === "object") count += countMembers(member);
  }
  return count;
}

/** An object by the names of its members. */
export interface Members {
  readonly [name: string]: unknown;
}

/**
 * What keeps a value that a program made from being one of JSON, such as a function or what holds itself. An
 * unpaired surrogate is left to the writer, which sees all texts.
 */
export function noJson(value: unknown, depth = 0): Found {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : new Fault("schema", "type", `\`${value}\` is no number of JSON`);
    case "object":
      return value === null || value instanceof Scalar ? undefined : noJsonInside(value, depth + 1);
    default:
      return new Fault("schema", "type", `must be a value of JSON, but is ${typeof value}`);
  }
}

function noJsonInside(value: object, depth: number): Found {
  if (depth > MAX_DEPTH) return tooDeep();
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = noJson(value[index], depth);
      if (found !== undefined) return found.within(index);
    }
    return undefined;
  }
  for (const name in value) {
    const member = (value as Members)[name];
    // A member that is `undefined` is not written.
    if (typeof member === "string" || member === undefined) continue;
    const found = noJson(member, depth);
    // Neither is one that an object has from its prototype.
    if (found !== undefined && Object.hasOwn(value, name)) return found.within(name);
  }
  return undefined;
}

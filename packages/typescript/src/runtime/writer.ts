import { exactNumber, ExactNumber, Scalar } from "./numbers.js";
import { MAX_DEPTH } from "./reader.js";

/**
 * Writes a value as compact JSON text. Like `JSON.stringify`, and it also writes the numbers that `exact` reading makes.
 *
 * @throws TypeError for a value that JSON does not have, such as a cycle
 */
export function stringify(value: unknown): string {
  const text = plainText(value) ?? exactText(value, 0);
  if (text === undefined) throw new TypeError(`a document cannot be ${typeof value}`);
  return text;
}

/** A value of which `JSON.stringify` makes what `stringify` makes of the given one: it has no `bigint`. */
export function withoutBigInts(value: unknown): unknown {
  if (typeof value === "bigint") return exactNumber(String(value));
  if (typeof value !== "object" || value === null || value instanceof Scalar || writesItself(value)) return value;
  if (Array.isArray(value)) return value.map(withoutBigInts);
  const copy = {};
  for (const [name, member] of Object.entries(value)) {
    // An assignment to `__proto__` would not make a member.
    Object.defineProperty(copy, name, { value: withoutBigInts(member), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** What `JSON.stringify` makes of a value; it rejects a `bigint`, an `ExactNumber` and a cycle with a `TypeError`. */
function plainText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** `undefined` for what is left out of an object. */
function exactText(value: unknown, depth: number): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  if (depth === MAX_DEPTH) throw new TypeError(`a document is nested deeper than ${MAX_DEPTH} levels, or holds itself`);
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => exactText(item, depth + 1) ?? "null").join(",")}]`;
  }
  if (writesItself(value)) return exactText(value.toJSON(), depth + 1);
  return `{${memberTexts(value, depth + 1).join(",")}}`;
}

/** Whether an object says itself what is written for it. */
function writesItself(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function memberTexts(object: object, depth: number): string[] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const text = exactText(value, depth);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
}

import { canonicalNumber, isJsonNumber } from "./numbers.js";
import type { Members } from "./json.js";
import { hexadecimal, sha256 } from "./sha256.js";

/**
 * The canonical text of a value: RFC 8785 (JCS), and the exact decimal of a number that no double is. Two values are
 * equal if and only if their canonical texts are.
 *
 * Numbers count as what they were read as: not with `{ numbers: "double" }`, nor by `JSON.parse`, which rounds them.
 *
 * @throws TypeError for a value that JSON does not have
 */
export function canonicalize(value: unknown): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (isJsonNumber(value)) return canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`JSON has no ${typeof value}`);
  const object = value as Members;
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  // The order of JavaScript's strings is that of their UTF-16 code units.
  const members = names.sort().map((name) => `${JSON.stringify(name)}:${canonicalize(object[name])}`);
  return `{${members.join(",")}}`;
}

/** The digest of a value: the SHA-256 of its canonical text in UTF-8, in lower-case hexadecimal digits. */
export function digest(value: unknown): string {
  return hexadecimal(sha256(canonicalize(value)));
}

/** Whether two values are the same: the order of members and the spelling of numbers do not matter. */
export function equals(first: unknown, second: unknown): boolean {
  return canonicalize(first) === canonicalize(second);
}

// What one document lost on its way to another: each difference with a class and a JSON Pointer.

import { canonicalize } from "../runtime/canonical.js";
import { isObject, kindOf } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { canonicalNumber, isJsonNumber, nearest, type JsonNumber } from "../runtime/numbers.js";
import { pointer } from "../runtime/rejection.js";
import { sameValue } from "../streams/values.js";

/** What kind of change a difference is, in the words of `chatstate diff` without a schema. */
export type LossClass =
  | "member-dropped"
  | "member-added"
  | "member-renamed"
  | "null-for-absent"
  | "absent-for-null"
  | "number-rounded"
  | "number-changed"
  | "number-retyped"
  | "text-changed"
  | "boolean-changed"
  | "kind-changed"
  | "array-reordered"
  | "item-dropped"
  | "item-added";

/** One difference between two documents. */
export interface Loss {
  readonly class: LossClass;
  /** JSON Pointer into the first document; into the second for what was added. */
  readonly at: string;
  /** The value there in the first document, if there was one. */
  readonly before?: unknown;
  /** The value there in the second document, if there is one. */
  readonly after?: unknown;
}

type Path = readonly (string | number)[];

/** The differences from one document to another, in document order. None means that they are equal by value. */
export function lossesBetween(before: unknown, after: unknown): Loss[] {
  return compared(before, after, []);
}

function compared(before: unknown, after: unknown, path: Path): Loss[] {
  if (sameValue(before, after)) return [];
  if (isObject(before) && isObject(after)) return members(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return items(before, after, path);
  return [{ class: classOf(before, after), at: pointer(path), before, after }];
}

function classOf(before: unknown, after: unknown): LossClass {
  if (isJsonNumber(before) && isJsonNumber(after)) return classOfNumbers(before, after);
  if (typeof before === "string" && typeof after === "string") return "text-changed";
  if (typeof before === "boolean" && typeof after === "boolean") return "boolean-changed";
  return isRetyped(before, after) || isRetyped(after, before) ? "number-retyped" : "kind-changed";
}

function classOfNumbers(before: JsonNumber, after: JsonNumber): LossClass {
  const rounded = (number: JsonNumber): string => canonicalNumber(nearest(String(number)));
  return rounded(before) === rounded(after) ? "number-rounded" : "number-changed";
}

/** Whether a number or a boolean says what another scalar says in another kind. */
function isRetyped(scalar: unknown, other: unknown): boolean {
  if (isJsonNumber(scalar) && typeof other === "boolean") return canonicalNumber(scalar) === String(Number(other));
  if (typeof other !== "string") return false;
  return (isJsonNumber(scalar) || typeof scalar === "boolean") && String(scalar) === other;
}

function members(before: Members, after: Members, path: Path): Loss[] {
  const losses: Loss[] = [];
  const left = namesOf(before);
  const added = namesOf(after).filter((name) => !has(before, name));
  const renamed = new Map<string, string>();
  for (const name of left.filter((known) => !has(after, known))) {
    const other = added.find((candidate) => plain(candidate) === plain(name));
    if (other !== undefined && ![...renamed.values()].includes(other)) renamed.set(name, other);
  }
  for (const name of left) {
    const at = pointer([...path, name]);
    const value = before[name];
    const other = renamed.get(name);
    if (has(after, name)) addAll(losses, compared(value, after[name], [...path, name]));
    else if (other !== undefined) losses.push({ class: "member-renamed", at, before: value, after: after[other] });
    else losses.push({ class: value === null ? "absent-for-null" : "member-dropped", at, before: value });
  }
  const taken = new Set(renamed.values());
  for (const name of added.filter((candidate) => !taken.has(candidate))) {
    const value = after[name];
    const kind = value === null ? "null-for-absent" : "member-added";
    losses.push({ class: kind, at: pointer([...path, name]), after: value });
  }
  return losses;
}

/** A spread would put all of them on the stack. */
function addAll(losses: Loss[], more: readonly Loss[]): void {
  for (const loss of more) losses.push(loss);
}

function namesOf(object: Members): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

function has(object: Members, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

/** A name without what spellings differ in, such as `messageId` and `message_id`. */
function plain(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

function items(before: readonly unknown[], after: readonly unknown[], path: Path): Loss[] {
  if (before.length === after.length) {
    const sorted = (list: readonly unknown[]): string => JSON.stringify(list.map(canonicalize).sort());
    if (sorted(before) === sorted(after)) return [{ class: "array-reordered", at: pointer(path), before, after }];
    return before.flatMap((item, index) => compared(item, after[index], [...path, index]));
  }
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && sameValue(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && sameValue(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  return between(before, after, head, tail, path);
}

/** What is between equal beginnings and ends: items that look alike belong together. */
function between(
  before: readonly unknown[],
  after: readonly unknown[],
  head: number,
  tail: number,
  path: Path,
): Loss[] {
  const losses: Loss[] = [];
  let [left, right] = [head, head];
  const [leftEnd, rightEnd] = [before.length - tail, after.length - tail];
  while (left < leftEnd || right < rightEnd) {
    const surplus = leftEnd - left - (rightEnd - right);
    const alike = left < leftEnd && right < rightEnd && (surplus === 0 || looksAlike(before[left], after[right]));
    if (alike) {
      addAll(losses, compared(before[left], after[right], [...path, left]));
      [left, right] = [left + 1, right + 1];
    } else if (surplus > 0) {
      losses.push({ class: "item-dropped", at: pointer([...path, left]), before: before[left] });
      left += 1;
    } else {
      losses.push({ class: "item-added", at: pointer([...path, right]), after: after[right] });
      right += 1;
    }
  }
  return losses;
}

const NAMES = ["id", "type", "role", "op", "messageId", "toolCallId"];

/** Whether two items are meant to be the same one: equal, or with the same `id` and discriminator. */
function looksAlike(one: unknown, other: unknown): boolean {
  if (sameValue(one, other)) return true;
  if (!isObject(one) || !isObject(other) || kindOf(one) !== kindOf(other)) return false;
  return NAMES.some((name) => has(one, name)) && NAMES.every((name) => sameValue(one[name], other[name]));
}

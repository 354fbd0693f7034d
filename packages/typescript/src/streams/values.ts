// Values of JSON: equal ones, and objects that share members with others.

import type { Members } from "../runtime/json.js";
import { canonicalNumber, isJsonNumber } from "../runtime/numbers.js";
import { isObject } from "../runtime/check.js";

/** Whether two values are the same: the order of members and the spelling of numbers do not matter. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && sameItems(one, other);
  }
  if (isObject(one)) return isObject(other) && sameMembers(one, other);
  return isJsonNumber(one) && isJsonNumber(other) && canonicalNumber(one) === canonicalNumber(other);
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (!sameValue(one[at], other[at])) return false;
  return true;
}

/** A member that is `undefined` is not there. */
function sameMembers(one: Members, other: Members): boolean {
  let count = 0;
  for (const name in one) {
    const member = one[name];
    if (member === undefined) continue;
    count += 1;
    if (typeof member !== "object" && member === other[name]) continue;
    // What every object of JavaScript has is nothing of JSON, but for the object under `__proto__`.
    if (name === "__proto__" && !Object.hasOwn(other, name)) return false;
    if (!sameValue(member, other[name])) return false;
  }
  for (const name in other) if (other[name] !== undefined) count -= 1;
  return count === 0;
}

/** Sets a member of an object. An assignment to `__proto__` would not make a member. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (object as Record<string, unknown>)[name] = value;
  }
}

/** Metadata after further metadata, name by name: the last write wins. */
export function folded(before: unknown, metadata: Members): Members {
  return isObject(before) ? { ...before, ...metadata } : { ...metadata };
}

/** An object with a member, if there is a value for it. */
export function optional<Name extends string, T>(name: Name, value: T | undefined): { [name in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: T };
}

/** What a pass over the events made itself and may change. What came with events is never changed. */
export class Own {
  #objects = new WeakSet<object>();

  has(object: object): boolean {
    return this.#objects.has(object);
  }

  add<T extends object>(object: T): T {
    this.#objects.add(object);
    return object;
  }

  /** From now on everything may be shared. */
  share(): void {
    this.#objects = new WeakSet();
  }
}

import { noJson, type Members } from "./json.js";
import { exactNumber, ExactNumber, Scalar } from "./numbers.js";
import { MAX_DEPTH, tooDeep } from "./reader.js";
import { Fault, pointer, type Found } from "./rejection.js";

/**
 * Writes a value as compact JSON text. Like `JSON.stringify`, and it also writes the numbers that `exact` reading makes,
 * and refuses what `JSON.stringify` writes as something else: `NaN`, functions, a `Map`, an `undefined` in a list.
 *
 * @throws TypeError for a value that JSON does not have, such as a cycle
 */
export function stringify(value: unknown): string {
  const found = lossIn(value, 0);
  if (found !== undefined) throw new TypeError(`${found.reason}, at \`${pointer(found.segments())}\``);
  return textOf(value);
}

/** The text of a value in which there is nothing that JSON does not have. */
export function textOf(value: unknown): string {
  return plainText(value) ?? exactText(value);
}

/** What in a value would be written as something else, or not at all. A member that is `undefined` is absent. */
export function lossIn(value: unknown, depth: number): Found {
  if (typeof value !== "object" || value === null) return noJson(value);
  if (depth === MAX_DEPTH) return tooDeep();
  if (Array.isArray(value)) return lossInItems(value, depth + 1);
  if (value instanceof Scalar) return undefined;
  if (writesItself(value)) return lossIn(value.toJSON(), depth + 1);
  return noObject(value) ?? lossInMembers(value as Members, depth + 1);
}

/** Objects such as a `Map` hold what is in none of their members. */
function noObject(value: object): Found {
  if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" ? undefined : new Fault("schema", "type", `JSON has no \`${tag.slice(8, -1)}\``);
}

function lossInMembers(object: Members, depth: number): Found {
  for (const name in object) {
    const member = object[name];
    if (typeof member === "string" || member === undefined) continue;
    const found = lossIn(member, depth);
    // What an object has from its prototype is not written.
    if (found !== undefined && Object.hasOwn(object, name)) return found.within(name);
  }
  return undefined;
}

function lossInItems(items: readonly unknown[], depth: number): Found {
  for (let index = 0; index < items.length; index += 1) {
    const found = lossIn(items[index], depth);
    if (found !== undefined) return found.within(index);
  }
  return undefined;
}

/** A value of which `JSON.stringify` makes what `stringify` makes of the given one: it has no `bigint`. */
export function withoutBigInts(value: unknown): unknown {
  if (typeof value === "bigint") return exactNumber(String(value));
  if (typeof value !== "object" || value === null || value instanceof Scalar || writesItself(value)) return value;
  if (Array.isArray(value)) return value.map(withoutBigInts);
  const copy = {};
  for (const [name, member] of Object.entries(value)) {
    // An assignment to `__proto__` would not make a member.
    Object.defineProperty(copy, name, {
      value: withoutBigInts(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
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

function exactText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactText).join(",")}]`;
  return writesItself(value) ? exactText(value.toJSON()) : `{${memberTexts(value).join(",")}}`;
}

/** Whether an object says itself what is written for it. */
export function writesItself(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function memberTexts(object: object): string[] {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return members.map(([name, value]) => `${JSON.stringify(name)}:${exactText(value)}`);
}

// What a type changed, carried over to a value of which it may know only a part.

import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { sameValue, setMember } from "../streams/values.js";

/**
 * The value `origin`, changed as a type has changed what it knows of it from `before` to `after`.
 *
 * What did not change stays as it is in `origin`, and so do members that the type does not know. The items of a list
 * are matched by their places if there are as many as before; of a list of another length, those at both ends that did
 * not change are.
 */
export function merged(origin: unknown, before: unknown, after: unknown): unknown {
  if (sameValue(before, after)) return origin;
  if (isObject(origin) && isObject(before) && isObject(after)) return members(origin, before, after);
  const areLists = Array.isArray(origin) && Array.isArray(before) && Array.isArray(after);
  return areLists && origin.length === before.length ? items(origin, before, after) : after;
}

function members(origin: Members, before: Members, after: Members): Members {
  const result = {};
  const has = (object: Members, name: string): boolean => Object.hasOwn(object, name) && object[name] !== undefined;
  for (const name of Object.keys(origin)) {
    if (has(after, name)) {
      const value = has(before, name) ? merged(origin[name], before[name], after[name]) : after[name];
      setMember(result, name, value);
    } else if (!has(before, name)) {
      setMember(result, name, origin[name]);
    }
  }
  for (const name of Object.keys(after)) {
    const isKnown = has(origin, name) || (has(before, name) && sameValue(before[name], after[name]));
    if (!isKnown && after[name] !== undefined) setMember(result, name, after[name]);
  }
  return result;
}

function items(origin: readonly unknown[], before: readonly unknown[], after: readonly unknown[]): unknown[] {
  if (before.length === after.length) return origin.map((item, place) => merged(item, before[place], after[place]));
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && sameValue(before[first], after[first])) first += 1;
  let last = 0;
  const isSame = (back: number): boolean => sameValue(before.at(-back), after.at(-back));
  while (last < shorter - first && isSame(last + 1)) last += 1;
  return [...origin.slice(0, first), ...after.slice(first, after.length - last), ...origin.slice(origin.length - last)];
}

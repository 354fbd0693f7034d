// What the schema cannot say of a saved chat or a saved session. The generator asks `ruledT` of a type `T` wherever it
// checks a document of it.

import { isObject, type Check } from "../runtime/check.js";
import { Fault, type Found } from "../runtime/rejection.js";

/** The versions that are supported: `1`, and `1.` with a number. */
const SPOKEN = /^1(?:\.[0-9]+)?$/;

/**
 * A check of a type whose documents say in which version they were written. A document of another version may well break
 * this version's schema, so the version is the better answer.
 */
export function ruledChatState(check: Check): Check {
  return (value) => unspoken(value) ?? check(value);
}

/** The same of the encoded form. */
export function ruledEncodedChatState(check: Check): Check {
  return ruledChatState(check);
}

/** A check of a session: its version, and the keys of its state bag. */
export function ruledAgentSession(check: Check): Check {
  return (value) => unspoken(value) ?? check(value) ?? blankKey(value);
}

/** A check of a list of sessions. */
export function ruledSessionList(check: Check): Check {
  return (value) => each(value, unspoken) ?? check(value) ?? each(value, blankKey);
}

function each(value: unknown, rule: Check): Found {
  if (!Array.isArray(value)) return undefined;
  for (const [index, item] of value.entries()) {
    const found = rule(item);
    if (found !== undefined) return found.within(index);
  }
  return undefined;
}

function unspoken(value: unknown): Found {
  const version = isObject(value) ? value["schemaVersion"] : undefined;
  if (typeof version !== "string" || SPOKEN.test(version)) return undefined;
  const reason = `the version \`${version}\` is not supported; the supported versions are \`1\` and \`1.x\``;
  return new Fault("version", "version.unspoken", reason).within("schemaVersion");
}

/** An entry whose key is blank could not be asked for. */
function blankKey(value: unknown): Found {
  const bag = isObject(value) ? value["stateBag"] : undefined;
  const key = isObject(bag) ? Object.keys(bag).find((name) => /^\p{White_Space}*$/u.test(name)) : undefined;
  if (key === undefined) return undefined;
  const reason = "the key of an entry is blank; name the provider whose state it is";
  return new Fault("semantic", "session.blank-key", reason).within(key).within("stateBag");
}

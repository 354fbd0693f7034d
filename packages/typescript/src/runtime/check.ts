// What generated checks are made of. Each takes a value and gives the fault that it finds; `undefined` is a value that is
// not there. The checks of the types test for what is usual themselves and ask here about the rest.

import { decodeBase64 } from "./base64.js";
import { canonicalize } from "./canonical.js";
import { noJson, type Members } from "./json.js";
import { compare, isIntegral, isJsonNumber, isMultiple, nearest, Scalar, type JsonNumber } from "./numbers.js";
import { unpaired } from "./reader.js";
import { Fault, type Found } from "./rejection.js";
import { characters } from "./text.js";

export type { Members } from "./json.js";
export type { Found } from "./rejection.js";

/** Finds what is wrong with a value. */
export type Check = (value: unknown) => Found;

/** A text in a copy of a document that begins or ends with an unpaired surrogate. */
export class SplitMark extends Scalar {
  /** Whether it is where the schema allows it. */
  allowed = false;

  constructor(readonly path: readonly (string | number)[]) {
    super();
  }
}

/** A constraint on numbers. */
export interface Bounds {
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: (value: JsonNumber) => Found;
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Scalar);
}

/** A member of that name which the object itself has: every object of JavaScript has a `constructor`. */
export function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The JSON kind of a value, as JSON Schema spells it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isJsonNumber(value)) return "number";
  return value instanceof SplitMark ? "string" : typeof value;
}

/** The fault of a value that is of another kind, or is not there. */
export function wrongKind(expected: string, value: unknown): Fault {
  if (value === undefined) return missing();
  if (value instanceof SplitMark) return expected === "string" ? unpaired() : wrongKind(expected, "");
  return new Fault("schema", "type", `must be of type ${expected}, but is ${kindOf(value)}`);
}

/** The fault of a member that has to be there. */
export function missing(): Fault {
  return new Fault("schema", "required", "the member is missing");
}

export function text(value: unknown): Found {
  return typeof value === "string" ? undefined : wrongKind("string", value);
}

/** Text with lengths in characters, and a pattern that it matches somewhere. */
export function textWithin(value: unknown, minimum: number, maximum: number, pattern?: string): Found {
  if (typeof value !== "string") return wrongKind("string", value);
  const length = minimum > 0 || maximum < Infinity ? characters(value) : 0;
  if (length < minimum) return new Fault("schema", "minLength", `must be at least ${minimum} character(s) long`);
  if (length > maximum) return new Fault("schema", "maxLength", `must be at most ${maximum} character(s) long`);
  return pattern === undefined ? undefined : matching(value, pattern);
}

/** Base64 as schemas spell it. Texts may be long, and a regular expression needs room for each repetition of a group. */
const BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";

function matching(value: string, pattern: string): Found {
  try {
    if (pattern === BASE64 ? decodeBase64(value) !== undefined : compiled(pattern).test(value)) return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Fault("limit", "size", `the text is too long for the pattern \`${pattern}\``);
  }
  return new Fault("schema", "pattern", `must match the pattern \`${pattern}\``);
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    expression = expressionOf(pattern);
    patterns.set(pattern, expression);
  }
  return expression;
}

/** Patterns are to be read as Unicode, in which some that people write are none. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** Text that may begin or end with an unpaired surrogate. */
export function splitText(value: unknown): Found {
  if (!(value instanceof SplitMark)) return text(value);
  value.allowed = true;
  return undefined;
}

/** The tag of a variant for tags that no other variant has. */
export function unknownTag(value: unknown, known: readonly string[]): Found {
  if (typeof value !== "string") return wrongKind("string", value);
  if (!known.includes(value)) return undefined;
  return new Fault("schema", "not", `\`${value}\` is known, so its own definition applies`);
}

export function boolean(value: unknown): Found {
  return typeof value === "boolean" ? undefined : wrongKind("boolean", value);
}

export function number(value: unknown, bounds?: Bounds): Found {
  if (!isJsonNumber(value)) return wrongKind("number", value);
  return bounds === undefined ? undefined : outOf(bounds, value);
}

export function integer(value: unknown, bounds?: Bounds): Found {
  const found = number(value);
  if (found !== undefined) return found;
  if (!isIntegral(value as JsonNumber)) {
    return new Fault("schema", "type", "must be of type integer, but has a fraction");
  }
  return bounds === undefined ? undefined : outOf(bounds, value as JsonNumber);
}

function outOf(bounds: Bounds, value: JsonNumber): Found {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = bounds;
  const order = (bound: number | bigint | undefined): number => (bound === undefined ? NaN : compare(value, bound));
  if (order(minimum) < 0) return new Fault("schema", "minimum", `must be at least ${minimum}`);
  if (order(maximum) > 0) return new Fault("schema", "maximum", `must be at most ${maximum}`);
  if (order(above) <= 0) return new Fault("schema", "exclusiveMinimum", `must be greater than ${above}`);
  if (order(below) >= 0) return new Fault("schema", "exclusiveMaximum", `must be less than ${below}`);
  return multipleOf?.(value);
}

/** The constraint on numbers to be multiples of another. */
export function multipleOf(of: number | bigint): (value: JsonNumber) => Found {
  return (value) =>
    isMultiple(value, of) ? undefined : new Fault("schema", "multipleOf", `must be a multiple of ${of}`);
}

/** Exactly this value. */
export function constant(value: unknown, expected: string | number | boolean): Found {
  const kind = kindOf(expected);
  return kindOf(value) === kind && !(value instanceof SplitMark) ? fixed(value, expected) : wrongKind(kind, value);
}

/** Exactly this value, in a member that is always there: any other value breaks the same rule. */
export function fixed(value: unknown, expected: string | number | boolean): Found {
  if (value === expected || isNearest(value, expected)) return undefined;
  if (value === undefined) return missing();
  return new Fault("schema", "const", `must be \`${expected}\``);
}

/** Whether a value that was read exactly is the one that is listed as the nearest `number`. */
function isNearest(value: unknown, expected: string | number | boolean): boolean {
  return isJsonNumber(value) && isIntegral(value) && nearest(String(value)) === expected;
}

/** What is wrong with a value that was not found among those listed. */
export function noSuchValue(value: unknown, values: readonly (string | number)[]): Found {
  if (values.some((known) => isNearest(value, known))) return undefined;
  const expected = typeof values[0] === "string" ? "string" : "number";
  if (kindOf(value) !== expected || value instanceof SplitMark) return wrongKind(expected, value);
  return new Fault("schema", "enum", `must be one of ${quoted(values)}, but is \`${String(value)}\``);
}

/** The fault of a tag that no variant of a closed union has, or that is not text. */
export function noSuchTag(value: unknown, tags: readonly string[]): Fault {
  if (typeof value !== "string") return wrongKind("string", value);
  return new Fault("schema", "oneOf", `must be one of ${quoted(tags)}, but is \`${value}\``);
}

/** The fault of a value of a kind that no variant has. */
export function noSuchKind(value: unknown, kinds: readonly string[]): Fault {
  if (value === undefined) return missing();
  return new Fault("schema", "oneOf", `must be one of ${kinds.join(", ")}, but is ${kindOf(value)}`);
}

/** Which objects alternatives took in the document that is being judged. */
let taken: WeakMap<object, Map<readonly Check[], boolean>> | undefined;

/** Begins to judge another document. */
export function beginDocument(): void {
  taken = undefined;
}

/**
 * The first of several checks that finds nothing decides. Each object is tried once: alternatives which hold themselves
 * would be tried twice as often at every level.
 */
export function anyOf(value: unknown, checks: readonly Check[]): Found {
  if (value === undefined) return missing();
  if (isTaken(value, checks)) return undefined;
  return new Fault("schema", "anyOf", `must be one of ${checks.length} types, and is none of them`);
}

function isTaken(value: unknown, checks: readonly Check[]): boolean {
  const isFitting = () => checks.some((check) => check(value) === undefined);
  if (typeof value !== "object" || value === null) return isFitting();
  taken ??= new WeakMap();
  const known = taken.get(value) ?? new Map<readonly Check[], boolean>();
  taken.set(value, known);
  const answer = known.get(checks) ?? isFitting();
  known.set(checks, answer);
  return answer;
}

/** Any value but null. */
export function notNull(value: unknown): Found {
  return value === null ? new Fault("schema", "type", "must be any value but null") : anything(value);
}

/** Any value. */
export function anything(value: unknown): Found {
  return value === undefined ? missing() : noJson(value);
}

/** An object about which nothing more is said. */
export function object(value: unknown): Found {
  return isObject(value) ? noJson(value) : wrongKind("object", value);
}

/** An array of values that the same is asked of. */
export function list(value: unknown, check: Check): Found {
  if (!Array.isArray(value)) return wrongKind("array", value);
  for (let index = 0; index < value.length; index += 1) {
    const found = check(value[index]);
    if (found !== undefined) return found.within(index);
  }
  return undefined;
}

/** An array of some length. */
export function listWithin(value: unknown, check: Check, minimum: number, maximum: number): Found {
  const length = Array.isArray(value) ? value.length : minimum;
  if (length < minimum) return new Fault("schema", "minItems", `must hold at least ${minimum} item(s)`);
  if (length > maximum) return new Fault("schema", "maxItems", `must hold at most ${maximum} item(s)`);
  return list(value, check);
}

/** An array of some length in which no two items are equal. */
export function uniqueList(value: unknown, check: Check, minimum: number, maximum: number): Found {
  const found = listWithin(value, check, minimum, maximum);
  if (found !== undefined) return found;
  const items = (value as unknown[]).map(canonicalize);
  if (new Set(items).size === items.length) return undefined;
  return new Fault("schema", "uniqueItems", "must not hold two equal items");
}

/** An array of exactly these items. */
export function tuple(value: unknown, checks: readonly Check[]): Found {
  if (!Array.isArray(value)) return wrongKind("array", value);
  if (value.length !== checks.length) {
    const rule = value.length < checks.length ? "minItems" : "maxItems";
    return new Fault("schema", rule, `must hold ${checks.length} item(s), but holds ${value.length}`);
  }
  for (const [index, check] of checks.entries()) {
    const found = check(value[index]);
    if (found !== undefined) return found.within(index);
  }
  return undefined;
}

/** An object of any names; the same is asked of every member. */
export function map(value: unknown, check: Check): Found {
  return isObject(value) ? others(value, NO_NAMES, check) : wrongKind("object", value);
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The members of an object but those of the given names. */
export function others(value: Members, named: ReadonlySet<string>, check: MemberCheck): Found {
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined || named.has(name)) continue;
    const found = check(member, name);
    if (found !== undefined) return found.within(name);
  }
  return undefined;
}

/** An object with so many members, in which some members need others. */
export function present(
  value: Members,
  minimum: number,
  maximum: number,
  dependent: readonly (readonly [string, readonly string[]])[],
): Found {
  const names = new Set(Object.keys(value).filter((name) => value[name] !== undefined));
  const has = `but has ${names.size}`;
  if (names.size < minimum)
    return new Fault("schema", "minProperties", `must have at least ${minimum} member(s), ${has}`);
  if (names.size > maximum)
    return new Fault("schema", "maxProperties", `must have at most ${maximum} member(s), ${has}`);
  for (const [member, required] of dependent) {
    const lacking = names.has(member) ? required.find((name) => !names.has(name)) : undefined;
    if (lacking !== undefined) {
      const message = `the member \`${lacking}\` is missing, which \`${member}\` needs`;
      return new Fault("schema", "dependentRequired", message).within(lacking);
    }
  }
  return undefined;
}

/** Finds what is wrong with a member that may depend on its name. */
export type MemberCheck = (value: unknown, name: string) => Found;

/** The check of members by the patterns that their names match; all of them hold. */
export function byName(patterns: readonly (readonly [string, Check])[], closed: boolean): MemberCheck {
  return (value, name) => {
    const matching = patterns.filter(([pattern]) => compiled(pattern).test(name));
    if (closed && matching.length === 0) return rejected();
    for (const [, check] of matching) {
      const found = check(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** The check of a member that was not named. */
export function rejected(): Fault {
  return new Fault("schema", "additionalProperties", "the schema allows no further members");
}

function quoted(values: readonly (string | number)[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}

// Conditions of a schema: what is asked of an object beyond the types of its members. A condition is the text of a JSON
// object with a few keywords of JSON Schema, each of which lets values of other types through.

import { equals } from "./canonical.js";
import { isObject, kindOf, textWithin, type Check } from "./check.js";
import type { Members } from "./json.js";
import { compare, isIntegral, isJsonNumber, isMultiple, type JsonNumber } from "./numbers.js";
import { read } from "./reader.js";
import { Fault, type Found } from "./rejection.js";
import { characters } from "./text.js";

/** What a keyword asks, as the text has it; the generator writes no other keywords than those that are read here. */
interface Predicate {
  readonly $defs?: { readonly [name: string]: Predicate };
  readonly $ref?: string;
  readonly type?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: JsonNumber;
  readonly maximum?: JsonNumber;
  readonly exclusiveMinimum?: JsonNumber;
  readonly exclusiveMaximum?: JsonNumber;
  readonly multipleOf?: JsonNumber;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly prefixItems?: readonly Predicate[];
  readonly items?: Predicate;
  readonly contains?: Predicate;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Predicate };
  readonly patternProperties?: { readonly [pattern: string]: Predicate };
  readonly additionalProperties?: Predicate;
  readonly unevaluatedProperties?: Predicate;
  readonly propertyNames?: Predicate;
  readonly not?: Predicate;
  readonly allOf?: readonly Predicate[];
  readonly anyOf?: readonly Predicate[];
  readonly oneOf?: readonly Predicate[];
  readonly if?: Predicate;
  readonly then?: Predicate;
  readonly else?: Predicate;
}

/** A keyword, the JSON Pointer to it in the schema, and what it asks. */
export type Condition = readonly [keyword: string, pointer: string, predicate: string];

/** How many predicates may be asked for each other: those that refer to themselves go as deep as a document. */
const MAX_NESTING = 1024;

/** What a predicate is asked with: what references lead to, and how many predicates are asked for each other. */
interface Asking {
  readonly named: { readonly [name: string]: Predicate };
  readonly nesting: number;
}

class TooDeep extends Error {}

const predicates = new Map<string, Predicate>();

/** A value that is asked conditions when its type is found to be right. */
export function fitting(value: unknown, check: Check, all: readonly Condition[]): Found {
  return check(value) ?? conditions(value, all);
}

/** The conditions of a value: the first that does not hold is the fault. */
export function conditions(value: unknown, all: readonly Condition[]): Found {
  for (const [keyword, pointer, text] of all) {
    let predicate = predicates.get(text);
    if (predicate === undefined) {
      predicate = read(text, true).value as Predicate;
      predicates.set(text, predicate);
    }
    const found = fault(value, predicate, keyword, pointer);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fault(value: unknown, asked: Predicate, keyword: string, pointer: string): Found {
  try {
    if (fits(value, asked, { named: asked.$defs ?? {}, nesting: 0 })) return undefined;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return new Fault("limit", "depth", "the document is nested too deeply for a condition");
  }
  return new Fault("schema", keyword, `must be as the schema asks at \`${pointer}\``);
}

function deeper({ named, nesting }: Asking): Asking {
  if (nesting === MAX_NESTING) throw new TooDeep();
  return { named, nesting: nesting + 1 };
}

function fits(value: unknown, asked: Predicate, outer: Asking): boolean {
  const asking = deeper(outer);
  if (asked.type !== undefined && !asked.type.some((name) => isOfType(value, name))) return false;
  if (asked.enum !== undefined && !asked.enum.some((known) => isEqual(value, known))) return false;
  return fitsItsKind(value, asked, asking) && fitsOthers(value, asked, asking) && fitsUnevaluated(value, asked, asking);
}

function isOfType(value: unknown, name: string): boolean {
  return name === "integer" ? isJsonNumber(value) && isIntegral(value) : kindOf(value) === name;
}

function isEqual(value: unknown, known: unknown): boolean {
  return kindOf(value) === kindOf(known) && (value === known || equals(value, known));
}

/** What other predicates about the same value ask. */
function fitsOthers(value: unknown, asked: Predicate, asking: Asking): boolean {
  const isFitting = (one: Predicate): boolean => fits(value, one, asking);
  if (asked.$ref !== undefined && !isFitting(target(asked.$ref, asking))) return false;
  if (asked.not !== undefined && isFitting(asked.not)) return false;
  if (asked.allOf !== undefined && !asked.allOf.every(isFitting)) return false;
  if (asked.anyOf !== undefined && !asked.anyOf.some(isFitting)) return false;
  if (asked.oneOf !== undefined && asked.oneOf.filter(isFitting).length !== 1) return false;
  if (asked.if === undefined) return true;
  const branch = isFitting(asked.if) ? asked.then : asked.else;
  return branch === undefined || isFitting(branch);
}

function target(reference: string, { named }: Asking): Predicate {
  return named[reference.slice("#/$defs/".length)]!;
}

function fitsItsKind(value: unknown, asked: Predicate, asking: Asking): boolean {
  if (isJsonNumber(value)) return fitsNumber(value, asked);
  if (typeof value === "string") return fitsText(value, asked);
  if (Array.isArray(value)) return fitsList(value, asked, asking);
  return !isObject(value) || fitsObject(value, asked, asking);
}

function fitsNumber(value: JsonNumber, asked: Predicate): boolean {
  const order = (bound: JsonNumber | undefined): number => (bound === undefined ? NaN : compare(value, bound));
  const outside =
    order(asked.minimum) < 0 ||
    order(asked.maximum) > 0 ||
    order(asked.exclusiveMinimum) <= 0 ||
    order(asked.exclusiveMaximum) >= 0;
  return !outside && (asked.multipleOf === undefined || isMultiple(value, asked.multipleOf));
}

function fitsText(value: string, asked: Predicate): boolean {
  const length = asked.minLength === undefined && asked.maxLength === undefined ? 0 : characters(value);
  if (!isWithin(length, asked.minLength, asked.maxLength)) return false;
  return asked.pattern === undefined || matches(value, asked.pattern);
}

function matches(value: string, pattern: string): boolean {
  return textWithin(value, 0, Infinity, pattern) === undefined;
}

function fitsList(value: readonly unknown[], asked: Predicate, asking: Asking): boolean {
  if (!isWithin(value.length, asked.minItems, asked.maxItems)) return false;
  if (
    asked.uniqueItems === true &&
    value.some((item, at) => value.slice(0, at).some((other) => isEqual(item, other)))
  ) {
    return false;
  }
  const { contains } = asked;
  if (contains !== undefined) {
    const found = value.filter((item) => fits(item, contains, asking)).length;
    if (!isWithin(found, asked.minContains ?? 1, asked.maxContains)) return false;
  }
  return value.every((item, at) => {
    const each = asked.prefixItems?.[at] ?? asked.items;
    return each === undefined || fits(item, each, asking);
  });
}

function fitsObject(value: Members, asked: Predicate, asking: Asking): boolean {
  const names = namesOf(value);
  if (!isWithin(names.length, asked.minProperties, asked.maxProperties)) return false;
  if (asked.required?.every((name) => names.includes(name)) === false) return false;
  const { propertyNames } = asked;
  if (propertyNames !== undefined && !names.every((name) => fits(name, propertyNames, asking))) return false;
  return names.every((name) => ofMember(name, asked).every((each) => fits(value[name], each, asking)));
}

function namesOf(value: Members): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/** Whether members that nothing else says anything of are as they have to be. */
function fitsUnevaluated(value: unknown, asked: Predicate, asking: Asking): boolean {
  const { unevaluatedProperties } = asked;
  if (unevaluatedProperties === undefined || !isObject(value)) return true;
  const others = namesOf(value).filter((name) => !evaluatesBeside(name, value, asked, asking));
  return others.every((name) => fits(value[name], unevaluatedProperties, asking));
}

/** Whether a predicate that an object fits says something of the member of that name. */
function evaluates(name: string, value: Members, asked: Predicate, outer: Asking): boolean {
  const asking = deeper(outer);
  return asked.unevaluatedProperties !== undefined || evaluatesBeside(name, value, asked, asking);
}

/** Whether something else does than `unevaluatedProperties`. */
function evaluatesBeside(name: string, value: Members, asked: Predicate, asking: Asking): boolean {
  if (asked.additionalProperties !== undefined || ofMember(name, asked).length > 0) return true;
  const isEvaluating = (one: Predicate | undefined): boolean =>
    one !== undefined && evaluates(name, value, one, asking);
  if (asked.$ref !== undefined && isEvaluating(target(asked.$ref, asking))) return true;
  if (asked.allOf?.some(isEvaluating) === true) return true;
  const arms = [...(asked.anyOf ?? []), ...(asked.oneOf ?? [])];
  if (arms.some((arm) => isEvaluating(arm) && fits(value, arm, asking))) return true;
  if (asked.if === undefined) return false;
  if (!fits(value, asked.if, asking)) return isEvaluating(asked.else);
  return isEvaluating(asked.if) || isEvaluating(asked.then);
}

/** What is asked of the member of that name. */
function ofMember(name: string, asked: Predicate): readonly Predicate[] {
  const named = Object.entries(asked.properties ?? {}).filter(([known]) => known === name);
  const matching = Object.entries(asked.patternProperties ?? {}).filter(([pattern]) => matches(name, pattern));
  const known = [...named, ...matching].map(([, each]) => each);
  if (known.length > 0 || asked.additionalProperties === undefined) return known;
  return [asked.additionalProperties];
}

function isWithin(count: number, least = 0, most = Infinity): boolean {
  return least <= count && count <= most;
}

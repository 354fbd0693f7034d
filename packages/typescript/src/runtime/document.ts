import { anything, beginDocument, SplitMark, type Check, type Members } from "./check.js";
import { readDocument, type ReadOptions } from "./json.js";
import { Scalar, type JsonNumber } from "./numbers.js";
import { tooDeep, unpaired } from "./reader.js";
import { Fault, Rejection, type Found } from "./rejection.js";
import type { StandardResult, StandardSchema } from "./standard-schema.js";
import { holdsUnpaired } from "./text.js";
import { lossIn, textOf } from "./writer.js";

/**
 * A type with all that its numbers may be: where `T` has a `number`, reading gives an `ExactNumber` for a number that no
 * `number` is, and a `bigint` may be written as well. Readers give this type where it is asked for by
 * `{ numbers: "exact" }`. Without it they give `T`, for which a few documents in a million have an `ExactNumber` in the
 * place of a `number`; computing with that is a `TypeError`.
 */
export type Exact<T> = T extends number
  ? JsonNumber
  : T extends string
    ? T
    : T extends readonly [unknown, ...unknown[]]
      ? { [Index in keyof T]: Exact<T[Index]> }
      : T extends readonly (infer Item)[]
        ? ExactList<Item>
        : T extends object
          ? { [Name in keyof T]: Exact<T[Name]> }
          : T;

/** A list as `exact` reading gives it. It is an interface, so that a list of lists of itself is no endless type. */
export interface ExactList<Item> extends Array<Exact<Item>> {}

/** A type together with members that its schema does not name, which documents may have and which are kept. */
export type WithExtras<T> = T & { [name: string]: unknown };

/** The same value, seen together with the members that its schema does not name. */
export function withExtras<T extends object>(value: T): WithExtras<T> {
  return value as WithExtras<T>;
}

/** The tag of a variant that the schema does not know. It is any text but the known tags. */
export declare enum UnknownTag {
  _ = "\u0000unknown",
}

/** A text as the discriminator of an unknown variant, to write one. */
export function unknownTagOf(tag: string): UnknownTag {
  return tag as UnknownTag;
}

/** Reads a document of one type: JSON text, as a string or in UTF-8. */
export interface Parser<T> {
  /** @throws Rejection for text that is not JSON, and for a document that the schema does not allow */
  (text: string | Uint8Array, options: ReadOptions & { readonly numbers: "exact" }): Exact<T>;
  /** @throws Rejection for text that is not JSON, and for a document that the schema does not allow */
  (text: string | Uint8Array, options?: ReadOptions): T;
}

/** Writes a document of one type as compact JSON text. Nothing is added and nothing left out. */
export interface Writer<T> {
  /** @throws Rejection for what the reader would reject, and for what JSON does not have */
  (value: T): string;
  /** @throws Rejection for what the reader would reject, and for what JSON does not have */
  (value: Exact<T>): string;
}

/**
 * Checks a value that is there already, and gives back the same value: all that the schema names. It is also a schema of Standard Schema, and can be
 * handed to whatever takes one.
 */
export interface Validator<T> extends StandardSchema<T> {
  /** @throws Rejection for a value that the schema does not allow */
  (value: unknown): T;
}

/** A parser for the type that a check is of. */
export function parser<T>(check: Check): Parser<T> {
  const parse = (text: string | Uint8Array, options?: ReadOptions) => rejecting(() => readAs(text, check, options));
  return parse as Parser<T>;
}

/** Reads JSON text of any kind, with the care of a parser: a member name that is there twice is rejected. */
export const parseJson: Parser<unknown> = /* @__PURE__ */ parser(anything);

/** Reads a document in which a check finds nothing. Throws a `Fault`. */
export function readAs(text: string | Uint8Array, check: Check, options?: ReadOptions): unknown {
  const { value, hasUnpaired } = readDocument(text, options);
  beginDocument();
  const found = hasUnpaired ? judgeUnpaired(value, check) : check(value);
  if (found !== undefined) throw found;
  return value;
}

/** What a function gives; a fault that it throws becomes the rejection that users see. */
export function rejecting<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Fault ? new Rejection(error) : error;
  }
}

/** A writer for the type that a check is of. */
export function writer<T>(check: Check): Writer<T> {
  return (value: unknown) => {
    const found = judge(value, check) ?? lossIn(value, 0);
    if (found !== undefined) throw new Rejection(found);
    const text = textOf(value);
    // An unpaired surrogate is written as an escape, and few texts hold the like: the reader knows where it may be.
    if (text.includes("\\ud")) rejecting(() => readAs(text, check));
    return text;
  };
}

/** A validator for the type that a check is of. */
export function validator<T>(check: Check): Validator<T> {
  const validate = (value: unknown): T => {
    const found = judge(value, check);
    if (found !== undefined) throw new Rejection(found);
    return value as T;
  };
  const standard = (value: unknown): StandardResult<T> => {
    const found = judge(value, check);
    return found === undefined ? { value: value as T } : { issues: [issue(found)] };
  };
  return Object.assign(validate, { "~standard": { version: 1, vendor: "chatstate", validate: standard } as const });
}

function issue(found: Fault): { message: string; path: PropertyKey[] } {
  return { message: found.reason, path: found.segments() };
}

/** What is wrong with a value that a program made. */
function judge(value: unknown, check: Check): Found {
  if (value === undefined) return new Fault("schema", "type", "must be a value of JSON, but is undefined");
  beginDocument();
  try {
    return check(value);
  } catch (error) {
    // The stack is full: the value is very deep, or holds itself.
    if (error instanceof RangeError) return tooDeep();
    throw error;
  }
}

/**
 * What is wrong with a document in which texts begin or end with an unpaired surrogate. Only the schema knows where
 * they are allowed, so a copy is judged in which they are no texts, but marks that say whether they were allowed.
 */
function judgeUnpaired(value: unknown, check: Check): Found {
  const marks: SplitMark[] = [];
  const found = check(marked(value, [], marks));
  if (found !== undefined) return found;
  const stray = marks.find((mark) => !mark.allowed);
  if (stray === undefined) return undefined;
  const fault = unpaired();
  fault.path.push(...[...stray.path].reverse());
  return fault;
}

function marked(value: unknown, path: readonly (string | number)[], marks: SplitMark[]): unknown {
  if (typeof value === "string" && holdsUnpaired(value)) {
    const mark = new SplitMark(path);
    marks.push(mark);
    return mark;
  }
  if (typeof value !== "object" || value === null || value instanceof Scalar) return value;
  if (Array.isArray(value)) return value.map((item, index) => marked(item, [...path, index], marks));
  const copy = {};
  for (const [name, member] of Object.entries(value as Members)) {
    const copied = marked(member, [...path, name], marks);
    Object.defineProperty(copy, name, { value: copied, enumerable: true });
  }
  return copy;
}

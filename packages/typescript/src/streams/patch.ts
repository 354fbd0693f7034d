// JSON Patch (RFC 6902) on values that others may hold too: all operations or none.

import { isKnownPatchOperation } from "../generated/index.js";
import { isObject } from "../runtime/check.js";
import type { JsonPatch, PatchOperation } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { Scalar } from "../runtime/numbers.js";
import { MAX_DEPTH } from "../runtime/reader.js";
import { Fault } from "../runtime/rejection.js";
import { encodeUtf8 } from "../runtime/text.js";
import { stringify } from "../runtime/writer.js";
import { sameValue, setMember, type Own } from "./values.js";

/**
 * The longest compact text, in bytes, that a document may have after a `copy`, and that the `copy` operations of a run
 * may copy.
 */
const MAX_COPY = 64 * 1024 * 1024;

/** How deep a patched document may be nested: an activity stands three levels down in a `MESSAGES_SNAPSHOT`. */
const MAX_PATCHED_DEPTH = MAX_DEPTH - 3;

/** Why a patch does not apply. */
export interface PatchFailure {
  /** The number of the operation that fails. */
  readonly operation: number;
  readonly reason: string;
}

/** Why an operation does not apply; only `Patched` sees it. */
class DoesNotApply {
  constructor(readonly reason: string) {}
}

/** A place in a document that an operation changed, and what was there before; nothing where there was no value. */
interface Change {
  readonly path: readonly string[];
  /** The place of an item that was added at the end of an array, which its path does not tell. */
  readonly added: number | undefined;
  readonly before: unknown;
  /** Whether the operation made the place, took it away, or gave it another value. */
  readonly kind: "made" | "taken" | "replaced";
}

/** An object or an array, which may be changed. */
type Container = Record<string, unknown> | unknown[];

/** A value that patches change. Of what it shares with others only what a patch changes is copied, and only once. */
export class Patched {
  #changes: Change[] = [];
  /** At most how long the text of the value is. Unknown until a `copy` makes it matter. */
  #bound: number | undefined;
  readonly #own: Own;

  /**
   * @param value the value at first
   * @param own what of it nobody else holds
   * @param copied how many bytes of compact text this run has copied, whether its patches applied or not
   */
  constructor(
    public value: unknown,
    own: Own,
    public copied = 0,
  ) {
    this.#own = own;
  }

  /** From now on the value may be shared. */
  share(): void {
    this.#own.share();
  }

  /** Applies a patch; tells why not if an operation fails, and then nothing has changed. Throws a `Fault` at the limit. */
  apply(patch: JsonPatch): PatchFailure | undefined {
    let operation = 0;
    try {
      for (; operation < patch.length; operation += 1) this.#step(patch[operation] as PatchOperation);
      return undefined;
    } catch (error) {
      for (const change of this.#changes.reverse()) this.#takeBack(change);
      if (error instanceof DoesNotApply) return { operation, reason: error.reason };
      throw error;
    } finally {
      this.#changes = [];
    }
  }

  #step(operation: PatchOperation): void {
    switch (operation.op) {
      case "add":
        this.#expect(operation.path, this.#sizeIfBound(operation.value));
        return this.#insert(operation.path, operation.value);
      case "replace":
        this.#expect(operation.path, this.#sizeIfBound(operation.value));
        return this.#replace(operation.path, operation.value);
      case "remove":
        this.#take(operation.path);
        return;
      case "move":
        if (operation.path.startsWith(`${operation.from}/`)) {
          throw new DoesNotApply(`\`${operation.from}\` cannot move into itself`);
        }
        this.#expect(operation.path, 0);
        return this.#insert(operation.path, this.#take(operation.from));
      case "copy":
        return this.#copy(operation.from, operation.path);
      case "test":
        if (sameValue(this.#existing(operation.path), operation.value)) return;
        throw new DoesNotApply(`the value at \`${operation.path}\` is not the tested one`);
      default:
        // What a newer version means by it is not known here; the rest of the patch holds all the same.
        return;
    }
  }

  #copy(from: string, path: string): void {
    const value = this.#existing(from);
    const size = sizeOf(value);
    this.copied += size;
    if (this.copied > MAX_COPY) throw tooLong("the patches of this run copy more");
    this.#expect(path, size);
    // What was one value is at two places from now on, and a change of one must not show at the other.
    this.#own.share();
    this.#insert(path, value);
    if (this.#bound === undefined || this.#bound > MAX_COPY) this.#bound = sizeOf(this.value);
    if (this.#bound > MAX_COPY) throw tooLong("a `copy` makes the document longer");
  }

  /** Notes what an operation may add to the text: a character of a name takes six bytes at most. */
  #expect(path: string, size: number): void {
    if (this.#bound !== undefined) this.#bound += size + 6 * path.length + 4;
  }

  /** The size of a value, which only a bound needs. */
  #sizeIfBound(value: unknown): number {
    return this.#bound === undefined ? 0 : sizeOf(value);
  }

  #existing(pointer: string): unknown {
    let value = this.value;
    for (const segment of segmentsOf(pointer)) value = memberOf(value, segment);
    if (value === undefined) throw nothingAt(pointer);
    return value;
  }

  /** `add`: a new member or item, or another value for a member that exists. */
  #insert(pointer: string, value: unknown): void {
    const path = segmentsOf(pointer);
    fits(path, value);
    const name = path.at(-1);
    if (name === undefined) return this.#replaceRoot(value);
    const container = this.#container(path, pointer);
    if (Array.isArray(container)) {
      const index = name === "-" ? container.length : indexOf(name);
      if (index === undefined || index > container.length) {
        throw new DoesNotApply(`\`${pointer}\` is no place in an array of ${container.length} item(s)`);
      }
      if (index === container.length) container.push(value);
      else container.splice(index, 0, value);
      this.#changes.push({ path, added: index, before: undefined, kind: "made" });
    } else {
      const isNew = !Object.hasOwn(container, name);
      const before = isNew ? undefined : container[name];
      this.#changes.push({ path, added: undefined, before, kind: isNew ? "made" : "replaced" });
      setMember(container, name, value);
    }
  }

  /** `replace`: another value for a place that exists. */
  #replace(pointer: string, value: unknown): void {
    const path = segmentsOf(pointer);
    fits(path, value);
    const name = path.at(-1);
    if (name === undefined) return this.#replaceRoot(value);
    const container = this.#container(path, pointer);
    const before = memberOf(container, name);
    if (before === undefined) throw nothingAt(pointer);
    this.#changes.push({ path, added: undefined, before, kind: "replaced" });
    setMember(container, name, value);
  }

  #replaceRoot(value: unknown): void {
    this.#changes.push({ path: [], added: undefined, before: this.value, kind: "replaced" });
    this.value = value;
  }

  /** `remove`, and the first half of `move`. */
  #take(pointer: string): unknown {
    const path = segmentsOf(pointer);
    const name = path.at(-1);
    if (name === undefined) throw new DoesNotApply("the whole document cannot be removed");
    const container = this.#container(path, pointer);
    const before = memberOf(container, name);
    if (before === undefined) throw nothingAt(pointer);
    detach(container, name);
    this.#changes.push({ path, added: undefined, before, kind: "taken" });
    return before;
  }

  /** Undoes a change; the place exists, because later changes are undone before. */
  #takeBack({ path, added, before, kind }: Change): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.value = before;
      return;
    }
    const container = this.#container(path, "");
    if (kind === "made") detach(container, added === undefined ? name : String(added));
    else if (kind === "taken" && Array.isArray(container)) container.splice(Number(name), 0, before);
    else setMember(container, name, before);
  }

  /** The object or array that holds the end of a path, to be changed: what is shared on the way is copied. */
  #container(path: readonly string[], pointer: string): Container {
    let container = this.#changeable(this.value, pointer);
    this.value = container;
    for (let at = 0; at < path.length - 1; at += 1) {
      const segment = path[at] as string;
      const before = memberOf(container, segment);
      const inner = this.#changeable(before, pointer);
      if (inner !== before) setMember(container, segment, inner);
      container = inner;
    }
    return container;
  }

  #changeable(value: unknown, pointer: string): Container {
    if (value === undefined) throw new DoesNotApply(`there is nothing that could hold \`${pointer}\``);
    if (!Array.isArray(value) && !isObject(value)) {
      throw new DoesNotApply(`the value that holds \`${pointer}\` is neither an object nor an array`);
    }
    if (this.#own.has(value)) return value as Container;
    return this.#own.add(Array.isArray(value) ? [...(value as unknown[])] : { ...value });
  }
}

/** Whether this version knows all operations of a patch. */
export function isKnownPatch(patch: JsonPatch): boolean {
  return patch.every(isKnownPatchOperation);
}

/** The rejection of a `copy` beyond a limit. */
function tooLong(what: string): Fault {
  const mebibytes = MAX_COPY / (1024 * 1024);
  const reason = `${what} than ${mebibytes} MiB; send the value with \`add\` instead`;
  return new Fault("limit", "patch-copy", reason);
}

function nothingAt(pointer: string): DoesNotApply {
  return new DoesNotApply(`there is nothing at \`${pointer}\``);
}

function sizeOf(value: unknown): number {
  return encodeUtf8(stringify(value)).length;
}

/** Rejects nesting deeper than documents may have. */
function fits(path: readonly string[], value: unknown): void {
  if (path.length + depthOf(value) > MAX_PATCHED_DEPTH) {
    throw new DoesNotApply(`the document would be nested deeper than ${MAX_PATCHED_DEPTH} levels`);
  }
}

export function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof Scalar) return 0;
  let most = 0;
  if (Array.isArray(value)) for (const item of value) most = Math.max(most, depthOf(item));
  else for (const name of Object.keys(value)) most = Math.max(most, depthOf((value as Members)[name]));
  return most + 1;
}

/** The segments of a pointer, unescaped; the schema has checked its form. */
function segmentsOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  const segments = pointer.slice(1).split("/");
  return pointer.includes("~") ? segments.map(unescaped) : segments;
}

function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** An array index as RFC 6901 writes it: digits without a leading zero. */
function indexOf(segment: string): number | undefined {
  const { length } = segment;
  if (length === 0 || length > 16 || (length > 1 && segment.charCodeAt(0) === 0x30)) return undefined;
  let index = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = segment.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    index = 10 * index + digit;
  }
  return index;
}

function memberOf(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) {
    const index = indexOf(segment);
    return index === undefined ? undefined : (value[index] as unknown);
  }
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

function detach(container: Container, name: string): void {
  if (!Array.isArray(container)) delete container[name];
  else if (name === "0") container.shift();
  else container.splice(Number(name), 1);
}

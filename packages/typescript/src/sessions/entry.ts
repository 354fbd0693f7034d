// One entry of a state bag: the value of a document until it is read as a type.

import { isObject } from "../runtime/check.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { sameValue, setMember } from "../streams/values.js";
import { merged } from "./merge.js";

/** A type that an entry of a state bag can be read as. It need not know every member of what it reads. */
export interface StateType<T> {
  /** What messages call the type. For a state of one of several kinds it is its `$type`. */
  readonly name: string;
  /** The value as this type, which the caller may change; what is thrown says why the value is none. */
  read(value: unknown): T;
  /** The members that the type knows, as a value of JSON. Without it, the state is such a value itself. */
  write?(state: T): unknown;
}

/** A value of a caller's type, and what it gave back when it was read; nothing for what a caller has set. */
interface Reading {
  readonly type: StateType<unknown>;
  readonly state: unknown;
  readonly before: unknown;
}

/** What an entry is as long as something else says what it is: the state of a store that is attached. */
export interface Linked {
  /** The state as a type. */
  get<T>(type: StateType<T>): T;
  /** The state as a value. */
  readonly value: unknown;
}

/** What an entry is linked to, and the value that it had then; nothing for what merges into its own value by itself. */
interface Link {
  readonly linked: () => Linked;
  readonly before: unknown;
}

/** Once an entry is read as a type, it holds the value of that type, which is what later reads give and what is written. */
export class Entry {
  private constructor(
    /** What the document has; nothing for what a caller has set as a type. */
    private readonly origin: unknown,
    private reading: Reading | undefined,
    private readonly link?: Link,
  ) {}

  /** An entry that was not read yet. */
  static ofValue(value: unknown): Entry {
    return new Entry(value, undefined);
  }

  /** An entry that a caller sets. */
  static ofState<T>(state: T, type: StateType<T>): Entry {
    return new Entry(undefined, { type: type as StateType<unknown>, state, before: undefined });
  }

  /** An entry that is what something else says, at any time. */
  static ofLinked(linked: () => Linked): Entry {
    return new Entry(undefined, undefined, { linked, before: undefined });
  }

  /** An entry that stays as it is until something else, of which it may know only a part, says another thing than now. */
  static ofValueLinked(value: unknown, linked: () => Linked): Entry {
    return new Entry(value, undefined, { linked, before: copyOf(linked().value) });
  }

  get isNull(): boolean {
    return this.reading === undefined && this.link === undefined && this.origin === null;
  }

  /**
   * Reads the entry as a type without using it as one, so that it stays as it is.
   *
   * @throws Rejection as `read` does
   */
  check<T>(type: StateType<T>): void {
    // A type may change what it is given to read.
    if (this.reading === undefined && this.link === undefined) readAs(type, copyOf(this.origin));
    else this.read(type);
  }

  /**
   * The entry as a type, read now or before; the entry is not null.
   *
   * @throws Rejection of class `schema` for a value that is none of the type, and of class `semantic` for an entry that is
   *   in use as another type
   */
  read<T>(type: StateType<T>): T {
    if (this.link !== undefined) return this.link.linked().get(type);
    if (this.reading === undefined) {
      const state = readAs(type, copyOf(this.origin));
      this.reading = { type: type as StateType<unknown>, state, before: copyOf(written(type, state)) };
    }
    const { reading } = this;
    if (reading.type.name === type.name) return reading.state as T;
    const reason =
      `the entry is in use as \`${reading.type.name}\` and cannot be read as \`${type.name}\`; ` +
      "give the two different keys";
    throw new Rejection(new Fault("semantic", "session.other-type", reason));
  }

  /** The entry as a value: what the document has, unless a type has changed it. */
  get value(): unknown {
    if (this.link !== undefined) return this.withChanges(this.link.before, this.link.linked().value);
    if (this.reading === undefined) return this.origin;
    const { type, state, before } = this.reading;
    return this.withChanges(before, written(type, state));
  }

  private withChanges(before: unknown, after: unknown): unknown {
    if (before === undefined) return after;
    return sameValue(before, after) ? this.origin : merged(this.origin, before, after);
  }
}

function written<T>(type: StateType<T>, state: T): unknown {
  return type.write === undefined ? state : type.write(state);
}

/** A copy for later comparison: the state itself is changed in place. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy = {};
  for (const name of Object.keys(value)) setMember(copy, name, copyOf(value[name]));
  return copy;
}

/** A value as a type. Whatever the type throws is why the value is none. */
function readAs<T>(type: StateType<T>, value: unknown): T {
  try {
    return type.read(value);
  } catch (error) {
    if (!(error instanceof Rejection)) {
      throw new Rejection(new Fault("schema", "type", `the entry is no \`${type.name}\`: ${String(error)}`), {
        cause: error,
      });
    }
    throw new Rejection(error.fault(error.class, error.rule, `the entry is no \`${type.name}\`: ${error.reason}`));
  }
}

/** The kind of rule that a rejected document breaks. */
export type RejectionClass = "syntax" | "limit" | "version" | "schema" | "semantic" | "sequence" | "restore";

/** What is wrong with a value, and where, before it is reported. */
export class Fault {
  /** The way to the value, from the inside out. */
  readonly path: (string | number)[] = [];

  constructor(
    readonly kind: RejectionClass,
    readonly rule: string,
    readonly reason: string,
  ) {}

  /** The same fault, seen from the object or array that holds the value under `segment`. */
  within(segment: string | number): this {
    this.path.push(segment);
    return this;
  }

  /** The same fault, seen from what holds the value at the end of these steps. */
  from(segments: readonly (string | number)[]): this {
    this.path.push(...[...segments].reverse());
    return this;
  }

  /** The way to the value, from the outside in. */
  segments(): (string | number)[] {
    return [...this.path].reverse();
  }
}

/** A fault, or `undefined` where there is none. */
export type Found = Fault | undefined;

/** A rejected document: the class, the place, the rule that it breaks, and a sentence for people. */
export class Rejection extends Error {
  override readonly name = "Rejection";
  /** The kind of rule that is broken. */
  readonly class: RejectionClass;
  /** JSON Pointer to the offending value; a missing member is named itself. */
  readonly at: string;
  /** The rule: a keyword of JSON Schema for class `schema`, else the name of what is asked. */
  readonly rule: string;
  /** The message without the place. */
  readonly reason: string;

  constructor(fault: Fault, options?: { cause?: unknown }) {
    const at = pointer(fault.segments());
    super(at === "" ? fault.reason : `${fault.reason}, at \`${at}\``, options);
    this.class = fault.kind;
    this.at = at;
    this.rule = fault.rule;
    this.reason = fault.reason;
  }

  /** The same rejection, seen from what holds the rejected value under these steps. */
  within(...segments: readonly (string | number)[]): Rejection {
    return new Rejection(this.fault(this.class, this.rule, this.reason).from(segments), { cause: this.cause });
  }

  /** A fault of another kind in the same place. */
  fault(kind: RejectionClass, rule: string, reason: string): Fault {
    return new Fault(kind, rule, reason).from(segmentsOf(this.at));
  }
}

/** A JSON Pointer (RFC 6901) of the given steps. */
export function pointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The steps of a JSON Pointer. */
function segmentsOf(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

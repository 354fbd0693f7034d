/** Why an event is not allowed in its place. */
export interface Violation {
  /** The rule, such as `text.not-open`. */
  readonly rule: string;
  readonly message: string;
  /** The index of the other event involved, if there is one. */
  readonly other: number | undefined;
  /** JSON Pointer from the event to what is wrong; the whole event without it. */
  readonly place?: string;
}

/** A violation of a rule. */
export function violation(rule: string, message: string, other?: number): Violation {
  return { rule, message, other };
}

// Unpaired surrogates at the ends of texts that are still open.

import type { ItemKind } from "../generated/events.js";
import { violation, type Violation } from "./violation.js";

/** Whether a text begins with an unpaired low surrogate. */
export function beginsWithLowSurrogate(text: string): boolean {
  return (text.charCodeAt(0) & 0xfc00) === 0xdc00;
}

/** Whether a text ends with an unpaired high surrogate. */
export function endsWithHighSurrogate(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}

/** Whether a text begins and ends with an unpaired surrogate. To look at a long text that was joined would take it together. */
export interface TextEnds {
  readonly beginsWithLowSurrogate: boolean;
  readonly endsWithHighSurrogate: boolean;
}

/** The open texts that end in an unpaired surrogate, which hardly any does. */
export class PendingSurrogates {
  /** The index of the event that had the surrogate. */
  readonly open: Map<string, number>;

  constructor(copied?: PendingSurrogates) {
    this.open = new Map(copied && copied.open);
  }

  /**
   * Takes what is appended to a text. It must begin with an unpaired low surrogate exactly if the text ends with a high
   * one.
   */
  append(index: number, kind: ItemKind, id: string, delta: string): Violation | undefined {
    const leading = beginsWithLowSurrogate(delta);
    const trailing = endsWithHighSurrogate(delta);
    if (delta === "" || (!leading && !trailing && this.open.size === 0)) return undefined;
    const key = keyOf(kind, id);
    const before = this.open.get(key);
    this.open.delete(key);
    if ((before !== undefined) !== leading) return unpaired(before);
    if (trailing) this.open.set(key, index);
    return undefined;
  }

  /** Rejects the end of a text that ends with an unpaired surrogate. */
  end(kind: ItemKind, id: string): Violation | undefined {
    if (this.open.size === 0) return undefined;
    const key = keyOf(kind, id);
    const before = this.open.get(key);
    this.open.delete(key);
    return before === undefined ? undefined : unpaired(before);
  }

  /** Discards all, as the end of a run and a `MESSAGES_SNAPSHOT` do. */
  clear(): void {
    if (this.open.size > 0) this.open.clear();
  }
}

/** A text and a reasoning message of one id write to the same message. */
function keyOf(kind: ItemKind, id: string): string {
  return kind === "tool-call" ? `call ${id}` : `message ${id}`;
}

function unpaired(other: number | undefined): Violation {
  return violation("text.unpaired-surrogate", "the text holds an unpaired surrogate that nothing completes", other);
}

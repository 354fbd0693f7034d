// The state of a path of runs.
//
// A run takes the state of its predecessor along and changes it in place. The predecessor keeps what its events did to the
// state, so that a second run that goes on from it finds it again.

import { isKnownPatchOperation } from "../generated/index.js";
import type { JsonPatch } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { Patched } from "./patch.js";
import { Own } from "./values.js";

/** Why the state is not here: a later run has it, or nobody asks for it. */
type Absence = "moved on" | "left out";

/** The state, and how it came about since the run began. */
export class SharedState {
  #held: Patched | Absence = new Patched({}, new Own());
  /** The last value that was said whole; without one, the state goes on from that of the predecessor. */
  #whole: { readonly value: unknown } | undefined;
  /** The patches since then. */
  #patches: JsonPatch[] = [];
  /** Whether all operations since the state was last said whole were known. */
  isKnown = true;

  /** A state that nobody asks for. */
  static leftOut(): SharedState {
    const state = new SharedState();
    state.#held = "left out";
    return state;
  }

  get isLeftOut(): boolean {
    return this.#held === "left out";
  }

  get hasMovedOn(): boolean {
    return this.#held === "moved on";
  }

  /** Whether the events of the run said the state whole. */
  get saysWhole(): boolean {
    return this.#whole !== undefined;
  }

  /** The state, which may be changed in place later. */
  get value(): unknown {
    return this.#held instanceof Patched ? this.#held.value : null;
  }

  /** The state, which is the caller's too from now on. */
  share(): unknown {
    if (this.#held instanceof Patched) this.#held.share();
    return this.value;
  }

  /** The state is another value from now on. */
  set(value: unknown): void {
    this.isKnown = true;
    if (this.isLeftOut) return;
    this.#whole = { value };
    this.#patches = [];
    this.#held = new Patched(value, new Own());
  }

  /** Applies a patch; tells why not. Throws a `Fault` at a limit. */
  patch(patch: JsonPatch): string | undefined {
    if (!isKnownPatch(patch)) this.isKnown = false;
    if (!(this.#held instanceof Patched)) return undefined;
    this.#patches.push(patch);
    return this.#held.apply(patch);
  }

  /** Gives the state away to the first run that goes on from here. */
  moveOn(): SharedState {
    const next = new SharedState();
    next.#held = this.#held;
    next.isKnown = this.isKnown;
    if (!this.isLeftOut) this.#held = "moved on";
    return next;
  }

  /** Works the state out again that was given away. */
  recall(before: SharedState | undefined): void {
    const value = this.#whole ?? { value: before === undefined ? {} : before.share() };
    const state = new Patched(value.value, new Own());
    for (const patch of this.#patches) applyAgain(state, patch);
    this.#held = state;
  }
}

/** A patch that did not apply then does not apply now. */
function applyAgain(state: Patched, patch: JsonPatch): void {
  try {
    state.apply(patch);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** Whether this version knows all operations of a patch. */
export function isKnownPatch(patch: JsonPatch): boolean {
  return patch.every(isKnownPatchOperation);
}

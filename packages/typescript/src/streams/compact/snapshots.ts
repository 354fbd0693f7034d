// Level `snapshot`: finished runs as their results.
//
// The runs come in their `stream` form. Snapshots are only in finished runs, just before the terminal event; a run that
// is not over keeps its `stream` form.

import type { Event } from "../../generated/types.js";
import type { Ends } from "../checkpoints.js";
import type { Conversation } from "../reducer.js";
import { asItIs, saidAnew, type FinishedRun } from "./form.js";
import { tips } from "./tips.js";

/** Which finished runs are retained: the ends of the branches, or all. */
export type Retain = "tips" | "runs";

/** Puts snapshots in the place of finished runs. */
export class Snapshots {
  readonly #retain: Retain;
  /** Whether the beginning of the thread is elsewhere, so that it is not known what all messages are. */
  readonly #isPartial: boolean;
  /** What is before the first run, while it is held back. */
  readonly #before: Event[] = [];
  /** The finished runs, while they are held back. */
  readonly #runs: FinishedRun[] = [];

  constructor(retain: Retain, isPartial: boolean) {
    this.#retain = retain;
    this.#isPartial = isPartial;
  }

  /** Takes a finished run with what its path says at its end, and gives what is settled by it. */
  take(run: FinishedRun, end: Conversation): Event[] {
    if (this.#retain === "runs") return this.#isPartial ? asItIs(run) : saidAnew(run, end);
    this.#runs.push(run);
    return [];
  }

  /** Takes an event outside of runs. What comes after a run has finished stays behind that run. */
  takeOutside(event: Event): Event[] {
    if (this.#retain === "runs") return [event];
    (this.#runs.at(-1)?.after ?? this.#before).push(event);
    return [];
  }

  /** Gives what was held back. The predecessor of a run that is not over is retained. */
  finish(ends: Ends, retained: number | undefined): Event[] {
    return this.#retain === "runs" ? [] : [...this.#before, ...tips(this.#runs, this.#isPartial, ends, retained)];
  }
}

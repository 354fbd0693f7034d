// What the log means at the ends of its runs.

import type { Event } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import { Fault } from "../../runtime/rejection.js";
import { Runs } from "../lineage.js";
import { Reducer } from "../reducer.js";
import { isRemoved } from "../replay.js";

/**
 * The finished runs, and what the log means at the end of each run from which the next may go on.
 *
 * A run takes what its predecessor left behind, so a log without branches is replayed once. Where a second run goes on from
 * a run, that end is replayed again and kept.
 */
export class Standings {
  readonly lineage = new Runs();
  /** The events of each run. */
  readonly events: Event[][] = [];
  /** Whether a run goes on from it. */
  readonly #followed: boolean[] = [];
  /** The ends of runs from which none or several go on. Nothing is known of a run that goes on from a removed one. */
  readonly #ends = new Map<number, Reducer | undefined>();

  /** Takes the next run and works out what it leaves behind. */
  take(run: Event[]): void {
    const before = this.before(run);
    this.put(run, before && applied(before, run));
  }

  /** What a run goes on from, for the caller to change; it is the next to be put. */
  before(run: readonly Event[]): Reducer | undefined {
    const place = this.events.length;
    this.begin(run[0]);
    const predecessor = this.predecessor(place);
    if (predecessor === undefined) return new Reducer();
    if (this.#followed[predecessor] === true) {
      const end = this.end(predecessor);
      return end === undefined || this.isRemoved(predecessor) ? undefined : new Reducer(end);
    }
    this.#followed[predecessor] = true;
    const before = this.#ends.get(predecessor);
    this.#ends.delete(predecessor);
    return this.isRemoved(predecessor) && !restates(run) ? undefined : before;
  }

  /** Puts the events of the run that was asked about, and what it leaves behind. */
  put(run: Event[], after: Reducer | undefined): void {
    this.#ends.set(this.events.length, after);
    this.#followed.push(false);
    this.events.push(run);
  }

  /** The messages at the end of the last run. */
  messages(): Members[] | undefined {
    return this.#ends.get(this.events.length - 1)?.messages;
  }

  /** Notes the beginning of the next run. */
  begin(start: Event | undefined): void {
    if (start?.type === "RUN_STARTED") this.lineage.push(this.events.length, start);
  }

  predecessor(place: number): number | undefined {
    return this.lineage.rows[place]?.predecessor;
  }

  /** Whether of a run only the frame is there. */
  isRemoved(place: number): boolean {
    return isRemoved(this.events[place]?.[0]);
  }

  /** The events of a run. */
  run(place: number): Event[] {
    return this.events[place] ?? [];
  }

  /** What the log means at the end of a run, which is kept from now on and must not be changed. */
  end(place: number): Reducer | undefined {
    if (!this.#ends.has(place)) this.#ends.set(place, this.#replayed(place));
    return this.#ends.get(place);
  }

  /** What the log means at the end of a run, from the latest end on its path that is known. */
  #replayed(place: number): Reducer | undefined {
    const path = [place];
    let standing: Reducer | undefined = new Reducer();
    let before = this.predecessor(place);
    while (before !== undefined && !this.#ends.has(before)) {
      path.push(before);
      before = this.predecessor(before);
    }
    if (before !== undefined) {
      const end = this.#ends.get(before);
      standing = end && new Reducer(end);
    }
    for (const run of path.reverse()) standing = standing && applied(standing, this.run(run));
    return standing;
  }
}

/** Whether a run says all messages anew. */
function restates(run: readonly Event[]): boolean {
  return isRemoved(run[0]) || run.some(({ type }) => type === "MESSAGES_SNAPSHOT");
}

/** The standing behind the events, to which it is changed; nothing if they cannot be replayed. */
export function applied(standing: Reducer, events: readonly Event[]): Reducer | undefined {
  try {
    for (const [index, event] of events.entries()) if (standing.apply(index, event) !== undefined) return undefined;
  } catch (error) {
    // A patch was beyond the limit.
    if (error instanceof Fault) return undefined;
    throw error;
  }
  standing.endRun();
  return standing;
}

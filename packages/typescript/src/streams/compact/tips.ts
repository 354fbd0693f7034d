// The ends of the branches, and what they need.

import type { Event } from "../../generated/types.js";
import type { Ends } from "../checkpoints.js";
import { Thread } from "../thread.js";
import { asItIs, frame, saidAnew, saidWhole, type FinishedRun } from "./form.js";

/** What becomes of a run: its frame stays, it stays as it is, or these events say what it holds. */
type Retention = "removed" | "kept" | readonly Event[];

/**
 * The events of all runs. Retained are the last run of every branch, every run where branches part, the run that an
 * unfinished one continues, and runs with events that the caller keeps.
 *
 * A retained run right after another one says what it adds to that. All others say the whole path, since runs before
 * them go; where snapshots cannot say it, the runs back to one that they can say are retained, too.
 */
export function tips(
  runs: readonly FinishedRun[],
  isPartial: boolean,
  ends: Ends,
  retained: number | undefined,
): Event[] {
  const decision = new Decision(runs, isPartial, ends);
  for (const place of wanted(runs, isPartial, retained)) decision.retain(place);
  const events: Event[] = [];
  for (const [place, run] of runs.entries()) {
    for (const event of decision.eventsOf(place)) events.push(event);
    for (const event of run.after) events.push(event);
  }
  return events;
}

/** The runs that are retained for their own sake. What was removed before stays so. */
function wanted(runs: readonly FinishedRun[], isPartial: boolean, retained: number | undefined): number[] {
  const followers = runs.map(() => 0);
  const follow = (place: number | undefined): void => {
    if (place !== undefined) followers[place] = (followers[place] ?? 0) + 1;
  };
  for (const { predecessor } of runs) follow(predecessor);
  follow(retained);
  const isWanted = (place: number): boolean => {
    const { run, isRemoved } = runs[place] as FinishedRun;
    const isEnd = followers[place] !== 1 || retained === place;
    return !isRemoved && (isPartial || isEnd || run.some(({ isKept }) => isKept));
  };
  return [...runs.keys()].filter(isWanted);
}

/** Decides about the runs, the earlier ones first, since a later one continues them. */
class Decision {
  readonly #retentions: Retention[];
  readonly #runs: readonly FinishedRun[];
  readonly #isPartial: boolean;
  readonly #ends: Ends;

  constructor(runs: readonly FinishedRun[], isPartial: boolean, ends: Ends) {
    this.#retentions = runs.map(() => "removed");
    this.#runs = runs;
    this.#isPartial = isPartial;
    this.#ends = ends;
  }

  /** The events of a run, once it is decided. */
  eventsOf(place: number): readonly Event[] {
    const retention = this.#retentions[place] as Retention;
    if (retention === "removed") return frame(this.#run(place).run);
    return retention === "kept" ? asItIs(this.#run(place)) : retention;
  }

  /**
   * Retains a run, and the runs before it that it needs.
   *
   * The first run of a chain after a retained one never says the whole path: that one may be retained for its sake or
   * for its own, and the run reads the same either way.
   */
  retain(place: number): void {
    const chain = this.#chainTo(place);
    const before = this.#run(chain[0] as number).predecessor;
    const base = before === undefined ? new Thread() : this.#ends.thread(before);
    const first = before === undefined ? 0 : 1;
    let rest = 0;
    for (let position = chain.length - 1; position >= first && rest === 0 && !this.#isPartial; position -= 1) {
      const last = chain[position] as number;
      const said = saidWhole(this.#run(last), this.#ends.at(last), base);
      if (said === undefined) continue;
      this.#retentions[last] = said;
      rest = position + 1;
    }
    for (const follower of chain.slice(rest)) this.#retentions[follower] = this.#asFollower(follower);
  }

  /** A run whose predecessor is retained, too. */
  #asFollower(place: number): Retention {
    const run = this.#run(place);
    if (run.isRemoved) return "removed";
    return this.#isPartial ? "kept" : saidAnew(run, this.#ends.at(place));
  }

  /** The run and those before it, the first one first, up to one that is retained already. */
  #chainTo(place: number): number[] {
    const chain = [place];
    let before = this.#run(place).predecessor;
    while (before !== undefined && this.#retentions[before] === "removed") {
      chain.push(before);
      before = this.#run(before).predecessor;
    }
    return chain.reverse();
  }

  #run(place: number): FinishedRun {
    return this.#runs[place] as FinishedRun;
  }
}

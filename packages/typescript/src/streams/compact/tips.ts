// The ends of the branches, and what they need.

import type { Event } from "../../generated/types.js";
import { sameMeaning } from "../likeness.js";
import { Reducer } from "../reducer.js";
import { removed, retained, type Form } from "./form.js";
import { applied, type Standings } from "./standings.js";

/** What becomes of a run: its frame stays, it is said by other events, or it stays as it is. */
type Fate = "removed" | "kept" | readonly Event[];

/**
 * The events of all runs: retained are the last run of every branch, every run where branches part, the run that an
 * unfinished one goes on from, and runs with events that the caller keeps.
 *
 * Where snapshots cannot say what a retained run holds, it keeps its `stream` form, and the run before it is retained too.
 */
export function tips(standings: Standings, form: Form, unfinished: readonly Event[]): Event[] {
  const finished = standings.lineage.rows.length;
  standings.begin(unfinished[0]);
  const decision = new Decision(standings, form, finished);
  for (const place of wanted(standings, form, finished)) decision.retain(place);
  const written = standings.events.flatMap((run, place) => {
    const fate = decision.fates[place] ?? "kept";
    if (fate === "removed") return removed(run);
    return fate === "kept" ? run : [...fate];
  });
  return [...written, ...unfinished];
}

/** The finished runs that are retained for their own sake. What was removed before stays so. */
function wanted(standings: Standings, form: Form, finished: number): number[] {
  const { rows } = standings.lineage;
  const followers = rows.map(() => 0);
  for (const { predecessor } of rows) {
    if (predecessor !== undefined) followers[predecessor] = (followers[predecessor] ?? 0) + 1;
  }
  const last = rows[finished]?.predecessor;
  const isWanted = (place: number): boolean => {
    if (standings.isRemoved(place)) return false;
    const isEnd = followers[place] !== 1 || last === place;
    return form.partial || isEnd || standings.run(place).some(form.keeps);
  };
  return [...rows.keys()].filter((place) => place < finished && isWanted(place));
}

/** Decides about the runs, the earlier ones first, since a later one goes on from them. */
class Decision {
  readonly fates: Fate[];
  readonly #standings: Standings;
  readonly #form: Form;

  constructor(standings: Standings, form: Form, finished: number) {
    this.#standings = standings;
    this.#form = form;
    this.fates = Array.from({ length: finished }, () => "removed");
  }

  /** Retains a run, and the runs before it that it needs. */
  retain(place: number): void {
    const chain = this.#chainTo(place);
    const base = this.#baseOf(chain);
    const standing = this.#standings.end(place);
    if (base === undefined || standing === undefined) return this.#keep(chain);
    const events = this.#atTheEnd(chain, place, new Reducer(base), standing);
    if (events !== undefined) {
      this.fates[place] = events;
      return;
    }
    const said = this.#beforeTheEnd(chain, base);
    if (said !== undefined) this.fates[chain[said.position] as number] = said.events;
    this.#keep(chain.slice(said === undefined ? 0 : said.position + 1));
  }

  /** The last run of the chain in snapshots behind the frames of the others. */
  #atTheEnd(
    chain: readonly number[],
    place: number,
    frames: Reducer,
    standing: Reducer,
  ): Event[] | undefined {
    let behind: Reducer | undefined = frames;
    for (const other of chain.slice(0, -1)) behind = behind && applied(behind, removed(this.#standings.run(other)));
    return behind && this.#inSnapshots(behind, this.#standings.run(place), standing);
  }

  /** The last run of the chain that snapshots can say, behind the frames of those before it, and its position. */
  #beforeTheEnd(
    chain: readonly number[],
    base: Reducer,
  ): { position: number; events: Event[] } | undefined {
    let frames: Reducer | undefined = new Reducer(base);
    let standing: Reducer | undefined = new Reducer(base);
    let said: { position: number; events: Event[] } | undefined;
    for (const [position, place] of chain.entries()) {
      const run = this.#standings.run(place);
      standing = applied(standing, run);
      if (standing === undefined) break;
      const events = this.#inSnapshots(frames, run, standing);
      if (events !== undefined) said = { position, events };
      frames = applied(frames, removed(run));
      if (frames === undefined) break;
    }
    return said;
  }

  /** The run and those before it, the first one first, up to one that is retained already. */
  #chainTo(place: number): number[] {
    const chain = [place];
    let before = this.#standings.predecessor(place);
    while (before !== undefined && this.fates[before] === "removed") {
      chain.push(before);
      before = this.#standings.predecessor(before);
    }
    return chain.reverse();
  }

  /** What the chain goes on from, if that is known. */
  #baseOf(chain: readonly number[]): Reducer | undefined {
    const before = this.#standings.predecessor(chain[0] as number);
    return before === undefined ? new Reducer() : this.#standings.end(before);
  }

  /** A run in snapshots, if behind frames of the runs before it they mean what it means. */
  #inSnapshots(frames: Reducer, run: readonly Event[], standing: Reducer): Event[] | undefined {
    const events = this.#form.partial ? undefined : retained(this.#form, run, standing);
    const end = events && applied(new Reducer(frames), events);
    const means = end && sameMeaning(end, standing);
    return means === true ? events : undefined;
  }

  #keep(chain: readonly number[]): void {
    for (const place of chain) if (!this.#standings.isRemoved(place)) this.fates[place] = "kept";
  }
}

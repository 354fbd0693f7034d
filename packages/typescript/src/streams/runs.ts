// The runs as they come, one after the other, and what is wrong with how they continue each other.

import type { Event, RunStartedEvent } from "../generated/types.js";
import { parentOf } from "./events.js";
import { leftOutBy } from "./marks.js";

/** Something that is wrong with the lineage. */
export interface Problem {
  readonly rule: string;
  /** Whether the log is rejected for it. */
  readonly isError: boolean;
  /** The index of the `RUN_STARTED` that is wrong. */
  readonly index: number;
  /** JSON Pointer from that event to what is wrong. */
  readonly place: string;
  /** The index of the other event involved. */
  readonly other: number | undefined;
  readonly message: string;
}

/** A run with the places of others. */
export interface Row {
  readonly runId: string;
  readonly parentRunId: string | undefined;
  /** The place of the run that it continues. */
  readonly predecessor: number | undefined;
  /** The index of its `RUN_STARTED`. */
  readonly index: number;
  /** Whether it names a parent that is left out by the prelude with which the log begins. */
  readonly continuesLeftOut: boolean;
}

/** The runs so far, in their order. */
export class Runs {
  readonly rows: Row[] = [];
  /** The latest run of each id. */
  readonly #byId = new Map<string, number>();
  /** The runs that the first run names as left out. */
  #leftOut: ReadonlySet<string> = new Set();

  /** The runs of a whole log. */
  static of(events: readonly Event[]): Runs {
    const runs = new Runs();
    for (const [index, event] of events.entries()) if (event.type === "RUN_STARTED") runs.push(index, event);
    return runs;
  }

  /** Adds the run that begins with the event of this index. */
  push(index: number, start: RunStartedEvent): void {
    const { runId } = start;
    const parentRunId = parentOf(start);
    const place = this.rows.length;
    const named = parentRunId === undefined || parentRunId === runId ? undefined : this.placeOf(parentRunId);
    const before = place === 0 ? undefined : place - 1;
    const continuesLeftOut = named === undefined && parentRunId !== undefined && this.#leftOut.has(parentRunId);
    if (place === 0) this.#leftOut = new Set(leftOutBy(start));
    this.rows.push({ runId, parentRunId, predecessor: named ?? before, index, continuesLeftOut });
    this.#byId.set(runId, place);
  }

  /** The run at this place, which is one. */
  row(place: number): Row {
    return this.rows[place] as Row;
  }

  /** The place of the run with this id; of several, the latest. */
  placeOf(runId: string): number | undefined {
    return this.#byId.get(runId);
  }

  /** The places of the runs from the first to the last, each the predecessor of the next. */
  path(): number[] {
    return this.rows.length === 0 ? [] : this.pathTo(this.rows.length - 1);
  }

  /** The places of the runs from the first to this one, each the predecessor of the next. */
  pathTo(place: number): number[] {
    const path = [];
    for (let next: number | undefined = place; next !== undefined; next = this.row(next).predecessor) path.push(next);
    return path.reverse();
  }

  /** The index of a run's first event, and that after its last. What is before the first run belongs to it. */
  rangeOf(place: number, length: number): [start: number, end: number] {
    return [place === 0 ? 0 : this.row(place).index, this.rows[place + 1]?.index ?? length];
  }
}

/** The runs of a log, and what is wrong with how they continue each other. */
export class LineageRules {
  readonly runs = new Runs();
  /** What was found wrong so far. */
  readonly problems: Problem[] = [];
  /** The runs that name a parent which has not been there yet, by the parent. */
  readonly #waiting = new Map<string, number[]>();

  /**
   * Adds the run that begins with the event of this index, and gives what is wrong now. A run that named this one before it
   * was there is wrong from now on.
   */
  push(index: number, event: RunStartedEvent): Problem[] {
    const { runId } = event;
    const parentRunId = parentOf(event);
    const { runs } = this;
    const place = runs.rows.length;
    const found = [];
    const earlier = runs.placeOf(runId);
    if (earlier !== undefined) found.push(reused(index, runs.row(earlier)));
    for (const waiting of this.#waiting.get(runId) ?? []) found.push(later(runs.row(waiting), index));
    this.#waiting.delete(runId);
    const isMissing = parentRunId !== undefined && runs.placeOf(parentRunId) === undefined;
    runs.push(index, event);
    if (parentRunId === runId) found.push(later(runs.row(place), index));
    else if (isMissing) this.#wait(parentRunId, place);
    for (const problem of found) this.problems.push(problem);
    return found;
  }

  #wait(parentRunId: string, place: number): void {
    const places = this.#waiting.get(parentRunId);
    if (places === undefined) this.#waiting.set(parentRunId, [place]);
    else places.push(place);
  }
}

/** The warnings for parents that the log does not hold, in the order of the log. */
export function parentsOutside(runs: Runs): Problem[] {
  const isOutside = ({ parentRunId }: Row): boolean =>
    parentRunId !== undefined && runs.placeOf(parentRunId) === undefined;
  return runs.rows.filter(isOutside).map(({ runId, parentRunId, index }) => ({
    rule: "lineage.parent-outside",
    isError: false,
    index,
    place: "/parentRunId",
    other: undefined,
    message:
      `the parent \`${parentRunId}\` of run \`${runId}\` is not in the log, ` +
      "so the run continues the run before it",
  }));
}

function reused(index: number, earlier: Row): Problem {
  return {
    rule: "lineage.run-reused",
    isError: true,
    index,
    place: "/runId",
    other: earlier.index,
    message: `the log already holds a run \`${earlier.runId}\``,
  };
}

/** A run names itself, or a run that begins later, as its parent. */
function later({ runId, parentRunId, index }: Row, other: number): Problem {
  const what = index === other ? "itself" : "the later run";
  return {
    rule: "lineage.self-or-later",
    isError: true,
    index,
    place: "/parentRunId",
    other: index === other ? undefined : other,
    message: `run \`${runId}\` names ${what} \`${parentRunId}\` as its parent`,
  };
}

/** The run that the last one continues. */
export function predecessorOf({ rows }: Runs): number | undefined {
  return rows.at(-1)?.predecessor;
}

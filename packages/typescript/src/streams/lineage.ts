// How the runs of a log go on from each other.

import { rejecting } from "../runtime/document.js";
import type { Event, RunStartedEvent } from "../generated/types.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { remarksOf } from "./remarks.js";

/** The runs of a log, with what each goes on from. */
export interface Lineage {
  /** The runs in the order of the log. */
  readonly runs: readonly LineageRun[];
  /** The ids of the runs from which no run goes on, in the order of the log. */
  readonly tips: readonly string[];
  /** What is wrong, in the order of the log. */
  readonly problems: readonly LineageProblem[];
}

/** One run of a log. */
export interface LineageRun {
  readonly runId: string;
  /** The run that it goes on from; null for the first one. */
  readonly predecessor: string | null;
  /** The run that it names as its parent, whether or not that is in the log. */
  readonly parentRunId?: string;
}

/** Something about the lineage that is wrong or suspicious. */
export interface LineageProblem {
  /** The rule, such as `lineage.run-reused`. */
  readonly rule: string;
  /** JSON Pointer from the log to what is wrong. */
  readonly at: string;
  readonly message: string;
}

/**
 * Works out the lineage of a log. Nothing is refused for the order of events: what is wrong is among the problems, and a
 * parent that cannot be followed leaves the run just before as the predecessor.
 *
 * @throws Rejection for what is no stream of events
 */
export function lineageOf(events: readonly AnyEvent[]): Lineage {
  return rejecting(() => {
    const stream = eventsOf(events);
    const rules = new LineageRules();
    for (const [index, event] of stream.entries()) if (event.type === "RUN_STARTED") rules.push(index, event);
    const { runs } = rules;
    const problems = [...rules.problems, ...parentsOutside(runs), ...conflicts(stream, runs)];
    problems.sort((one, other) => one.index - other.index);
    return {
      runs: runs.rows.map(({ runId, parentRunId, predecessor }) => ({
        runId,
        predecessor: predecessor === undefined ? null : runs.row(predecessor).runId,
        ...(parentRunId === undefined ? {} : { parentRunId }),
      })),
      tips: tipsOf(runs).map(({ runId }) => runId),
      problems: problems.map(({ rule, index, place, message }) => ({ rule, at: `/${index}${place}`, message })),
    };
  });
}

function conflicts(stream: readonly Event[], runs: Runs): Problem[] {
  const remarks = remarksOf(stream, runs).filter(({ rule }) => rule === "lineage.conflict");
  return remarks.map((remark) => ({ ...remark, isError: false, other: undefined }));
}

/** Something that is wrong with the lineage. */
export interface Problem {
  readonly rule: string;
  /** Whether the log is refused for it. */
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
interface Row {
  readonly runId: string;
  readonly parentRunId: string | undefined;
  /** The place of the run that it goes on from. */
  readonly predecessor: number | undefined;
  /** The index of its `RUN_STARTED`. */
  readonly index: number;
}

/** The runs so far, in their order. */
export class Runs {
  readonly rows: Row[] = [];
  /** The latest run of each id. */
  readonly #byId = new Map<string, number>();

  /** The runs of a whole log. */
  static of(events: readonly Event[]): Runs {
    const runs = new Runs();
    for (const [index, event] of events.entries()) if (event.type === "RUN_STARTED") runs.push(index, event);
    return runs;
  }

  /** Adds the run that begins with the event of this index. */
  push(index: number, { runId, parentRunId }: RunStartedEvent): void {
    const place = this.rows.length;
    const named = parentRunId === undefined || parentRunId === runId ? undefined : this.placeOf(parentRunId);
    const before = place === 0 ? undefined : place - 1;
    this.rows.push({ runId, parentRunId, predecessor: named ?? before, index });
    this.#byId.set(runId, place);
  }

  /** The run at this place, which is one. */
  row(place: number): Row {
    return this.rows[place] as Row;
  }

  /** The place of the first run that goes on from the one at this place. */
  firstAfter(place: number): number | undefined {
    for (let after = place + 1; after < this.rows.length; after += 1) {
      if (this.row(after).predecessor === place) return after;
    }
    return undefined;
  }

  /** The place of the run with this id; of several, the latest. */
  placeOf(runId: string): number | undefined {
    return this.#byId.get(runId);
  }

  /** The places of the runs from the first to this one, each the predecessor of the next. */
  pathTo(place: number): number[] {
    const path = [];
    for (let next: number | undefined = place; next !== undefined; next = this.row(next).predecessor) path.push(next);
    return path.reverse();
  }

  /** The index of a run's first event, and that behind its last. What stands before the first run belongs to it. */
  rangeOf(place: number, length: number): [start: number, end: number] {
    return [place === 0 ? 0 : this.row(place).index, this.rows[place + 1]?.index ?? length];
  }
}

/** The runs of a log, and what is wrong with how they go on from each other. */
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
    const { runId, parentRunId } = event;
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
      "so the run goes on from the run before it",
  }));
}

/** The runs from which no run goes on. */
function tipsOf({ rows }: Runs): Row[] {
  const followed = new Set(rows.map(({ predecessor }) => predecessor));
  return rows.filter((_, place) => !followed.has(place));
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

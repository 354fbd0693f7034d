// How the runs of a log continue each other.

import { rejecting } from "../runtime/document.js";
import type { Event } from "../generated/types.js";
import { remarksOf } from "./checkpoints.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { LineageRules, parentsOutside, type Problem, type Row, type Runs } from "./runs.js";

/** The runs of a log, with what each continues. */
export interface Lineage {
  /** The runs in the order of the log. */
  readonly runs: readonly LineageRun[];
  /** The ids of the runs from which no run continues, in the order of the log. */
  readonly tips: readonly string[];
  /** What is wrong, in the order of the log. */
  readonly problems: readonly LineageProblem[];
}

/** One run of a log. */
export interface LineageRun {
  readonly runId: string;
  /** The run that it continues; null for the first one. */
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
 * Works out the lineage of a log. Nothing is rejected for the order of events: what is wrong is among the problems, and
 * a parent that cannot be followed leaves the run just before as the predecessor.
 *
 * @throws Rejection for what is no stream of events
 */
export function lineageOf(events: readonly AnyEvent[]): Lineage {
  return rejecting(() => {
    const stream = eventsOf(events);
    const rules = new LineageRules();
    for (const [index, event] of stream.entries()) if (event.type === "RUN_STARTED") rules.push(index, event);
    const { runs } = rules;
    const problems = [...rules.problems, ...parentsOutside(runs), ...conflicts(stream)];
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

function conflicts(stream: readonly Event[]): Problem[] {
  const remarks = remarksOf(stream).remarks.filter(({ rule }) => rule === "lineage.conflict");
  return remarks.map((remark) => ({ ...remark, isError: false, other: undefined }));
}

/** The runs from which no run continues. */
function tipsOf({ rows }: Runs): Row[] {
  const followed = new Set(rows.map(({ predecessor }) => predecessor));
  return rows.filter((_, place) => !followed.has(place));
}

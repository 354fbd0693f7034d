// Runs of which compaction kept only the frame, or that a prelude leaves out, and what can be said of them.

import type { Event } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { markOf } from "./marks.js";
import type { Row, Runs } from "./runs.js";

/** Whether an event begins a run of which compaction kept only the frame. */
export function isRemoved(event: Event | undefined): boolean {
  return event?.type === "RUN_STARTED" && markOf(event)["compacted"] === "tips";
}

/**
 * Rejects a path that needs what a removed run held, or a run that is left out. Throws a `Fault`.
 *
 * A run that was retained when the run before it was removed restates all messages. Compaction removes only runs from
 * which exactly one run continues, so a second one came later.
 */
export function rejectRemoved(events: readonly Event[], runs: Runs, path: readonly number[]): void {
  const removed = (place: number): boolean => isRemoved(events[runs.row(place).index]);
  const last = path.at(-1);
  if (last !== undefined && removed(last)) throw removedRun(runs, last, last);
  for (const [position, after] of path.entries()) {
    const before = path[position - 1];
    if (runs.row(after).continuesLeftOut) throw leftOutRun(runs.row(after));
    if (before === undefined || !removed(before)) continue;
    const [start, end] = runs.rangeOf(after, events.length);
    const restates = removed(after) || events.slice(start, end).some(({ type }) => type === "MESSAGES_SNAPSHOT");
    const first = runs.rows.findIndex(({ predecessor }, place) => place > before && predecessor === before);
    if (!restates || first !== after) throw removedRun(runs, before, after);
  }
}

function removedRun(runs: Runs, removed: number, at: number): Fault {
  const reason =
    `of the run \`${runs.row(removed).runId}\` compaction kept only the beginning and the end; ` +
    "replay a run that was retained, or the log as it was before";
  return new Fault("semantic", "replay.removed-run", reason).within(runs.row(at).index);
}

function leftOutRun({ runId, parentRunId, index }: Row): Fault {
  const reason =
    `the run \`${runId}\` continues the run \`${parentRunId}\`, which the prelude of this log leaves out; ` +
    "attach again, or replay the whole log";
  return new Fault("semantic", "replay.removed-run", reason).within(index);
}

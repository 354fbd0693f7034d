// Runs of which compaction kept only the frame, and what can be said of them.

import type { Event } from "../generated/types.js";
import { isObject } from "../runtime/check.js";
import { Fault } from "../runtime/rejection.js";
import type { Runs } from "./runs.js";

/** The member of a run's metadata that says how the run was compacted. */
export const MARK = "chatstate";

/** Whether an event begins a run of which compaction kept only the frame. */
export function isRemoved(event: Event | undefined): boolean {
  if (event?.type !== "RUN_STARTED") return false;
  const mark = event.metadata?.[MARK];
  return isObject(mark) && mark["compacted"] === "tips";
}

/**
 * The refusal of a path that needs what a removed run held.
 *
 * A run that was retained when the run before it was removed restates all messages. Compaction removes only runs from which
 * exactly one run goes on, so a second one came later.
 */
export function removedRun(runs: Runs, removed: number, at: number): Fault {
  const reason =
    `of the run \`${runs.row(removed).runId}\` compaction kept only the beginning and the end; ` +
    "replay a run that was retained, or the log as it was before";
  return new Fault("semantic", "replay.removed-run", reason).within(runs.row(at).index);
}

// The events of one branch.

import { rejecting } from "../runtime/document.js";
import { eventsOf, type BaseEvent } from "./events.js";
import { replayEvents } from "./replay.js";
import { Runs } from "./runs.js";

/**
 * The events of a run and of those that lead to it, in the order of the log. A replay of them is a replay of the log at
 * that run.
 *
 * @throws Rejection for what `replayEvents` rejects for the run: also a log that does not verify on another branch, and a
 *   run that needs what compaction removed
 */
export function branchOf<E extends BaseEvent>(events: readonly E[], run: string): E[] {
  replayEvents(events, { run });
  return rejecting(() => {
    const runs = Runs.of(eventsOf(events));
    const place = runs.placeOf(run);
    const path = place === undefined ? [] : runs.pathTo(place);
    return path.flatMap((number) => events.slice(...runs.rangeOf(number, events.length)));
  });
}

// What a stream of events means.

import { rejecting } from "../runtime/document.js";
import { Checkpoints } from "./checkpoints.js";
import { eventsOf, type AnyEvent } from "./events.js";
import type { Replay } from "./reducer.js";

/** Which run a replay ends with. */
export interface ReplayOptions {
  /** The id of the run; without it, the last one of the stream. */
  readonly run?: string | undefined;
}

/**
 * Replays a stream up to the end of a run, along the predecessors of that run: its messages, its state, its runs, what is
 * open and what waits for an answer.
 *
 * @throws Rejection of class `sequence` for an event that continues or ends what is not open, or begins what is; of class
 *   `semantic` for a run that the stream does not have, or that compaction has removed; of class `schema` for an event
 *   that the schema does not allow
 */
export function replayEvents(events: readonly AnyEvent[], options: ReplayOptions = {}): Replay {
  return rejecting(() => Checkpoints.of(eventsOf(events)).finish(options.run));
}

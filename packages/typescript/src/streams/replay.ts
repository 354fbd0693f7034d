// What a stream of events means.

import { rejecting } from "../runtime/document.js";
import type { Event } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { Reducer, rejection, type Replay } from "./reducer.js";
import { rejectRemoved } from "./removed.js";
import { Runs } from "./runs.js";

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
  return rejecting(() => {
    const stream = eventsOf(events);
    const runs = Runs.of(stream);
    const path = options.run === undefined ? runs.path() : runs.pathTo(placeOf(runs, options.run));
    rejectRemoved(stream, runs, path);
    const reducer = new Reducer();
    if (path.length === 0) replayRange(reducer, stream, 0, stream.length);
    for (const run of path) replayRange(reducer, stream, ...runs.rangeOf(run, stream.length));
    return reducer.finish();
  });
}

function placeOf(runs: Runs, runId: string): number {
  const place = runs.placeOf(runId);
  if (place !== undefined) return place;
  throw new Fault("semantic", "replay.unknown-run", `no run of the stream has the id \`${runId}\``);
}

/** Applies the events from one index up to another. Throws a `Fault`. */
export function replayRange(reducer: Reducer, events: readonly Event[], start: number, end: number): void {
  for (let index = start; index < end; index += 1) apply(reducer, index, events[index] as Event);
}

function apply(reducer: Reducer, index: number, event: Event): void {
  try {
    const found = reducer.apply(index, event);
    if (found !== undefined) throw rejection(found);
  } catch (error) {
    throw error instanceof Fault ? error.within(index) : error;
  }
}

// What a stream of events means.

import { rejecting } from "../runtime/document.js";
import type { Event } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { limitsOf } from "./checkpoints.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { Reducer, rejection, type Replay } from "./reducer.js";
import { rejectRemoved } from "./removed.js";
import { Runs } from "./runs.js";
import { faultOf, framesRun, inOrder, passedOver, verified } from "./verify.js";

/** Which run a replay ends with. */
export interface ReplayOptions {
  /** The id of the run; without it, the last one of the stream. */
  readonly run?: string | undefined;
  /**
   * Whether the events that break a rule are passed over, but for those that begin or end the run in progress. Which they
   * are, the errors of `checkEvents` say.
   */
  readonly lenient?: boolean | undefined;
}

/**
 * Replays a stream up to the end of a run, along the predecessors of that run: its messages, its state, its runs, what is
 * open and what waits for an answer.
 *
 * @throws Rejection for the first error that `checkEvents` finds, unless the replay is lenient; of class
 *   `semantic` for a run that the stream does not have, or that compaction has removed; of class `schema` for an event
 *   that the schema does not allow
 */
export function replayEvents(events: readonly AnyEvent[], options: ReplayOptions = {}): Replay {
  return rejecting(() => {
    const stream = eventsOf(events);
    if (options.lenient !== true) refuseUnverified(stream);
    const runs = Runs.of(stream);
    const path = options.run === undefined ? runs.path() : runs.pathTo(placeOf(runs, options.run));
    rejectRemoved(stream, runs, path);
    const replay = options.lenient === true ? lenientReplay(passedOver(stream)) : replayRange;
    const reducer = new Reducer();
    if (path.length === 0) replay(reducer, stream, 0, stream.length);
    for (const run of path) replay(reducer, stream, ...runs.rangeOf(run, stream.length));
    return reducer.finish();
  });
}

/** Rejects events whose order is not valid, or that are beyond a limit. Throws a `Fault`. */
function refuseUnverified(stream: readonly Event[]): void {
  const [first] = inOrder([...verified(stream).errors, ...limitsOf(stream)]);
  if (first !== undefined) throw faultOf(first);
}

/** Applies the events that are not passed over. */
function lenientReplay(passed: ReadonlySet<number>): typeof replayRange {
  return (reducer, events, start, end) => {
    for (let index = start; index < end; index += 1) {
      const event = events[index] as Event;
      if (passed.has(index)) continue;
      const found = within(index, () => reducer.apply(index, event));
      // What chunks kept open is closed by now.
      if (found !== undefined && framesRun(event)) within(index, () => reducer.apply(index, event));
    }
  };
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
  const found = within(index, () => reducer.apply(index, event));
  if (found !== undefined) throw rejection(found).within(index);
}

/** Gives a fault the place of its event. */
function within<T>(index: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof Fault ? error.within(index) : error;
  }
}

// What a stream of events means.

import { rejecting } from "../runtime/document.js";
import { isObject } from "../runtime/check.js";
import type { Event } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { Runs } from "./lineage.js";
import { Reducer, refusal, type Replay } from "./reducer.js";

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
    const place = options.run === undefined ? runs.rows.length - 1 : placeOf(runs, options.run);
    if (place < 0) return replayed(stream, [[0, stream.length]]).finish();
    const path = runs.pathTo(place);
    refuseRemoved(stream, runs, path);
    const ranges = path.map((run) => runs.rangeOf(run, stream.length));
    return replayed(stream, ranges).finish();
  });
}

function placeOf(runs: Runs, runId: string): number {
  const place = runs.placeOf(runId);
  if (place !== undefined) return place;
  throw new Fault("semantic", "replay.unknown-run", `no run of the stream has the id \`${runId}\``);
}

/** What the events of these ranges mean. Throws a `Fault`. */
export function replayed(events: readonly Event[], ranges: readonly [start: number, end: number][]): Reducer {
  const reducer = new Reducer();
  for (const [start, end] of ranges) {
    for (let index = start; index < end; index += 1) apply(reducer, index, events[index] as Event);
  }
  return reducer;
}

/** Applies the event of this index. Throws a `Fault`. */
export function apply(reducer: Reducer, index: number, event: Event): void {
  try {
    const found = reducer.apply(index, event);
    if (found !== undefined) throw refusal(found);
  } catch (error) {
    throw error instanceof Fault ? error.within(index) : error;
  }
}

/** The member of a run's metadata that says how the run was compacted. */
export const MARK = "chatstate";

/** Whether an event begins a run of which compaction kept only the frame. */
export function isRemoved(event: Event | undefined): boolean {
  if (event?.type !== "RUN_STARTED") return false;
  const mark = event.metadata?.[MARK];
  return isObject(mark) && mark["compacted"] === "tips";
}

/**
 * Refuses a path that needs what a removed run held.
 *
 * A run that was retained when the run before it was removed restates all messages. Compaction removes only runs from which
 * exactly one run goes on, so a second one came later.
 */
export function refuseRemoved(events: readonly Event[], runs: Runs, path: readonly number[]): void {
  const removed = (place: number): boolean => isRemoved(events[runs.row(place).index]);
  const last = path.at(-1);
  if (last !== undefined && removed(last)) throw refusedRun(runs, last, last);
  for (const [position, after] of path.entries()) {
    const before = path[position - 1];
    if (before === undefined || !removed(before)) continue;
    const [start, end] = runs.rangeOf(after, events.length);
    const restates = removed(after) || events.slice(start, end).some(({ type }) => type === "MESSAGES_SNAPSHOT");
    if (!restates || runs.firstAfter(before) !== after) throw refusedRun(runs, before, after);
  }
}

function refusedRun(runs: Runs, removed: number, at: number): Fault {
  const reason =
    `of the run \`${runs.row(removed).runId}\` compaction kept only the beginning and the end; ` +
    "replay a run that was retained, or the log as it was before";
  return new Fault("semantic", "replay.removed-run", reason).within(runs.row(at).index);
}

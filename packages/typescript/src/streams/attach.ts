// What a client needs that joins a running thread: a prelude of few events, after which the live events continue.
//
// Of three forms, each right for fewer threads and shorter than the next, the first that is right is taken:
//
// 1. The run in progress, or the last one, as its RUN_STARTED, one MESSAGES_SNAPSHOT of all messages, a STATE_SNAPSHOT, and
//    bare beginnings of what is open. It is right if a verifier and a replay are in the same state after it as after
//    the log.
//    A snapshot also says whose each message is, so it is not right where the run has not heard of an earlier message.
// 2. The last run that snapshots can say, in that form, and the runs after it compacted.
// 3. All runs that lead to the last, compacted.

import { rejecting } from "../runtime/document.js";
import { roleOf } from "../generated/events.js";
import type { Event, RunStartedEvent } from "../generated/types.js";
import { compactEvents } from "./compactor.js";
import { isTerminal, type BaseEvent } from "./events.js";
import { sameMeaning, sameRejections } from "./likeness.js";
import { leavingOut, leftOutBy } from "./marks.js";
import { Reducer } from "./reducer.js";
import { rejectRemoved } from "./removed.js";
import { SplitEnds, reopened } from "./reopen.js";
import { replayRange } from "./replay.js";
import { canBeRestated, messagesSnapshot, stateSnapshot, withoutMessages } from "./restate.js";
import { Runs } from "./runs.js";
import { Verifier } from "./verify.js";

/**
 * The prelude for a client that joins the thread of this log: it and the events that follow the log mean what the whole log
 * means, without a character lost or repeated. What a joining client cannot know are the runs that it leaves out and other
 * branches; a later run that continues one of those is not replayed after it.
 *
 * @throws Rejection of class `sequence` for a log that a verifier rejects, of class `semantic` for one that needs what
 *   compaction removed, and of class `schema` for an event that the schema does not allow
 */
export function attachPrelude<E extends BaseEvent>(events: readonly E[]): E[] {
  return rejecting(() => {
    // What is compacted means the same, and there is less of it.
    const log = new Log(withoutUnknownOutside(compactEvents(events) as unknown as Event[]));
    return log.withLeftOut(prelude(log)) as unknown as E[];
  });
}

function prelude(log: Log): Event[] {
  const last = log.path.length - 1;
  // Nothing, or an error before any run.
  if (last < 0) return [...log.events];
  const standing = log.replayed(last);
  const restated = log.restated(last, standing);
  if (restated !== undefined && log.isAsGood(restated, standing)) return restated;
  const place = log.latestThatSnapshotsSay();
  const begun = place === undefined ? undefined : log.restatedWhole(place);
  const from = begun === undefined ? 0 : (place ?? 0) + 1;
  const rest = log.path.slice(from).flatMap((_, index) => log.run(from + index));
  return compactEvents([...(begun ?? []), ...rest]);
}

/** Leaves out events of unknown types outside of runs, which belong to no path. */
function withoutUnknownOutside(events: readonly Event[]): Event[] {
  let isRunning = false;
  return events.filter((event) => {
    isRunning = event.type === "RUN_STARTED" || (isRunning && !isTerminal(event));
    return isRunning || roleOf(event.type) !== undefined;
  });
}

/** A valid log, and the path to its last run. */
class Log {
  /** The places of the runs from the first to the last, each the predecessor of the next. */
  readonly path: readonly number[];
  readonly #runs: Runs;

  constructor(readonly events: readonly Event[]) {
    this.#runs = Runs.of(events);
    this.path = this.#runs.path();
    rejectRemoved(events, this.#runs, this.path);
  }

  /** A prelude that names the runs of the log which it leaves out, in their order. */
  withLeftOut(prelude: Event[]): Event[] {
    const { rows } = this.#runs;
    const first = rows[0];
    if (first === undefined) return prelude;
    const staying = new Set(Runs.of(prelude).rows.map(({ runId }) => runId));
    const runIds = leftOutBy(this.events[first.index]);
    for (const { runId } of rows) if (!staying.has(runId)) runIds.push(runId);
    const begins = runIds.length === 0 ? -1 : prelude.findIndex(({ type }) => type === "RUN_STARTED");
    return prelude.map((event, at) => (at === begins ? leavingOut(event as RunStartedEvent, runIds) : event));
  }

  /** The events of a run of the path. */
  run(place: number): Event[] {
    return this.events.slice(...this.#range(place));
  }

  /** What the log means at the end of a run of the path. */
  replayed(place: number): Reducer {
    const reducer = new Reducer();
    for (let earlier = 0; earlier <= place; earlier += 1) this.#replay(reducer, earlier);
    return reducer;
  }

  /** A run of the path as its frame, snapshots of all messages and the state, and what is open; nothing if they cannot. */
  restated(place: number, standing: Reducer): Event[] | undefined {
    const { knowsState, knowsMessages, messages } = standing.conversation;
    if (!knowsState || !knowsMessages) return undefined;
    const [, end] = this.#range(place);
    const start = this.#runs.row(this.path[place] as number).index;
    const started = this.events[start];
    const splitEnds = new SplitEnds(messages);
    const snapshot = messagesSnapshot(splitEnds.messages);
    if (started?.type !== "RUN_STARTED" || snapshot === undefined) return undefined;
    const { before, after } = reopened(this.events.slice(start, end), start, standing, splitEnds);
    const bare = withoutMessages(started);
    if (bare.input !== undefined) {
      const { state: _, ...input } = bare.input;
      bare.input = input;
    }
    const terminal = this.events.slice(start, end).filter(isTerminal);
    return [bare, ...before, snapshot, stateSnapshot(standing.conversation.state), ...after, ...terminal];
  }

  /** The same for a run that is over, of whose messages nothing is taken out to begin it again. */
  restatedWhole(place: number): Event[] | undefined {
    const standing = this.replayed(place);
    return canBeRestated(standing.conversation.messages) ? this.restated(place, standing) : undefined;
  }

  /** Whether whatever may follow the log may follow these events, and means the same. */
  isAsGood(prelude: readonly Event[], standing: Reducer): boolean {
    const verifier = verified(prelude);
    const reducer = new Reducer();
    const isRejected = (event: Event, index: number): boolean => reducer.apply(index, event) !== undefined;
    if (verifier === undefined || prelude.some(isRejected)) return false;
    const last = this.events.at(-1);
    const isOver = last !== undefined && isTerminal(last);
    const before = verified(this.run(this.path.length - 1)) ?? new Verifier();
    return sameMeaning(standing, reducer) && (isOver || sameRejections(before, verifier));
  }

  /** The last run of the path but one, or an earlier one, whose end snapshots and its terminal event can say. */
  latestThatSnapshotsSay(): number | undefined {
    const reducer = new Reducer();
    let latest: number | undefined;
    for (let place = 0; place < this.path.length - 1; place += 1) {
      this.#replay(reducer, place);
      const { interrupts, thread } = reducer.conversation;
      const saysInterrupts = interrupts.length === 0 || this.run(place).some(({ type }) => type === "RUN_FINISHED");
      if (saysInterrupts && !thread.hasSharedIds) latest = place;
    }
    return latest;
  }

  #replay(reducer: Reducer, place: number): void {
    replayRange(reducer, this.events, ...this.#range(place));
  }

  #range(place: number): [start: number, end: number] {
    return this.#runs.rangeOf(this.path[place] as number, this.events.length);
  }
}

/** A verifier after the events of one run, if it accepts them. */
function verified(events: readonly Event[]): Verifier | undefined {
  const verifier = new Verifier();
  for (const [index, event] of events.entries()) {
    verifier.push(index, event);
    if (verifier.errors.length > 0) return undefined;
  }
  return verifier;
}

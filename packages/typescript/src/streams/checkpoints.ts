// What a log means at the ends of all its runs, computed in one pass.

import type { ActivityDeltaEvent, Event, JsonPatch, RunStartedEvent, StateDeltaEvent } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { Patched } from "./patch.js";
import { Conversation, Reducer, type StateChange } from "./reducer.js";
import { Remarks, type Remark } from "./remarks.js";
import { predecessorOf, Runs } from "./runs.js";
import type { Thread } from "./thread.js";
import { Tracker } from "./tracker.js";
import { Own } from "./values.js";
import type { Finding } from "./verify.js";

/** The conversation at the end of a run. */
interface End {
  readonly predecessor: number | undefined;
  readonly conversation: Conversation;
  /** Whether the state is asked for. */
  readonly hasState: boolean;
}

/**
 * The conversations at the ends of runs, from which later runs continue.
 *
 * The first run that continues another takes the state along and changes it in place; for the others it is computed
 * again. All else is shared.
 */
export class Ends {
  readonly #ends: End[] = [];

  /** What the next run continues. */
  goOnFrom(place: number): Conversation {
    const before = this.at(place);
    const next = new Conversation(before.thread.copy(), before.document);
    // A state that is not there was not asked for.
    if (before.document === undefined) next.document = undefined;
    before.document = undefined;
    next.knowsState = before.knowsState;
    next.knowsMessages = before.knowsMessages;
    next.interrupts = before.interrupts;
    return next;
  }

  /** The messages at the end of a run. */
  thread(place: number): Thread {
    return this.#end(place).conversation.thread;
  }

  /** Notes the end of the next run. */
  push(predecessor: number | undefined, conversation: Conversation): void {
    this.#ends.push({ predecessor, conversation, hasState: conversation.document !== undefined });
  }

  /** What was said at the end of a run. */
  at(place: number): Conversation {
    const path: End[] = [];
    for (let next: number | undefined = place; next !== undefined;) {
      const end = this.#end(next);
      const { document, stateChanges } = end.conversation;
      if (document !== undefined || !end.hasState) break;
      path.push(end);
      const [first] = stateChanges;
      next = first !== undefined && "whole" in first ? undefined : end.predecessor;
    }
    for (const { predecessor, conversation } of path.reverse()) {
      const before = predecessor === undefined ? {} : this.#end(predecessor).conversation.state;
      conversation.document = stateAfter(before, conversation.stateChanges);
    }
    return this.#end(place).conversation;
  }

  #end(place: number): End {
    return this.#ends[place] as End;
  }
}

/** The state after changes that were applied before, so that a patch which did not apply then does not apply now. */
function stateAfter(before: unknown, changes: readonly StateChange[]): Patched {
  let state = new Patched(before, new Own());
  for (const change of changes) {
    if ("whole" in change) state = new Patched(change.whole, new Own());
    else attempt(() => state.apply(change.patch));
  }
  return state;
}

/** What keeps something from being done, if anything does. */
function attempt(act: () => unknown): Fault | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** An event that is beyond a limit. */
export interface Limit {
  readonly index: number;
  readonly fault: Fault;
}

/** The replays of all branches of a log, for what they pass over. */
export class Checkpoints {
  readonly #runs = new Runs();
  readonly #ends = new Ends();
  /** What was open at the ends of runs. */
  readonly #trackers: Tracker[] = [];
  /** The run in progress, and what leads to it. */
  #current = new Reducer();
  /** What is beyond a limit so far, in the order of the log. */
  readonly limits: Limit[] = [];
  readonly #remarks: Remarks | undefined;

  /** @param remarks takes what is passed over, if it is asked for */
  constructor(remarks?: Remarks) {
    this.#remarks = remarks;
    this.#current.conversation.remarks = remarks;
  }

  /** Takes the event of this index. One that a replay rejects is skipped, so that a damaged run hides nothing about others. */
  push(index: number, event: Event): void {
    if (event.type === "RUN_STARTED") this.#beginRun(index, event);
    const fault = attempt(() => this.#current.apply(index, event));
    if (fault !== undefined) this.limits.push({ index, fault });
  }

  #beginRun(index: number, event: RunStartedEvent): void {
    const isFirst = this.#runs.rows.length === 0;
    if (!isFirst) this.#endRun();
    this.#runs.push(index, event);
    const predecessor = predecessorOf(this.#runs);
    if (predecessor === undefined) return;
    this.#current = new Reducer(new Tracker(this.#trackers[predecessor]), this.#ends.goOnFrom(predecessor));
    this.#current.conversation.remarks = this.#remarks;
  }

  #endRun(): void {
    const { tracker, conversation } = this.#current;
    // No remark needs the runs.
    conversation.runs = [];
    this.#ends.push(predecessorOf(this.#runs), conversation);
    this.#trackers.push(tracker);
  }
}

/** What the replays of all branches of a log pass over, and what is beyond a limit, in the order of the log. */
export function remarksOf(events: readonly Event[]): {
  readonly remarks: readonly Remark[];
  readonly limits: readonly Limit[];
} {
  const passedOver = new Remarks();
  const { limits } = replayed(events, new Checkpoints(passedOver));
  return { remarks: passedOver.all.sort((one, other) => one.index - other.index), limits };
}

/** The events that are beyond a limit. Only a `copy` can be. */
export function limitsOf(events: readonly Event[]): Finding[] {
  const copies = events.some((event) => patchOf(event)?.some(({ op }) => op === "copy"));
  return copies ? limitFindings(replayed(events, new Checkpoints()).limits) : [];
}

/** What a verification says of limits. */
export function limitFindings(limits: readonly Limit[]): Finding[] {
  return limits.map(({ index, fault: { kind, rule, reason } }) => ({ rule, index, class: kind, message: reason }));
}

function replayed(events: readonly Event[], checkpoints: Checkpoints): Checkpoints {
  for (const [index, event] of events.entries()) checkpoints.push(index, event);
  return checkpoints;
}

/** The patch of an event that has one. */
function patchOf(event: Event): JsonPatch | undefined {
  if (event.type === "STATE_DELTA") return (event as StateDeltaEvent).delta;
  return event.type === "ACTIVITY_DELTA" ? (event as ActivityDeltaEvent).patch : undefined;
}

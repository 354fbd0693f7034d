// What a log means at the end of each of its runs, worked out in one pass.

import type { Event, Message, RunStartedEvent } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { Runs } from "./runs.js";
import { Conversation, Reducer, refusal, type Remark, type Replay, type Run } from "./reducer.js";
import { isRemoved, removedRun } from "./removed.js";
import type { Thread } from "./thread.js";
import { Tracker } from "./tracker.js";

/** The conversation at the end of a run. */
interface End {
  readonly predecessor: number | undefined;
  readonly conversation: Conversation;
}

/**
 * The conversations at the ends of runs, from which later runs go on.
 *
 * The first run that goes on from another takes the state along; for the others it is worked out again. All else is shared.
 */
export class Ends {
  readonly #ends: End[] = [];

  /** What the next run goes on from; without a predecessor, what this makes. */
  goOnFrom(predecessor: number | undefined, first: () => Conversation): Conversation {
    return predecessor === undefined ? first() : this.at(predecessor).moveOn();
  }

  /** The messages at the end of a run. */
  thread(place: number): Thread {
    return this.#end(place).conversation.thread;
  }

  /** Notes the end of the next run. */
  push(predecessor: number | undefined, conversation: Conversation): void {
    this.#ends.push({ predecessor, conversation });
  }

  /** What was said at the end of a run. */
  at(place: number): Conversation {
    const path: End[] = [];
    for (let next: number | undefined = place; next !== undefined; ) {
      const end = this.#end(next);
      const { state } = end.conversation;
      if (!state.hasMovedOn) break;
      path.push(end);
      next = state.saysWhole ? undefined : end.predecessor;
    }
    for (const { predecessor, conversation } of path.reverse()) {
      const before = predecessor === undefined ? undefined : this.#end(predecessor).conversation.state;
      conversation.state.recall(before);
    }
    return this.#end(place).conversation;
  }

  #end(place: number): End {
    return this.#ends[place] as End;
  }
}

/** The end of a run, or the run in progress. */
interface Checkpoint {
  /** The run, and an error that stood before it. */
  runs: readonly Run[];
  /** Why its path cannot be replayed. */
  failed: Fault | undefined;
  /** Why its path needs what compaction removed. */
  incomplete: Fault | undefined;
  /** Whether compaction kept only its frame. */
  isRemoved: boolean;
  isFollowed: boolean;
  tracker: Tracker;
}

function checkpoint(before?: Checkpoint): Checkpoint {
  return {
    runs: [],
    failed: before?.failed,
    incomplete: before?.incomplete,
    isRemoved: false,
    isFollowed: false,
    tracker: new Tracker(before?.tracker),
  };
}

/** A replay of all branches of a log, as its events come. */
export class Checkpoints {
  readonly #runs = new Runs();
  readonly #ends = new Ends();
  readonly #finished: Checkpoint[] = [];
  /** The run in progress, and what leads to it. */
  #current = new Reducer();
  #state = checkpoint();
  /** Whether the run in progress says all messages anew. */
  #restates = false;
  /** Whether it is the first that goes on from its predecessor. */
  #isFirst = false;
  /** What was passed over, if anybody wants to know. */
  #remarks: Remark[] | undefined;

  /** A replay of all branches of a log. */
  static of(events: readonly Event[], keepsRemarks = false): Checkpoints {
    const checkpoints = new Checkpoints();
    if (keepsRemarks) checkpoints.#keepRemarks([]);
    for (let index = 0; index < events.length; index += 1) checkpoints.#push(index, events[index] as Event);
    return checkpoints;
  }

  /** What is remarked on, in the order of the log. */
  remarks(): readonly Remark[] {
    this.#endRun();
    return (this.#remarks ?? []).sort((one, other) => one.index - other.index);
  }

  /** What the log means at the end of the run with this id, or of its last run. Throws a `Fault`. */
  finish(runId: string | undefined): Replay {
    const { rows } = this.#runs;
    const place = runId === undefined ? Math.max(0, rows.length - 1) : placeOf(this.#runs, runId);
    this.#endRun();
    const end = this.#finished[place] as Checkpoint;
    if (end.isRemoved) throw removedRun(this.#runs, place, place);
    const why = end.incomplete ?? end.failed;
    if (why !== undefined) throw why;
    const path = rows.length === 0 ? [place] : this.#runs.pathTo(place);
    const conversation = this.#ends.at(place);
    return {
      messages: conversation.messages as unknown as Message[],
      state: conversation.state.share(),
      runs: path.flatMap((run) => this.#finished[run]?.runs ?? []),
      open: end.tracker.open().map(({ item }) => item),
      interrupts: conversation.interrupts,
    };
  }

  #push(index: number, event: Event): void {
    if (event.type === "RUN_STARTED") this.#beginRun(index, event);
    if (event.type === "MESSAGES_SNAPSHOT") this.#restates = true;
    try {
      const found = this.#current.apply(index, event);
      if (found !== undefined) throw refusal(found);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#state.failed ??= error.within(index);
    }
  }

  #beginRun(index: number, event: RunStartedEvent): void {
    if (this.#runs.rows.length > 0) this.#endRun();
    this.#runs.push(index, event);
    const predecessor = this.#runs.predecessor;
    if (predecessor !== undefined) this.#goOnFrom(predecessor);
    this.#state.isRemoved = isRemoved(event);
  }

  #goOnFrom(predecessor: number): void {
    const before = this.#finished[predecessor] as Checkpoint;
    this.#isFirst = !before.isFollowed;
    before.isFollowed = true;
    this.#restates = false;
    this.#state = checkpoint(before);
    this.#current = new Reducer(this.#state.tracker, this.#ends.at(predecessor).moveOn());
    if (this.#remarks !== undefined) this.#keepRemarks(this.#remarks);
  }

  #keepRemarks(remarks: Remark[]): void {
    this.#remarks = remarks;
    this.#current.conversation.keepRemarks();
  }

  #endRun(): void {
    const { tracker, conversation } = this.#current;
    const { remarks, runs } = conversation.endRun();
    for (const remark of remarks) this.#remarks?.push(remark);
    const predecessor = this.#runs.predecessor;
    const end = this.#state;
    end.runs = runs;
    end.tracker = tracker;
    const before = predecessor === undefined ? undefined : this.#finished[predecessor];
    const isSaid = this.#isFirst && (end.isRemoved || this.#restates);
    if (before?.isRemoved === true && !isSaid) {
      end.incomplete ??= removedRun(this.#runs, predecessor as number, this.#finished.length);
    }
    this.#ends.push(predecessor, conversation);
    this.#finished.push(end);
  }
}

function placeOf(runs: Runs, runId: string): number {
  const place = runs.placeOf(runId);
  if (place !== undefined) return place;
  throw new Fault("semantic", "replay.unknown-run", `no run of the stream has the id \`${runId}\``);
}

// Compaction: fewer events that mean the same.

import { wrongKind } from "../runtime/check.js";
import { rejecting } from "../runtime/document.js";
import { roleOf, type EventRole, type ItemKind, type StreamedKind, type StreamRole } from "../generated/events.js";
import type { Event, RunStartedEvent, TextMessageContentEvent } from "../generated/types.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { Ends } from "./checkpoints.js";
import type { Placed } from "./compact/compacted-run.js";
import { takeInput } from "./compact/input.js";
import type { PendingDelta } from "./compact/pending-delta.js";
import { RunBuffer } from "./compact/run-buffer.js";
import { Snapshots, type Retain } from "./compact/snapshots.js";
import type { Lane } from "./chunks.js";
import { eventAt, idOf, type BaseEvent } from "./events.js";
import { beginsWithLowSurrogate, endsWithHighSurrogate } from "./surrogates.js";
import type { Beginning, Steps } from "./items.js";
import { plainRoleOf, type DeltaEvent } from "./plain.js";
import { Conversation } from "./reducer.js";
import { isRemoved } from "./removed.js";
import { withMessages } from "./restate.js";
import { predecessorOf } from "./runs.js";
import type { Thread } from "./thread.js";
import { faultOf, Verifier, type Finding } from "./verify.js";

/** How a stream is compacted: it is explicit, and made again for each use. */
export interface CompactOptions<E extends BaseEvent = BaseEvent> {
  /**
   * How much is kept. `stream`, the default, is what a log keeps: every item of every run, each with one delta where
   * that is possible. `snapshot` is what a store keeps: the results of finished runs.
   */
  readonly level?: "stream" | "snapshot" | undefined;
  /**
   * Which finished runs level `snapshot` retains. `tips`, the default, are the last run of every branch and the runs where
   * branches part.
   */
  readonly retain?: Retain | undefined;
  /**
   * Which events are kept as they are, where they are: choose by what no event has that compaction makes. Chunks stay
   * chunks in an item with a kept one.
   */
  readonly keep?: ((event: E) => boolean) | undefined;
  /** Whether the events are the rest of a thread whose beginning is elsewhere, so that nothing is folded onto a guess. */
  readonly partial?: boolean | undefined;
  /**
   * Whether a stream that a verifier rejects is passed through as it came, from the beginning of the run on in which
   * that happens, instead of rejected.
   */
  readonly lenient?: boolean | undefined;
}

/**
 * Compacts a stream, complete or cut off anywhere. The result replays to the same, it is what compacting it again gives, and
 * what follows a cut may be appended to it and compacted. The events are not changed, and those that stay are in the result
 * as they are.
 *
 * @throws Rejection of class `sequence` for events that a verifier rejects, and of class `schema` for an event that the
 *   schema does not allow
 */
export function compactEvents<E extends BaseEvent>(events: readonly E[], options: CompactOptions<E> = {}): E[] {
  if (!Array.isArray(events)) throw new Rejection(wrongKind("array", events));
  const compactor = new EventCompactor(options);
  const compacted: E[] = [];
  for (const event of events) append(compactor.push(event), compacted);
  append(compactor.finish(), compacted);
  return compacted;
}

function append<E>(settled: readonly E[], compacted: E[]): void {
  for (let at = 0; at < settled.length; at += 1) compacted.push(settled[at] as E);
}

/** Compacts a live stream: gives the events of a run when it is over, and the rest at the end. */
export async function* compactStream<E extends BaseEvent>(
  events: AsyncIterable<E>,
  options: CompactOptions<E> = {},
): AsyncGenerator<E, void, undefined> {
  const compactor = new EventCompactor(options);
  for await (const event of events) yield* compactor.push(event);
  yield* compactor.finish();
}

const NONE: Event[] = [];

/** The item that the last event appended text to. */
interface Latest {
  readonly kind: StreamedKind;
  readonly id: string;
  readonly delta: PendingDelta;
}

/** A run that is over, as far as later ones need to know. */
interface RunRecord {
  /** Whether compaction kept only its frame. */
  readonly isRemoved: boolean;
  /** Whether its path needs what compaction removed. */
  readonly isIncomplete: boolean;
  isFollowed: boolean;
}

/** The run in progress. */
interface Running {
  readonly predecessor: number | undefined;
  /** The messages of its path with those of its input. */
  readonly start: Thread;
  readonly isRemoved: boolean;
  /** Whether it is the first that continues its predecessor. */
  readonly isFirst: boolean;
  /** Whether it continues a run that a prelude leaves out. */
  readonly continuesLeftOut: boolean;
  /** Whether it says all messages again. */
  restates: boolean;
  /** Whether it is the rest of a run that began elsewhere. */
  readonly isRest?: boolean;
}

/** A verifier that hands the steps of events on. */
class SteppingVerifier extends Verifier {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    super();
    this.#steps = steps;
  }

  override begun(beginning: Beginning): void {
    this.#steps.begun(beginning);
    super.begun(beginning);
  }

  override appended(kind: ItemKind, id: string, subagentRunId: Lane): void {
    this.#steps.appended(kind, id, subagentRunId);
    super.appended(kind, id, subagentRunId);
  }

  override idle(kind: ItemKind, id: string): void {
    this.#steps.idle(kind, id);
  }

  override ended(kind: ItemKind, id: string, subagentRunId: Lane): void {
    this.#steps.ended(kind, id, subagentRunId);
    super.ended(kind, id, subagentRunId);
  }

  override closed(kind: ItemKind, id: string, subagentRunId: Lane): void {
    this.#steps.closed(kind, id, subagentRunId);
    super.closed(kind, id, subagentRunId);
  }
}

const COMPACTOR = "a compactor is not written, copied or compared; write the events that `push` and `finish` give";

/** Compacts events as they arrive. */
export class EventCompactor<E extends BaseEvent = Event> {
  readonly #buffer = new RunBuffer();
  readonly #verifier = new SteppingVerifier(this.#buffer);
  readonly #ends = new Ends();
  readonly #records: RunRecord[] = [];
  #snapshots: Snapshots | undefined;
  readonly #keep: ((event: Event) => boolean) | undefined;
  #running: Running | undefined;
  /** Whether no known event has come, and the first one may be inside of a run. */
  #mayBeginInside: boolean;
  /** Where text continues, as long as events only append whole characters to one item: nothing else can be wrong with them. */
  #latest: Latest | undefined;
  /** The number of events that were taken. */
  #taken = 0;
  /** Why events are rejected, or passed through if the options are lenient. */
  #stopped: Fault | undefined;
  /** The run in progress as it came, for options that are lenient. */
  readonly #verbatim: Event[] | undefined;

  constructor(options: CompactOptions<E> = {}) {
    const { level = "stream", retain = "tips", partial = false, lenient = false } = options;
    this.#verbatim = lenient ? [] : undefined;
    this.#mayBeginInside = partial;
    this.#keep = options.keep as unknown as ((event: Event) => boolean) | undefined;
    this.#snapshots = level === "stream" ? undefined : new Snapshots(retain, partial);
    refuseCopies(this, COMPACTOR);
  }

  /** A compactor holds a run that is not over, so it is not written. */
  toJSON(): never {
    return refuse(COMPACTOR);
  }

  /**
   * Takes the next event and gives the events that are settled by it: those of a run when its terminal event arrives, and an
   * event outside of runs at once.
   *
   * @throws Rejection for an event that is not allowed in its place, and from then on for every event, unless the
   * options
   *   are lenient
   */
  push(event: E): E[] {
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      const settled = this.#take(event);
      if (this.#verbatim !== undefined) this.#remember(event, this.#verbatim);
      return settled as unknown as E[];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const settled = this.#stop(error);
      if (settled === undefined) throw new Rejection(error);
      settled.push(event as unknown as Event);
      return settled as unknown as E[];
    }
  }

  /** Why a lenient compactor passes through what comes, once it does. */
  get rejection(): Rejection | undefined {
    return this.#stopped && new Rejection(this.#stopped);
  }

  /**
   * Gives the compacted events of a run that is not over, and what level `snapshot` has held back.
   *
   * @throws Rejection if an event was rejected, unless the options are lenient
   */
  finish(): E[] {
    return rejecting(() => {
      if (this.#stopped !== undefined && this.#verbatim === undefined) throw this.#stopped;
      const finished = this.#snapshots?.finish(this.#ends, this.#running?.predecessor) ?? [];
      if (this.#running !== undefined) for (const event of this.#buffer.finish()) finished.push(event);
      return finished as unknown as E[];
    });
  }

  #remember(event: E, verbatim: Event[]): void {
    if (this.#running === undefined) verbatim.length = 0;
    else verbatim.push(event as unknown as Event);
  }

  /** Takes no further event, and gives what is held back if the options are lenient: the run in progress as it came. */
  #stop(why: Fault): Event[] | undefined {
    const verbatim = this.#verbatim;
    const snapshots = this.#snapshots;
    this.#stopped = why;
    this.#running = undefined;
    if (verbatim === undefined) return undefined;
    this.#snapshots = undefined;
    const settled = snapshots?.finish(this.#ends, undefined) ?? [];
    for (const event of verbatim.splice(0)) settled.push(event);
    return settled;
  }

  #take(value: E): Event[] {
    const index = this.#taken;
    this.#taken += 1;
    const plainRole = this.#keep === undefined ? plainRoleOf(value) : undefined;
    if (plainRole !== undefined && this.#running !== undefined) {
      this.#append(index, plainRole, value as unknown as DeltaEvent);
      return NONE;
    }
    this.#latest = undefined;
    const event = eventAt(value, index);
    const role = roleOf(event.type);
    const isKept = this.#keep?.(event) ?? false;
    if (this.#mayBeginInside) this.#beginInside(event);
    this.#buffer.arrive(index, event, role, isKept, false);
    this.#verifier.push(index, event, role);
    this.#rejectWhatWasFound();
    try {
      return this.#settle(event, role?.does, isKept);
    } catch (error) {
      throw error instanceof Fault ? error.within(index) : error;
    }
  }

  /** Takes an event of the parent agent that only appends text to an item. */
  #append(index: number, role: StreamRole, event: DeltaEvent): void {
    const kind = role.item;
    const latest = this.#latest;
    const id = role.id === "messageId" ? (event as TextMessageContentEvent).messageId : idOf(event, role);
    const isWhole = !beginsWithLowSurrogate(event.delta) && !endsWithHighSurrogate(event.delta);
    if (isWhole && latest !== undefined && latest.kind === kind && latest.id === id) {
      latest.delta.joinPlain(event, index);
      return;
    }
    this.#buffer.arrive(index, event, role, false, true);
    this.#verifier.pushPlain(index, kind, id, event);
    this.#rejectWhatWasFound();
    // An empty text may follow an unpaired surrogate, which still waits for the other one.
    const delta = isWhole && event.delta !== "" ? this.#buffer.plainDelta(kind, id) : undefined;
    this.#latest = delta && { kind, id, delta };
  }

  #rejectWhatWasFound(): void {
    const { errors, warnings } = this.#verifier;
    if (errors.length > 0) throw faultOf(errors[0] as Finding);
    if (warnings.length > 0) warnings.length = 0;
  }

  #settle(event: Event, does: EventRole["does"] | undefined, isKept: boolean): Event[] {
    const running = this.#running;
    if (does === "start-run") return this.#begin(event as RunStartedEvent, isKept);
    if (running === undefined) return this.#outside([event]);
    if (does === "end-run") return this.#end(running);
    if (event.type === "MESSAGES_SNAPSHOT") running.restates = true;
    this.#buffer.take();
    return NONE;
  }

  /** Begins with the rest of a run, which belongs to no path that could be looked at, if the first known event is in one. */
  #beginInside({ type }: Event): void {
    if (roleOf(type) === undefined) return;
    this.#mayBeginInside = false;
    if (type === "RUN_STARTED" || type === "RUN_ERROR") return;
    this.#verifier.lifecycle.beginInside();
    const conversation = this.#conversation();
    const run = { isRemoved: false, isFirst: true, continuesLeftOut: false, restates: false, isRest: true };
    this.#running = { predecessor: undefined, start: conversation.thread, ...run };
    this.#buffer.beginInside(conversation);
  }

  /** What is settled by events that belong to no run of the stream. */
  #outside(events: Event[]): Event[] {
    const snapshots = this.#snapshots;
    return snapshots === undefined ? events : events.flatMap((event) => snapshots.takeOutside(event));
  }

  /** Begins a run without the messages that its path holds already. */
  #begin(event: RunStartedEvent, isKept: boolean): Event[] {
    const predecessor = predecessorOf(this.#verifier.runs);
    const conversation = predecessor === undefined ? this.#conversation() : this.#ends.goOnFrom(predecessor);
    conversation.begin(this.#taken - 1, event, roleOf(event.type));
    conversation.apply(NONE_OF_INPUT);
    const before = predecessor === undefined ? undefined : this.#records[predecessor];
    const removed = isRemoved(event);
    const continuesLeftOut = this.#verifier.runs.rows.at(-1)?.continuesLeftOut === true;
    const knowsPath = !continuesLeftOut && !(before?.isRemoved === true || before?.isIncomplete === true);
    const messages = event.input?.messages ?? NONE_OF_INPUT;
    const left = takeInput(conversation.thread, messages, knowsPath && !removed && !isKept);
    const isFirst = before?.isFollowed !== true;
    if (before !== undefined) before.isFollowed = true;
    // Only snapshots ask for the messages before.
    const start = this.#snapshots === undefined ? conversation.thread : conversation.thread.copy();
    this.#running = { predecessor, start, isRemoved: removed, isFirst, continuesLeftOut, restates: false };
    this.#buffer.beginRun(left.length < messages.length ? withMessages(event, left) : event, conversation);
    return NONE;
  }

  /** What a run without a predecessor continues. No event of level `stream` says a state that another run made. */
  #conversation(): Conversation {
    const conversation = new Conversation();
    if (this.#snapshots === undefined) conversation.document = undefined;
    return conversation;
  }

  #end({ predecessor, start, isRemoved, isFirst, continuesLeftOut, restates, isRest = false }: Running): Event[] {
    const run = this.#buffer.endRun();
    const { conversation } = this.#buffer;
    this.#running = undefined;
    if (isRest) return this.#outside(run);
    const before = predecessor === undefined ? undefined : this.#records[predecessor];
    const isSaid = isFirst && (isRemoved || restates);
    const needsRemoved = before !== undefined && (before.isIncomplete || (before.isRemoved && !isSaid));
    const isIncomplete = continuesLeftOut || needsRemoved;
    const finished = { start, predecessor, isIncomplete, isRemoved, after: [] };
    const written = this.#snapshots?.take({ ...finished, run: this.#placed(run) }, conversation) ?? run;
    this.#ends.push(predecessor, conversation);
    this.#records.push({ isRemoved, isIncomplete, isFollowed: false });
    return written;
  }

  /** Marks what the caller keeps, which may be an event that compaction has made. */
  #placed(run: Event[]): Placed[] {
    return run.map((event) => ({ event, isKept: this.#keep?.(event) ?? false }));
  }
}

const NONE_OF_INPUT: readonly never[] = [];

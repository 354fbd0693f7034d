// Compaction: fewer events that mean the same.

import { wrongKind } from "../runtime/check.js";
import { rejecting } from "../runtime/document.js";
import { roleOf, type StreamedKind, type StreamRole } from "../generated/events.js";
import type { Event, Message, RunStartedEvent, TextMessageContentEvent } from "../generated/types.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { Held } from "./compact/held.js";
import type { Part } from "./compact/part.js";
import { RunInProgress } from "./compact/run.js";
import { Snapshots, type Retain } from "./compact/snapshots.js";
import { eventAt, idOf, type BaseEvent } from "./events.js";
import { hasLeadingHalf, hasTrailingHalf } from "./halves.js";
import { plainRoleOf, type DeltaEvent } from "./plain.js";
import { withMessages } from "./restate.js";
import { faultOf, Verifier, type Finding } from "./verify.js";

/** How a stream is compacted: it is explicit, and made anew for each use. */
export interface CompactOptions<E extends BaseEvent = BaseEvent> {
  /**
   * How much is kept. `stream`, the default, is what a log keeps: every item of every run, each with one delta where that
   * is possible. `snapshot` is what a store keeps: of finished runs what they leave behind.
   */
  readonly level?: "stream" | "snapshot" | undefined;
  /**
   * Which finished runs level `snapshot` retains. `tips`, the default, are the last run of every branch and the runs where
   * branches part.
   */
  readonly retain?: Retain | undefined;
  /** Which events are kept as they are, where they are. */
  readonly keep?: ((event: E) => boolean) | undefined;
  /** Whether the events are the rest of a thread whose beginning is elsewhere, so that nothing is folded onto a guess. */
  readonly partial?: boolean | undefined;
  /**
   * Whether a stream that a verifier refuses is passed through as it came, from the beginning of the run on in which that
   * happens, instead of refused.
   */
  readonly lenient?: boolean | undefined;
}

/**
 * Compacts a stream, complete or cut off anywhere. The result replays to the same, it is what compacting it again gives, and
 * what follows a cut may be appended to it and compacted. The events are not changed, and those that stay are in the result
 * as they are.
 *
 * @throws Rejection of class `sequence` for events that a verifier refuses, and of class `schema` for an event that the
 *   schema does not allow
 */
export function compactEvents<E extends BaseEvent>(events: readonly E[], options: CompactOptions<E> = {}): E[] {
  if (!Array.isArray(events)) throw new Rejection(wrongKind("array", events));
  const compactor = new EventCompactor(options);
  const compacted: E[] = [];
  for (const event of events) {
    const settled = compactor.push(event);
    for (let at = 0; at < settled.length; at += 1) compacted.push(settled[at] as E);
  }
  for (const event of compactor.finish()) compacted.push(event);
  return compacted;
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
  readonly part: Part;
}

/** Compacts events as they arrive. */
export class EventCompactor<E extends BaseEvent = Event> {
  readonly #verifier = new Verifier();
  readonly #held = new Held();
  #snapshots: Snapshots | undefined;
  readonly #keep: ((event: Event) => boolean) | undefined;
  #run: RunInProgress | undefined;
  /** Where text goes on, as long as events only append whole characters to one item: nothing else can be wrong with them. */
  #latest: Latest | undefined;
  /** The number of events that were taken. */
  #taken = 0;
  /** Why events are refused, or passed through if the options are lenient. */
  #stopped: Fault | undefined;
  /** The run in progress as it came, for options that are lenient. */
  readonly #verbatim: Event[] | undefined;

  constructor(options: CompactOptions<E> = {}) {
    const { level = "stream", retain = "tips", partial = false, lenient = false } = options;
    this.#verbatim = lenient ? [] : undefined;
    this.#keep = options.keep as unknown as ((event: Event) => boolean) | undefined;
    const keeps = this.#keep ?? ((): boolean => false);
    this.#snapshots = level === "stream" ? undefined : new Snapshots(retain, { partial, keeps });
  }

  /**
   * Takes the next event and gives the events that are settled by it: those of a run when its terminal event arrives, and an
   * event outside of runs at once.
   *
   * @throws Rejection for an event that cannot stand where it stands, and from then on for every event, unless the options
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
  get refusal(): Rejection | undefined {
    return this.#stopped && new Rejection(this.#stopped);
  }

  /**
   * Gives the compacted events of a run that is not over, and what level `snapshot` has held back.
   *
   * @throws Rejection if an event was refused, unless the options are lenient
   */
  finish(): E[] {
    return rejecting(() => {
      if (this.#stopped !== undefined && this.#verbatim === undefined) throw this.#stopped;
      const unfinished = this.#run?.finish() ?? [];
      return (this.#snapshots?.finish(unfinished) ?? unfinished) as unknown as E[];
    });
  }

  #remember(event: E, verbatim: Event[]): void {
    if (this.#run === undefined) verbatim.length = 0;
    else verbatim.push(event as unknown as Event);
  }

  /** Takes no further event, and gives what is held back if the options are lenient: the run in progress as it came. */
  #stop(why: Fault): Event[] | undefined {
    const verbatim = this.#verbatim;
    const snapshots = this.#snapshots;
    this.#stopped = why;
    if (verbatim === undefined) return undefined;
    this.#run = undefined;
    this.#snapshots = undefined;
    const settled = snapshots?.finish([]) ?? [];
    for (const event of verbatim.splice(0)) settled.push(event);
    return settled;
  }

  #take(value: E): Event[] {
    const index = this.#taken;
    this.#taken += 1;
    const role = this.#keep === undefined ? plainRoleOf(value) : undefined;
    if (role !== undefined && this.#run !== undefined) {
      this.#append(this.#run, index, role, value as unknown as DeltaEvent);
      return NONE;
    }
    this.#latest = undefined;
    const event = eventAt(value, index);
    this.#verifier.push(index, event);
    this.#refuseWhatWasFound();
    try {
      return this.#settle(event);
    } catch (error) {
      throw error instanceof Fault ? error.within(index) : error;
    }
  }

  #append(run: RunInProgress, index: number, role: StreamRole, event: DeltaEvent): void {
    const kind = role.item;
    const latest = this.#latest;
    const id = role.id === "messageId" ? (event as TextMessageContentEvent).messageId : idOf(event, role);
    const isWhole = !hasLeadingHalf(event.delta) && !hasTrailingHalf(event.delta);
    if (isWhole && latest !== undefined && latest.kind === kind && latest.id === id) {
      latest.part.joinPlain(event);
      return;
    }
    this.#verifier.pushPlain(index, kind, id, event);
    this.#refuseWhatWasFound();
    const part = run.append(role, id, event);
    // An empty text may stand behind half a character, which still waits for the other half.
    this.#latest = isWhole && event.delta !== "" && part !== undefined ? { kind, id, part } : undefined;
  }

  #refuseWhatWasFound(): void {
    const { errors, warnings } = this.#verifier;
    if (errors.length > 0) throw faultOf(errors[0] as Finding);
    if (warnings.length > 0) warnings.length = 0;
  }

  #settle(event: Event): Event[] {
    const run = this.#run;
    const role = roleOf(event.type);
    if (role?.does === "start-run") return this.#begin(event as RunStartedEvent);
    if (run === undefined) return this.#snapshots?.takeOutside(event) ?? [event];
    if (role?.does === "end-run") return this.#end(run, event);
    run.push(event, role, this.#keep?.(event) ?? false);
    return NONE;
  }

  #begin(event: RunStartedEvent): Event[] {
    this.#held.beginRun(event.runId, event.parentRunId);
    const messages = event.input?.messages ?? [];
    const isKept = this.#keep?.(event) ?? false;
    const left: Message[] = [];
    for (const message of messages) if (!this.#held.takeInput(message) || isKept) left.push(message);
    this.#run = new RunInProgress(this.#held);
    this.#run.begin(left.length < messages.length ? withMessages(event, left) : event);
    return NONE;
  }

  #end(run: RunInProgress, terminal: Event): Event[] {
    this.#run = undefined;
    const events = run.end(terminal);
    const written = this.#snapshots?.takeRun(events) ?? events;
    // What a later run did to a message is known here, since snapshots hold all messages.
    const messages = this.#snapshots?.messages();
    if (messages !== undefined) this.#held.learn(messages);
    this.#held.endRun();
    return written;
  }
}

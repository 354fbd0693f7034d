// Whether the order of the events of a stream is valid.

import { rejecting } from "../runtime/document.js";
import { roleOf, type ItemKind, type StreamedKind } from "../generated/events.js";
import type { Event } from "../generated/types.js";
import { Fault, type RejectionClass } from "../runtime/rejection.js";
import { eventsOf, type AnyEvent } from "./events.js";
import type { Beginning, Opened, Steps } from "./items.js";
import { Lifecycle } from "./lifecycle.js";
import { Owners } from "./owners.js";
import type { DeltaEvent } from "./plain.js";
import { LineageRules, type Problem, type Runs } from "./runs.js";
import { Tracker } from "./tracker.js";
import { violation, type Violation } from "./violation.js";

/** Something that is wrong with a stream, or suspicious. */
export interface Finding {
  /** The rule, such as `text.not-open`. */
  readonly rule: string;
  /** The index of the event. */
  readonly index: number;
  /** JSON Pointer from the event to what this is about; absent where it is about the whole event. */
  readonly place?: string;
  /** The class of the rejection that it means, if it is no warning; absent where it is `sequence`. */
  readonly class?: RejectionClass;
  /** The index of the other event involved, if there is one. */
  readonly other?: number;
  /** What is wrong, for people. */
  readonly message: string;
}

/** How a stream is verified. */
export interface VerifyOptions {
  /** Whether the stream is said to be complete, so that its last run has to be over. */
  readonly complete?: boolean | undefined;
}

/**
 * Rejects events whose order is not valid. The events may be cut off anywhere, unless they are said to be complete.
 * Values are not followed: `checkEvents` gives the warnings, and what patches copy beyond the limit, as well.
 *
 * @throws Rejection of class `sequence` for the first event that breaks a rule, and of class `schema` for an event that
 *   the schema does not allow
 */
export function verifyEvents(events: readonly AnyEvent[], options: VerifyOptions = {}): void {
  rejecting(() => {
    const [first] = inOrder(verified(eventsOf(events), options).errors);
    if (first !== undefined) throw faultOf(first);
  });
}

/**
 * The indexes of the events that a lenient replay passes over: those that break a rule, but for those that begin or end
 * the run in progress, since what follows would belong to another run without them.
 */
export function passedOver(stream: readonly Event[]): ReadonlySet<number> {
  const verifier = new Verifier();
  const passed = new Set<number>();
  for (const [index, event] of stream.entries()) {
    const before = verifier.errors.length;
    verifier.push(index, event);
    const breaksRule = verifier.errors.slice(before).some((error) => error.index === index);
    if (!verifier.isInRun || (breaksRule && !framesRun(event))) passed.add(index);
  }
  return passed;
}

/** Whether an event begins or ends a run. */
export function framesRun({ type }: Event): boolean {
  const does = roleOf(type)?.does;
  return does === "start-run" || does === "end-run";
}

/** Findings in the order of their events. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((one, other) => one.index - other.index);
}

/** The rejection of a stream for what was found. */
export function faultOf({ rule, index, message, place = "", class: kind = "sequence" }: Finding): Fault {
  return new Fault(kind, rule, message).from(place.split("/").slice(1)).within(index);
}

/** The place of a finding, if it is not about the whole event. */
export function placed(place: string): { place?: string } {
  return place === "" ? {} : { place };
}

/** What is found in all events of a stream. */
export function verified(stream: readonly Event[], { complete = false }: VerifyOptions = {}): Verifier {
  const verifier = new Verifier();
  for (const [index, event] of stream.entries()) verifier.push(index, event);
  const last = verifier.runs.rows.at(-1);
  if (complete && verifier.lifecycle.isRunning && last !== undefined) {
    const message = `the log ends before the run \`${last.runId}\` has finished or failed`;
    verifier.errors.push({ rule: "run.unfinished", index: last.index, message });
  }
  return verifier;
}

/** Verifies events as they come. A finding may be about an earlier event: a run that named this one as its parent. */
export class Verifier implements Steps {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly #lineage = new LineageRules();
  readonly tracker = new Tracker();
  readonly lifecycle = new Lifecycle();
  readonly owners = new Owners();
  #index = 0;
  /** Whether the event at hand must leave nothing open. */
  #mustClose = false;
  /** Whether the last event belongs to a run. */
  isInRun = false;

  /** The runs so far. */
  get runs(): Runs {
    return this.#lineage.runs;
  }

  /** Takes the event of this index. Whether patches apply is not looked at. */
  push(index: number, event: Event, role = roleOf(event.type)): void {
    this.#index = index;
    if (role === undefined) {
      const message = `\`${event.type}\` is no known type of event`;
      this.warnings.push({ rule: "verify.unknown-event", index, message });
    }
    const admitted = this.lifecycle.admit(index, event);
    this.isInRun = admitted === true || event.type === "RUN_STARTED";
    if (admitted !== true) {
      // What is outside of all runs is reported once and has no further meaning.
      if (admitted !== false) this.#found(admitted);
      if (event.type !== "RUN_STARTED") return;
    }
    if (event.type === "RUN_STARTED") {
      this.owners.clear();
      for (const problem of this.#lineage.push(index, event)) this.errors.push(findingOf(problem));
    }
    this.#mustClose = event.type === "RUN_FINISHED";
    this.#found(this.tracker.take(index, event, role, this));
    if (event.type === "RUN_STARTED") for (const found of this.lifecycle.begin(index, event)) this.#found(found);
    if (event.type === "RUN_FINISHED") for (const found of this.lifecycle.finish(event)) this.#found(found);
    this.#found(this.owners.event(index, event, role));
  }

  /** Takes an event of this index that only appends text to this item. */
  pushPlain(index: number, kind: StreamedKind, id: string, event: DeltaEvent): void {
    if (!this.lifecycle.isRunning) return this.push(index, event);
    this.#index = index;
    this.#found(this.tracker.takePlain(index, kind, id, event.delta, this));
  }

  begun(beginning: Beginning): void {
    this.#found(this.owners.begun(this.#index, beginning));
  }

  appended(kind: ItemKind, id: string, subagentRunId: string | undefined): void {
    if (subagentRunId !== undefined) this.#found(this.owners.continued(kind, id, subagentRunId));
  }

  /** Who says nothing says nothing wrong. */
  idle(_kind: ItemKind, _id: string): void {}

  ended(kind: ItemKind, id: string, subagentRunId: string | undefined): void {
    this.#found(this.owners.continued(kind, id, subagentRunId));
  }

  closed(kind: ItemKind, id: string, subagentRunId: string | undefined): void {
    this.#found(this.owners.continued(kind, id, subagentRunId));
  }

  left({ index, item: { kind, id } }: Opened): void {
    if (!this.#mustClose) return;
    this.#found(violation("run.open-item", `the run finishes, but the ${kind} \`${id}\` is open`, index));
  }

  #found(found: Violation | undefined): void {
    if (found === undefined) return;
    const { rule, message, other, place } = found;
    const where = { ...(place === undefined ? {} : { place }), ...(other === undefined ? {} : { other }) };
    this.errors.push({ rule, index: this.#index, message, ...where });
  }
}

/** A problem of the lineage: an error is about the whole event, a warning about its place. */
export function findingOf({ rule, index, place, message, other, isError }: Problem): Finding {
  return { rule, index, ...placed(isError ? "" : place), message, ...(other === undefined ? {} : { other }) };
}

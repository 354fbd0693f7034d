// Whether the order of the events of a stream is valid.

import { rejecting } from "../runtime/document.js";
import { roleOf, type ItemKind, type StreamedKind } from "../generated/events.js";
import type { Event } from "../generated/types.js";
import { Fault } from "../runtime/rejection.js";
import { remarksOf } from "./checkpoints.js";
import { eventsOf, type AnyEvent } from "./events.js";
import type { Beginning, Opened, Steps } from "./items.js";
import { Lifecycle } from "./lifecycle.js";
import { Owners } from "./owners.js";
import type { DeltaEvent } from "./plain.js";
import { LineageRules, parentsOutside, type Problem, type Runs } from "./runs.js";
import { Tracker } from "./tracker.js";
import { violation, type Violation } from "./violation.js";

/** Something that is wrong with a stream, or suspicious. */
export interface Finding {
  /** The rule, such as `text.not-open`. */
  readonly rule: string;
  /** The index of the event. */
  readonly index: number;
  /** JSON Pointer from the event to what this is about; the whole event without it. */
  readonly place?: string;
  /** The index of the other event involved, if there is one. */
  readonly other?: number;
  /** What is wrong, for people. */
  readonly message: string;
}

/** What verification found. */
export interface Verification {
  /** What makes the stream invalid, in the order of the events. */
  readonly errors: readonly Finding[];
  /** What does not. */
  readonly warnings: readonly Finding[];
}

/**
 * Rejects events whose order is not valid. The events may be cut off anywhere.
 *
 * @throws Rejection of class `sequence` for the first event that breaks a rule, and of class `schema` for an event that
 *   the schema does not allow
 */
export function verifyEvents(events: readonly AnyEvent[]): void {
  rejecting(() => {
    const verifier = new Verifier();
    for (const [index, event] of eventsOf(events).entries()) verifier.push(index, event);
    const [first] = inOrder(verifier.errors);
    if (first !== undefined) throw faultOf(first);
  });
}

/**
 * What is wrong with the order of events, and what is suspicious: event types and operations that are not known,
 * patches that do not apply, parents outside of the log, messages that an input brings with another value.
 *
 * @throws Rejection for an event that the schema does not allow
 */
export function checkEvents(events: readonly AnyEvent[]): Verification {
  return rejecting(() => {
    const stream = eventsOf(events);
    const verifier = new Verifier();
    for (const [index, event] of stream.entries()) verifier.push(index, event);
    for (const problem of parentsOutside(verifier.runs)) verifier.warnings.push(findingOf(problem));
    for (const { rule, index, message } of remarksOf(stream)) {
      verifier.warnings.push({ rule, index, message });
    }
    return { errors: inOrder(verifier.errors), warnings: inOrder(verifier.warnings) };
  });
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((one, other) => one.index - other.index);
}

/** The rejection of a stream for what was found. */
export function faultOf({ rule, index, message, place = "" }: Finding): Fault {
  return new Fault("sequence", rule, message).from(place.split("/").slice(1)).within(index);
}

/** Verifies events as they come. A finding may be about an earlier event: a run that named this one as its parent. */
export class Verifier implements Steps {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly #lineage = new LineageRules();
  readonly tracker = new Tracker();
  readonly #lifecycle = new Lifecycle();
  readonly owners = new Owners();
  #index = 0;
  /** Whether the event at hand must leave nothing open. */
  #mustClose = false;

  /** The runs so far. */
  get runs(): Runs {
    return this.#lineage.runs;
  }

  /** Takes the event of this index. Whether patches apply is not looked at. */
  push(index: number, event: Event): void {
    this.#index = index;
    const role = roleOf(event.type);
    if (role === undefined) {
      const message = `\`${event.type}\` is no known type of event`;
      this.warnings.push({ rule: "verify.unknown-event", index, message });
    }
    const admitted = this.#lifecycle.admit(index, event);
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
    if (event.type === "RUN_STARTED") for (const found of this.#lifecycle.begin(index, event)) this.#found(found);
    if (event.type === "RUN_FINISHED") for (const found of this.#lifecycle.finish(event)) this.#found(found);
    this.#found(this.owners.event(index, event, role));
  }

  /** Takes an event of this index that only appends text to this item. */
  pushPlain(index: number, kind: StreamedKind, id: string, event: DeltaEvent): void {
    if (!this.#lifecycle.isRunning) return this.push(index, event);
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

function findingOf({ rule, index, message, other }: Problem): Finding {
  return { rule, index, message, ...(other === undefined ? {} : { other }) };
}

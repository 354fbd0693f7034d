// The forms that a finished run may take.

import { isObject } from "../../runtime/check.js";
import { items, roleOf, type EventRole } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import { isTerminal } from "../events.js";
import type { Reducer } from "../reducer.js";
import { MARK } from "../replay.js";
import { messagesSnapshot, stateSnapshot, withoutMessages } from "../restate.js";
import { setMember } from "../values.js";
import { Verifier } from "../verify.js";

/** What a caller decided about the forms of runs. */
export interface Form {
  /** Whether the beginning of the thread is elsewhere, so that nobody knows what all messages are. */
  readonly partial: boolean;
  /** Whether the caller keeps an event as it is. */
  readonly keeps: (event: Event) => boolean;
}

/** A run in its parts: its beginning, what happens in it, and its terminal events. */
export interface Parts {
  readonly start: Event;
  readonly inner: readonly Event[];
  readonly terminal: readonly Event[];
}

/** The parts of a run, which begins with its first event. */
export function partsOf(run: readonly Event[]): Parts {
  const found = run.findIndex((event, index) => index > 0 && isTerminal(event));
  const end = found < 0 ? run.length : found;
  return { start: run[0] as Event, inner: run.slice(1, end), terminal: run.slice(end) };
}

/** Whether an event belongs to no message, call or state, and so stays beside snapshots. */
export function stands(event: Event, form: Form): boolean {
  return changesNothing(roleOf(event.type)) || form.keeps(event);
}

/** Whether events of this role leave messages, calls and state as they are; those of unknown types do. */
function changesNothing(role: EventRole | undefined): boolean {
  switch (role?.does) {
    case undefined:
    case "none":
      return true;
    case "begin":
    case "end":
      return items[role.item].changes === undefined;
    default:
      return false;
  }
}

/** Whether a verifier accepts the events of one run. */
export function isValid(run: readonly Event[]): boolean {
  const verifier = new Verifier();
  for (const [index, event] of run.entries()) verifier.push(index, event);
  return verifier.errors.length === 0;
}

/** A run that is retained, with all messages and the state; nothing if no snapshot can say them. */
export function retained(form: Form, run: readonly Event[], standing: Reducer): Event[] | undefined {
  const { start, inner, terminal } = partsOf(run);
  const snapshot = messagesSnapshot(standing.messages);
  if (snapshot === undefined) return undefined;
  const others = inner.filter((event) => stands(event, form));
  const first = form.keeps(start) ? start : bare(start);
  const events = [first, ...others, snapshot, stateSnapshot(standing.state), ...terminal];
  return isValid(events) ? events : undefined;
}

/** The frame of a run that is not retained, which says so. */
export function removed(run: readonly Event[]): Event[] {
  const { start, terminal } = partsOf(run);
  return [marked(bare(start)), ...terminal];
}

function bare(start: Event): Event {
  return start.type === "RUN_STARTED" ? withoutMessages(start) : start;
}

function marked(start: Event): Event {
  if (start.type !== "RUN_STARTED") return start;
  const metadata = { ...start.metadata };
  const mark = Object.hasOwn(metadata, MARK) ? metadata[MARK] : undefined;
  setMember(metadata, MARK, { ...(isObject(mark) ? mark : {}), compacted: "tips" });
  return { ...start, metadata };
}

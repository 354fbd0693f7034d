// The events that streams are made of, as callers hand them over.

import { beginDocument, wrongKind } from "../runtime/check.js";
import { checkEvent } from "../generated/check.js";
import type { Event, Message } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { tooDeep } from "../runtime/reader.js";
import type { Fault } from "../runtime/rejection.js";
import { plainKindOf } from "./plain.js";

/** An event of any library: what tells it apart is its `type`, and the rest is judged when it is taken. */
export interface BaseEvent {
  readonly type: string;
}

/** An event of this package or of any other library. */
export type AnyEvent = Event | BaseEvent;

/** The event of this index, judged by the schema. Throws a `Fault`. */
export function eventAt(event: AnyEvent, index: number): Event {
  beginDocument();
  const found = checked(event);
  if (found !== undefined) throw found.within(index);
  return event as Event;
}

/** The events of a stream, each judged by the schema. Throws a `Fault`. */
export function eventsOf(events: readonly AnyEvent[]): Event[] {
  if (!Array.isArray(events)) throw wrongKind("array", events);
  return (events as readonly AnyEvent[]).map(eventAt);
}

function checked(event: AnyEvent): Fault | undefined {
  try {
    return plainKindOf(event) === undefined ? checkEvent(event) : undefined;
  } catch (error) {
    // The stack is full: the value is very deep, or holds itself.
    if (error instanceof RangeError) return tooDeep();
    throw error;
  }
}

/** Whether an event ends a run. */
export function isTerminal(event: Event): boolean {
  return event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
}

/** A message as the object that it is. */
export function membersOf(message: Message): Members {
  return message as unknown as Members;
}

/** The member of that name, if it is a text. */
export function textOf(object: Members, name: string): string | undefined {
  const text = object[name];
  return typeof text === "string" ? text : undefined;
}

/** The subagent that an event names as its own. */
export function subagentOf(event: Event): string | undefined {
  const { subagentRunId } = event as { subagentRunId?: unknown };
  return typeof subagentRunId === "string" ? subagentRunId : undefined;
}

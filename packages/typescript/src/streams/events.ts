// The events that streams are made of, as callers hand them over.

import { beginDocument, wrongKind } from "../runtime/check.js";
import { checkEvent } from "../generated/check.js";
import type { Event, Message } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { tooDeep } from "../runtime/reader.js";
import type { Fault } from "../runtime/rejection.js";
import { commonMembers, members, roleOf, type ItemKind, type ItemRole, type StreamRole } from "../generated/events.js";
import { plainRoleOf } from "./plain.js";
import { setMember } from "./values.js";

/** An event of any library: what distinguishes it is its `type`, and the rest is judged when it is taken. */
export interface BaseEvent {
  readonly type: string;
}

/** The role of events about items of a kind. */
type ItemRoleOf<Kind extends ItemKind> = (ItemRole | StreamRole) & { readonly item: Kind };

/** What an event says of an item, by the names of its members. */
export interface Heads {
  readonly [name: string]: string | undefined;
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
    return plainRoleOf(event) === undefined ? checkEvent(event) : undefined;
  } catch (error) {
    // The stack is full: the value is very deep, or holds itself.
    if (error instanceof RangeError) return tooDeep();
    throw error;
  }
}

/** Whether an event ends a run. */
export function isTerminal(event: Event): boolean {
  return roleOf(event.type)?.does === "end-run";
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

/** The text in a member of an event that its role names. */
export function memberOf(event: Event, name: string | undefined): string | undefined {
  return name === undefined ? undefined : textOf(event as unknown as Members, name);
}

/** The id of the item that an event is about, which the checks have seen. */
export function idOf(event: Event, { id }: { readonly id: string }): string {
  return (event as unknown as Members)[id] as string;
}

/** The subagent that an event names as the owner of its item; none for the parent agent. */
export function ownerOf(event: Event, { owner }: { readonly owner?: string }): string | undefined {
  return memberOf(event, owner);
}

/** What an event names as that which its item is part of, or as the run that a run goes on from. */
export function parentOf(event: Event): string | undefined {
  return memberOf(event, roleOf(event.type)?.parent);
}

/** What an event says of its item, whatever the kind. */
export interface Said<Kind extends ItemKind> {
  readonly kind: Kind;
  /** The id, which chunks may leave out. */
  readonly id: string | undefined;
  readonly subagentRunId: string | undefined;
  /** What describes the item: the role and the name of a message, or the tool and the message of a call. */
  readonly heads: Heads;
}

/** What an event says of the item that it begins, or that it is a chunk of. */
export function saidOf<Kind extends ItemKind>(event: Event, role: ItemRoleOf<Kind>): Said<Kind> {
  const heads: Record<string, string | undefined> = {};
  for (const name of role.opens ?? []) heads[name] = memberOf(event, name);
  return { kind: role.item, id: memberOf(event, role.id), subagentRunId: ownerOf(event, role), heads };
}

/** The lane of an event: the subagent that it names. */
export function subagentOf(event: Event): string | undefined {
  const { subagentRunId } = event as { subagentRunId?: unknown };
  return typeof subagentRunId === "string" ? subagentRunId : undefined;
}

/** The members of an event that the schema does not name; nothing without any. */
export function extraOf(event: Event): Members | undefined {
  const named = members.get(event.type);
  let extra: Members | undefined;
  for (const name in event) {
    if (commonMembers.includes(name) || named?.includes(name) === true || !Object.hasOwn(event, name)) continue;
    const value = (event as unknown as Members)[name];
    if (value !== undefined) setMember((extra ??= {}), name, value);
  }
  return extra;
}

// The events that compaction makes.

import { items, type StreamedKind } from "../../generated/events.js";
import type { Event, Message } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import type { Lane } from "../chunks.js";
import { optional } from "../values.js";
import type { ChunkItem } from "./open-items.js";
import type { PendingDelta } from "./pending-delta.js";

/** The member with the id of an item. */
function idMember(kind: StreamedKind, id: string): Record<string, unknown> {
  return { [items[kind].id as string]: id };
}

/** A merged delta. An original event is there only if nothing was merged. */
export function deltaEvent(kind: StreamedKind, id: string, pending: PendingDelta, lane: Lane): Event {
  const { text, timestamp, rawEvent, metadata, extra } = pending;
  const { append, id: idName } = items[kind];
  const event: Record<string, unknown> = { type: append, [idName as string]: id, delta: text };
  if (timestamp !== undefined) event["timestamp"] = timestamp;
  if (rawEvent !== undefined) event["rawEvent"] = rawEvent;
  if (metadata !== undefined) event["metadata"] = metadata;
  if (lane !== undefined) event["subagentRunId"] = lane;
  return (extra === undefined ? event : { ...event, ...extra }) as unknown as Event;
}

/** The START that replaces an opening chunk. What is not on its delta is kept here. */
export function startEvent({ kind, id, heads, lane }: ChunkItem, opener: PendingDelta): Event {
  const said = Object.entries(heads).filter(([, value]) => value !== undefined);
  const isBare = opener.count === 0;
  return {
    type: items[kind].begin,
    ...idMember(kind, id),
    ...(kind === "reasoning" ? { role: "reasoning" } : {}),
    ...Object.fromEntries(said),
    ...optional("timestamp", opener.timestamp),
    ...(isBare ? optional("metadata", opener.metadata) : {}),
    ...optional("subagentRunId", lane),
    ...(isBare ? opener.extra : {}),
  } as unknown as Event;
}

/** The END of an item that chunks kept open. */
export function endEvent({ kind, id, lane }: ChunkItem): Event {
  return { type: items[kind].ends[0], ...idMember(kind, id), ...optional("subagentRunId", lane) } as unknown as Event;
}

/** All messages of a thread. */
export function messagesEvent(messages: readonly Members[]): Event {
  return { type: "MESSAGES_SNAPSHOT", messages: messages as unknown as Message[] };
}

/** A state without metadata. */
export function stateEvent(snapshot: unknown): Event {
  return { type: "STATE_SNAPSHOT", snapshot };
}

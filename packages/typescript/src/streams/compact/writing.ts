// The events that compaction makes.

import { items, type StreamedKind } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import type { Lane } from "../chunks.js";
import type { Heads } from "../events.js";
import { optional } from "../values.js";
import type { Part } from "./part.js";

/** The member with the id of an item. */
function idMember(kind: StreamedKind, id: string): Record<string, unknown> {
  return { [items[kind].id as string]: id };
}

/** What an opening says of its item, without what it does not say. */
function said(heads: Heads): object {
  return Object.fromEntries(Object.entries(heads).filter(([, value]) => value !== undefined));
}

/** The delta event of a part, with the original event if it is the only one. */
export function deltaEvent(kind: StreamedKind, id: string, part: Part, lane = part.subagentRunId): Event {
  const { timestamp, rawEvent, metadata, extra } = part;
  const { append, id: idName } = items[kind];
  const event: Record<string, unknown> = { type: append, [idName as string]: id, delta: part.delta ?? "" };
  if (timestamp !== undefined) event["timestamp"] = timestamp;
  if (rawEvent !== undefined) event["rawEvent"] = rawEvent;
  if (metadata !== undefined) event["metadata"] = metadata;
  if (lane !== undefined) event["subagentRunId"] = lane;
  return (extra === undefined ? event : { ...event, ...extra }) as unknown as Event;
}

/** The chunk that a part comes to. Only the first chunk of an item says what the item is. */
export function chunkEvent(kind: StreamedKind, opening: object, lane: Lane, part: Part): Event {
  return {
    type: items[kind].chunk,
    ...opening,
    ...optional("delta", part.chunkDelta),
    ...optional("timestamp", part.timestamp),
    ...optional("rawEvent", part.rawEvent),
    ...optional("metadata", part.metadata),
    ...optional("subagentRunId", lane),
    ...part.extra,
  } as unknown as Event;
}

/** What the first chunk of an item says of it. */
export function openingOf(kind: StreamedKind, id: string, heads: Heads): object {
  return { ...idMember(kind, id), ...said(heads) };
}

/** The chunk that says what an item is, and nothing beside it. */
export function bareChunkEvent(kind: StreamedKind, opening: object, lane: Lane, timestamp: Part["timestamp"]): Event {
  const others = { ...optional("timestamp", timestamp), ...optional("subagentRunId", lane) };
  return { type: items[kind].chunk, ...opening, ...others } as unknown as Event;
}

/** The START that stands for an opening chunk. What is not on the delta is kept here. */
export function startEvent(kind: StreamedKind, id: string, heads: Heads, lane: Lane, opener: Part): Event {
  return {
    type: items[kind].begin,
    ...idMember(kind, id),
    ...(kind === "reasoning" ? { role: "reasoning" } : {}),
    ...said(heads),
    ...optional("timestamp", opener.timestamp),
    ...(opener.hasDelta ? {} : optional("metadata", opener.metadata)),
    ...optional("subagentRunId", lane),
    ...(opener.hasDelta ? {} : opener.extra),
  } as unknown as Event;
}

/** The END of an item that chunks kept open. */
export function endEvent(kind: StreamedKind, id: string, lane: Lane): Event {
  return { type: items[kind].ends[0], ...idMember(kind, id), ...optional("subagentRunId", lane) } as unknown as Event;
}

// The events that compaction makes.

import type { Event } from "../../generated/types.js";
import type { Chunk, Lane } from "../chunks.js";
import type { SpanKind } from "../plain.js";
import { optional } from "../values.js";
import type { Part } from "./part.js";

const PREFIXES = { text: "TEXT_MESSAGE", reasoning: "REASONING_MESSAGE", "tool-call": "TOOL_CALL" } as const;

function idOf(kind: SpanKind, id: string): { messageId: string } | { toolCallId: string } {
  return kind === "tool-call" ? { toolCallId: id } : { messageId: id };
}

/** What an opening says of its item, without what it does not say. */
function headsOf(heads: Chunk["heads"]): object {
  return Object.fromEntries(Object.entries(heads).filter(([, value]) => value !== undefined));
}

/** The delta event of a part, with the original event if it is the only one. */
export function deltaEvent(kind: SpanKind, id: string, part: Part, lane = part.subagentRunId): Event {
  const { timestamp, rawEvent, metadata, extra } = part;
  const event: Record<string, unknown> =
    kind === "tool-call"
      ? { type: "TOOL_CALL_ARGS", toolCallId: id, delta: part.delta ?? "" }
      : { type: `${PREFIXES[kind]}_CONTENT`, messageId: id, delta: part.delta ?? "" };
  if (timestamp !== undefined) event["timestamp"] = timestamp;
  if (rawEvent !== undefined) event["rawEvent"] = rawEvent;
  if (metadata !== undefined) event["metadata"] = metadata;
  if (lane !== undefined) event["subagentRunId"] = lane;
  return (extra === undefined ? event : { ...event, ...extra }) as unknown as Event;
}

/** The chunk that a part comes to. Only the first chunk of an item says what the item is. */
export function chunkEvent(kind: SpanKind, opening: object, lane: Lane, part: Part): Event {
  return {
    type: `${PREFIXES[kind]}_CHUNK`,
    ...opening,
    ...optional("delta", part.chunkDelta),
    ...optional("timestamp", part.timestamp),
    ...optional("rawEvent", part.rawEvent),
    ...optional("metadata", part.metadata),
    ...optional("subagentRunId", lane),
    ...part.extra,
  } as Event;
}

/** What the first chunk of an item says of it. */
export function openingOf(kind: SpanKind, id: string, heads: Chunk["heads"]): object {
  return { ...idOf(kind, id), ...headsOf(heads) };
}

/** The chunk that says what an item is, and nothing beside it. */
export function bareChunkEvent(kind: SpanKind, opening: object, lane: Lane, timestamp: Part["timestamp"]): Event {
  const others = { ...optional("timestamp", timestamp), ...optional("subagentRunId", lane) };
  return { type: `${PREFIXES[kind]}_CHUNK`, ...opening, ...others } as Event;
}

/** The START that stands for an opening chunk. What is not on the delta is kept here. */
export function startEvent(kind: SpanKind, id: string, heads: Chunk["heads"], lane: Lane, opener: Part): Event {
  return {
    type: `${PREFIXES[kind]}_START`,
    ...idOf(kind, id),
    ...(kind === "reasoning" ? { role: "reasoning" } : {}),
    ...headsOf(heads),
    ...optional("timestamp", opener.timestamp),
    ...(opener.hasDelta ? {} : optional("metadata", opener.metadata)),
    ...optional("subagentRunId", lane),
    ...(opener.hasDelta ? {} : opener.extra),
  } as Event;
}

/** The END of an item that chunks kept open. */
export function endEvent(kind: SpanKind, id: string, lane: Lane): Event {
  return { type: `${PREFIXES[kind]}_END`, ...idOf(kind, id), ...optional("subagentRunId", lane) } as Event;
}

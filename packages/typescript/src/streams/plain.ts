// The events that most of a log is: text that is appended, and nothing else said.

import type { ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent } from "../generated/types.js";
import type { BaseEvent } from "./events.js";

/** An event that carries text for an item. */
export type DeltaEvent = TextMessageContentEvent | ToolCallArgsEvent | ReasoningMessageContentEvent;

/** The kinds of items that text is streamed to. */
export type SpanKind = "text" | "reasoning" | "tool-call";

/**
 * The kind of item that an event appends text to, if that is plain to see: the event has no other members than this needs,
 * and a time. All other events are for the checks of the schema.
 */
export function plainKindOf(event: BaseEvent): SpanKind | undefined {
  // A caller in JavaScript may hand over anything.
  const delta = (event as Partial<DeltaEvent> | null | undefined)?.delta;
  if (typeof delta !== "string") return undefined;
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
      return isPlain(event, "messageId") ? "text" : undefined;
    case "TOOL_CALL_ARGS":
      return isPlain(event, "toolCallId") ? "tool-call" : undefined;
    case "REASONING_MESSAGE_CONTENT":
      return isPlain(event, "messageId") ? "reasoning" : undefined;
    default:
      return undefined;
  }
}

function isPlain(event: BaseEvent, idName: "messageId" | "toolCallId"): boolean {
  const { [idName]: id, timestamp } = event as { messageId?: unknown; toolCallId?: unknown; timestamp?: unknown };
  if (typeof id !== "string" || !(timestamp === undefined || Number.isSafeInteger(timestamp))) return false;
  for (const name in event) {
    if (name !== "type" && name !== idName && name !== "delta" && name !== "timestamp") return false;
  }
  return true;
}

/** The item that an event appends text to. */
export function idOf(event: DeltaEvent): string {
  return event.type === "TOOL_CALL_ARGS" ? event.toolCallId : event.messageId;
}

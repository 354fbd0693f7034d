// The events that most of a log is: text that is appended, and nothing else said.

import { roleOf, type StreamRole } from "../generated/events.js";
import type { ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent } from "../generated/types.js";
import type { BaseEvent } from "./events.js";

/** An event that carries text for an item. */
export type DeltaEvent = TextMessageContentEvent | ToolCallArgsEvent | ReasoningMessageContentEvent;

// The types are written out, since a lookup for each delta takes longer than all else that is done with it.
const TEXT = /* @__PURE__ */ roleOf("TEXT_MESSAGE_CONTENT") as StreamRole;
const ARGUMENTS = /* @__PURE__ */ roleOf("TOOL_CALL_ARGS") as StreamRole;
const REASONING = /* @__PURE__ */ roleOf("REASONING_MESSAGE_CONTENT") as StreamRole;

/**
 * What an event does that appends text to an item, if that is plain to see: the event has no other members than this needs,
 * and a time. All other events are for the checks of the schema.
 */
export function plainRoleOf(event: BaseEvent): StreamRole | undefined {
  // A caller in JavaScript may hand over anything.
  if (typeof (event as Partial<DeltaEvent> | null | undefined)?.delta !== "string") return undefined;
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
      return isPlain(event, "messageId") ? TEXT : undefined;
    case "TOOL_CALL_ARGS":
      return isPlain(event, "toolCallId") ? ARGUMENTS : undefined;
    case "REASONING_MESSAGE_CONTENT":
      return isPlain(event, "messageId") ? REASONING : undefined;
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

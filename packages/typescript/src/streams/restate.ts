// Messages and state as events again: the way back from a replay.

import { checkMessage } from "../generated/check.js";
import type { Message, MessagesSnapshotEvent, RunStartedEvent, StateSnapshotEvent } from "../generated/types.js";
import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { holdsUnpaired } from "../runtime/text.js";
import { textOf } from "./events.js";

/**
 * Whether one snapshot can say these messages: each id is there once, which readers of a snapshot go by, and no text
 * ends in an unpaired surrogate, which no message can say.
 */
export function canBeRestated(messages: readonly Members[]): boolean {
  const ids = new Set<string>();
  const callIds = new Set<string>();
  return messages.every((message) => {
    const isNew = addTo(ids, message) && callsOf(message).every((call) => isObject(call) && addTo(callIds, call));
    return isNew && !hasCutText(message);
  });
}

/** Whether a text of a message ends in an unpaired surrogate. */
export function hasCutText(message: Members): boolean {
  return isCut(message["content"]) || callsOf(message).some(hasCutArguments);
}

function callsOf(message: Members): readonly unknown[] {
  const calls = message["toolCalls"];
  return Array.isArray(calls) ? calls : [];
}

function hasCutArguments(call: unknown): boolean {
  const called = isObject(call) ? call["function"] : undefined;
  return isObject(called) && isCut(called["arguments"]);
}

function addTo(ids: Set<string>, object: Members): boolean {
  const id = textOf(object, "id");
  if (id === undefined || ids.has(id)) return false;
  ids.add(id);
  return true;
}

function isCut(text: unknown): boolean {
  return typeof text === "string" && holdsUnpaired(text);
}

/** All messages as one snapshot, if one can say them. */
export function messagesSnapshot(messages: readonly Members[]): MessagesSnapshotEvent | undefined {
  if (!canBeRestated(messages) || messages.some((message) => checkMessage(message) !== undefined)) return undefined;
  return { type: "MESSAGES_SNAPSHOT", messages: messages as unknown as Message[] };
}

/** The state as a snapshot. */
export function stateSnapshot(snapshot: unknown): StateSnapshotEvent {
  return { type: "STATE_SNAPSHOT", snapshot };
}

/** The beginning of a run without the messages of its input, which a snapshot after it says in their order. */
export function withoutMessages(start: RunStartedEvent): RunStartedEvent {
  return withMessages(start, []);
}

/** The beginning of a run with other messages in its input, if it has one. */
export function withMessages(start: RunStartedEvent, messages: Message[]): RunStartedEvent {
  return start.input === undefined ? start : { ...start, input: { ...start.input, messages } };
}

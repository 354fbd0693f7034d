// What the types promise to users of TypeScript. Most of it is judged by the compiler.
import assert from "node:assert/strict";
import { test } from "node:test";

import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  isKnownEvent,
  parseEvent,
  unknownTagOf,
  validateEvent,
  withExtras,
  type ChatMessage,
  type Event,
  type Exact,
  type Participant,
  type TextContent,
  type UnknownEvent,
} from "chatstate";

/** What a switch over all that an event may be sees in each of its branches. */
function describe(event: Event): string {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
      return event.delta.toUpperCase();
    case "RUN_STARTED":
      // @ts-expect-error a run has no text
      return event.delta;
    case "RUN_ERROR":
      return event.message;
    default: {
      // @ts-expect-error not every other event has a message
      const message: string = event.message;
      return message;
    }
  }
}

test("a switch narrows to the variant", () => {
  assert.equal(describe({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "a" }), "A");
});

test("the guard leaves the unknown variant", () => {
  const event = parseEvent('{"type":"LATER","level":3}');
  assert(!isKnownEvent(event));
  const unknown: UnknownEvent = event;
  const tag: string = unknown.type;
  assert.equal(tag, "LATER");
  assert.equal(unknown["level"], 3);
});

test("an unknown variant can be written", () => {
  const event: Event = { type: unknownTagOf("OURS"), level: 3 };
  assert.equal(event.type, "OURS");
});

test("mistakes do not compile", () => {
  const mistakes: unknown[] = [
    // @ts-expect-error a tag with a slip of the pen
    { type: "TEXT_MESAGE_END", messageId: "m" } satisfies Event,
    // @ts-expect-error a member is missing
    { type: "TEXT_MESSAGE_END" } satisfies Event,
    // @ts-expect-error a member is of another type
    { type: "TEXT_MESSAGE_END", messageId: 1 } satisfies Event,
    // @ts-expect-error a member that may be absent is not undefined
    { id: "a", type: "b", name: undefined } satisfies Participant,
    // @ts-expect-error a member that may be absent is not null
    { id: "a", type: "b", name: null } satisfies Participant,
    // @ts-expect-error a member that may be null must still be there
    { type: "text" } satisfies TextContent,
    // @ts-expect-error a name with a slip of the pen
    { id: "a", type: "b", nane: "c" } satisfies Participant,
  ];
  assert.equal(mistakes.length, 7);
});

test("an open set of words takes any word and keeps those it knows", () => {
  const message: ChatMessage = { role: "moderator", items: [{ type: "text", text: null }] };
  const known: ChatMessage["role"] = "assistant";
  assert.notEqual(message.role, known);
});

test("members without a name here are reached on purpose only", () => {
  const participant: Participant = { id: "a", type: "b" };
  // @ts-expect-error the schema does not name it
  assert.equal(participant.colour, undefined);
  assert.equal(withExtras(participant)["colour"], undefined);
});

test("a validator is a standard schema", () => {
  const schema: StandardSchemaV1<Event, Event> = validateEvent;
  const inferred: StandardSchemaV1.InferOutput<typeof validateEvent> = { type: "STEP_STARTED", stepName: "a" };
  assert.deepEqual(schema["~standard"].validate(inferred), { value: inferred });
});

test("exact numbers are in the type", () => {
  const event = parseEvent('{"type":"RAW","event":1,"timestamp":12}', { numbers: "exact" });
  const same: Exact<Event> = event;
  if (same.type === "RAW" && same.timestamp !== undefined) {
    // @ts-expect-error it may be an `ExactNumber`
    const timestamp: number = same.timestamp;
    assert.equal(timestamp, 12);
  }
});

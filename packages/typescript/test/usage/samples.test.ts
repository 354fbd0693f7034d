// The samples of AG-UI's proposal on serialization, with nothing but names of this package in the place of its own.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  compactEvents,
  parseEvent,
  Rejection,
  replayEvents,
  validateEvent,
  type Event as BaseEvent,
  type RunAgentInput as AgentInput,
  type RunStartedEvent as OurRunStartedEvent,
} from "chatstate";

/** The names of types, as an enumeration has them. */
declare namespace EventType {
  type RUN_STARTED = "RUN_STARTED";
}

// Event Compaction: the function.
test("compactEvents has the type of the proposal", () => {
  const declared: (events: BaseEvent[]) => BaseEvent[] = compactEvents;
  assert.deepEqual(declared([]), []);
});

// Updated Types: what they add to the event.
type RunStartedEvent = BaseEvent & {
  type: EventType.RUN_STARTED;
  threadId: string;
  runId: string;
  /**
   * Optional lineage pointer for branching/time travel.
   * If present, refers to a prior run within the same thread.
   */
  parentRunId?: string;
  /**
   * The exact AgentInput payload that was sent to the agent for this run.
   * May omit messages already present in history; compactEvents() will normalize.
   */
  input?: AgentInput;
};

test("the type of RUN_STARTED is that of the proposal", () => {
  const theirs: RunStartedEvent = { type: "RUN_STARTED", threadId: "t", runId: "r", parentRunId: "q" };
  const ours: OurRunStartedEvent = theirs;
  const event: BaseEvent = ours;
  assert.equal(validateEvent(event), theirs);
});

const user = (id: string, content: string) => ({ id, role: "user" as const, content });
const input = (runId: string, ...messages: NonNullable<AgentInput["messages"]>): AgentInput => ({
  threadId: "thread1",
  runId,
  messages,
});
const run = (runId: string, more: Partial<OurRunStartedEvent>, ...events: BaseEvent[]): BaseEvent[] => [
  { type: "RUN_STARTED", threadId: "thread1", runId, ...more },
  ...events,
  { type: "RUN_FINISHED", threadId: "thread1", runId },
];

// Basic Serialization.
test("events are stored as text, restored and compacted", async () => {
  const kept = new Map<string, string>();
  const storage = {
    save: async (id: string, text: string) => void kept.set(id, text),
    load: async (id: string) => kept.get(id) ?? "",
  };
  const threadId = "thread1";

  // Serialize event stream
  const events: BaseEvent[] = [...run("run1", { input: input("run1", user("msg1", "Hello")) })]; // Full event history
  const serialized = JSON.stringify(events);

  // Store to database, file, etc.
  await storage.save(threadId, serialized);

  // Later: deserialize and restore
  const restored = JSON.parse(await storage.load(threadId));
  const compacted = compactEvents(restored);

  assert.deepEqual(compacted, events);
  assert.deepEqual(replayEvents(compacted).messages, [user("msg1", "Hello")]);
});

/** The rule that events break. */
function ruleOf(events: unknown[]): string {
  try {
    compactEvents(events as BaseEvent[]);
  } catch (error) {
    if (error instanceof Rejection) return `${error.class} ${error.rule} ${error.at}`;
    throw error;
  }
  return "accepted";
}

// Event Compaction Example.
test("a message and a state become snapshots", () => {
  const before = [
    { type: "TEXT_MESSAGE_START", messageId: "msg1", role: "user" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "msg1", delta: "Hello " },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "msg1", delta: "world" },
    { type: "TEXT_MESSAGE_END", messageId: "msg1" },
    { type: "STATE_DELTA", patch: { op: "add", path: "/foo", value: 1 } },
    { type: "STATE_DELTA", patch: { op: "replace", path: "/foo", value: 2 } },
  ];
  const after = [
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "msg1", role: "user", content: "Hello world" }] },
    { type: "STATE_SNAPSHOT", state: { foo: 2 } },
  ];

  // As it stands it has no run, and members that AG-UI calls otherwise: it is refused, and nothing is guessed.
  assert.equal(ruleOf(before), "sequence run.first-event /0");
  assert.throws(() => parseEvent(JSON.stringify(before[4])), { rule: "required", at: "/delta" });

  // In a run, with the names of AG-UI, its messages and its state are those of the proposal.
  const renamed = before.map(({ patch, ...event }) => (patch === undefined ? event : { ...event, delta: [patch] }));
  const compacted = compactEvents(run("run1", {}, ...(renamed as BaseEvent[])), { level: "snapshot" });
  const { messages } = after[0] as { messages: unknown };
  const { state } = after[1] as { state: unknown };
  const snapshots = compacted.filter(({ type }) => type.endsWith("_SNAPSHOT"));
  assert.deepEqual(new Map(snapshots.map((event) => [event.type as string, { ...event }])), new Map<string, object>([
    ["MESSAGES_SNAPSHOT", { type: "MESSAGES_SNAPSHOT", messages }],
    ["STATE_SNAPSHOT", { type: "STATE_SNAPSHOT", snapshot: state }],
  ]));
});

// Branching with Parent Run ID.
test("a run branches from another", () => {
  const paris = { type: "RUN_STARTED", threadId: "thread1", runId: "run1", input: { messages: ["Tell me about Paris"] } };
  // An input has the identities of its run, and messages are no texts.
  assert.equal(ruleOf([paris]), "schema required /0/input/threadId");

  const events = [
    ...run("run0", { input: input("run0", user("m0", "Hello")) }),
    ...run("run1", { input: input("run1", user("m1", "Tell me about Paris")) }),
    ...run("run2", {
      parentRunId: "run0", // Points to parent
      input: input("run2", user("m2", "Actually, tell me about London instead")),
    }),
  ];
  const contents = (id: string) => replayEvents(events, { run: id }).messages.map((message) => message["content"]);
  assert.deepEqual(contents("run1"), ["Hello", "Tell me about Paris"]);
  assert.deepEqual(contents("run2"), ["Hello", "Actually, tell me about London instead"]);
});

// Normalized Input Example.
test("a second run leaves out what the first has said", () => {
  const [first, second] = [user("msg1", "Hello"), user("msg2", "How are you?")];
  const events = [
    ...run("run1", { input: input("run1", first) }), // First run includes full message
    ...run("run2", { input: input("run2", first, second) }),
  ];
  const compacted = compactEvents(events);
  // msg1 omitted as it's already in history
  const inputs = compacted.flatMap((event) => (event.type === "RUN_STARTED" ? [event.input?.messages] : []));
  assert.deepEqual(inputs, [[first], [second]]);
  assert.deepEqual(replayEvents(compacted).messages, [first, second]);
});

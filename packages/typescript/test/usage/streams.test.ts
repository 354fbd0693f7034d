// Streams of events, as a program uses them that keeps logs.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  attachPrelude,
  branchOf,
  checkEvents,
  compactEvents,
  compactStream,
  EventCompactor,
  lineageOf,
  parseEventStream,
  Rejection,
  replayEvents,
  stringifyEventStream,
  verifyEvents,
  type BaseEvent,
  type Event,
} from "chatstate";

const runOf = (runId: string, inner: readonly Event[]): Event[] => [
  { type: "RUN_STARTED", threadId: "t", runId },
  ...inner,
  { type: "RUN_FINISHED", threadId: "t", runId },
];

const run = (runId: string, ...inner: Event[]): Event[] => runOf(runId, inner);

const text = (messageId: string, ...deltas: string[]): Event[] => [
  { type: "TEXT_MESSAGE_START", messageId },
  ...deltas.map((delta): Event => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta })),
  { type: "TEXT_MESSAGE_END", messageId },
];

/** What a call rejects. */
function rejection(call: () => unknown): [kind: string, rule: string, at: string] {
  try {
    call();
  } catch (error) {
    assert(error instanceof Rejection, String(error));
    return [error.class, error.rule, error.at];
  }
  return assert.fail("nothing was rejected");
}

test("deltas are joined, and the events are as they were", () => {
  const events = run("r", ...text("m", "Hel", "lo"));
  const before = structuredClone(events);
  const compacted: Event[] = compactEvents(events);
  assert.deepEqual(compacted[2], { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" });
  assert.deepEqual(events, before);
});

test("events of another library come back as that library's", () => {
  interface TheirEvent extends BaseEvent {
    type: string;
    rawEvent?: unknown;
  }
  const events: TheirEvent[] = [{ type: "RUN_ERROR", message: "no" } as TheirEvent];
  const compacted: TheirEvent[] = compactEvents(events);
  assert.deepEqual(compacted, events);
});

test("a live stream is compacted run by run", async () => {
  async function* live(): AsyncGenerator<Event> {
    yield* run("r1", ...text("m1", "a", "b"));
    yield* run("r2", ...text("m2", "c", "d")).slice(0, 4);
  }
  const compacted: Event[] = [];
  for await (const event of compactStream(live())) compacted.push(event);
  assert.equal(compacted.length, 5 + 3);
});

test("a compactor gives a run when it is over, and rejects everything after a rejection", () => {
  const compactor = new EventCompactor();
  const [start, ...rest] = run("r", ...text("m", "a", "b"));
  assert(start);
  assert.deepEqual(compactor.push(start), []);
  const settled = rest.flatMap((event) => compactor.push(event));
  assert.equal(settled.length, 5);
  const expected = ["sequence", "run.after-finish", "/6"];
  assert.deepEqual(rejection(() => compactor.push({ type: "RAW", event: 1 })), expected);
  assert.deepEqual(rejection(() => compactor.push(start)), expected);
  assert.deepEqual(rejection(() => compactor.finish()), expected);
});

test("a caller keeps events as they are", () => {
  const events = run("r", ...text("m", "a", "b", "c"));
  const keep = (event: Event): boolean => event.type === "TEXT_MESSAGE_CONTENT" && event.delta === "b";
  assert.deepEqual(compactEvents(events, { keep }), events);
});

test("what is pending stands before kept chunks that it would close", () => {
  const events = runOf("r", [
    { type: "TEXT_MESSAGE_START", messageId: "m1", subagentRunId: "s" },
    { type: "TEXT_MESSAGE_START", messageId: "m2" },
    { type: "STATE_SNAPSHOT", snapshot: { n: 1 } },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m2", delta: "a" },
    { type: "TEXT_MESSAGE_CHUNK", messageId: "m3", delta: "b" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "c", subagentRunId: "s" },
    { type: "TEXT_MESSAGE_END", messageId: "m1" },
    { type: "TEXT_MESSAGE_END", messageId: "m2" },
  ]);
  assert.deepEqual(compactEvents(events, { keep: ({ type }) => type === "TEXT_MESSAGE_CHUNK" }), events);
});

test("a kept input behind a removed run makes the run before say the path", () => {
  const said = (runId: string, ...ids: string[]): Event[] => {
    const messages = ids.map((id) => ({ id, role: "user" as const, content: "hi" }));
    const [start, ...rest] = run(runId);
    return [{ ...start, input: { threadId: "t", runId, messages } } as Event, ...rest];
  };
  const events = [...said("r1", "u1", "u2"), ...said("r2", "u3", "u1", "u2")];
  const keep = (event: Event): boolean => event.type === "RUN_STARTED" && event.runId === "r2";
  const compacted = compactEvents(events, { level: "snapshot", keep });
  const types = ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED", "RUN_STARTED", "RUN_FINISHED"];
  assert.deepEqual(compacted.map(({ type }) => type), types);
  assert.deepEqual(compacted[4], events[2]);
  assert.deepEqual(compactEvents(compacted, { level: "snapshot", keep }), compacted);
});

test("a lenient compactor passes on what a verifier rejects", () => {
  const good = run("r1", ...text("m1", "a", "b"));
  const bad = [...run("r2", ...text("m2", "c", "d")).slice(0, 4), { type: "STEP_FINISHED", stepName: "s" } as const];
  const after = [...run("r3", ...text("m3", "e", "f")), null as unknown as Event];
  const compacted = compactEvents([...good, ...bad, ...after], { lenient: true });
  assert.deepEqual(compacted, [...compactEvents(good), ...bad, ...after]);
  const snapshots = compactEvents([...good, ...bad, ...after], { lenient: true, level: "snapshot" });
  assert.deepEqual(snapshots, [...compactEvents(good, { level: "snapshot" }), ...bad, ...after]);
  assert.deepEqual(compactEvents(good, { lenient: true }), compactEvents(good));
  const compactor = new EventCompactor({ lenient: true });
  for (const event of [...good, ...bad]) compactor.push(event);
  assert.equal(compactor.rejection?.rule, "step.not-open");
});

test("a snapshot holds the thread", () => {
  const events = [...run("r1", ...text("m1", "a", "b")), ...run("r2", ...text("m2", "c"))];
  const compacted = compactEvents(events, { level: "snapshot" });
  assert.deepEqual(replayEvents(compacted).messages, replayEvents(events).messages);
  assert.deepEqual(rejection(() => replayEvents(compacted, { run: "r1" })), ["semantic", "replay.removed-run", "/0"]);
  const all = compactEvents(events, { level: "snapshot", retain: "runs" });
  assert.equal(replayEvents(all, { run: "r1" }).messages.length, 1);
});

test("a prelude and what follows mean the whole", () => {
  const events = run("r", ...text("m", "Hel", "lo"));
  for (let cut = 0; cut <= events.length; cut += 1) {
    const joined = [...attachPrelude(events.slice(0, cut)), ...events.slice(cut)];
    assert.deepEqual(replayEvents(joined).messages, replayEvents(events).messages, `cut at ${cut}`);
  }
});

test("runs continue each other", () => {
  const parent: Event = { type: "RUN_STARTED", threadId: "t", runId: "r3", parentRunId: "r1" };
  const lineage = lineageOf([...run("r1"), ...run("r2"), parent]);
  assert.deepEqual(lineage.runs.map(({ predecessor }) => predecessor), [null, "r1", "r1"]);
  assert.deepEqual(lineage.tips, ["r2", "r3"]);
});

test("the events of a branch mean what the log means at its run", () => {
  const parent: Event = { type: "RUN_STARTED", threadId: "t", runId: "r3", parentRunId: "r1" };
  const log = [...run("r1", ...text("a", "A")), ...run("r2", ...text("b", "B")), parent, ...text("c", "C")];
  for (const id of ["r1", "r2", "r3"]) assert.deepEqual(replayEvents(branchOf(log, id)), replayEvents(log, { run: id }));
  assert.equal(branchOf(log, "r3").length, log.length - run("r2", ...text("b", "B")).length);
  assert.deepEqual(rejection(() => branchOf(log, "r4")).slice(0, 2), ["semantic", "replay.unknown-run"]);
});

test("an earlier run is not continued after a prelude", () => {
  const parent: Event = { type: "RUN_STARTED", threadId: "t", runId: "r3", parentRunId: "r1" };
  const prelude = attachPrelude<Event>([...run("r1"), ...run("r2")]);
  assert.deepEqual(rejection(() => replayEvents([...prelude, parent])).slice(0, 2), ["semantic", "replay.removed-run"]);
});

test("findings name both events", () => {
  const events = [...run("r1"), ...run("r1")];
  const { errors, warnings } = checkEvents([...events, { type: "RUN_STARTED", threadId: "t", runId: "r2", parentRunId: "x" }]);
  assert.deepEqual(errors.map(({ rule, index, other }) => [rule, index, other]), [["lineage.run-reused", 2, 0]]);
  assert.deepEqual(warnings.map(({ rule }) => rule), ["lineage.parent-outside"]);
  assert.deepEqual(rejection(() => verifyEvents(events)), ["sequence", "lineage.run-reused", "/2"]);
});

test("what is no event is rejected, and nothing else is thrown", () => {
  const cyclic: Record<string, unknown> = { type: "RAW" };
  cyclic["event"] = cyclic;
  const strange: unknown[] = [null, undefined, 1, "RAW", [], {}, { type: 1 }, { type: "TEXT_MESSAGE_CONTENT", delta: "a" }, cyclic];
  strange.push({ type: "RUN_STARTED", threadId: "t", runId: "r", input: { threadId: "t", runId: "r", messages: [null] } });
  strange.push({ type: "STATE_DELTA", delta: [{ op: "add" }] }, { type: "TOOL_CALL_ARGS", toolCallId: {}, delta: "" });
  for (const call of [verifyEvents, replayEvents, lineageOf, compactEvents, attachPrelude, checkEvents]) {
    for (const event of strange) {
      const [kind, , at] = rejection(() => call([...run("r0"), event as Event]));
      assert.match(kind, /^(schema|limit)$/, `${call.name} of ${String(event)}`);
      assert(kind === "limit" || at.startsWith("/2"), at);
    }
    assert.deepEqual(rejection(() => call({} as Event[])).slice(0, 2), ["schema", "type"]);
  }
});

test("what a patch copies is changed at one place only", () => {
  const patch = [
    { op: "add" as const, path: "/a/n", value: 1 },
    { op: "copy" as const, from: "/a", path: "/b" },
    { op: "add" as const, path: "/b/n", value: 2 },
  ];
  const events = run("r", { type: "STATE_SNAPSHOT", snapshot: { a: {} } }, { type: "STATE_DELTA", delta: patch });
  assert.deepEqual(replayEvents(events).state, { a: { n: 1 }, b: { n: 2 } });
  const [, snapshot] = compactEvents(events);
  assert.deepEqual(snapshot, { type: "STATE_SNAPSHOT", snapshot: { a: { n: 1 }, b: { n: 2 } } });
});

test("an encrypted value of an unknown subtype has no effect, and stays", () => {
  const image: Event = { type: "REASONING_ENCRYPTED_VALUE", subtype: "image", entityId: "m", encryptedValue: "x" };
  const text: Event[] = [
    { type: "TEXT_MESSAGE_START", messageId: "m" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "x" },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
  ];
  const events = run("r", ...text, image);
  assert.deepEqual(replayEvents(events).messages, [{ id: "m", role: "assistant", content: "x" }]);
  assert.deepEqual(checkEvents(events).warnings.map(({ rule, index }) => [rule, index]), [["verify.unknown-word", 4]]);
  for (const level of ["stream", "snapshot"] as const) assert.deepEqual(compactEvents(events, { level }), events);
});

test("an unknown operation is left out, and its patch stays", () => {
  const line = (patch: string): Event[] => parseEventStream(`[{"type":"STATE_DELTA","delta":${patch}}]`);
  const known = '{"op":"add","path":"/n","value":1}';
  const patch = line(`[{"op":"later","path":"/x"},${known}]`);
  const events = run("r", { type: "STATE_SNAPSHOT", snapshot: {} }, ...line(`[${known}]`), ...patch);
  assert.deepEqual(replayEvents(events).state, { n: 1 });
  assert.deepEqual(checkEvents(events).warnings.map(({ rule, index }) => [rule, index]), [["verify.unknown-operation", 3]]);
  const folded: Event = { type: "STATE_SNAPSHOT", snapshot: { n: 1 } };
  for (const level of ["stream", "snapshot"] as const) {
    const [start, , , , end] = events;
    assert.deepEqual(compactEvents(events, { level }), [start, folded, ...patch, end]);
  }
});

test("a run that continues an earlier one finds the messages and the state that were there", () => {
  const state = (n: number): Event => ({ type: "STATE_DELTA", delta: [{ op: "add", path: `/${n}`, value: n }] });
  const branch = (event: Event[]): Event[] => [{ ...event[0], parentRunId: "r1" } as Event, ...event.slice(1)];
  const first = run("r1", ...text("m1", "a", "b"), state(1));
  const events = [...first, ...run("r2", ...text("m1", "c"), state(2)), ...branch(run("r3", ...text("m3", "d"), state(3)))];
  const { messages, state: last } = replayEvents(events);
  assert.deepEqual(messages.map((message) => "content" in message && message.content), ["ab", "d"]);
  assert.deepEqual(last, { 1: 1, 3: 3 });
  for (const retain of ["tips", "runs"] as const) {
    const compacted = compactEvents(events, { level: "snapshot", retain });
    for (const id of ["r1", "r2", "r3"]) {
      assert.deepEqual(replayEvents(compacted, { run: id }).messages, replayEvents(events, { run: id }).messages);
      assert.deepEqual(replayEvents(compacted, { run: id }).state, replayEvents(events, { run: id }).state);
    }
  }
});

test("an unpaired surrogate that a failed run left is replaced when the text continues", () => {
  const failed = [...run("r1", ...text("m", "a\ud83d")).slice(0, 3), { type: "RUN_ERROR", message: "no" } as const];
  const contentAfter = (...deltas: string[]): unknown => {
    const [message] = replayEvents([...failed, ...run("r2", ...text("m", ...deltas))]).messages;
    return message && "content" in message ? message.content : undefined;
  };
  assert.equal(contentAfter("b"), "a\ufffdb");
  assert.equal(contentAfter("", "b"), "a\ufffdb");
  assert.equal(contentAfter("b\ud83d", "\ude00"), "a\ufffdb\ud83d\ude00");
});

test("a text begins with the half that its first delta begins with", () => {
  const events = run(
    "r",
    { type: "TEXT_MESSAGE_START", messageId: "m" },
    { type: "MESSAGES_SNAPSHOT", messages: [] },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "\ud83d" },
    { type: "REASONING_MESSAGE_START", messageId: "m", role: "reasoning" },
    { type: "REASONING_MESSAGE_CONTENT", messageId: "m", delta: "\ude00" },
  ).slice(0, 6);
  assert.deepEqual(replayEvents(events).messages, [{ id: "m", role: "reasoning", content: "\ude00" }]);
});

test("an unpaired surrogate is completed by the delta that comes next, or is rejected", () => {
  const compacted = (...deltas: string[]): unknown => compactEvents(run("r", ...text("m", ...deltas)))[2];
  const delta = "a\ud83d\ude00b";
  assert.deepEqual(compacted("a", "\ud83d", "", "\ude00", "b"), { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta });
  assert.deepEqual(rejection(() => compacted("a", "\ud83d", "", "b")), ["sequence", "text.unpaired-surrogate", "/5"]);
  assert.deepEqual(rejection(() => compacted("a", "b", "\ude00")), ["sequence", "text.unpaired-surrogate", "/4"]);
});

test("a snapshot stays as it was given while the thread continues", () => {
  const again = run("r2", ...text("m", "!"));
  const compactor = new EventCompactor({ level: "snapshot", retain: "runs" });
  const first = run("r1", ...text("m", "Hel", "lo")).flatMap((event) => compactor.push(event));
  const before = structuredClone(first);
  again.forEach((event) => compactor.push(event));
  assert.deepEqual(first, before);
});

test("exact events come back as exact events", () => {
  const line = '[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"CUSTOM","name":"n","value":12345678901234567890}]';
  const compacted = compactEvents(parseEventStream(line));
  assert.equal(stringifyEventStream(compacted), line);
});

test("logs are as long as they are", () => {
  const many = 150_000;
  const patch = (n: number): Event => ({ type: "STATE_DELTA", delta: [{ op: "remove", path: `/${n}` }] });
  const events = runOf("r", Array.from({ length: many }, (_, n) => patch(n)));
  assert.equal(compactEvents(events).length, many + 2);
  assert.equal(compactEvents(events, { level: "snapshot" }).length, 4);
  assert.equal(checkEvents(events).warnings.length, many);
  const lanes = Array.from({ length: 2_000 }, (_, n): Event => {
    return { type: "TEXT_MESSAGE_CHUNK", messageId: `m${n}`, delta: "a", subagentRunId: `s${n}` };
  });
  assert.equal(replayEvents(compactEvents(runOf("r", lanes))).messages.length, lanes.length);
  const runs = Array.from({ length: many }, (_, n): Event => {
    return { type: "RUN_STARTED", threadId: "t", runId: `r${n}`, parentRunId: "last" };
  });
  const last: Event = { type: "RUN_STARTED", threadId: "t", runId: "last" };
  assert.equal(lineageOf([...runs, last]).problems.length, many);
});

test("members that JavaScript knows by name are members", () => {
  const patch = [{ op: "add" as const, path: "/__proto__", value: { a: 1 } }];
  const events = run("r", { type: "STATE_SNAPSHOT", snapshot: {} }, { type: "STATE_DELTA", delta: patch });
  const state = replayEvents(events).state as object;
  assert.deepEqual(Object.keys(state), ["__proto__"]);
  const [, snapshot] = compactEvents(events);
  assert.equal(JSON.stringify(snapshot), '{"type":"STATE_SNAPSHOT","snapshot":{"__proto__":{"a":1}}}');
  assert.equal(({} as { a?: number }).a, undefined);
});

test("a warning says its place", () => {
  const places = (events: Event[]): string[] => checkEvents(events).warnings.map(({ rule, index, place }) => `${rule}@/${index}${place ?? ""}`);
  const failing: Event = { type: "STATE_DELTA", delta: [{ op: "add", path: "/a", value: 1 }, { op: "remove", path: "/x" }] };
  assert.deepEqual(places(run("r", failing)), ["verify.failed-patch@/1/delta/1"]);
  const nobody: Event = { type: "ACTIVITY_DELTA", messageId: "nobody", activityType: "w", patch: [] };
  assert.deepEqual(places(run("r", nobody)), ["verify.no-target@/1/messageId"]);
  const value: Event = { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: "nobody", encryptedValue: "A" };
  assert.deepEqual(places(run("r", value)), ["verify.no-target@/1/entityId"]);
  for (const protocolVersion of ["1.2", "1.10", "2.0", "soon", "1"]) {
    const start: Event = { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion };
    assert.deepEqual(places([start]), ["verify.newer-version@/0/protocolVersion"]);
  }
  assert.deepEqual(places([{ type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.1" }]), []);
});

test("a marked run with events is warned of once", () => {
  const places = (events: Event[]): string[] => checkEvents(events).warnings.map(({ rule, index, place }) => `${rule}@/${index}${place ?? ""}`);
  const [start, finish] = run("r") as [Event, Event];
  const marked = { ...start, metadata: { chatstate: { compacted: "tips" } } } as Event;
  const custom: Event = { type: "CUSTOM", name: "n", value: 1 };
  const input = { threadId: "t", runId: "r", messages: [{ id: "u", role: "user", content: "x" }] };
  assert.deepEqual(places([marked, finish]), []);
  assert.deepEqual(places([marked, custom, custom, finish]), ["verify.marked-run@/0/metadata/chatstate"]);
  assert.deepEqual(places([{ ...marked, input } as Event, finish]), ["verify.marked-run@/0/metadata/chatstate"]);
});

test("a complete stream ends with its last run", () => {
  const [start, finish] = run("r") as [Event, Event];
  const next: Event = { type: "RUN_STARTED", threadId: "t", runId: "r2" };
  const cut = [start, finish, next];
  verifyEvents([start, finish], { complete: true });
  verifyEvents(cut);
  assert.deepEqual(rejection(() => verifyEvents(cut, { complete: true })), ["sequence", "run.unfinished", "/2"]);
  assert.deepEqual(checkEvents(cut, { complete: true }).errors.map(({ rule, index }) => [rule, index]), [["run.unfinished", 2]]);
  assert.deepEqual(checkEvents(cut).errors, []);
});

test("verifying follows no values, and checking does", () => {
  const large = { type: "STATE_SNAPSHOT", snapshot: { a: "x".repeat(1 << 20) } } as Event;
  const copies = Array.from({ length: 80 }, (_, place) => ({ op: "copy", from: "/a", path: `/b${place}` }));
  const events = run("r", large, { type: "STATE_DELTA", delta: copies } as Event);
  verifyEvents(events);
  assert.deepEqual(checkEvents(events).errors.map(({ rule, index }) => [rule, index]), [["patch-copy", 2]]);
  assert.deepEqual(rejection(() => replayEvents(events)), ["limit", "patch-copy", "/2"]);
});

test("a lenient replay passes over what breaks a rule", () => {
  const events = run("r", { type: "TEXT_MESSAGE_END", messageId: "none" }, ...text("m", "x"));
  assert.throws(() => replayEvents(events), { rule: "text.not-open" });
  assert.equal(replayEvents(events, { lenient: true }).messages.length, 1);
});

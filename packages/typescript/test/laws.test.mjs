// The laws of SPEC.md, on streams that fast-check makes up and shrinks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import fc from "fast-check";

import { chosen, validStream } from "./differential/streams.mjs";

/** @type {typeof import("../src/index.js")} */
const chatstate = await import(pathToFileURL(`${process.env.CHATSTATE_PACKAGE}/dist/index.js`).href);
const { attachPrelude, canonicalize, compactEvents, compactStream, equals, EventCompactor } = chatstate;
const { replayEvents, verifyEvents } = chatstate;
const numRuns = Number(process.env.CHATSTATE_STREAMS ?? 300);
/** Shrinking a long stream to its last event may take too long. */
const LIMITS = {
  endOnFailure: process.env.CHATSTATE_SHRINK === "0",
  interruptAfterTimeLimit: 120_000,
  markInterruptAsFailure: true,
  seed: Number(process.env.CHATSTATE_SEED ?? 1),
};

/** @typedef {import("./differential/streams.mjs").Event} Event */
/** @typedef {import("../src/index.js").CompactOptions<Event>} Options */

/** @param {readonly Event[]} events */
function accepts(events) {
  try {
    verifyEvents(events);
    return true;
  } catch {
    return false;
  }
}

const streams = fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 600, size: "max" })
  .map((choices) => validStream(chosen(choices), accepts));
/** @type {Options[]} */
const LEVELS = [{ level: "stream" }, { level: "snapshot", retain: "runs" }, { level: "snapshot", retain: "tips" }];

/** @param {string} name @param {(events: Event[], level: Options) => void} law @param {Options[]} levels */
function holds(name, law, levels = LEVELS) {
  for (const level of levels) {
    const { retain = "" } = level;
    test(`${name}: ${level.level} ${retain}`, () => {
      fc.assert(fc.property(streams, (events) => law(events, level)), { numRuns, ...LIMITS });
    });
  }
}

/** @param {readonly Event[]} events @param {string} [run] what a replay gives, but for the list of runs of `tips` */
function meaning(events, run) {
  return canonicalize(replayEvents(events, { run }));
}

/** @param {readonly Event[]} events */
function runsOf(events) {
  return events.filter(({ type }) => type === "RUN_STARTED").map(({ runId }) => runId);
}

holds("idempotent", (events, level) => {
  const once = compactEvents(events, level);
  assert(equals(compactEvents(once, level), once));
});

holds("replay", (events, level) => {
  const compacted = compactEvents(events, level);
  assert.equal(meaning(compacted), meaning(events));
  if (level.retain === "tips") return;
  for (const run of runsOf(events)) assert.equal(meaning(compacted, run), meaning(events, run));
});

holds("closed", (events, level) => verifyEvents(compactEvents(events, level)));

holds("incremental", (events, level) => {
  const whole = canonicalize(compactEvents(events, level));
  for (let cut = 0; cut <= events.length; cut += 1) {
    const [first, rest] = [events.slice(0, cut), events.slice(cut)];
    const begun = compactEvents(first, level);
    // A run that continues one that compaction removed needs the log.
    const removed = begun.filter(({ metadata }) => metadata?.chatstate !== undefined).map(({ runId }) => runId);
    if (rest.some(({ parentRunId }) => removed.includes(parentRunId))) continue;
    assert.equal(canonicalize(compactEvents([...begun, ...rest], level)), whole, `cut at ${cut}`);
  }
});

/** Types of events that a caller keeps. */
const KEPT = [
  ["RUN_STARTED", "CUSTOM"],
  ["TEXT_MESSAGE_CONTENT", "TOOL_CALL_CHUNK"],
  ["STATE_DELTA", "TEXT_MESSAGE_CHUNK", "ACTIVITY_DELTA"],
];

for (const types of KEPT) {
  holds(`kept ${types.join(", ")}`, (events, level) => {
    /** @param {Event} event */
    const isKept = ({ type }) => types.includes(type);
    const options = { ...level, keep: isKept };
    const whole = canonicalize(compactEvents(events, options));
    for (let cut = 0; cut <= events.length; cut += Math.max(1, Math.floor(events.length / 8))) {
      const [first, rest] = [events.slice(0, cut), events.slice(cut)];
      const once = compactEvents(first, options);
      verifyEvents(once);
      assert.equal(canonicalize(compactEvents(once, options)), canonicalize(once), `cut at ${cut}`);
      const left = first.filter(isKept);
      for (const event of once) if (left.length > 0 && equals(left[0], event)) left.shift();
      assert.deepEqual(left, [], `cut at ${cut}`);
      if (level.retain === "tips") continue;
      assert.equal(meaning(once), meaning(first), `cut at ${cut}`);
      assert.equal(canonicalize(compactEvents([...once, ...rest], options)), whole, `cut at ${cut}`);
    }
  });
}

holds("pure", (events, level) => {
  const before = JSON.stringify(events);
  const compacted = JSON.stringify(compactEvents(events, level));
  assert.equal(JSON.stringify(events), before);
  assert.equal(JSON.stringify(compactEvents(JSON.parse(before), level)), compacted);
});

holds("never larger", (events) => {
  const chunks = events.filter(({ type }) => type.endsWith("_CHUNK")).length;
  assert(compactEvents(events).length <= events.length + 2 * chunks);
}, [{ level: "stream" }]);

holds("one delta", (events) => {
  /** The item of the delta that is before, by id, as long as nothing is between that could be a barrier. */
  const before = new Map();
  const shared = sharedIds(events);
  const compacted = compactEvents(events);
  // Only the chunks of an item that is still open stay chunks, and all that continues it stays as it came.
  const open = new Set(compacted.filter(({ type }) => type.endsWith("_CHUNK")).map((event) => event.messageId ?? event.toolCallId));
  for (const { type, messageId, toolCallId, parentMessageId, later } of compacted) {
    const id = messageId ?? toolCallId;
    const isDelta = type.endsWith("_CONTENT") || type === "TOOL_CALL_ARGS";
    if (isDelta && later === undefined && !shared.has(id) && !open.has(id)) {
      assert.notEqual(before.get(id), type, `two deltas of ${id}`);
      before.set(id, type);
    } else if (isDelta || type.endsWith("_START") || type.endsWith("_END")) {
      // Nothing is merged across a delta with a member that the schema does not name.
      for (const written of [id, parentMessageId]) before.delete(written);
    } else {
      before.clear();
    }
  }
}, [{ level: "stream" }]);

/** The ids of items of several kinds. @param {Event[]} events */
function sharedIds(events) {
  const kinds = new Map();
  const shared = new Set();
  for (const { type, messageId, toolCallId } of events) {
    const [id, kind] = [messageId ?? toolCallId, type.split("_")[0]];
    if (kinds.has(id) && kinds.get(id) !== kind) shared.add(id);
    kinds.set(id, kind);
  }
  return shared;
}

holds("attach", (events) => {
  for (let cut = 0; cut <= events.length; cut += 1) {
    const joined = [...attachPrelude(events.slice(0, cut)), ...events.slice(cut)];
    // What a joining client cannot know are the runs before, and other branches.
    const later = events.slice(cut).some(({ parentRunId }) => parentRunId !== undefined);
    if (later) continue;
    verifyEvents(joined);
    const [{ runs: _, ...now }, { runs: __, ...then }] = [replayEvents(joined), replayEvents(events)];
    assert.equal(canonicalize(now), canonicalize(then), `cut at ${cut}`);
  }
}, [{ level: "stream" }]);

test("a compactor gives what the function gives, and so does a stream", async () => {
  await fc.assert(fc.asyncProperty(streams, async (events) => {
    for (const level of LEVELS) {
      const compactor = new EventCompactor(level);
      const settled = [...events.flatMap((event) => compactor.push(event)), ...compactor.finish()];
      assert.deepEqual(settled, compactEvents(events, level));
      const streamed = [];
      for await (const event of compactStream(readable(events), level)) streamed.push(event);
      assert.deepEqual(streamed, settled);
    }
  }), { numRuns: Math.ceil(numRuns / 3), ...LIMITS });
});

/** @param {Event[]} events */
async function* readable(events) {
  yield* events;
}

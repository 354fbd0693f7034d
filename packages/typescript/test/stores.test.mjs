// The scenarios that all stores of events of all languages play; `packages/testdata/store-scenarios.json` has them.
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const dist = pathToFileURL(`${process.env.CHATSTATE_PACKAGE}/dist/`).href;
/** @type {typeof import("../src/index.js")} */
const { MemoryEventStore, Rejection, parseEventStream, stringify } = await import(`${dist}index.js`);
/** @type {typeof import("../src/storage/file.js")} */
const { FileEventStore } = await import(`${dist}storage/file.js`);

const text = await readFile(/** @type {string} */ (process.env.CHATSTATE_SCENARIOS), "utf8");
/** @type {any[]} */
const SCENARIOS = JSON.parse(text);

/** @param {unknown} found @param {unknown} expected */
function assertSame(found, expected) {
  assert.deepEqual(JSON.parse(stringify(found)), expected);
}

/** A snapshot of the scenarios as the stores of this language have it. @param {any} snapshot */
function stored(snapshot) {
  return snapshot === null ? undefined : { value: snapshot.events, next: snapshot.position };
}

/** @type {Record<string, (store: import("../src/storage/store.js").EventStore, step: any) => Promise<void>>} */
const STEPS = {
  append: async (store, { thread, events, position }) => {
    const parsed = /** @type {any} */ (parseEventStream(stringify(events)));
    assert.equal(await store.append(thread, parsed), position);
  },
  read: async (store, { thread, start = 0, events, refused }) => {
    const reading = store.read(thread, start);
    if (refused === undefined) return assertSame((await reading).events, events);
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof Rejection);
      assert.deepEqual({ class: error.class, at: error.at }, refused);
      return true;
    });
  },
  save: async (store, { thread, snapshot }) => {
    await store.saveSnapshot(thread, /** @type {any} */ (stored(snapshot)));
  },
  load: async (store, { thread, snapshot }) => {
    assertSame((await store.loadSnapshot(thread)) ?? null, stored(snapshot) ?? null);
  },
  list: async (store, { threads }) => assertSame(await store.threads(), threads),
};

/** Plays a scenario in memory, or in a folder. @param {any[]} steps @param {string | undefined} folder */
async function play(steps, folder) {
  const open = () => (folder === undefined ? new MemoryEventStore() : new FileEventStore(folder));
  let store = open();
  for (const step of steps) {
    if (step.do === "reopen") store = open();
    else if (step.do === "tear") await appendFile(join(/** @type {string} */ (folder), `${step.thread}.jsonl`), step.text);
    else await /** @type {any} */ (STEPS[step.do])(store, step);
  }
}

for (const { title, lasting, steps } of SCENARIOS) {
  if (lasting !== true) test(`memory: ${title}`, () => play(steps, undefined));
  test(`files: ${title}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "chatstate-"));
    await play(steps, folder).finally(() => rm(folder, { recursive: true }));
  });
}

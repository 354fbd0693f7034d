// Uses stores in files as other processes and languages do: one step a line on stdin, what comes of it a line on stdout.
// `tests/tests/stores.rs` says what the steps are.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const dist = pathToFileURL(`${process.env.CHATSTATE_PACKAGE}/dist/`).href;
/** @type {typeof import("../src/index.js")} */
const { Rejection } = await import(`${dist}index.js`);
/** @type {typeof import("../src/storage/file.js")} */
const { FileEventStore } = await import(`${dist}storage/file.js`);

/** @type {Map<string, import("../src/storage/file.js").FileEventStore>} */
const stores = new Map();

/** @param {string} text @param {number} count @returns {any[]} */
const events = (text, count) => Array.from({ length: count }, () => ({ type: "RAW", event: text }));

/** @param {readonly any[]} stored */
const texts = (stored) => stored.map(({ event }) => event);

/** What is done in each step. @type {Record<string, (store: import("../src/storage/file.js").FileEventStore, step: any) => Promise<unknown>>} */
const STEPS = {
  append: async (store, { thread, text, times, batch }) => {
    let position = 0;
    for (let time = 0; time < times; time += 1) position = await store.append(thread, events(text, batch));
    return position;
  },
  read: async (store, { thread }) => texts((await store.read(thread)).events),
  save: (store, { thread, text }) => store.saveSnapshot(thread, { position: 1, events: events(text, 1) }),
  load: async (store, { thread }) => {
    const snapshot = await store.loadSnapshot(thread);
    return snapshot && [snapshot.position, ...texts(snapshot.events)];
  },
  list: (store) => store.threads(),
};

/** @param {any} step */
async function answer(step) {
  const store = stores.get(step.folder) ?? new FileEventStore(step.folder);
  stores.set(step.folder, store);
  try {
    return await STEPS[step.do]?.(store, step);
  } catch (error) {
    if (error instanceof Rejection) return { refused: error.rule, message: error.message };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify((await answer(JSON.parse(line))) ?? null)}\n`);
}

// The scenarios that all stores of events of all languages play; `packages/testdata/store-scenarios.json` has them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
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

/** What each step does with a store. @type {Record<string, (store: import("../src/storage/store.js").EventStore, step: any) => Promise<unknown>>} */
const ACTS = {
  append: (store, { thread, events }) => store.append(thread, /** @type {any} */ (parseEventStream(JSON.stringify(events)))),
  read: async (store, { thread, start = 0 }) => (await store.read(thread, start)).events,
  save: (store, { thread, snapshot }) => store.saveSnapshot(thread, snapshot),
  load: async (store, { thread }) => (await store.loadSnapshot(thread)) ?? null,
  list: (store) => store.threads(),
};

/** What comes of each step, if it is not refused. @type {Record<string, (step: any) => unknown>} */
const EXPECTED = {
  append: ({ position }) => position,
  read: ({ events }) => events,
  save: () => undefined,
  load: ({ snapshot }) => snapshot,
  list: ({ threads }) => threads,
};

/** Does one step with a store. @param {any} store @param {any} step */
async function playStep(store, step) {
  const acting = ACTS[step.do]?.(store, step);
  assert.ok(acting !== undefined, step.do);
  if (step.refused === undefined) {
    const found = await acting;
    return found === undefined ? undefined : assertSame(found, EXPECTED[step.do]?.(step));
  }
  await assert.rejects(acting, (error) => {
    assert.ok(error instanceof Rejection, String(error));
    const names = Object.keys(step.refused);
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, /** @type {any} */ (error)[name]])), step.refused);
    return true;
  });
}

/** What others than a store do to its folder, or what is in it. @type {Record<string, (path: (name: string) => string, step: any) => Promise<unknown>>} */
const CHANGES = {
  tear: (path, { thread, text }) => appendFile(path(`${thread}.jsonl`), text),
  write: (path, { file, text }) => writeFile(path(file), text),
  die: async (path, { thread, length }) => writeFile(path(`${thread}.lock`), await deadLock(length)),
  files: async (path, { names }) => assert.deepEqual((await readdir(path(""))).sort(), names),
  text: async (path, { file, text }) => assert.equal(await readFile(path(file), "utf8"), text),
};

/** The lock of a process of this machine that is not there. @param {number | undefined} length */
async function deadLock(length) {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => undefined);
  const host = namespace === undefined ? hostname() : `${hostname()} ${namespace}`;
  const appending = length === undefined ? "" : `${JSON.stringify({ length })}\n`;
  return `${JSON.stringify({ host, pid: 2 ** 31 - 1, started: "1" })}\n${appending}`;
}

/** Plays a scenario in memory, or in a folder. @param {any[]} steps @param {string | undefined} folder */
async function play(steps, folder) {
  const open = () => (folder === undefined ? new MemoryEventStore() : new FileEventStore(folder));
  let store = open();
  for (const step of steps) {
    const change = CHANGES[step.do];
    if (step.do === "reopen") store = open();
    else if (change !== undefined) await change((name) => join(/** @type {string} */ (folder), name), step);
    else await playStep(store, step);
  }
}

for (const { title, lasting, steps } of SCENARIOS) {
  if (lasting !== true) test(`memory: ${title}`, () => play(steps, undefined));
  test(`files: ${title}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "chatstate-"));
    await play(steps, folder).finally(() => rm(folder, { recursive: true }));
  });
}

const ON_A_FULL_DISK = `
const { FileEventStore } = await import(process.argv[1]);
const store = new FileEventStore(process.argv[2]);
const events = (...texts) => texts.map((event) => ({ type: "RAW", event }));
await store.append("t", events("a"));
for (const thread of ["t", "u"]) {
  const refused = await store.append(thread, events(...Array(100).fill("x".repeat(400)))).catch((error) => error.code);
  console.log(refused);
}
await store.append("t", events("b"));
console.log((await store.threads()).join(), (await store.read("t")).events.map(({ event }) => event).join());
`;

// A limit of the length of files is what a full disk is.
test("an append that fails in the middle of a batch appends nothing", { skip: process.platform === "win32" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "chatstate-"));
  const node = ["--input-type=module", "-e", ON_A_FULL_DISK, `${dist}storage/file.js`, folder];
  const ran = spawnSync("sh", ["-c", 'ulimit -f 20; exec "$0" "$@"', process.execPath, ...node], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  assert.equal(ran.stdout, "EFBIG\nEFBIG\nt a,b\n", ran.stderr);
});

// One list of scenarios that every store of events is held to.
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { MemoryEventStore, Rejection, type Event, type EventStore } from "chatstate";
import { FileEventStore } from "chatstate/file-store";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "chatstate-"));
  folders.push(made);
  return made;
}

const custom = (value: unknown): Event => ({ type: "CUSTOM", name: "n", value });

const SCENARIOS: Record<string, (store: EventStore) => Promise<void>> = {
  "a thread that is not there has no events": async (store) => {
    assert.deepEqual(await store.read("t"), { events: [], next: 0 });
    assert.equal(await store.loadSnapshot("t"), undefined);
    assert.deepEqual(await store.threads(), []);
  },
  "events are read in the order in which they were appended": async (store) => {
    assert.equal(await store.append("t", [custom(1), custom(2)]), 2);
    assert.equal(await store.append("t", [custom("\u2028")]), 3);
    assert.deepEqual(await store.read("t"), { events: [custom(1), custom(2), custom("\u2028")], next: 3 });
    assert.deepEqual(await store.read("t", 2), { events: [custom("\u2028")], next: 3 });
    assert.deepEqual(await store.read("t", 9), { events: [], next: 3 });
  },
  "appends at once do not mix": async (store) => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.append("t", [custom(n), custom(n)])));
    const { events } = await store.read("t");
    assert.deepEqual(events, Array.from({ length: 40 }, (_, n) => custom(Math.floor(n / 2))));
  },
  "an append to another number of events is rejected": async (store) => {
    await store.append("t", [custom(1)], 0);
    const conflict = (error: unknown) => error instanceof Rejection && error.rule === "store.conflict";
    await assert.rejects(store.append("t", [custom(2)], 0), conflict);
    assert.equal(await store.append("t", [custom(2)], 1), 2);
  },
  "what is no event is rejected with all that comes with it": async (store) => {
    const bad = { type: "TEXT_MESSAGE_END" } as Event;
    await assert.rejects(store.append("t", [custom(1), bad]), (error: unknown) => {
      assert(error instanceof Rejection);
      assert.deepEqual([error.class, error.at], ["schema", "/1/messageId"]);
      return true;
    });
    assert.equal((await store.read("t")).next, 0);
  },
  "the last snapshot counts": async (store) => {
    await store.saveSnapshot("t", { position: 1, events: [custom(1)] });
    await store.saveSnapshot("t", { position: 2, events: [custom(2)] });
    assert.deepEqual(await store.loadSnapshot("t"), { position: 2, events: [custom(2)] });
    assert.deepEqual(await store.threads(), ["t"]);
  },
  "any text is the id of a thread": async (store) => {
    const ids = [".", "..", "../x", "a b", "A", "a", "\u00e9%2f", "x.jsonl", "x.snapshot.json"].sort();
    for (const id of ids) await store.append(id, [custom(id)]);
    assert.deepEqual(await store.threads(), ids);
    for (const id of ids) assert.deepEqual((await store.read(id)).events, [custom(id)]);
  },
};

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  test(`memory: ${name}`, () => scenario(new MemoryEventStore()));
  test(`file: ${name}`, async () => scenario(new FileEventStore(await folder())));
}

test("a torn line is passed over, and gone after the next append", async () => {
  const path = await folder();
  const store = new FileEventStore(path);
  await store.append("t", [custom(1)]);
  await appendFile(join(path, "t.jsonl"), '{"type":"CUS');
  assert.equal((await store.read("t")).next, 1);
  assert.equal(await new FileEventStore(path).append("t", [custom(2)]), 2);
  const lines = (await readFile(join(path, "t.jsonl"), "utf8")).split("\n");
  assert.deepEqual(lines.map((line) => line && JSON.parse(line)), [custom(1), custom(2), ""]);
});

test("a damaged line in the middle is rejected with its place", async () => {
  const path = await folder();
  await writeFile(join(path, "t.jsonl"), '{"type":"RAW","event":1}\n{"type":"RAW"}\n');
  await assert.rejects(new FileEventStore(path).read("t"), (error: unknown) => {
    assert(error instanceof Rejection);
    assert.deepEqual([error.class, error.at], ["schema", "/1/event"]);
    return true;
  });
});

// Compacts and replays logs of JSON Lines with the package for TypeScript: node streams.mjs PACKAGE TENTH HUNDREDTH
// ALL. PACKAGE is the built package. @ag-ui/client does the same with the first two logs, in turn in this process.
// Events are parsed again for each pass, outside of the time. Of several passes the fastest counts, for a compiler
// that learns, and the median, since a short pass may be one that no collection of garbage falls into. What many live
// events cost the engine by itself, whatever is done with them, is measured by copying each of them.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const PASSES = 12;
const LARGE_PASSES = 5;

const require = createRequire(import.meta.url);
const peer = require("@ag-ui/client");
const { EMPTY, from, lastValueFrom, scan } = require("rxjs");
const [folder, tenth, hundredth, all] = process.argv.slice(2);
const { compactEvents, replayEvents } = await import(pathToFileURL(`${folder}/dist/index.js`).href);
console.log = console.error; // stdout is for the answer alone

/** An agent whose events come from a log, as the reducer wants one that holds the messages so far. */
class Replayed extends peer.AbstractAgent { run() { return EMPTY; } }

async function peerReplay(events) {
  const input = { threadId: "thread", runId: "run", messages: [], tools: [], context: [], state: {} };
  const mutations = peer.defaultApplyEvents(input, from(events), new Replayed(), []);
  return lastValueFrom(mutations.pipe(scan((chat, mutation) => ({ ...chat, ...mutation }), { messages: [], state: {} })));
}

function parsed(file) {
  const events = [];
  const text = fs.readFileSync(file); // larger than a string may be
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(10, at);
    const stop = end < 0 ? text.length : end;
    if (stop > at) events.push(JSON.parse(text.toString("utf8", at, stop)));
    at = stop + 1;
  }
  return events;
}

const times = {};
const results = {};
async function measure(name, file, work) {
  const events = parsed(file);
  const begin = performance.now();
  const result = await work(events);
  (times[name] ??= []).push((performance.now() - begin) / 1000);
  results[name] = Array.isArray(result) ? result.length : result.messages.length;
}

const copy = (events) => events.map((event) => ({ ...event }));

// What is compared takes turns, and all else waits: what one pass leaves behind is collected in the next ones.
for (let pass = 0; pass < PASSES; pass += 1) {
  await measure("peerCompaction", tenth, (events) => peer.compactEvents(events));
  await measure("compaction", tenth, (events) => compactEvents(events));
}
for (let pass = 0; pass < PASSES; pass += 1) await measure("copying", tenth, copy);
for (let pass = 0; pass < PASSES; pass += 1) {
  await measure("peerReplay", hundredth, peerReplay);
  await measure("replay", hundredth, (events) => replayEvents(events));
}
for (let pass = 0; pass < LARGE_PASSES; pass += 1) {
  await measure("largeCompaction", all, (events) => compactEvents(events));
  await measure("largeCopying", all, copy);
}
const sorted = Object.entries(times).map(([name, passes]) => [name, passes.sort((one, other) => one - other)]);
const seconds = Object.fromEntries(sorted.map(([name, passes]) => [name, passes[0]]));
const medians = Object.fromEntries(sorted.map(([name, passes]) => [name, passes[Math.floor(passes.length / 2)]]));
process.stdout.write(JSON.stringify({ seconds, medians, results }));

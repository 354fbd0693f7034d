// Replays a log of JSON Lines with @ag-ui/client: node replay.mjs FILE. Prints how many seconds it took from the text
// to the messages and the state at the end, and how many messages there are.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { AbstractAgent, defaultApplyEvents } = require("@ag-ui/client");
const { EMPTY, from, lastValueFrom, scan } = require("rxjs");

/** An agent whose events come from a log, as the reducer wants one that holds the messages so far. */
class Replayed extends AbstractAgent { run() { return EMPTY; } }

const text = fs.readFileSync(process.argv[2], "utf8");
console.log = console.error; // stdout is for the answer alone
const begin = performance.now();
const events = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
const input = { threadId: "thread", runId: "run", messages: [], tools: [], context: [], state: {} };
const start = { messages: [], state: {} };
const mutations = defaultApplyEvents(input, from(events), new Replayed(), []);
const end = await lastValueFrom(mutations.pipe(scan((chat, mutation) => ({ ...chat, ...mutation }), start)));
const seconds = (performance.now() - begin) / 1000;
process.stdout.write(JSON.stringify({ seconds, messages: end.messages.length }));

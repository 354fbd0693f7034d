// Holds the package against the reference: each operation on the same streams, recorded and made-up ones, distinguished
// by canonical value.
//
// Usage: node differential.mjs PACKAGE_DIR COUNT SEED RECORDINGS_DIR -- REFERENCE...
// PACKAGE_DIR is the built package, and REFERENCE starts an adapter, such as `chatstate adapter`. Recordings are the files
// of JSON Lines anywhere in a folder.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { anyStream, seeded, validStream } from "./streams.mjs";

const [folder = "", count = "1000", seed = "1", recordings = ""] = process.argv.slice(2);
const command = process.argv.slice(process.argv.indexOf("--") + 1);
/** @type {typeof import("../../src/index.js")} */
const chatstate = await import(pathToFileURL(`${folder}/dist/index.js`).href);

/** @typedef {import("./streams.mjs").Event} Event */
/** @typedef {{op: string, [name: string]: unknown}} Question */

/** What is asked of both. @type {Question[]} */
const QUESTIONS = [
  { op: "verify" },
  { op: "replay" },
  { op: "replay", run: "r2" },
  { op: "lineage" },
  ...[{ level: "stream" }, { level: "snapshot", retain: "runs" }, { level: "snapshot", retain: "tips" }].flatMap((level) =>
    [{}, { lenient: true }, { partial: true }, { partial: true, lenient: true }].map((how) => ({ op: "compact", ...level, ...how }))),
  { op: "attach" },
];

/** @param {Question} question @param {Event[]} events @returns {unknown} */
function answer({ op, ...options }, events) {
  switch (op) {
    case "verify":
      return chatstate.verifyEvents(events) ?? true;
    case "replay":
      return chatstate.replayEvents(events, options);
    case "lineage": {
      const { problems, ...lineage } = chatstate.lineageOf(events);
      return { ...lineage, problems: problems.map(({ rule, at }) => ({ rule, at })) };
    }
    case "compact":
      return chatstate.compactEvents(events, options);
    default:
      return chatstate.attachPrelude(events);
  }
}

/** @param {Question} question @param {Event[]} events @returns {string} */
function ours(question, events) {
  const before = JSON.stringify(events);
  const text = answerOrRejection(() => answer(question, events));
  return before === JSON.stringify(events) ? text : "the events were changed";
}

/**
 * The answer to the events as a document, which is valid as a whole before its order counts.
 *
 * @param {Question} question @param {Event[]} events @returns {string}
 */
function ofDocument(question, events) {
  const text = JSON.stringify(events);
  return answerOrRejection(() => answer(question, /** @type {any} */ (chatstate.parseEventStream(text))));
}

/** @param {() => unknown} give @returns {string} */
function answerOrRejection(give) {
  try {
    return chatstate.canonicalize(give());
  } catch (error) {
    if (!(error instanceof chatstate.Rejection)) throw error;
    return `${REJECTED}${error.class} ${error.rule} ${error.at}`;
  }
}

/** How the answer begins that rejects a stream. */
const REJECTED = "rejected: ";

/** @param {string} answer */
const isRejected = (answer) => answer.startsWith(REJECTED);

const reference = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const lines = linesOf(reference.stdout);

/** @param {NodeJS.ReadableStream} stream @returns {AsyncGenerator<string>} */
async function* linesOf(stream) {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

/** @param {object[]} requests @returns {Promise<any[]>} the answers, in the order of the requests */
async function ask(...requests) {
  reference.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  const answers = [];
  for (const _ of requests) answers.push(JSON.parse((await lines.next()).value ?? ""));
  return answers.sort((one, other) => one.seq - other.seq);
}

/** @param {{ok?: string, rejected?: {class: string, rule: string, at: string}}} answer @returns {string} */
function theirs({ ok, rejected }) {
  if (rejected !== undefined) return `${REJECTED}${rejected.class} ${rejected.rule} ${rejected.at}`;
  if (ok === undefined) throw new Error("the reference has no answer");
  // Not the package's own reader: the text of an open message may end in an unpaired surrogate.
  return chatstate.canonicalize(JSON.parse(ok));
}

/** @param {Event[]} events */
function accepts(events) {
  try {
    chatstate.verifyEvents(events);
    return true;
  } catch {
    return false;
  }
}

/** @param {readonly Event[]} events @returns {readonly object[]} */
function messagesOf(events) {
  try {
    // An unpaired surrogate is no message of an input.
    return chatstate.replayEvents(events).messages.filter((message) => !/\\ud[89a-f]/.test(JSON.stringify(message)));
  } catch {
    return [];
  }
}

/** @returns {Generator<[string, Event[]]>} the recorded streams, and made-up ones */
function* streams() {
  for (const name of readdirSync(recordings, { recursive: true, encoding: "utf8" }).sort()) {
    if (!name.endsWith(".jsonl")) continue;
    const lines = readFileSync(join(recordings, name), "utf8").split("\n").filter((line) => line !== "");
    yield [name, lines.map((line) => JSON.parse(line))];
  }
  for (let number = 0; number < Number(count); number += 1) {
    const source = seeded(Number(seed) * 1_000_003 + number);
    yield [`stream ${number}`, number % 5 === 4 ? anyStream(source) : validStream(source, accepts, messagesOf)];
  }
}

/** Whether both answer all questions alike. @param {string} name @param {Event[]} events @returns {Promise<boolean>} */
async function areEqual(name, events) {
  const input = chatstate.stringify(events);
  const answers = await ask(...QUESTIONS.map((question, seq) => ({ cmd: "run", seq, input, ...question })));
  for (const [place, question] of QUESTIONS.entries()) {
    const [given, their] = [ours(question, events), theirs(answers[place])];
    // The reference reads a document. Event by event, the order may be rejected first, and a lenient compactor passes on
    // what the schema rejects.
    const isAskedAgain = isRejected(their) && (isRejected(given) || question["lenient"] === true);
    const our = isAskedAgain ? ofDocument(question, events) : given;
    const kind = `${question.op} ${isRejected(our) ? "rejected" : "ok"}`;
    asked.set(kind, (asked.get(kind) ?? 0) + 1);
    if (our === their) continue;
    console.log(`${name}: ${JSON.stringify(question)}\n  ${input}\n  ours:   ${our}\n  theirs: ${their}`);
    return false;
  }
  return true;
}

/** The most streams that differ before it is enough. */
const ENOUGH = 5;

await ask({ cmd: "start", protocol: 1 });
const asked = new Map();
let [different, all] = [0, 0];
for (const [name, events] of streams()) {
  all += 1;
  if (!(await areEqual(name, events))) different += 1;
  if (different === ENOUGH) break;
}
reference.stdin.end();
console.log([...asked].map(([kind, times]) => `${times} ${kind}`).sort().join(", "));
console.log(`${different} of ${all} streams differ`);
process.exitCode = different === 0 ? 0 : 1;

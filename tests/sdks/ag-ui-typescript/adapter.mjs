// Lets the chatstate runner talk to the npm packages `@ag-ui/core` and `@ag-ui/client`.
//
// One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1).
// `run` sets NODE_PATH to the folder that holds the packages; only `require` reads it.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { AGUIError, omitOptionalNulls } = require("@ag-ui/core");
const schemas = require("@ag-ui/core/schemas");
const client = require("@ag-ui/client");
const { catchError, EMPTY, every, from, lastValueFrom, scan, tap } = require("rxjs");

/** @typedef {{cmd: string, seq?: number, protocol?: number, op?: string, type?: string, input?: string,
 *   inputBase64?: string, run?: string, level?: string}} Request */
/** @typedef {{class: string, at?: string, message: string}} Rejection */
/** @typedef {{path: PropertyKey[], message: string, errors?: Issue[][]}} Issue one finding of zod */

const PROTOCOL = 1;
// What AG-UI 1.0 promises to the user of an SDK: numbers and text keep their values, and what a newer
// peer adds survives an older reader. A capability that is left out turns a finding into a skip, so the
// promises that these packages do not keep are declared too; expected-failures.toml lists them.
const CAPABILITIES = ["round-trip", "validate", "verify", "replay", "compact", "events", "chunks"]
  .concat(["unknown-members", "unknown-variants", "big-numbers", "split-surrogates", "definitions"]);

/** How the types are read and written for which a schema and `JSON.stringify` are not all. Writing is what the
 * package's encoder does before `JSON.stringify`.
 * @typedef {{schema: import("zod/v4").ZodType, write: (value: any) => unknown}} Type
 * @type {Record<string, Type>}
 */
const TYPES = {
  Event: { schema: schemas.EventSchemas, write: (event) => omitOptionalNulls(event, "Event") },
  EventStream: { schema: schemas.EventSchemas.array(), write: (events) => events.map(TYPES.Event.write) },
  RunAgentInput: { schema: schemas.RunAgentInputSchema, write: (input) => omitOptionalNulls(input, "RunAgentInput") },
};

/** @param {string} name @returns {Type | undefined} how a definition is read and written, by its name in the specification */
function typeOf(name) {
  const schema = schemas[`${name}Schema`];
  return TYPES[name] ?? (schema && { schema, write: (value) => value });
}

/** An agent whose events come from a log, as the reducer wants one that holds the messages so far. */
class Replayed extends client.AbstractAgent { run() { return EMPTY; } }

/** @param {Rejection} rejection @returns {Error} a rejection of the input, as against a fault of the package */
const rejection = (rejection) => Object.assign(new Error(rejection.message), { rejection });

/** @param {Request} request @returns {unknown} the JSON value of its input */
function parse(request) {
  // The client's own stream reader decodes without `fatal`, so bytes that are not UTF-8 are replaced.
  const text = request.inputBase64 === undefined
    ? request.input ?? ""
    : new TextDecoder("utf-8").decode(Buffer.from(request.inputBase64, "base64"));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? rejection({ class: "syntax", message: error.message }) : error;
  }
}

/** @param {Issue[]} issues @param {PropertyKey[]} [base] @returns {Issue[]} with those of a union's variants */
function flatten(issues, base = []) {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    const arms = issue.errors ?? [];
    return arms.length > 0 ? arms.flatMap((arm) => flatten(arm, path)) : [{ ...issue, path }];
  });
}

/** @param {{issues: Issue[]}} error zod's findings @param {PropertyKey[]} [base] where the value that zod saw is
 * @returns {Rejection} with a place only where the findings agree on one */
function schemaRejection(error, base) {
  const issues = flatten(error.issues, base);
  const places = issues.map((issue) =>
    issue.path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""));
  const deepest = places.reduce((longest, place) => (place.length > longest.length ? place : longest));
  const agree = places.every((place) => `${deepest}/`.startsWith(`${place}/`));
  const message = issues.map((issue) => issue.message).join("; ").slice(0, 500);
  return { class: "schema", ...(agree && { at: deepest }), message };
}

/** @param {Request} request @returns {any[]} its events, as they were stored */
function stored(request) {
  const events = parse(request);
  if (!Array.isArray(events)) throw rejection({ class: "schema", at: "", message: "expected an array of events" });
  return events;
}

/** @param {Request} request its events, as the client hands them to the reducer */
function verified(request) {
  let index = -1;
  // The client's own order: strip what the protocol does not know, expand chunks, verify, and only then apply.
  const stages = [tap(() => (index += 1)), client.enforceEvents(), client.transformChunks(), client.verifyEvents()];
  return stages.reduce((stream, stage) => stream.pipe(stage), from(stored(request))).pipe(catchError((error) => {
    if (error.name === "ZodError") throw rejection(schemaRejection(error, [index]));
    const judged = error instanceof AGUIError || error.constructor === Error; // others are faults of the package
    throw judged ? rejection({ class: "sequence", at: `/${index}`, message: error.message }) : error;
  }));
}

/** @param {Request} request @returns {Promise<string>} what the reducer makes of a log of linear runs */
async function replay(request) {
  const input = { threadId: "thread", runId: "run", messages: [], tools: [], context: [], state: {} };
  /** @type {import("@ag-ui/client").AgentStateMutation} */
  const start = { messages: [], state: {} };
  const delivered = /** @type {unknown[]} */ ([]); // what the client hands to a subscriber, before anyone changes it
  const subscriber = { onEvent: ({ event }) => { delivered.push(structuredClone(event)); } };
  const mutations = client.defaultApplyEvents(input, verified(request), new Replayed(), [subscriber]);
  const result = mutations.pipe(scan((chat, mutation) => ({ ...chat, ...mutation }), start));
  const chat = await lastValueFrom(result, { defaultValue: start });
  return JSON.stringify({ ...chat, delivered });
}

/** @param {Request} request @returns {Promise<object>} */
async function run(request) {
  if (request.op === "replay" && request.run === undefined) return { ok: await replay(request) };
  if (request.op === "verify") return { ok: String(await lastValueFrom(verified(request).pipe(every(() => true)))) };
  // The package's compactor takes events as they were stored, and does what level `stream` asks for.
  const compacts = request.op === "compact" && request.level === "stream";
  if (compacts) return { ok: JSON.stringify(client.compactEvents(stored(request))) };
  const type = ["round-trip", "validate"].includes(request.op ?? "") ? typeOf(request.type ?? "") : undefined;
  if (type === undefined) return { unsupported: `\`${request.op}\` of \`${request.type ?? request.level}\`` };
  const value = type.schema.parse(parse(request));
  return { ok: request.op === "validate" ? "true" : JSON.stringify(type.write(value)) };
}

/** @param {Request} request @returns {Promise<object>} the answer to a handshake or a case */
async function answer(request) {
  if (request.cmd === "start") {
    if (request.protocol !== PROTOCOL) return { protocol: 0, error: `this adapter supports protocol ${PROTOCOL}` };
    const { version } = require("@ag-ui/core/package.json");
    const implementation = { name: "@ag-ui/core + @ag-ui/client", version, language: "typescript" };
    return { protocol: PROTOCOL, implementation, capabilities: CAPABILITIES, maxInFlight: 16 };
  }
  const outcome = await run(request).catch((error) => {
    const rejected = error?.name === "ZodError" ? schemaRejection(error) : error?.rejection;
    return rejected ? { rejected } : { fault: error?.stack ?? String(error) };
  });
  return { seq: request.seq, ...outcome };
}

/** @returns {AsyncGenerator<string>} not `readline`, which also ends a line at U+2028, and JSON text may hold it */
async function* lines() {
  let pieces = [""];
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const [first, ...others] = chunk.split("\n");
    pieces.push(first);
    for (const other of others) {
      yield pieces.join("");
      pieces = [other];
    }
  }
}

console.log = console.error; // stdout is for answers alone
for await (const line of lines()) {
  const request = JSON.parse(line);
  if (request.cmd === "stop") break;
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
}

// Lets the chatstate runner talk to the TypeScript package.
//
// One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1).
// `run` builds the package and says in CHATSTATE_PACKAGE where it is.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { restore } from "./restore.mjs";
import { session } from "./session.mjs";

const folder = process.env.CHATSTATE_PACKAGE ?? "";
/** @type {typeof import("../src/index.js")} */
const chatstate = await import(pathToFileURL(`${folder}/dist/index.js`).href);
/** @type {typeof import("../src/chats/seal.js")} */
const { seal, SealKey, unseal } = await import(pathToFileURL(`${folder}/dist/chats/seal.js`).href);
/** @type {typeof import("../src/chats/cbor.js")} */
const { fromCbor, toCbor } = await import(pathToFileURL(`${folder}/dist/chats/cbor.js`).href);
const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));

const PROTOCOL = 1;
const CAPABILITIES = ["round-trip", "validate", "canonicalize", "encode", "decode", "seal", "unseal", "to-cbor", "from-cbor"]
  .concat(["channel-key", "restore", "session", "verify", "replay", "compact", "attach", "lineage", "branches", "snapshots"])
  .concat(["chat", "sessions", "events", "chunks", "unknown-members", "unknown-variants"])
  .concat(["big-numbers", "split-surrogates", "definitions", "warnings"]);

/** @typedef {{cmd: string, seq?: number, protocol?: number, op?: string, type?: string, input?: string,
 *   inputBase64?: string, run?: string, level?: "stream" | "snapshot", retain?: "tips" | "runs", partial?: boolean,
 *   complete?: boolean, warnings?: boolean,
 *   save?: boolean, key?: string, keyId?: string}} Request */

/** @param {Request} request @returns {string | Uint8Array} the document, as text or as the bytes that it came in */
function document(request) {
  return request.inputBase64 === undefined ? request.input ?? "" : Buffer.from(request.inputBase64, "base64");
}

/** @param {string} type @returns {{parse: (text: string | Uint8Array) => any,
 *   stringify: (value: any) => string} | undefined} the reader and the writer of a type */
function functions(type) {
  const all = /** @type {Record<string, any>} */ (chatstate);
  const parse = all[`parse${type}`];
  return parse && { parse, stringify: all[`stringify${type}`] };
}

/** @param {string | Uint8Array} text @returns {any[]} */
const events = (text) => /** @type {any} */ (chatstate.parseEventStream(text));

/** @param {Request} request */
const keyOf = ({ key = "", keyId }) => new SealKey(Buffer.from(key, "base64"), keyId);

/** @param {string | Uint8Array} text @returns {Uint8Array} the bytes whose Base64 a JSON string is */
function bytesIn(text) {
  const encoded = chatstate.parseJson(text);
  const decoded = Buffer.from(typeof encoded === "string" ? encoded : "", "base64");
  if (decoded.toString("base64") === encoded) return decoded;
  throw Object.assign(new Error("must be Base64 in a text"), { rejected: { class: "schema", at: "", rule: "base64" } });
}

/** @type {Record<string, (text: string | Uint8Array, request: Request) => string | Promise<string>>} */
const OPERATIONS = {
  canonicalize: (text) => chatstate.canonicalize(chatstate.parseJson(text)),
  encode: (text) => chatstate.stringifyEncodedChatState(chatstate.encode(chatstate.parseChatState(text))),
  decode: (text) => chatstate.stringifyChatState(chatstate.decode(chatstate.parseEncodedChatState(text))),
  seal: (text, request) => seal(text, keyOf(request)),
  unseal: (text, request) => unseal(text, keyOf(request)),
  "to-cbor": (text) => JSON.stringify(Buffer.from(toCbor(text)).toString("base64")),
  "from-cbor": (text) => chatstate.stringify(fromCbor(bytesIn(text))),
  "channel-key": (text) => JSON.stringify(chatstate.channelKey(chatstate.parseChannelKeyParts(text))),
  restore: (text, { save = false }) => restore(chatstate, text, save),
  session: (text) => session(chatstate, text),
  replay: (text, { run, lenient }) => chatstate.stringify(chatstate.replayEvents(events(text), { run, lenient })),
  compact: (text, { level, retain, partial, lenient }) =>
    chatstate.stringify(chatstate.compactEvents(events(text), { level, retain, partial, lenient })),
  attach: (text) => chatstate.stringify(chatstate.attachPrelude(events(text))),
  lineage: (text) => {
    const { problems, ...lineage } = chatstate.lineageOf(events(text));
    return chatstate.stringify({ ...lineage, problems: problems.map(({ rule, at }) => ({ rule, at })) });
  },
};

/** @param {Request} request @returns {object} the first error of a log; of its order first, since that is asked alone */
function verify(request) {
  const [log, options] = [events(document(request)), { complete: request.complete }];
  chatstate.verifyEvents(log, options);
  const { errors: [error], warnings } = chatstate.checkEvents(log, options);
  const rows = warnings.map(({ rule, index, place = "" }) => ({ rule, at: `/${index}${place}` }));
  if (error === undefined) return { ok: request.warnings ? JSON.stringify({ warnings: rows }) : "true" };
  const { class: kind = "sequence", index, place = "", rule, message } = error;
  return { rejected: { class: kind, at: `/${index}${place}`, rule, message } };
}

/** @param {Request} request @returns {Promise<object>} what the package makes of one document */
async function run(request) {
  const operation = OPERATIONS[request.op ?? ""];
  if (request.op === "verify") return verify(request);
  if (operation !== undefined) return { ok: await operation(document(request), request) };
  const type = ["round-trip", "validate"].includes(request.op ?? "") ? functions(request.type ?? "") : undefined;
  if (type === undefined) return { unsupported: `\`${request.op}\` of \`${request.type}\`` };
  const value = type.parse(document(request));
  return { ok: request.op === "validate" ? "true" : type.stringify(value) };
}

/** @param {Request} request @returns {Promise<object>} the answer to a handshake or a case */
async function answer(request) {
  if (request.cmd === "start") {
    if (request.protocol !== PROTOCOL) return { protocol: 0, error: `this adapter supports protocol ${PROTOCOL}` };
    const implementation = { name: "chatstate", version, language: "typescript" };
    return { protocol: PROTOCOL, implementation, capabilities: CAPABILITIES, maxInFlight: 16 };
  }
  try {
    return { seq: request.seq, ...(await run(request)) };
  } catch (error) {
    if (error?.rejected !== undefined) return { seq: request.seq, rejected: error.rejected };
    if (!(error instanceof chatstate.Rejection)) return { seq: request.seq, fault: String(error?.stack ?? error) };
    const { class: kind, at, rule, message } = error;
    return { seq: request.seq, rejected: { class: kind, at, rule, message } };
  }
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

for await (const line of lines()) {
  const request = JSON.parse(line);
  if (request.cmd === "stop") break;
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
}

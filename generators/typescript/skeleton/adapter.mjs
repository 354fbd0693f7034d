// An adapter between chatstate and an SDK for JavaScript or TypeScript. It runs as it is, with the language's own
// `JSON`; to make it yours, replace the bodies of `read` and `write`, and what `rejection` takes for a rejection.
//
// One JSON request per line on stdin, one JSON answer per line on stdout; stderr is free for logs.

const PROTOCOL = 1;
const IMPLEMENTATION = { name: "my-sdk", version: "0.1.0", language: "typescript" };

// What the SDK promises to its users. A case that needs something else is skipped, and counted as skipped.
const CAPABILITIES = ["round-trip", "chat", "sessions", "events", "unknown-members", "unknown-variants"];

/** Reads a document of a type such as `ChatState` or `Event`. Put here the call with which your users load one. */
function read(text, type) {
  return JSON.parse(text);
}

/** Writes a document. Put here the call with which your users save one. */
function write(value, type) {
  return JSON.stringify(value);
}

/** What the SDK says when it rejects a document. Anything else that is thrown is a defect and no rejection. */
function rejection(error) {
  if (error instanceof SyntaxError) return { class: "syntax", message: error.message };
  return undefined;
}

/** What the SDK makes of one document. */
function run(request) {
  if (request.op !== "round-trip") return { unsupported: `\`${request.op}\` is not there` };
  try {
    return { ok: write(read(document(request), request.type), request.type) };
  } catch (error) {
    const rejected = rejection(error);
    return rejected ? { rejected } : { fault: String(error?.stack ?? error) };
  }
}

/** The text of a document. Bytes that are not UTF-8 come in Base64. */
function document(request) {
  if (request.inputBase64 === undefined) return request.input;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(request.inputBase64, "base64"));
  } catch {
    throw new SyntaxError("the document is not UTF-8");
  }
}

function answer(request) {
  if (request.cmd !== "start") return { seq: request.seq, ...run(request) };
  if (request.protocol !== PROTOCOL) return { protocol: 0, error: `this adapter supports protocol ${PROTOCOL}` };
  return { protocol: PROTOCOL, implementation: IMPLEMENTATION, capabilities: CAPABILITIES };
}

/** Lines end at LF alone: JSON text may hold U+2028, at which `readline` splits as well. */
async function* lines() {
  let pieces = [];
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
  process.stdout.write(`${JSON.stringify(answer(request))}\n`);
}

// One law for every public class: each ordinary way to write or copy one keeps its document, or refuses. The classes are
// those that the modules of the package export, so that a new one is judged without being listed. The same law for the
// documents that a round trip keeps.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";

const folder = process.env.CHATSTATE_PACKAGE ?? "";
const entries = Object.values(JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).exports);
const modules = await Promise.all(entries.map((entry) => import(pathToFileURL(`${folder}/${entry.default}`).href)));
/** @type {typeof import("../src/index.js") & typeof import("../src/storage/file.js") & typeof import("../src/chats/seal.js") & typeof import("../src/testing/index.js")} */
const chatstate = Object.assign({}, ...modules);
const { AgentChat, AgentChatSerializer, canonicalize, equals, ExactNumber, HistoryAgent, parseJson, stringify } = chatstate;

const SECRET = "sk-secret";
/** An agent as applications write them, with what must never be saved. */
class AgentWithSecret extends HistoryAgent {
  apiKey = SECRET;
}

/** @param {unknown} number @returns {any} */
const messageWith = (number) => ({ role: "user", items: [{ type: "text", text: "Hi", tokens: number }] });

/** @param {unknown} number */
async function chatWith(number) {
  const chat = new AgentChat(new AgentWithSecret("a", "T"));
  await chat.addMessage(messageWith(number));
  await chat.takePart("a");
  return chat;
}

/** @param {unknown} number */
function sessionWith(number) {
  return chatstate.Session.fromJson(stringify({ sessionId: "s", stateBag: { provider: { number } }, later: number }));
}

/** How one of a class is made around a number; a class that is not here is made of nothing.
 *  @type {Record<string, (number: unknown) => unknown>} */
const MADE = {
  AgentChat: chatWith,
  AgentChatSerializer: async (number) =>
    AgentChatSerializer.ofValue(await AgentChatSerializer.stateOf(await chatWith(number))),
  AggregatorAgent: () => new chatstate.AggregatorAgent("a", () => new AgentChat(new AgentWithSecret("a", "T")), "Ann"),
  ChatChannel: async (number) => new chatstate.ChatChannel(await chatWith(number)),
  DocumentsDiffer: (number) => new chatstate.DocumentsDiffer(chatstate.lossesBetween({ number }, {})),
  ExactNumber: (number) => new ExactNumber(String(number)),
  FileEventStore: () => new chatstate.FileEventStore(SECRET),
  HistoryAgent: () => new AgentWithSecret("a", "T", "Ann"),
  HistoryChannel: (number) => new chatstate.HistoryChannel([messageWith(number)]),
  InMemoryChatMessageStore: (number) => {
    const store = new chatstate.InMemoryChatMessageStore();
    store.append([messageWith(number)]);
    return store;
  },
  OpaqueChannel: (number) => new chatstate.OpaqueChannel({ thread: "t", number }),
  ProviderState: () => new chatstate.ProviderState("p", chatstate.inMemoryChatMessageStoreState, () => ({ messages: [] })),
  Rejection: () => caught(() => parseJson("{")),
  SealKey: () => new chatstate.SealKey(new TextEncoder().encode(`${SECRET} of sixteen bytes`), "desk"),
  Session: sessionWith,
  StateBag: (number) => sessionWith(number).bag,
  StoreState: (number) =>
    chatstate.StoreState.of({ messages: [messageWith(number)] }, chatstate.inMemoryChatMessageStoreState),
};

/** @param {() => unknown} run */
function caught(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Every ordinary way to write or to copy a value, and the text that comes of it.
 *  @type {Record<string, (value: any) => string>} */
const DOORS = {
  "JSON.stringify(value)": (value) => JSON.stringify(value),
  "JSON.stringify({ value })": (value) => JSON.stringify({ value }).slice('{"value":'.length, -1),
  "stringify(value)": (value) => stringify(value),
  "stringify([value])": (value) => stringify([value]).slice(1, -1),
  "canonicalize(value)": (value) => canonicalize(value),
  "structuredClone(value)": (value) => stringify(structuredClone(value)),
  "{ ...value }": (value) => stringify({ ...value }),
  "Object.assign({}, value)": (value) => stringify(Object.assign({}, value)),
};

/** What the package's own way to write a value gives; nothing for what is never written. @param {any} value */
async function written(value) {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value.toJson === "function") return value.toJson();
  if (typeof value.values === "function") return stringify(value.values());
  if (typeof value.state === "function") return stringify(await value.state());
  if ("state" in value) return stringify(value.state.value ?? value.state);
  if ("value" in value) return stringify(value.value);
  if ("channelKeys" in value) return stringify({ id: value.id, name: value.name, type: value.type });
  return undefined;
}

/** @param {(value: any) => string} door @param {unknown} value @param {string | undefined} own @param {(text: string) => unknown} read */
function check(door, value, own, read = parseJson) {
  let text;
  try {
    text = door(value);
  } catch (error) {
    assert(error instanceof Error);
    // The platform names what it does not clone, and the package says what to do instead.
    assert(error.name === "DataCloneError" || /`.+`/.test(error.message), error.message);
    return;
  }
  assert(own !== undefined, `nothing is saved of it, and this is written: ${text}`);
  assert(equals(read(text), read(own)), `${text} is written in place of ${own}`);
}

/** Errors are no documents: structured clones and spreads of them are those of the platform. @param {any} value */
function checkError(value) {
  const { name, message, reason } = JSON.parse(JSON.stringify(value));
  assert.deepEqual([name, message ?? reason], [value.name, value.reason ?? value.message]);
}

/** Numbers that a `number` keeps, and others, as they may stand in what a program holds. */
const NUMBERS = [1.5, new ExactNumber("12345678901234567890.10"), 12345678901234567890n];

/** @param {unknown} value */
const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
const classes = Object.entries(chatstate).filter(([, value]) => isClass(value));

test("the modules export classes", () => {
  assert(classes.length > 15, `${classes.length}`);
  for (const name of Object.keys(MADE)) assert(classes.some(([known]) => known === name), `there is no \`${name}\``);
});

for (const [name, Class] of classes) {
  const made = MADE[name] ?? (() => new /** @type {any} */ (Class)());
  for (const number of NUMBERS) {
    for (const [door, through] of Object.entries(DOORS)) {
      test(`${name} around ${number}: ${door}`, async () => {
        const value = await made(number);
        if (value instanceof Error) checkError(value);
        else check(through, value, await written(value));
      });
    }
  }

  test(`${name}: nothing is shown, and another one is not the same`, async () => {
    const value = /** @type {object} */ (await made(NUMBERS[1]));
    assert(!inspect(value, { depth: 20 }).includes(SECRET) || value instanceof AgentWithSecret);
    if (value instanceof Error || value instanceof ExactNumber) return;
    const other = await made(NUMBERS[0]);
    assert.throws(() => assert.deepStrictEqual(value, other), TypeError);
  });
}

/** Whether a way to copy gives another document, as the page on ways to save says: a list that is spread into an object,
 *  and a member that is set, and not defined, under the name `__proto__`. @param {string} door @param {string} text */
const isOther = (door, text) =>
  (text.startsWith("[") && /^(\{ \.\.\.|Object\.assign)/.test(door)) ||
  (text.includes('"__proto__"') && door.startsWith("Object.assign"));

/** @param {string} type @param {string} text */
function checkDocument(type, text) {
  const { [`parse${type}`]: parse, [`stringify${type}`]: write } = /** @type {Record<string, any>} */ (chatstate);
  const value = parse(text);
  assert(equals(parse(write(value)), value));
  for (const [name, door] of Object.entries(DOORS)) if (!isOther(name, text)) check(door, value, write(value), parse);
}

for (const text of ['{"history":[],"channels":[],"later":[1.5,{"a":null}]}', '{"history":[],"channels":[],"later":1e400}']) {
  test(`a chat state that was read: ${text}`, () => checkDocument("ChatState", text));
}

/** The type and the text of the document of a case. Half a character is in no text that `parseJson` reads.
 *  @param {string} text @returns {{ type: string, document: string }} */
function documentOfCase(text) {
  try {
    const { type, input } = /** @type {any} */ (parseJson(text));
    return { type, document: stringify(input) };
  } catch {
    const { type, input } = JSON.parse(text);
    return { type, document: JSON.stringify(input) };
  }
}

const corpus = process.env.CHATSTATE_CORPUS ?? "";
for (const file of readdirSync(`${corpus}/round-trip`)) {
  const text = readFileSync(`${corpus}/round-trip/${file}`, "utf8");
  if ("expect" in JSON.parse(text)) continue;
  const { type, document } = documentOfCase(text);
  test(`a document of the corpus: ${file}`, () => checkDocument(type, document));
}

/** With it, old versions of Node.js have `JSON.rawJSON`, as new ones do without. */
const FLAG = "--harmony-json-parse-with-source";

test("where `JSON.rawJSON` is there, nothing is refused for its numbers", (context) => {
  const number = new ExactNumber("12345678901234567890.10");
  if ("rawJSON" in JSON) {
    assert.equal(JSON.stringify({ number }), '{"number":12345678901234567890.10}');
    assert.equal(JSON.stringify(sessionWith(number)), sessionWith(number).toJson());
    return;
  }
  assert.throws(() => JSON.stringify({ number }), /use `stringify`/);
  const { status, stdout } = spawnSync(process.execPath, [FLAG, "--test", fileURLToPath(import.meta.url)]);
  if (status === 9) context.skip(`Node.js has neither \`JSON.rawJSON\` nor ${FLAG}`);
  else assert.equal(status, 0, String(stdout));
});

// What readers and writers do beyond the cases of the corpus, which the adapter asks about.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as chatstate from "chatstate";

const { ExactNumber, Rejection } = chatstate;

/** A rejection as one line. */
function rejection(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Rejection) return [error.class, error.at, error.rule].join(" ");
    throw error;
  }
  return "accepted";
}

const NESTED = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

for (const [text, expected] of [
  ['{"a":1,"a":1}', "syntax /a duplicate-member"],
  ['{"a":{"b":[{"c":1,"\\u0063":2}]}}', "syntax /a/b/0/c duplicate-member"],
  ['{"__proto__":1,"__proto__":2}', "syntax /__proto__ duplicate-member"],
  ['{"a":"\\"b\\":\\"b\\"","c":"\\\\"}', "accepted"],
  ['{"a:b":"c:d"}', "accepted"],
  ['["\\ud83d"]', "syntax /0 unpaired-surrogate"],
  ['["\ud83d"]', "syntax /0 unpaired-surrogate"],
  ['{"\\ud83d":1}', "syntax  unpaired-surrogate"],
  ['["\\ud83d\\ude00"]', "accepted"],
  [NESTED(512), "accepted"],
  [NESTED(513), "limit  depth"],
  ["\ufeff[]", "syntax  byte-order-mark"],
  ["[1e999999999999999999]", "accepted"],
  ["[1e1000000000000000000]", "limit /0 number-exponent"],
  ["[1e0000000000000000001]", "accepted"],
  ["[01]", "syntax /0 json"],
  ["[1.]", "syntax /0 json"],
  ["[1,]", "syntax /1 json"],
  ["[]]", "syntax  json"],
  ["", "syntax  json"],
] as const) {
  test(`reading ${text.slice(0, 40)}`, () => {
    assert.equal(rejection(() => chatstate.parseJson(text)), expected);
    assert.equal(rejection(() => chatstate.parseJson(text, { numbers: "double" })), expected);
  });
}

test("bytes that are not UTF-8 are rejected", () => {
  assert.equal(rejection(() => chatstate.parseJson(Uint8Array.of(0x22, 0xff, 0x22))), "syntax  utf-8");
  assert.equal(rejection(() => chatstate.parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))), "syntax  byte-order-mark");
  assert.equal(chatstate.parseJson(Uint8Array.of(0x22, 0xc3, 0xa4, 0x22)), "ä");
});

for (const [text, exact, canonical] of [
  ["1.0", 1, "1"],
  ["0.1", 0.1, "0.1"],
  ["-0", -0, "0"],
  ["1e2", 100, "100"],
  ["123456789012345678", new ExactNumber("123456789012345678"), "123456789012345678"],
  ["9007199254740993", new ExactNumber("9007199254740993"), "9007199254740993"],
  ["9007199254740993.0", new ExactNumber("9007199254740993.0"), "9007199254740993"],
  ["0.1234567890123456789", new ExactNumber("0.1234567890123456789"), "1.234567890123456789e-1"],
  ["1e400", new ExactNumber("1e400"), `1${"0".repeat(400)}`],
  ["-1.5e-400", new ExactNumber("-1.5e-400"), "-1.5e-400"],
  ["1000000000000000000000", 1e21, "1e+21"],
  ["9007199254740992", 9007199254740992, "9007199254740992"],
  ["0.30000000000000004", 0.30000000000000004, "0.30000000000000004"],
  ["-123456789012345e-3", -123456789012.345, "-123456789012.345"],
  ["12345678901234567890.10", new ExactNumber("12345678901234567890.10"), "1.23456789012345678901e+19"],
] as const) {
  test(`the number ${text}`, () => {
    const value = chatstate.parseJson(text);
    assert.deepEqual(chatstate.parseJson(text, { numbers: "exact" }), value);
    assert.deepEqual(value, exact);
    assert.deepEqual(chatstate.parseJson(`[${text}]`), [exact]);
    assert.equal(chatstate.canonicalize(value), canonical);
    assert(chatstate.equals(chatstate.parseJson(chatstate.stringify([value])), [value]));
    assert(Number.isFinite(chatstate.parseJson(text, { numbers: "double" })));
  });
}

for (const [value, expected] of [
  [{ type: "RAW", event: undefined }, "schema /event required"],
  [{ type: "RAW", event: NaN }, "schema /event type"],
  [{ type: "RAW", event: { deep: [() => 1] } }, "schema /event/deep/0 type"],
  [{ type: "RAW", event: 10n ** 30n }, "accepted"],
  [{ type: "RAW", event: 1, rawEvent: Infinity }, "schema /rawEvent type"],
  [{ type: "RAW", event: 1, timestamp: "1" }, "schema /timestamp type"],
  [[], "schema  type"],
  [undefined, "schema  type"],
] as const) {
  test(`validating ${JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}` : inner))}`, () => {
    assert.equal(rejection(() => assert.equal(chatstate.validateEvent(value), value)), expected);
  });
}

for (const [event, expected] of [
  [{ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "\ud83d" }, "accepted"],
  [{ type: "TEXT_MESSAGE_CONTENT", messageId: "\ud83d", delta: "" }, "syntax /messageId unpaired-surrogate"],
  [{ type: "TEXT_MESSAGE_CONTENT", messageId: "\\ud83d", delta: "" }, "accepted"],
  [{ type: "RAW", event: ["\udc00"] }, "syntax /event/0 unpaired-surrogate"],
] as const) {
  test(`writing ${JSON.stringify(event)}`, () => {
    assert.equal(rejection(() => chatstate.stringifyEvent(chatstate.validateEvent(event))), expected);
  });
}

for (const [value, at] of [
  [NaN, ""],
  [[-Infinity], "/0"],
  [[undefined], "/0"],
  [[, 1], "/0"],
  [{ a: () => 1 }, "/a"],
  [{ a: { b: [Symbol()] } }, "/a/b/0"],
  [{ "a/b": new Map([[1, 2]]) }, "/a~1b"],
  [new Set([1]), ""],
  [{ bytes: Uint8Array.of(1) }, "/bytes"],
  [undefined, ""],
] as const) {
  test(`${String(value)} is not written as something else, at ${at}`, () => {
    assert.throws(() => chatstate.stringify(value), (error: unknown) => {
      assert(error instanceof TypeError);
      assert(error.message.endsWith(`, at \`${at}\``), error.message);
      return true;
    });
    const event = { type: "RAW", event: null, later: value } as unknown as chatstate.Event;
    if (value !== undefined) assert.equal(rejection(() => chatstate.stringifyEvent(event)), `schema /later${at} type`);
  });
}

test("what writes itself is written as it says", () => {
  const date = new Date(0);
  assert.equal(chatstate.stringify({ date, text: new String("a").valueOf() }), '{"date":"1970-01-01T00:00:00.000Z","text":"a"}');
  assert.equal(chatstate.stringify(Object.assign(Object.create(null), { a: 1 })), '{"a":1}');
});

test("what a reader rejects is not written", () => {
  const event = { type: "TEXT_MESSAGE_CONTENT" } as chatstate.Event;
  assert.equal(rejection(() => chatstate.stringifyEvent(event)), "schema /messageId required");
  const session = { schemaVersion: "2", stateBag: {} };
  assert.equal(rejection(() => chatstate.stringifyAgentSession(session)), "version /schemaVersion version.unspoken");
});

test("a value that holds itself is rejected", () => {
  const value: { type: string; event: unknown } = { type: "RAW", event: null };
  value.event = value;
  assert(rejection(() => chatstate.validateEvent(value)).startsWith("limit"));
  assert.throws(() => chatstate.stringify(value), TypeError);
  const patch: chatstate.Message = { id: "a", role: "user", content: [] };
  patch.content = [patch as unknown as chatstate.ContentPart];
  assert(rejection(() => chatstate.validateMessage(patch)).startsWith("schema"));
});

test("a standard schema says where", () => {
  const result = chatstate.validateEvent["~standard"].validate({ type: "MESSAGES_SNAPSHOT", messages: [{}] });
  assert.deepEqual(!(result instanceof Promise) && result.issues?.[0]?.path, ["messages", 0, "role"]);
});

test("names that mean something to JavaScript are names", () => {
  const text = '{"type":"LATER","__proto__":{"a":1},"constructor":2,"toString":null,"hasOwnProperty":[]}';
  assert.equal(chatstate.stringifyEvent(chatstate.parseEvent(text)), text);
  assert.equal(chatstate.stringifyEvent(chatstate.parseEvent(text, { numbers: "double" })), text);
  const encoded = chatstate.encode(chatstate.parseChatState(`{"history":[],"channels":[],"__proto__":{"a":1}}`));
  assert(chatstate.stringifyEncodedChatState(encoded).includes('"__proto__":{"a":1}'));
});

for (const text of [
  '{"type":"FUTURE","n":12345678901234567890,"m":[0.1,12345678901234567890.10,1e400]}',
  '{"type":"RAW","event":{"id":9007199254740993,"share":0.1234567890123456789}}',
]) {
  test(`what is read is written again: ${text}`, () => {
    assert.equal(chatstate.stringifyEvent(chatstate.parseEvent(text)), text);
    assert.notEqual(chatstate.stringifyEvent(chatstate.parseEvent(text, { numbers: "double" })), text);
  });
}

test("nothing computes with an exact number as with a `number`", () => {
  const value = chatstate.parseJson("9007199254740993") as number;
  const sums: readonly (() => unknown)[] = [
    () => value + 1,
    () => value * 2,
    () => -value,
    () => value > 1,
    () => Math.max(value, 1),
    () => Number(value),
    () => structuredClone(value),
  ];
  for (const sum of sums) assert.throws(sum);
  assert.throws(() => value + 1, /`toNumber\(\)`/);
  assert.equal(`${value}`, "9007199254740993");
});

for (const [text, integer] of [
  ["9007199254740993", 9007199254740993n],
  ["-9007199254740993.0", -9007199254740993n],
  ["1.5e400", 15n * 10n ** 399n],
  ["0.5e1", 5n],
  ["-0.0", 0n],
  ["0.1", undefined],
  ["1e-400", undefined],
  ["1e999999999999999999", undefined],
] as const) {
  test(`the integer ${text}`, () => {
    assert.equal(chatstate.bigIntOf(new ExactNumber(text)), integer);
    assert.equal(chatstate.bigIntOf(chatstate.parseJson(text) as chatstate.JsonNumber), integer);
  });
}

test("an exact number is written, and never another one", () => {
  assert.equal(chatstate.stringify({ a: new ExactNumber("1e400"), b: [1n, null], c: undefined }), '{"a":1e400,"b":[1,null]}');
  assert.throws(() => new ExactNumber("1e"), SyntaxError);
});

test("digests", () => {
  const digests = {
    "": "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126",
    abc: "6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25",
  };
  for (const [text, digest] of Object.entries(digests)) assert.equal(chatstate.digest(text), digest);
});

test("formats", () => {
  assert.equal(chatstate.dateOf("2024-02-29T12:00:00+02:00")?.getTime(), Date.UTC(2024, 1, 29, 10));
  assert.equal(chatstate.dateOf("yesterday"), undefined);
  assert.deepEqual(chatstate.bytesOf("/+8="), Uint8Array.of(0xff, 0xef));
  for (const text of ["/+8", "/+9=", "/+8=\n", "_-8=", "===="]) assert.equal(chatstate.bytesOf(text), undefined);
});

// What tests of other programs use.
import assert from "node:assert/strict";
import { test } from "node:test";

import { parseJson, Session } from "chatstate";
import {
  assertSameDocument,
  DocumentsDiffer,
  lossesBetween,
  matchers,
  snapshotSerializer,
} from "chatstate/testing";

test("equal values are the same document", () => {
  assertSameDocument({ a: 1, b: [1.0, { c: null }] }, { b: [1, { c: null }], a: 1 });
  assert.equal(matchers.toBeSameDocument({ a: 1 }, { a: 1 }).pass, true);
});

test("sessions are compared by their documents", () => {
  const session = (visits: string): Session => Session.fromJson(`{"stateBag":{"p":{"visits":${visits}}},"sessionId":"s"}`);
  const large = session("12345678901234567890.10");
  assertSameDocument(large, { sessionId: "s", stateBag: { p: { visits: parseJson("12345678901234567890.1") } } });
  assert.equal(matchers.toBeSameDocument(large, session("12345678901234567890.1")).pass, true);
  assert.throws(() => assertSameDocument(large, session("12345678901234567890")), DocumentsDiffer);
});

test("a matcher is known to the types of Vitest and Jest, and a snapshot has all digits", () => {
  const used: (expected: jest.Matchers<void>) => void = (expected) => expected.toBeSameDocument({});
  assert.equal(typeof used, "function");
  const number = parseJson("1.23456789012345678901234");
  assert.equal(snapshotSerializer.test(number), true);
  assert.equal(snapshotSerializer.serialize(number), "1.23456789012345678901234");
  for (const other of [1, "1", null, {}, []]) assert.equal(snapshotSerializer.test(other), false);
});

test("a message shows where long texts part", () => {
  const long = "The quick brown fox jumps over the lazy dog. ".repeat(3);
  for (const [one, other] of [[`${long}one`, `${long}two`], [`${long}one${long}`, long], ["one", "two"]] as const) {
    const { message } = matchers.toBeSameDocument({ a: other }, { a: one });
    const [, expected = "", got = ""] = message().match(/expected `(.*)`, got `(.*)`$/) ?? [];
    assert.notEqual(expected, got);
    assert(expected.length < 90 && got.length < 90, message());
  }
});

test("each loss has its class and its place", () => {
  const rows: [before: unknown, after: unknown, kind: string, at: string][] = [
    [{ a: 1 }, {}, "member-dropped", "/a"],
    [{}, { a: 1 }, "member-added", "/a"],
    [{ messageId: "m" }, { message_id: "m" }, "member-renamed", "/messageId"],
    [{}, { a: null }, "null-for-absent", "/a"],
    [{ a: null }, {}, "absent-for-null", "/a"],
    [{ a: 9007199254740993n }, { a: 9007199254740992 }, "number-rounded", "/a"],
    [{ a: 1 }, { a: 2 }, "number-changed", "/a"],
    [{ a: 1 }, { a: "1" }, "number-retyped", "/a"],
    [{ a: 1 }, { a: true }, "number-retyped", "/a"],
    ["a", "b", "text-changed", ""],
    [true, false, "boolean-changed", ""],
    [[], {}, "kind-changed", ""],
    [[1, 2], [2, 1], "array-reordered", ""],
    [[{ id: "1" }, { id: "2" }], [{ id: "2" }], "item-dropped", "/0"],
    [[1], [1, 2], "item-added", "/1"],
    [{ "a/b": { "~": 1 } }, { "a/b": {} }, "member-dropped", "/a~1b/~0"],
  ];
  for (const [before, after, kind, at] of rows) {
    const losses = lossesBetween(before, after);
    assert.deepEqual(losses.map((loss) => [loss.class, loss.at]), [[kind, at]], `${kind} at ${at}`);
  }
});

test("a failure lists what was lost", () => {
  assert.throws(() => assertSameDocument({ history: [] }, { history: [1], participants: [] }), (error: unknown) => {
    assert(error instanceof DocumentsDiffer);
    assert.match(error.message, /differ in 2 place\(s\):\n {2}item-dropped at `\/history\/0`: expected `1`\n {2}member-dropped/);
    return true;
  });
  const { pass, message } = matchers.toBeSameDocument([1], [2]);
  assert.equal(pass, false);
  assert.match(message(), /number-changed at `\/0`: expected `2`, got `1`/);
});

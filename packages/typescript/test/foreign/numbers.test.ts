// The package of a schema of somebody else: a document comes home with all digits of its numbers, through the example of
// the package's own page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bigIntOf, canonicalize, ExactNumber, parseDoc, Rejection, stringifyDoc, validateDoc } from "doc";

import { copy } from "./example-1.js";

for (const text of [
  '{"id":9007199254740993}',
  '{"share":12345678901234567890.10}',
  '{"share":0.1,"id":3,"level":2,"prices":[1e400,0.30000000000000004]}',
  '{"level":9007199254740993,"later":{"deep":[-12345678901234567890]}}',
]) {
  test(`the example keeps ${text}`, () => {
    assert.equal(copy(text), text);
    assert.equal(stringifyDoc(validateDoc(parseDoc(text))), text);
    assert.equal(stringifyDoc(parseDoc(text, { numbers: "exact" })), text);
  });
}

test("what a double holds is a `number`, and nothing else is taken for one", () => {
  const { id, share = 0 } = parseDoc('{"id":9007199254740993,"share":0.5}');
  assert.equal(share + 1, 1.5);
  assert.throws(() => (id ?? 0) + 1, TypeError);
  assert((id as unknown) instanceof ExactNumber);
  assert.equal(bigIntOf(id as unknown as ExactNumber), 9007199254740993n);
  assert.equal(canonicalize(id), "9007199254740993");
  assert.equal(parseDoc('{"id":9007199254740993}', { numbers: "double" }).id, 9007199254740992);
});

for (const text of ['{"id":9007199254740993.5}', '{"id":"9007199254740993"}', '{"level":3}', '{"share":-1e400}']) {
  test(`rejects ${text}`, () => assert.throws(() => parseDoc(text), Rejection));
}

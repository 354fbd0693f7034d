// Alternatives that hold themselves: judging them takes as long as the document, not twice as long for each level.
import assert from "node:assert/strict";
import { test } from "node:test";

import { parseChain, Rejection, validateChain } from "chain";

const DEPTH = 200;

function nested(innermost: string): string {
  return '{"next":'.repeat(DEPTH) + innermost + "}".repeat(DEPTH);
}

test("what the last alternative takes", () => {
  const chain = parseChain(nested("{}"));
  assert.equal(validateChain(chain), chain);
});

test("what no alternative takes", () => {
  assert.throws(() => parseChain(nested("1")), Rejection);
});

test("what is changed is judged anew", () => {
  const chain = parseChain(nested("{}")) as { next: unknown };
  chain.next = 1;
  assert.throws(() => validateChain(chain), Rejection);
});

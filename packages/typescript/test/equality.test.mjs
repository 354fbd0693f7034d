// What is equal is so in every language; `packages/testdata/equality.json` has the rows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.CHATSTATE_PACKAGE ?? "";
/** @type {Record<string, any>} */
const chatstate = await import(pathToFileURL(`${folder}/dist/index.js`).href);
/** @type {typeof import("../src/testing/index.js")} */
const { assertSameDocument } = await import(pathToFileURL(`${folder}/dist/testing/index.js`).href);
/** @type {{type?: string, left: string, right: string, equal: boolean, digest: string}[]} */
const rows = JSON.parse(readFileSync(`${process.env.CHATSTATE_TESTDATA}/equality.json`, "utf8"));

for (const row of rows) {
  test(`${row.left} and ${row.right}`, () => {
    const readers = [chatstate.parseJson, ...(row.type === undefined ? [] : [chatstate[`parse${row.type}`]])];
    for (const readLeft of readers) {
      const left = readLeft(row.left);
      assert.equal(chatstate.digest(left), row.digest);
      for (const readRight of readers) {
        const right = readRight(row.right);
        assert.equal(chatstate.equals(left, right), row.equal);
        if (row.equal) assertSameDocument(left, right);
        else assert.throws(() => assertSameDocument(left, right));
      }
    }
  });
}

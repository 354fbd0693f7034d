// Runs each line of the page on ways to save: what it says of a call is what the call does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { serialize } from "node:v8";

const folder = process.env.CHATSTATE_PACKAGE ?? "";
const page = readFileSync(process.env.CHATSTATE_PAGE ?? "", "utf8");
const entries = Object.values(JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).exports);
const modules = await Promise.all(entries.map((entry) => import(pathToFileURL(`${folder}/${entry.default}`).href)));
/** @type {Record<string, any>} */
const chatstate = Object.assign({}, ...modules);
const { equals, parseJson, stringify } = chatstate;

/** The calls of the page and what it says of them. */
const lines = [...page.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(([, call = "", outcome = ""]) => ({ call, outcome }));

/** The code of the page, with its objects, that gives a function for each of some expressions. @param {string[]} expressions */
async function functionsOf(expressions) {
  const [, code = ""] = page.match(/^```js\n(.*?)^```$/ms) ?? [];
  const objects = code.replaceAll(/^import .*$/gm, "");
  const names = Object.keys(chatstate).join(", ");
  const functions = expressions.map((expression) => `async () => (${expression})`).join(",\n");
  const body = `const { ${names} } = chatstate;\n${objects}\nreturn [${functions}];`;
  const AsyncFunction = /** @type {any} */ (functionsOf.constructor);
  return new AsyncFunction("chatstate", "serialize", body)(chatstate, serialize);
}

/** The document that a call gives: as text, as bytes or as a value. @param {unknown} given @returns {unknown} */
function documentOf(given) {
  if (given instanceof Uint8Array || typeof given === "string") return parseJson(given);
  return parseJson(stringify(given));
}

/** @param {() => Promise<unknown>} run */
async function attempt(run) {
  try {
    return { given: await run() };
  } catch (error) {
    assert(error instanceof Error);
    return { error };
  }
}

/** @param {string} outcome what the page says, and the code in it */
function said(outcome) {
  const [, words = "", expression = ""] = outcome.match(/^(|the same or refused; use |refused; use |another document; use )`(.+)`$/) ?? [];
  assert(expression !== "", `the page says what no test knows: ${outcome}`);
  return { words, expression };
}

for (const { call, outcome } of lines) {
  test(`${call}: ${outcome}`, async () => {
    const { words, expression } = said(outcome);
    const [run, other] = await functionsOf([call, expression]);
    const { given, error } = await attempt(run);
    const expected = await other();
    if (words.startsWith("refused")) {
      assert(error !== undefined, "it is not refused");
    } else if (error !== undefined) {
      assert(words.startsWith("the same or refused"), error.message);
    } else {
      assert.equal(equals(documentOf(given), documentOf(expected)), !words.startsWith("another document"));
    }
  });
}

test("the page has a line for every class of documents, and names all others", () => {
  assert(lines.length > 50, `${lines.length}`);
  const isClass = (/** @type {unknown} */ value) => typeof value === "function" && /^class\b/.test(String(value));
  const classes = Object.keys(chatstate).filter((name) => isClass(chatstate[name]));
  for (const name of classes) assert(new RegExp(`\\b${name}\\b`).test(page), `the page does not name \`${name}\``);
});

// Each name of `docs/names.md` is there; `packages/testdata/names.json` has them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const folder = process.env.CHATSTATE_PACKAGE ?? "";
const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
/** @type {{names: {typescript: string | null}[]}[]} */
const groups = JSON.parse(readFileSync(`${process.env.CHATSTATE_TESTDATA}/names.json`, "utf8"));
const names = groups.flatMap((group) => group.names.flatMap(({ typescript }) => typescript ?? []));

/** What a file of declarations exports, each name with the text from its declaration on.
 *  @param {string} path @returns {Map<string, string>} */
function exported(path) {
  const text = readFileSync(path, "utf8");
  const found = new Map();
  const others = (/** @type {string} */ from) => exported(join(dirname(path), from.replace(/\.js$/, ".d.ts")));
  for (const [, from = ""] of text.matchAll(/^export (?:type )?\* from "(.+)";$/gm)) {
    for (const [name, declared] of others(from)) found.set(name, declared);
  }
  for (const [, list = "", from = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "(.+)";$/gm)) {
    for (const name of list.split(",").map((one) => one.trim().replace(/^type /, ""))) {
      if (name !== "") found.set(name, others(from).get(name) ?? "");
    }
  }
  const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum|function|const) (\w+)/gm;
  for (const { 1: name = "", index } of text.matchAll(declaration)) found.set(name, text.slice(index));
  return found;
}

/** @param {string} entry */
const typesOf = (entry) => exported(join(folder, exports[entry.replace(/^chatstate/, ".")].types));

/** What is wrong with a name. @param {string} text @returns {string | undefined} */
function faultOf(text) {
  const [name = "", entry = "chatstate"] = text.split(" ").reverse();
  const [whole = "", member] = name.split(".");
  const declared = typesOf(entry).get(whole);
  if (declared === undefined) return `\`${entry}\` does not export \`${whole}\``;
  const [body = ""] = declared.split(/^\}$/m);
  const isThere = member === undefined || new RegExp(`^    (?:static |readonly |get )*${member}\\b`, "m").test(body);
  return isThere ? undefined : `\`${whole}\` has no \`${member}\``;
}

for (const name of names) test(`${name} is there`, () => assert.equal(faultOf(name), undefined));

test("another name is not there", () => {
  for (const name of ["Chat", "chatstate/seal Session", "Session.nothing"]) {
    assert.notEqual(faultOf(name), undefined, name);
  }
  assert(names.length > 50);
});

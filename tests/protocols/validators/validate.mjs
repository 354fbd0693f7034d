// Judges documents by the package `ajv`, as `validate.py` does by `jsonschema`. The arguments are the folder with
// the package, and a file with schemas by name.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [packages, file] = process.argv.slice(2);
const require = createRequire(path.join(packages, "package.json"));

const DIALECTS = {
  "http://json-schema.org/draft-07/schema": "ajv",
  "http://json-schema.org/draft-07/schema#": "ajv",
  "https://json-schema.org/draft/2019-09/schema": "ajv/dist/2019",
  "https://json-schema.org/draft/2020-12/schema": "ajv/dist/2020",
};

// It does not know draft 4.
const NOT_ASKED = new Set(["open-api-3-0"]);

/**
 * The schema as `ajv` has to be told it. Draft 7 says that what is beside `$ref` is ignored (8.3), and `ajv` judges it. And
 * it leads a `$dynamicRef` to the schema that it is in, where 2020-12 (8.2.3.2) says that it leads to the anchor of that
 * name; where only one schema has the anchor, it is a `$ref` to that.
 */
function told(schema, anchors, beside) {
  if (Array.isArray(schema)) return schema.map((item) => told(item, anchors, beside));
  if (typeof schema !== "object" || schema === null) return schema;
  const isReference = !beside && typeof schema.$ref === "string";
  const judged = Object.entries(schema).filter(([name]) => !isReference || name === "$ref" || name === "definitions");
  const members = judged.map(([name, value]) =>
    name === "$dynamicRef" && anchors.has(value) ? ["$ref", anchors.get(value)] : [name, told(value, anchors, beside)],
  );
  return Object.fromEntries(members);
}

/** The pointers of the schemas with a dynamic anchor, by the reference to it; none of a name that two schemas have. */
function dynamicAnchors(schema, pointer = "#", found = new Map()) {
  if (typeof schema !== "object" || schema === null) return found;
  const anchor = `#${schema.$dynamicAnchor}`;
  if (typeof schema.$dynamicAnchor === "string") found.set(anchor, found.has(anchor) ? undefined : pointer);
  for (const [name, value] of Object.entries(schema)) {
    dynamicAnchors(value, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, found);
  }
  return found;
}

const validators = new Map();
for (const [name, schema] of Object.entries(JSON.parse(fs.readFileSync(file, "utf8")))) {
  if (NOT_ASKED.has(name)) continue;
  const dialect = DIALECTS[schema.$schema];
  if (dialect === undefined) throw new Error(`\`${name}\` has the dialect \`${schema.$schema}\``);
  const Ajv = require(dialect).default;
  // `strict` rejects schemas for their style. Formats are annotations to all who are compared here, and so is `id`,
  // which it rejects because draft 4 had it for `$id`.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.removeKeyword("id");
  const anchors = [...dynamicAnchors(schema)].filter(([, pointer]) => pointer !== undefined);
  validators.set(name, ajv.compile(told(schema, new Map(anchors), dialect !== "ajv")));
}

const verdicts = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const tab = line.indexOf("\t");
  const validator = validators.get(line.slice(0, tab));
  verdicts.push(validator === undefined ? "none" : validator(JSON.parse(line.slice(tab + 1))));
}
fs.writeFileSync(1, verdicts.map((verdict) => `${verdict}\n`).join(""));

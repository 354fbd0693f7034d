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

// It does not know draft 4, and rejects documents of some others that the two other validators accept.
const NOT_ASKED = new Set(["open-api-3-0", "open-api-3-1", "async-api-2-6", "async-api-3-0", "github-workflow"]);

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
  validators.set(name, ajv.compile(schema));
}

const verdicts = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const tab = line.indexOf("\t");
  const validator = validators.get(line.slice(0, tab));
  verdicts.push(validator === undefined ? "none" : validator(JSON.parse(line.slice(tab + 1))));
}
fs.writeFileSync(1, verdicts.map((verdict) => `${verdict}\n`).join(""));

// Validates the events of a file of JSON Lines with ajv: node validate.mjs SCHEMA FILE. The events are parsed and the
// schema is compiled before the clock starts. Prints the seconds of the last of several passes, which is the fastest
// for a compiler that learns, and how many events were valid.
import fs from "node:fs";
import { createRequire } from "node:module";

const PASSES = 4;

const { default: Ajv } = createRequire(import.meta.url)("ajv/dist/2020");

const [schemaFile, file] = process.argv.slice(2);
const schema = JSON.parse(fs.readFileSync(schemaFile, "utf8"));
// The schema has keywords and formats of its own, which every validator may pass over.
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(schema);
const validate = ajv.compile({ $ref: `${schema.$id}#/$defs/Event` });
const lines = fs.readFileSync(file, "utf8").split("\n").filter((line) => line !== "");
const events = lines.map((line) => JSON.parse(line));

let seconds = 0;
let valid = 0;
for (let pass = 0; pass < PASSES; pass += 1) {
  const begin = performance.now();
  valid = 0;
  for (const event of events) valid += validate(event) ? 1 : 0;
  seconds = (performance.now() - begin) / 1000;
}
process.stdout.write(JSON.stringify({ seconds, valid }));

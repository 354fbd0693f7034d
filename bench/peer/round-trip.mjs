// Reads and writes the events of a file of JSON Lines, and validates them: node round-trip.mjs FILE PACKAGE. PACKAGE
// is the built package for TypeScript, which is measured beside the zod schemas of @ag-ui/core. Both take their turns
// in this process; of several passes the fastest counts, for a compiler that learns.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const PASSES = 6;

const { EventSchemas } = createRequire(import.meta.url)("@ag-ui/core/schemas");
const [file, folder] = process.argv.slice(2);
const { validateEvent, parseEvent, stringifyEvent } = await import(pathToFileURL(`${folder}/dist/index.js`).href);

/** How zod reads numbers, which are those of `JSON.parse`. By itself, the package reads them exactly. */
const AS_DOUBLES = { numbers: "double" };

const lines = fs.readFileSync(file, "utf8").split("\n").filter((line) => line !== "");
const events = lines.map((line) => JSON.parse(line));

const work = {
  zodRoundTrip: () => lines.reduce((length, line) => length + JSON.stringify(EventSchemas.parse(JSON.parse(line))).length, 0),
  oursRoundTrip: () => lines.reduce((length, line) => length + stringifyEvent(parseEvent(line, AS_DOUBLES)).length, 0),
  zodValidation: () => events.filter((event) => EventSchemas.safeParse(event).success).length,
  oursValidation: () => events.filter((event) => validateEvent(event) === event).length,
};

const seconds = {};
const results = {};
for (let pass = 0; pass < PASSES; pass += 1) {
  for (const [name, run] of Object.entries(work)) {
    const begin = performance.now();
    results[name] = run();
    seconds[name] = Math.min(seconds[name] ?? Infinity, (performance.now() - begin) / 1000);
  }
}
process.stdout.write(JSON.stringify({ seconds, results }));

// Compacts a log with @ag-ui/client: node compact.mjs FILE OUT. Reads, parses, compacts and writes in the framing of
// the file. NODE_PATH names the folder that holds the packages; only `require` reads it.
import fs from "node:fs";
import { createRequire } from "node:module";

const { compactEvents } = createRequire(import.meta.url)("@ag-ui/client");

const [file, out] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");
if (text.startsWith("[")) {
  fs.writeFileSync(out, JSON.stringify(compactEvents(JSON.parse(text))));
} else {
  const events = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  fs.writeFileSync(out, compactEvents(events).map((event) => `${JSON.stringify(event)}\n`).join(""));
}

// Writes each TypeScript example of a page into a file of its own, so that it can be compiled and run.
import { readFileSync, writeFileSync } from "node:fs";

const [page = "", folder = ""] = process.argv.slice(2);
const examples = [...readFileSync(page, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)];
if (examples.length === 0) throw new Error(`\`${page}\` has no examples`);
for (const [index, [, code = ""]] of examples.entries()) {
  writeFileSync(`${folder}/example-${index + 1}.ts`, code);
}

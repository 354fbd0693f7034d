// Reads documents with generated packages and writes them again, as `read.py` does. The arguments are
// subjects: `NAME=MODULE:TYPE`, each with the path of a compiled module.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const subjects = new Map();
for (const argument of process.argv.slice(2)) {
  const [, name, path, type] = /^(.*?)=(.*):(.*)$/.exec(argument);
  const module = await import(pathToFileURL(path).href);
  subjects.set(name, { read: module[`parse${type}`], write: module[`stringify${type}`], Rejection: module.Rejection });
}

const answers = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const tab = line.indexOf("\t");
  const { read, write, Rejection } = subjects.get(line.slice(0, tab));
  try {
    answers.push({ text: write(read(line.slice(tab + 1))) });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    answers.push({ rule: error.rule, message: error.message });
  }
}
fs.writeFileSync(1, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));

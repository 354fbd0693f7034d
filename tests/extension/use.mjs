// Uses a generated package for an extension of the schema: a log of events on each line, an answer for each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const at = (file) => import(pathToFileURL(join(process.argv[2], "dist", file)));
const extension = await at("index.js");
const { assertSameDocument } = await at("testing/index.js");

/** A log that comes back from a store. */
async function stored(events) {
  const store = new extension.MemoryEventStore();
  await store.append("thread", extension.parseEventStream(JSON.stringify(events)));
  return JSON.parse(extension.stringifyEventStream((await store.read("thread")).events));
}

const named = (findings) => findings.map(({ rule, index }) => [rule, index]);

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const events = JSON.parse(line);
  const { errors, warnings } = extension.checkEvents(events);
  const answer = { errors: named(errors), warnings: named(warnings) };
  if (errors.length === 0) {
    assertSameDocument(await stored(events), events);
    answer.messages = extension.replayEvents(events).messages;
    answer.stream = extension.compactEvents(events);
    answer.snapshot = extension.compactEvents(events, { level: "snapshot" });
  }
  console.log(JSON.stringify(answer));
}

const session = extension.Session.fromJson('{"id": "s", "stateBag": {}}');
const chat = extension.parseChatState('{"history": [], "channels": []}');
console.log(JSON.stringify({ chat: JSON.parse(extension.stringifyChatState(chat)), session: JSON.parse(session.toJson()) }));

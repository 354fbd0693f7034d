// Bundles what users import, as their bundlers do: measures it, and makes a page of it that needs nothing beside itself.
//
// Usage: node bundle.mjs LIBRARIES_DIR FOLDER
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const [libraries = "", folder = ""] = process.argv.slice(2);
/** @type {typeof import("esbuild")} */
const esbuild = createRequire(`${libraries}/package.json`)("esbuild");

/** What is measured, with the most kilobytes that it may take minified and compressed. @type {[string, string, number][]} */
const BUDGETS = [
  ["reading and writing", 'export { parseChatState, parseEventStream, stringifyEventStream } from "chatstate"', 11],
  ["chats", 'export { AgentChat, AgentChatSerializer, HistoryAgent } from "chatstate"', 11],
  ["verifying streams", 'export { verifyEvents } from "chatstate"', 13],
  ["replaying streams", 'export { replayEvents } from "chatstate"', 17],
  ["compacting streams", 'export { compactEvents } from "chatstate"', 27],
  [
    "streams and chats",
    "export { AgentChat, AgentChatSerializer, attachPrelude, compactEvents, HistoryAgent, lineageOf, replayEvents, " +
      'verifyEvents } from "chatstate"',
    35,
  ],
];

/** @param {string} contents @param {"esm" | "iife"} format @returns {Promise<string>} */
async function bundled(contents, format) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: `${folder}/user` },
    bundle: true,
    minify: true,
    write: false,
    format,
    platform: "browser",
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}

for (const [name, contents, most] of BUDGETS) {
  const text = await bundled(contents, "esm");
  const size = gzipSync(text, { level: 9 }).length;
  console.log(`${name}: ${(text.length / 1000).toFixed(1)} kB minified, ${(size / 1000).toFixed(1)} kB compressed`);
  if (size > most * 1000) throw new Error(`${name} may take ${most} kB`);
}

const script = await bundled(
  `import { AgentChat, AgentChatSerializer, compactEvents, HistoryAgent, replayEvents } from "chatstate";
  const item = (type, members) => ({ type, messageId: "m", ...members });
  const log = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    item("TEXT_MESSAGE_START"),
    item("TEXT_MESSAGE_CONTENT", { delta: "Hel" }),
    item("TEXT_MESSAGE_CONTENT", { delta: "lo" }),
    item("TEXT_MESSAGE_END"),
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ];
  const compacted = compactEvents(log);
  const { messages } = replayEvents(compacted);
  const chat = new AgentChat(new HistoryAgent("a", "T"));
  AgentChatSerializer.deserialize('{"history":[{"role":"user","items":[]}],"channels":[]}')
    .then((serializer) => serializer.restore(chat))
    .then(() => {
      document.body.textContent = compacted.length + " events, " + messages[0].content + ", " + chat.history.length + " message";
    });`,
  "iife",
);
const page = `<!doctype html>\n<meta charset="utf-8">\n<title>chatstate</title>\n<body>\n<script>${script.replaceAll("</", "<\\/")}</script>\n`;
writeFileSync(`${folder}/page.html`, page);

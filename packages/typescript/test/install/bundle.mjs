// Bundles what users import, as their bundlers do: measures it, and makes a page of it that needs nothing beside itself.
//
// Usage: node bundle.mjs LIBRARIES_DIR FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [libraries = "", folder = ""] = process.argv.slice(2);
/** @type {typeof import("esbuild")} */
const esbuild = createRequire(`${libraries}/package.json`)("esbuild");

/** What opens and checks what others saved. Users get each of these in a bundle of no more than so many kilobytes. */
const CORE = ["parseChatState", "parseAgentSession", "parseEventStream", "canonicalize", "digest", "verifyEvents"];
const CORE_BUDGET = 15.5;

/** What the README says that imports take at most, minified and compressed. @returns {{ names: string[]; most: number }[]} */
function budgets() {
  const text = readFileSync(`${folder}/user/node_modules/chatstate/README.md`, "utf8");
  const rows = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([0-9.]+) \|$/gm)];
  return rows.map(([, names = "", most]) => ({ names: names.split(", ").map((name) => name.slice(1, -1)), most: Number(most) }));
}

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

for (const { names, most } of budgets()) {
  const text = await bundled(`export { ${names.join(", ")} } from "chatstate"`, "esm");
  const size = gzipSync(text, { level: 9 }).length;
  const kilobytes = [text.length, size, brotliCompressSync(text).length].map((bytes) => (bytes / 1000).toFixed(1));
  console.log(`${names.join(", ")}: ${kilobytes[0]} kB minified, ${kilobytes[1]} kB with gzip, ${kilobytes[2]} kB with brotli`);
  if (size >= most * 1000) throw new Error(`by its README this takes less than ${most} kB`);
}
const small = budgets().filter(({ most }) => most <= CORE_BUDGET).flatMap(({ names }) => names);
const missing = CORE.filter((name) => !small.includes(name));
if (missing.length > 0) throw new Error(`the README has no import of at most ${CORE_BUDGET} kB with ${missing.join(", ")}`);

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

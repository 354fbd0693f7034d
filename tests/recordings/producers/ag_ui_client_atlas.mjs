// Records @ag-ui/client: a scripted agent that sends chunks, run through the client's own pipeline.
//
// `in` is what the agent sent (as the package's encoder writes it), `out` what the client hands to its
// subscribers, `compacted` what `compactEvents` makes of `out`, and `replayed` the chat that the client holds.
//
// The one argument is the folder that holds `threads/` and `replayed/`.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { AbstractAgent, compactEvents } from "@ag-ui/client";
import { EventEncoder } from "@ag-ui/encoder";
import { from } from "rxjs";

const FOLDER = pathToFileURL(`${process.argv[2]}/`);
const encoder = new EventEncoder();

/** The events of each run between RUN_STARTED and its end. */
const RUNS = [
  [
    { type: "STEP_STARTED", stepName: "locate" },
    { type: "REASONING_MESSAGE_CHUNK", messageId: "thought-1", delta: "Islands, " },
    { type: "REASONING_MESSAGE_CHUNK", delta: "so an atlas." },
    { type: "TEXT_MESSAGE_CHUNK", messageId: "answer-1", role: "assistant", name: "atlas", delta: "Iceland " },
    { type: "TEXT_MESSAGE_CHUNK", delta: "is \ud83c" },
    { type: "TEXT_MESSAGE_CHUNK", delta: "\udf0b country." },
    { type: "TOOL_CALL_CHUNK", toolCallId: "call-1", toolCallName: "area", parentMessageId: "answer-1", delta: '{"of":' },
    { type: "TOOL_CALL_CHUNK", delta: '"Iceland"}', timestamp: 1760000000123 },
    { type: "TOOL_CALL_RESULT", toolCallId: "call-1", messageId: "result-1", role: "tool", content: [
      { type: "text", text: "103000 km²" },
      { type: "image", source: { type: "data", value: "AAEC", mimeType: "image/png" } },
    ] },
    { type: "STATE_SNAPSHOT", snapshot: { seen: ["Iceland"], pages: { "10": "north", "2": "south" } } },
    { type: "STEP_FINISHED", stepName: "locate" },
  ],
  [
    { type: "ACTIVITY_SNAPSHOT", messageId: "search-1", activityType: "SEARCH", content: { queries: [], done: false } },
    { type: "ACTIVITY_DELTA", messageId: "search-1", activityType: "SEARCH", patch: [
      { op: "add", path: "/queries/-", value: "Faroe" },
      { op: "replace", path: "/done", value: true },
    ] },
    { type: "RAW", event: { provider: "atlas", page: null }, source: "atlas" },
    { type: "CUSTOM", name: "atlas.opened", value: [1, 2.5, null] },
    { type: "STATE_DELTA", delta: [{ op: "add", path: "/seen/-", value: "Faroe Islands" }] },
    { type: "STATE_DELTA", delta: [{ op: "test", path: "/seen/0", value: "Norway" }, { op: "remove", path: "/seen/0" }] },
    { type: "TEXT_MESSAGE_START", messageId: "answer-2", metadata: { source: "p. 12" } },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "answer-2", delta: "" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "answer-2", delta: "Eighteen islands.", rawEvent: { part: 1 } },
    { type: "TEXT_MESSAGE_END", messageId: "answer-2" },
  ],
  [
    { type: "SUBAGENT_STARTED", subagentRunId: "surveyor-1", name: "surveyor", parentMessageId: "answer-2" },
    { type: "TEXT_MESSAGE_START", messageId: "survey-1", role: "assistant", subagentRunId: "surveyor-1" },
    { type: "TEXT_MESSAGE_START", messageId: "answer-3" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "answer-3", delta: "Measuring" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "survey-1", delta: "882 m", subagentRunId: "surveyor-1" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "answer-3", delta: " … done." },
    { type: "TEXT_MESSAGE_END", messageId: "survey-1", subagentRunId: "surveyor-1" },
    { type: "SUBAGENT_FINISHED", subagentRunId: "surveyor-1", result: { metres: 882 } },
    { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: "answer-3", encryptedValue: "c2VhbGVk" },
    { type: "TEXT_MESSAGE_END", messageId: "answer-3" },
  ],
];

/** Sends the next scripted run, and keeps what it sent. */
class Atlas extends AbstractAgent {
  sent = [];
  runs = [...RUNS];

  run(input) {
    const { threadId, runId } = input;
    const events = [
      { type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0", input },
      ...this.runs.shift(),
      { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" } },
    ];
    this.sent.push(...events);
    return from(structuredClone(events));
  }
}

function keep(name, events) {
  const lines = events.map((event) => encoder.encode(event).slice("data: ".length, -2));
  writeFileSync(new URL(`threads/ag-ui-client-${name}.thread.jsonl`, FOLDER), lines.map((line) => `${line}\n`).join(""));
  console.log(`threads/ag-ui-client-${name}.thread.jsonl: ${events.length} events`);
}

const agent = new Atlas({ threadId: "atlas", initialState: {} });
const received = [];
agent.subscribe({ onEvent: ({ event }) => void received.push(structuredClone(event)) });
for (const [index, question] of ["Iceland?", "And the Faroe Islands?", "How high?"].entries()) {
  agent.addMessage({ id: `user-${index + 1}`, role: "user", content: question });
  await agent.runAgent({ runId: `atlas-run-${index + 1}` });
}

keep("chunks-in", agent.sent);
keep("chunks-out", received);
keep("chunks-compacted", compactEvents(received));
const chat = { messages: agent.messages, state: agent.state };
writeFileSync(new URL("replayed/ag-ui-client-chunks.json", FOLDER), `${JSON.stringify(chat, null, 2)}\n`);

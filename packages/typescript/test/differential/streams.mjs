// Streams of events for tests: valid ones, complete or cut off anywhere, with much of what AG-UI allows in a few events.
//
// An event is made up of few ids and names, so that it often meets others, and is left out if a verifier rejects it
// there.

/** @typedef {{below: (limit: number) => number}} Source gives numbers from 0, below a limit */
/** @typedef {{type: string, [name: string]: any}} Event */

/** @param {number} seed @returns {Source} numbers that the seed decides */
export function seeded(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return {
    below(limit) {
      // Mulberry32.
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

/** @param {readonly number[]} choices @returns {Source} numbers that a list decides; zero where it ends */
export function chosen(choices) {
  let at = 0;
  return { below: (limit) => (choices[at++] ?? 0) % limit };
}

/**
 * A stream that a verifier accepts.
 *
 * @param {Source} source
 * @param {(events: Event[]) => boolean} accepts whether a verifier accepts a stream
 * @param {(events: readonly Event[]) => readonly any[]} [messagesOf] the messages at the end of a stream, which inputs repeat
 * @returns {Event[]}
 */
export function validStream(source, accepts, messagesOf) {
  const maker = new Maker(source, messagesOf);
  /** @type {Event[]} */
  const events = [];
  const length = 2 + source.below(38);
  for (let tries = 0; events.length < length && tries < 4 * length; tries += 1) {
    const event = maker.event(events);
    if (accepts([...events, event])) events.push(event);
  }
  return events;
}

/** A stream that no verifier has seen, and most reject. @param {Source} source @returns {Event[]} */
export function anyStream(source) {
  const maker = new Maker(source);
  /** @type {Event[]} */
  const events = [];
  const length = 1 + source.below(12);
  while (events.length < length) events.push(maker.event(events));
  return events;
}

/** A snapshot says each message once; of one that it says twice, readers may take either. */
/** @template {{id: string}} T @param {T[]} messages @returns {T[]} */
function unique(messages) {
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}

const HIGH = "\ud83d";
const LOW = "\ude00";

/** Makes up events. What a stream is about, such as chunks or subagents, is decided once. */
class Maker {
  /** @param {Source} source @param {(events: readonly Event[]) => readonly any[]} [messagesOf] */
  constructor(source, messagesOf = () => []) {
    this.source = source;
    this.messagesOf = messagesOf;
    this.about = new Set(
      ["chunks", "owners", "inputs", "state", "metadata", "halves", "raw", "snapshots", "branches", "activities", "extra"]
        .filter(() => source.below(100) < 45),
    );
    /** Whether the run in progress is over. */
    this.runs = 0;
  }

  /** @param {number} percent */
  chance(percent) {
    return this.source.below(100) < percent;
  }

  /** @template T @param {readonly T[]} values @returns {T} */
  of(values) {
    return /** @type {T} */ (values[this.source.below(values.length)]);
  }

  /** @param {string} feature @param {number} percent */
  wants(feature, percent) {
    return this.about.has(feature) && this.chance(percent);
  }

  /** @param {readonly Event[]} events what is before @returns {Event} */
  event(events) {
    const last = events.at(-1)?.type;
    if (last === undefined) return this.chance(96) ? this.runStarted(events) : { type: "RUN_ERROR", message: "no run" };
    if (last === "RUN_FINISHED" || last === "RUN_ERROR") {
      return this.chance(88) ? this.runStarted(events) : { type: "RUN_ERROR", message: "late" };
    }
    const event = this.inner();
    if (this.wants("metadata", 30)) event.metadata = { [this.of(["a", "b"])]: this.source.below(4) };
    if (this.wants("raw", 15)) event.rawEvent = { n: this.source.below(9) };
    if (this.chance(20)) event.timestamp = 1000 + events.length;
    if (this.wants("extra", 8)) event.later = this.source.below(3);
    const isRun = event.type.startsWith("RUN_") || event.type === "MESSAGES_SNAPSHOT";
    if (!isRun && event.subagentRunId === undefined && this.wants("owners", 35)) event.subagentRunId = this.of(["s1", "s2"]);
    return event;
  }

  /** @param {readonly Event[]} events */
  runStarted(events) {
    this.runs += 1;
    /** @type {Event} */
    const event = { type: "RUN_STARTED", threadId: "t", runId: `r${this.runs}` };
    if (this.wants("branches", 60)) event.parentRunId = `r${1 + this.source.below(this.runs + 1)}`;
    if (this.wants("inputs", 75)) event.input = this.input(events);
    if (this.wants("metadata", 20)) event.metadata = { run: this.runs };
    return event;
  }

  /** @param {readonly Event[]} events */
  input(events) {
    const said = this.chance(60) ? this.messagesOf(events).filter(() => this.chance(80)) : [];
    const messages = this.chance(70) ? [...said, ...this.messages()] : [...this.messages(), ...said];
    /** @type {Record<string, unknown>} */
    const input = { threadId: "t", runId: `r${this.runs}`, messages };
    if (this.wants("state", 40)) input.state = this.value();
    return input;
  }

  messages() {
    return Array.from({ length: this.source.below(5) }, () => this.message());
  }

  message() {
    const id = this.of(["m1", "m2", "u1", "u2", "c1", "a1", "x1"]);
    const owner = this.wants("owners", 20) ? { subagentRunId: this.of(["s1", "s2"]) } : {};
    switch (this.source.below(6)) {
      case 0:
        return { id, role: "assistant", toolCalls: [this.call()], ...owner };
      case 1:
        return { id, role: "tool", toolCallId: this.of(["c1", "c2"]), content: "42", ...owner };
      case 2:
        return this.about.has("activities")
          ? { id, role: "activity", activityType: "plan", content: { steps: [] }, ...owner }
          : { id, role: "reasoning", content: "hm", ...owner };
      case 3:
        if (this.wants("extra", 30)) return { role: "later", ...(this.chance(50) ? { id } : {}), note: this.source.below(2), ...owner };
        return { id, role: "assistant", content: this.of(["", "one", "onetwo"]), ...owner };
      default:
        return { id, role: "user", content: this.of(["hi", "ho"]), ...owner };
    }
  }

  call() {
    const name = this.of(["search", "add"]);
    return { id: this.of(["c1", "c2"]), type: "function", function: { name, arguments: this.of(["", "{}", "one"]) } };
  }

  value() {
    return this.of([{}, { n: 1 }, { list: [1, 2], deep: { a: { b: 0 } } }, [1, [2]], null, "text", { n: 1, list: [] }]);
  }

  text() {
    if (this.wants("halves", 40)) return this.of([HIGH, LOW, `a${HIGH}`, `${LOW}b`, `${LOW}${HIGH}`]);
    return this.of(["one", "two", "", "\u00e9\n", "three"]);
  }

  /** @returns {Event} */
  inner() {
    const kinds = ["text", "text", "text", "text", "call", "call", "reasoning", "step", "other"];
    if (this.about.has("chunks")) kinds.push("chunk", "chunk", "chunk");
    if (this.about.has("state")) kinds.push("state", "state");
    if (this.about.has("owners")) kinds.push("subagent");
    if (this.about.has("snapshots")) kinds.push("snapshot");
    if (this.about.has("activities")) kinds.push("activity");
    switch (this.of(kinds)) {
      case "text":
        return this.item("TEXT_MESSAGE", "CONTENT", { messageId: this.of(["m1", "m2", "x1", "a1"]) }, "text");
      case "call":
        return this.item("TOOL_CALL", "ARGS", { toolCallId: this.of(["c1", "c2", "m1"]) }, "call");
      case "reasoning":
        return this.item("REASONING_MESSAGE", "CONTENT", { messageId: this.of(["x1", "x2", "m1"]) }, "reasoning");
      case "chunk":
        return this.chunk();
      case "state":
        return this.chance(40) ? { type: "STATE_SNAPSHOT", snapshot: this.value() } : { type: "STATE_DELTA", delta: this.patch() };
      case "step":
        return { type: this.of(["STEP_STARTED", "STEP_FINISHED"]), stepName: this.of(["p", "q"]) };
      case "subagent":
        return this.subagent();
      case "snapshot":
        return { type: "MESSAGES_SNAPSHOT", messages: unique(this.messages()) };
      case "activity":
        return this.activity();
      default:
        return this.other();
    }
  }

  /** @param {string} prefix @param {string} delta @param {object} id @param {string} kind @returns {Event} */
  item(prefix, delta, id, kind) {
    const place = this.source.below(10);
    if (place < 5) return { type: `${prefix}_${delta}`, ...id, delta: this.text() };
    if (place < 7) return { type: `${prefix}_END`, ...id };
    /** @type {Event} */
    const event = { type: `${prefix}_START`, ...id };
    if (kind === "reasoning") event.role = "reasoning";
    if (kind === "text" && this.chance(30)) event.role = this.of(["user", "assistant", "system"]);
    if (kind === "text" && this.chance(15)) event.name = "Ann";
    if (kind === "call") event.toolCallName = this.of(["search", "add"]);
    if (kind === "call" && this.chance(50)) event.parentMessageId = this.of(["m1", "m2", "u1", "x1"]);
    return event;
  }

  chunk() {
    /** @type {Event} */
    const event = { type: this.of(["TEXT_MESSAGE_CHUNK", "TEXT_MESSAGE_CHUNK", "TOOL_CALL_CHUNK", "REASONING_MESSAGE_CHUNK"]) };
    if (this.chance(80)) event.delta = this.text();
    if (event.type === "TOOL_CALL_CHUNK") {
      if (this.chance(60)) Object.assign(event, { toolCallId: this.of(["c1", "c2"]), toolCallName: "search" });
      if (this.chance(15)) event.parentMessageId = this.of(["m1", "m2"]);
    } else if (this.chance(60)) {
      event.messageId = this.of(["m1", "m2", "m3"]);
      if (event.type === "TEXT_MESSAGE_CHUNK" && this.chance(20)) event.role = this.of(["assistant", "user"]);
    }
    return event;
  }

  patch() {
    const path = () => this.of(["/n", "/list/0", "/list/-", "/deep/a", "/deep", "", "/deep/a/b", "/0", "/list"]);
    const operation = () => {
      const op = this.of(["add", "add", "replace", "remove", "move", "copy", "test", "later"]);
      return { op, path: path(), from: path(), value: this.of([1, { b: 2 }, [3], null]) };
    };
    return Array.from({ length: 1 + this.source.below(2) }, operation);
  }

  subagent() {
    const subagentRunId = this.of(["s1", "s2", "s3"]);
    switch (this.source.below(4)) {
      case 0:
        return { type: "SUBAGENT_FINISHED", subagentRunId };
      case 1:
        return { type: "SUBAGENT_ERROR", subagentRunId, message: "no" };
      default: {
        const parent = this.chance(25) ? { parentSubagentRunId: this.of(["s1", "s2"]) } : {};
        return { type: "SUBAGENT_STARTED", subagentRunId, name: "helper", ...parent };
      }
    }
  }

  activity() {
    const messageId = this.of(["a1", "a2", "m1"]);
    if (this.chance(40)) {
      const value = this.source.below(5);
      const op = this.wants("state", 20) ? "later" : "add";
      const patch = [{ op, path: this.of(["/steps/-", "/n", "/steps/3"]), value }];
      return { type: "ACTIVITY_DELTA", messageId, activityType: "plan", patch };
    }
    const replace = this.chance(50) ? { replace: this.chance(50) } : {};
    return { type: "ACTIVITY_SNAPSHOT", messageId, activityType: this.of(["plan", "search"]), content: { steps: [] }, ...replace };
  }

  /** @returns {Event} */
  other() {
    switch (this.source.below(10)) {
      case 0:
        return { type: "TOOL_CALL_RESULT", messageId: this.of(["t1", "t2", "m2"]), toolCallId: this.of(["c1", "c2"]), content: "42" };
      case 1:
        return { type: "CUSTOM", name: "mood", value: this.value() };
      case 2:
        return { type: "RAW", event: this.value() };
      case 3:
        return { type: "FUTURE_EVENT", messageId: "m1" };
      case 4:
        return this.encrypted();
      case 5:
        return { type: this.of(["REASONING_START", "REASONING_END"]), messageId: this.of(["x1", "x2"]) };
      case 6:
        return { type: "RUN_ERROR", message: "no" };
      default:
        return this.finished();
    }
  }

  encrypted() {
    const subtype = this.of(["message", "tool-call"]);
    const kind = this.chance(30) ? { encryptedValueType: "sealed" } : {};
    const entityId = this.of(["m1", "x1", "c1", "c2", "a1"]);
    return { type: "REASONING_ENCRYPTED_VALUE", subtype, entityId, encryptedValue: this.of(["e", "f"]), ...kind };
  }

  finished() {
    /** @type {Event} */
    const event = { type: "RUN_FINISHED", threadId: "t", runId: `r${this.runs}` };
    if (this.chance(25)) {
      event.outcome = this.of([
        { type: "success" },
        { type: "cancelled" },
        { type: "interrupt", interrupts: [{ id: "i1", reason: "ask" }] },
      ]);
    }
    if (this.chance(20)) event.result = { done: true };
    return event;
  }
}

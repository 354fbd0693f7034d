// One pass over the events, with chunks resolved: what each event begins, continues and ends.

import type { Event } from "../generated/types.js";
import { chunkOf, Lanes, type Chunk, type ChunkEvent, type ChunkItem, type Lane } from "./chunks.js";
import { Halves } from "./halves.js";
import { OpenItems, type Beginning, type ItemKind, type Opened, type Steps } from "./items.js";
import { isKnownEvent } from "../generated/index.js";
import { subagentOf } from "./events.js";
import { violation, type Violation } from "./violation.js";

/** Nothing, or why an event cannot stand where it stands. */
type Outcome = Violation | undefined;

/** What stands open between two events. */
export class Tracker {
  readonly items: OpenItems;
  readonly halves: Halves;
  readonly lanes: Lanes;

  constructor(copied?: Tracker) {
    this.items = new OpenItems(copied && copied.items);
    this.halves = new Halves(copied && copied.halves);
    this.lanes = new Lanes(copied && copied.lanes);
  }

  /**
   * Takes the event of this index and hands on its steps in order. An event that cannot stand here is refused; what it did
   * before is done, so that a caller may go on after it.
   */
  take(index: number, event: Event, steps: Steps): Outcome {
    const closed = this.#closeChunksBefore(event, steps);
    return closed ?? this.#takeItself(index, event, steps);
  }

  /** Takes an event of the parent agent that only appends text to an item. */
  takePlain(index: number, kind: ItemKind, id: string, delta: string, steps: Steps): Outcome {
    const closed = this.lanes.isEmpty() ? undefined : this.#closeLane(undefined, steps);
    return closed ?? this.#append(index, kind, id, undefined, delta, steps);
  }

  /** The open items in the order of beginning. */
  open(): Opened[] {
    return this.items.list();
  }

  #takeItself(index: number, event: Event, steps: Steps): Outcome {
    const owner = subagentOf(event);
    switch (event.type) {
      case "TEXT_MESSAGE_CONTENT":
        return this.#append(index, "text", event.messageId, owner, event.delta, steps);
      case "TOOL_CALL_ARGS":
        return this.#append(index, "tool-call", event.toolCallId, owner, event.delta, steps);
      case "REASONING_MESSAGE_CONTENT":
        return this.#append(index, "reasoning", event.messageId, owner, event.delta, steps);
      case "TEXT_MESSAGE_CHUNK":
      case "TOOL_CALL_CHUNK":
      case "REASONING_MESSAGE_CHUNK":
        return this.#chunk(index, event, steps);
      case "TEXT_MESSAGE_END":
        return this.#end("text", event.messageId, owner, steps);
      case "TOOL_CALL_END":
        return this.#end("tool-call", event.toolCallId, owner, steps);
      case "REASONING_MESSAGE_END":
        return this.#end("reasoning", event.messageId, owner, steps);
      case "STEP_FINISHED":
        return this.#end("step", event.stepName, owner, steps);
      case "REASONING_END":
        return this.#end("reasoning-span", event.messageId, owner, steps);
      case "SUBAGENT_FINISHED":
      case "SUBAGENT_ERROR":
        return this.#end("subagent", event.subagentRunId, undefined, steps);
      case "RUN_STARTED":
      case "RUN_FINISHED":
      case "RUN_ERROR":
        this.halves.clear();
        for (const opened of this.items.take()) steps.left(opened);
        return undefined;
      case "MESSAGES_SNAPSHOT":
        this.halves.clear();
        return undefined;
      default: {
        const beginning = beginningOf(event);
        return beginning && this.#begin(index, beginning, steps);
      }
    }
  }

  /** Ends the chunk items that an event ends by standing there. */
  #closeChunksBefore(event: Event, steps: Steps): Outcome {
    if (this.lanes.isEmpty()) return undefined;
    switch (closing(event)) {
      case "nothing":
        return undefined;
      case "lane":
        return this.#closeLane(subagentOf(event), steps);
      case "everything":
        return this.#closeLanes(steps);
    }
  }

  #closeLanes(steps: Steps): Outcome {
    const closed = this.lanes.closeAll().map(([lane, item]) => this.#closeItem(lane, item, steps));
    return closed.find((found) => found !== undefined);
  }

  #closeLane(lane: Lane, steps: Steps): Outcome {
    const item = this.lanes.close(lane);
    return item && this.#closeItem(lane, item, steps);
  }

  /** Ends an item that chunks kept open. */
  #closeItem(lane: Lane, { kind, id }: ChunkItem, steps: Steps): Outcome {
    const found = this.items.end(kind, id, lane);
    if (found !== undefined) return found;
    const whole = this.halves.end(kind, id);
    steps.closed(kind, id, lane);
    return whole;
  }

  #begin(index: number, beginning: Beginning, steps: Steps): Outcome {
    const found = this.items.begin(index, beginning);
    if (found === undefined) steps.begun(beginning);
    return found;
  }

  #append(index: number, kind: ItemKind, id: string, owner: Lane, delta: string, steps: Steps): Outcome {
    const found = this.items.require(kind, id) ?? this.halves.append(index, kind, id, delta);
    if (found === undefined) steps.appended(kind, id, owner);
    return found;
  }

  #end(kind: ItemKind, id: string, owner: Lane, steps: Steps): Outcome {
    const found = this.lanes.requireNone(kind, id) ?? this.items.end(kind, id, owner);
    if (found !== undefined) return found;
    const hasText = kind === "text" || kind === "reasoning" || kind === "tool-call";
    const whole = hasText ? this.halves.end(kind, id) : undefined;
    steps.ended(kind, id, owner);
    return whole;
  }

  /** Continues the item that a chunk belongs to, or ends what its lane has open and begins one. */
  #chunk(index: number, event: ChunkEvent, steps: Steps): Outcome {
    const chunk = chunkOf(event);
    const found = this.lanes.laneOf(chunk);
    if ("rule" in found) return found;
    const { lane } = found;
    const item = this.lanes.continued(lane, chunk);
    if (item === undefined) return this.#openingChunk(index, event, chunk, lane, steps);
    if ("rule" in item) return item;
    // A chunk without text may carry metadata.
    const { delta, rawEvent, metadata } = event;
    if (delta === undefined && rawEvent === undefined && metadata === undefined) return undefined;
    // What is continued belongs to whoever opened it, also when the chunk does not say so.
    return this.#append(index, chunk.kind, item.id, lane, delta ?? "", steps);
  }

  #openingChunk(index: number, event: ChunkEvent, chunk: Chunk, lane: Lane, steps: Steps): Outcome {
    const closed = this.#closeLane(lane, steps);
    if (closed !== undefined) return closed;
    const { kind, id, subagentRunId, heads } = chunk;
    if (id === undefined) return missingHead(kind === "tool-call" ? "toolCallId" : "messageId");
    if (kind === "tool-call" && heads["toolCallName"] === undefined) return missingHead("toolCallName");
    const found = this.#begin(index, openingOf(kind, id, subagentRunId, heads), steps);
    if (found !== undefined) return found;
    // The metadata of a chunk that begins its item is at home on the beginning.
    const hasText = event.delta !== undefined || event.rawEvent !== undefined;
    const appended = hasText ? this.#append(index, kind, id, lane, event.delta ?? "", steps) : undefined;
    this.lanes.open(lane, index, id, chunk);
    return appended;
  }
}

/** Which chunk items an event ends by standing there: those of its lane, of all lanes, or none. */
export function closing(event: Event): "nothing" | "lane" | "everything" {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
    case "TOOL_CALL_ARGS":
      return "lane";
    case "RUN_STARTED":
    case "RUN_FINISHED":
    case "RUN_ERROR":
    case "MESSAGES_SNAPSHOT":
      return "everything";
    case "TEXT_MESSAGE_CHUNK":
    case "TOOL_CALL_CHUNK":
    case "REASONING_MESSAGE_CHUNK":
    case "RAW":
    case "ACTIVITY_SNAPSHOT":
    case "ACTIVITY_DELTA":
    case "REASONING_ENCRYPTED_VALUE":
    case "SUBAGENT_STARTED":
      return "nothing";
    default:
      return isKnownEvent(event) ? "lane" : "nothing";
  }
}

function openingOf(kind: ItemKind, id: string, subagentRunId: Lane, heads: Chunk["heads"]): Beginning {
  if (kind === "tool-call") {
    return { kind, id, subagentRunId, name: heads["toolCallName"], parent: heads["parentMessageId"] };
  }
  const role = kind === "reasoning" ? "reasoning" : heads["role"] ?? "assistant";
  return { kind, id, subagentRunId, role, name: heads["name"] };
}

/** What an event begins by its own words. */
function beginningOf(event: Event): Beginning | undefined {
  switch (event.type) {
    case "TEXT_MESSAGE_START":
      return {
        kind: "text",
        id: event.messageId,
        subagentRunId: event.subagentRunId,
        role: event.role ?? "assistant",
        name: event.name,
      };
    case "TOOL_CALL_START":
      return {
        kind: "tool-call",
        id: event.toolCallId,
        subagentRunId: event.subagentRunId,
        name: event.toolCallName,
        parent: event.parentMessageId,
      };
    case "REASONING_MESSAGE_START":
      return { kind: "reasoning", id: event.messageId, subagentRunId: event.subagentRunId, role: "reasoning" };
    case "STEP_STARTED":
      return { kind: "step", id: event.stepName, subagentRunId: event.subagentRunId };
    case "REASONING_START":
      return { kind: "reasoning-span", id: event.messageId, subagentRunId: event.subagentRunId };
    case "SUBAGENT_STARTED":
      return { kind: "subagent", id: event.subagentRunId, subagentRunId: event.parentSubagentRunId };
    default:
      return undefined;
  }
}

function missingHead(name: string): Violation {
  return violation("chunk.missing-head", `the chunk opens an item, so it needs \`${name}\``);
}

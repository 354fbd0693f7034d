// The open text messages, reasoning messages and tool calls of the run in progress.

import type { Event } from "../../generated/types.js";
import type { Chunk, Lane } from "../chunks.js";
import type { ItemKind } from "../items.js";
import type { SpanKind } from "../plain.js";
import type { Part } from "./part.js";

/** A part of a chunk span with the slots it may take. */
export interface ChunkPart {
  /** Where its first chunk stood; for the first part, where the item begins. */
  readonly first: number;
  /** Where its delta event stands if the span is closed; nothing while more may join. */
  delta: number | undefined;
  readonly part: Part;
}

/** An item that chunks keep open. */
export interface ChunkSpan {
  readonly kind: SpanKind;
  readonly id: string;
  /** The subagent whose lane the item holds. */
  readonly lane: Lane;
  readonly heads: Chunk["heads"];
  /** Never empty: the first part begins with the opening chunk. */
  readonly parts: ChunkPart[];
  /** Whether one of the chunks is kept as it is, so that the others stay chunks too. */
  isKept: boolean;
}

/** An item that a START began. What was joined before the last barrier stands in its slots already. */
export interface ExplicitSpan {
  readonly kind: SpanKind;
  readonly id: string;
  part: Part | undefined;
  readonly parts?: undefined;
}

export type Span = ExplicitSpan | ChunkSpan;

/** The part that a further chunk joins, if it does. */
export function pendingOf({ parts }: ChunkSpan): ChunkPart | undefined {
  const last = parts.at(-1);
  return last?.delta === undefined ? last : undefined;
}

/** The open items in the order of beginning. Few are open at once, so they are searched in order. */
export class Spans {
  all: Span[] = [];

  find(kind: SpanKind, id: string): Span | undefined {
    for (const span of this.all) if (span.kind === kind && span.id === id) return span;
    return undefined;
  }

  /** Whether a text and a reasoning message of this id are both open, so that the order of their deltas matters. */
  isShared(kind: SpanKind, id: string): boolean {
    if (kind === "tool-call") return false;
    return this.find(kind === "text" ? "reasoning" : "text", id) !== undefined;
  }

  /** The open item that holds a lane. */
  inLane(lane: Lane): ChunkSpan | undefined {
    return this.chunkSpans().find((span) => span.lane === lane);
  }

  /** The items that chunks keep open. */
  chunkSpans(): ChunkSpan[] {
    return this.all.filter((span): span is ChunkSpan => span.parts !== undefined);
  }

  /** The item that a chunk continues: the one it names, else the one of its kind in its lane, else the only one. */
  continued({ kind, id, subagentRunId }: Chunk): ChunkSpan | undefined {
    const ofKind = this.chunkSpans().filter((span) => span.kind === kind);
    if (id !== undefined) return ofKind.find((span) => span.id === id);
    const inLane = ofKind.find((span) => span.lane === subagentRunId);
    return inLane ?? (subagentRunId === undefined ? ofKind[0] : undefined);
  }

  remove(span: Span): void {
    this.all.splice(this.all.indexOf(span), 1);
  }
}

/** The ids that an event writes, and the kind of item on whose behalf. */
export interface Writes {
  readonly kind: ItemKind | undefined;
  readonly ids: readonly (string | undefined)[];
}

/** Whether an event that writes these ids is a barrier for a span. */
export function isBarred({ kind, id }: Span, writes: Writes): boolean {
  return kind !== writes.kind && writes.ids.includes(id);
}

/** What a delta or the END of an item writes: those of a tool call reach nothing else. */
export function writesOfProgress(kind: SpanKind, id: string): Writes {
  return { kind, ids: kind === "tool-call" ? [] : [id] };
}

const NOTHING: Writes = { kind: undefined, ids: [] };

/** What an event that stays in its place writes. Deltas that are joined write nothing where they stood. */
export function writesOf(event: Event): Writes {
  switch (event.type) {
    case "TEXT_MESSAGE_START":
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_END":
      return { kind: "text", ids: [event.messageId] };
    case "REASONING_MESSAGE_START":
    case "REASONING_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_END":
      return { kind: "reasoning", ids: [event.messageId] };
    case "TOOL_CALL_START":
      return { kind: "tool-call", ids: [event.toolCallId, event.parentMessageId] };
    case "TOOL_CALL_RESULT":
    case "ACTIVITY_SNAPSHOT":
    case "ACTIVITY_DELTA":
    case "REASONING_START":
    case "REASONING_END":
      return { kind: undefined, ids: [event.messageId] };
    case "REASONING_ENCRYPTED_VALUE":
      return { kind: undefined, ids: [event.entityId] };
    default:
      return NOTHING;
  }
}

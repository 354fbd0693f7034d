// The open text messages, reasoning messages and tool calls of the run in progress.

import { items, type ItemName, type StreamedKind } from "../../generated/events.js";
import type { Chunk, Lane } from "../chunks.js";
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
  readonly kind: StreamedKind;
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
  readonly kind: StreamedKind;
  readonly id: string;
  part: Part | undefined;
  readonly parts?: undefined;
}

export type Span = ExplicitSpan | ChunkSpan;

/** Whether text is streamed to items of this kind. */
export function isStreamed(kind: ItemName): kind is StreamedKind {
  return items[kind].streams !== undefined;
}

/** The part that a further chunk joins, if it does. */
export function pendingOf({ parts }: ChunkSpan): ChunkPart | undefined {
  const last = parts.at(-1);
  return last?.delta === undefined ? last : undefined;
}

/** The open items in the order of beginning. Few are open at once, so they are searched in order. */
export class Spans {
  all: Span[] = [];

  find(kind: StreamedKind, id: string): Span | undefined {
    for (const span of this.all) if (span.kind === kind && span.id === id) return span;
    return undefined;
  }

  /** Whether a text and a reasoning message of this id are both open, so that the order of their deltas matters. */
  isShared(kind: StreamedKind, id: string): boolean {
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
    if (this.all.at(-1) === span) this.all.pop();
    else this.all.splice(this.all.indexOf(span), 1);
  }
}

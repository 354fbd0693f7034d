// Chunks: items that are begun and ended by what is around them.
//
// Each subagent, and the parent agent, has one lane in which at most one chunk item is open. The next event of that lane
// which is not one of its chunks ends the item.

import type { ItemKind, StreamedKind } from "../generated/events.js";
import type { Heads, Said } from "./events.js";
import { violation, type Violation } from "./violation.js";
import type { ReasoningMessageChunkEvent, TextMessageChunkEvent, ToolCallChunkEvent } from "../generated/types.js";

export type ChunkEvent = TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent;

/** The subagent that a lane is of; the parent agent has no name. */
export type Lane = string | undefined;

/** What a chunk says of its item. */
export type Chunk = Said<StreamedKind>;

/** An item that chunks keep open. */
export interface ChunkItem {
  readonly kind: StreamedKind;
  readonly id: string;
  /** What the opening chunk said of it. Later chunks may repeat it. */
  readonly heads: Heads;
  /** The index of the opening chunk. */
  readonly index: number;
}

/** The open chunk items by lane. */
export class Lanes {
  readonly items: Map<Lane, ChunkItem>;
  /** The lane of each of them. */
  readonly #lanes: Map<string, Lane>;

  constructor(copied?: Lanes) {
    this.items = new Map(copied && copied.items);
    this.#lanes = new Map(copied && copied.#lanes);
  }

  /**
   * The lane that a chunk belongs to: where its item is open, else its subagent's, else the only one with an open item of
   * its kind, else the parent agent's.
   */
  laneOf({ kind, id, subagentRunId }: Chunk): { lane: Lane } | Violation {
    if (id !== undefined) return this.#laneOfItem(kind, id, subagentRunId);
    if (subagentRunId !== undefined || this.items.get(undefined)?.kind === kind) return { lane: subagentRunId };
    const candidates = [...this.items].filter(([, item]) => item.kind === kind);
    if (candidates.length > 1) {
      return violation("chunk.ambiguous", "the chunk names neither its item nor its subagent, and several are open");
    }
    return { lane: candidates[0]?.[0] };
  }

  #laneOfItem(kind: ItemKind, id: string, subagentRunId: Lane): { lane: Lane } | Violation {
    const held = this.#holder(kind, id);
    if (held === undefined) return { lane: subagentRunId };
    if (subagentRunId !== undefined && held.lane !== subagentRunId) {
      const message = `the chunk continues \`${id}\`, which belongs to another subagent`;
      return violation("chunk.wrong-subagent", message, held.item.index);
    }
    return { lane: held.lane };
  }

  /** The open item of a lane that a chunk continues, if it does and says nothing else of it than the opening chunk. */
  continued(lane: Lane, chunk: Chunk): ChunkItem | Violation | undefined {
    const item = this.items.get(lane);
    if (item === undefined || item.kind !== chunk.kind) return undefined;
    if (chunk.id !== undefined && chunk.id !== item.id) return undefined;
    for (const [name, now] of Object.entries(chunk.heads)) {
      if (now === undefined || now === item.heads[name]) continue;
      const message = `the chunk's \`${name}\` is not the one that \`${item.id}\` was opened with`;
      return violation("chunk.disagrees", message, item.index);
    }
    return item;
  }

  /** Notes the open item of a lane. A text message without a role has the role `assistant`, and later chunks may say so. */
  open(lane: Lane, index: number, id: string, { kind, heads }: Chunk): void {
    const role = kind === "text" ? { role: heads["role"] ?? "assistant" } : {};
    this.#lanes.set(`${kind} ${id}`, lane);
    this.items.set(lane, { kind, id, heads: { ...heads, ...role }, index });
  }

  /** Whether no chunk item is open. */
  isEmpty(): boolean {
    return this.items.size === 0;
  }

  /** Ends what a lane has open. */
  close(lane: Lane): ChunkItem | undefined {
    const item = this.items.get(lane);
    if (item === undefined) return undefined;
    this.items.delete(lane);
    this.#lanes.delete(`${item.kind} ${item.id}`);
    return item;
  }

  /** Ends what all lanes have open, in the order of opening. */
  closeAll(): [Lane, ChunkItem][] {
    const items = [...this.items].sort(([, one], [, other]) => one.index - other.index);
    this.items.clear();
    this.#lanes.clear();
    return items;
  }

  /** Rejects an explicit end of what chunks opened: the end of a chunk item is what its own lane does next. */
  requireNone(kind: ItemKind, id: string): Violation | undefined {
    const held = this.isEmpty() ? undefined : this.#holder(kind, id);
    if (held === undefined) return undefined;
    const message = `\`${id}\` was opened by a chunk of another subagent, which ends it`;
    return violation("chunk.ended-elsewhere", message, held.item.index);
  }

  /** The open item of this id, with its lane. */
  #holder(kind: ItemKind, id: string): { lane: Lane; item: ChunkItem } | undefined {
    const key = `${kind} ${id}`;
    const lane = this.#lanes.get(key);
    const item = this.#lanes.has(key) ? this.items.get(lane) : undefined;
    return item && { lane, item };
  }
}

// The open text messages, reasoning messages and tool calls of the run in progress.

import { items, type ItemKind, type ItemName, type StreamedKind } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import type { Lane } from "../chunks.js";
import type { Heads } from "../events.js";
import type { PendingDelta, Place } from "./pending-delta.js";

interface Begun {
  readonly kind: StreamedKind;
  readonly id: string;
  /** The number of the event that began it, which tells their order. */
  readonly arrival: number;
}

/** An item that a START began. */
export interface ExplicitItem extends Begun {
  delta: PendingDelta | undefined;
  readonly parts?: undefined;
}

/** The deltas of a chunk item between two barriers. */
export interface ChunkPart {
  readonly delta: PendingDelta;
  /** The slot that its delta takes, once a barrier has ended the part. */
  slot: number | undefined;
}

/** An item that chunks keep open. Whether it becomes START, deltas and END is known when it is closed. */
export interface ChunkItem extends Begun {
  /** The subagent whose lane it holds. */
  readonly lane: Lane;
  /** What the chunk that opened it says of it. */
  readonly heads: Heads;
  /** The slot of its START. */
  readonly start: number;
  /** Its deltas between barriers. The first begins with the opening chunk; of all but the last, the slot is known. */
  readonly parts: ChunkPart[];
  /** Its chunks, and delta events for it, as they came. */
  readonly raw: (Place & { readonly event: Event })[];
  /** The slots of what would close it by standing there, and where that stood before. */
  readonly movable: { readonly slot: number; readonly place: Place }[];
  /** Whether the caller keeps one of them. */
  isKept: boolean;
}

export type OpenItem = ExplicitItem | ChunkItem;

/** The kinds of items whose text is streamed into messages. */
const KINDS: readonly StreamedKind[] = ["text", "tool-call", "reasoning"];

/** Whether text is streamed to items of this kind. */
export function isStreamed(kind: ItemName): kind is StreamedKind {
  return items[kind].streams !== undefined;
}

/** The part that a further delta joins, if no barrier has ended it. */
export function pendingPart({ parts }: ChunkItem): ChunkPart | undefined {
  const last = parts.at(-1);
  return last?.slot === undefined ? last : undefined;
}

/** The open items. */
export class OpenItems {
  readonly #items: Readonly<Record<StreamedKind, Map<string, OpenItem>>> = {
    text: new Map(),
    "tool-call": new Map(),
    reasoning: new Map(),
  };
  /** The items with a delta that is not written yet. */
  readonly #pending = new Set<OpenItem>();
  /** The items that hold lanes. */
  readonly #lanes = new Map<Lane, ChunkItem>();

  push(item: OpenItem): void {
    this.#items[item.kind].set(item.id, item);
    if (item.parts === undefined) return;
    this.#lanes.set(item.lane, item);
    this.#pending.add(item);
  }

  find(kind: ItemKind, id: string): OpenItem | undefined {
    return isStreamed(kind) ? this.#items[kind].get(id) : undefined;
  }

  remove(item: OpenItem): void {
    this.#items[item.kind].delete(item.id);
    this.#pending.delete(item);
    if (item.parts !== undefined) this.#lanes.delete(item.lane);
  }

  /** Notes that an item has a delta that is not written yet. */
  notePending(item: OpenItem): void {
    this.#pending.add(item);
  }

  /** Notes that an item has none any more. */
  noteWritten(item: OpenItem): void {
    this.#pending.delete(item);
  }

  /** The items with a delta that is not written yet, in the order of beginning. */
  pending(): OpenItem[] {
    return inOrder([...this.#pending]);
  }

  /** The items of other kinds than this one with these ids, in the order of beginning. */
  others(kind: ItemName | undefined, ids: readonly (string | undefined)[]): OpenItem[] {
    const found: OpenItem[] = [];
    for (const id of new Set(ids)) {
      for (const other of KINDS) {
        const item = other === kind || id === undefined ? undefined : this.#items[other].get(id);
        if (item !== undefined) found.push(item);
      }
    }
    return found.length < 2 ? found : inOrder(found);
  }

  /** Whether a text and a reasoning message of this id are both open, so that the order of their deltas is that of the text. */
  isShared(kind: StreamedKind, id: string): boolean {
    if (kind === "tool-call") return false;
    return this.#items[kind === "text" ? "reasoning" : "text"].has(id);
  }

  /** The item that chunks keep open in a lane. */
  holder(lane: Lane): ChunkItem | undefined {
    return this.#lanes.get(lane);
  }

  /** All items, in no order. */
  all(): OpenItem[] {
    return KINDS.flatMap((kind) => [...this.#items[kind].values()]);
  }
}

function inOrder(found: OpenItem[]): OpenItem[] {
  return found.sort((one, other) => one.arrival - other.arrival);
}

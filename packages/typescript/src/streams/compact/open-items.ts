// The open text messages, reasoning messages and tool calls of the run in progress.

import { isStreamed, streamedKinds, type ItemKind, type ItemName, type StreamedKind } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import type { Lane } from "../chunks.js";
import type { Heads } from "../events.js";
import type { PendingDelta, Place } from "./pending-delta.js";

interface Begun {
  readonly kind: StreamedKind;
  readonly id: string;
  /** The number of the event that began it, which gives their order. */
  readonly arrival: number;
  /** Whether it is among those that may have a delta which is not written yet. */
  isListed: boolean;
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
  /** The slots of what would close it by standing there, and where that was before. */
  readonly movable: { readonly slot: number; readonly place: Place }[];
  /** Whether the caller keeps one of them. */
  isKept: boolean;
}

export type OpenItem = ExplicitItem | ChunkItem;

/** The part that a further delta joins, if no barrier has ended it. */
export function pendingPart({ parts }: ChunkItem): ChunkPart | undefined {
  const last = parts.at(-1);
  return last?.slot === undefined ? last : undefined;
}

/** Whether the pending delta of an item would close a lane. */
function closes(item: OpenItem, lane: Lane): boolean {
  if (item.parts === undefined) return item.delta !== undefined && item.delta.subagentRunId === lane;
  // Delta events alone close no lane but that of the parent agent.
  const delta = pendingPart(item)?.delta;
  return lane === undefined && delta !== undefined && delta.count > 0 && !delta.hasChunks;
}

/** What was closed is still named: to take names out of a `Map` one by one takes longer than all else. */
type Items = Map<string, OpenItem | undefined>;

/** The open items. */
export class OpenItems {
  readonly #items: Readonly<Record<StreamedKind, Items>> = {
    text: new Map(),
    "tool-call": new Map(),
    reasoning: new Map(),
  };
  /** Items of which some have a delta that is not written yet. */
  #listed: OpenItem[] = [];
  /** The items that hold lanes. */
  readonly #lanes = new Map<Lane, ChunkItem>();

  /** Discards all items. */
  clear(): void {
    for (const kind of streamedKinds) if (this.#items[kind].size > 0) this.#items[kind].clear();
    this.#listed = [];
    this.#lanes.clear();
  }

  push(item: OpenItem): void {
    this.#items[item.kind].set(item.id, item);
    if (item.parts === undefined) return;
    this.#lanes.set(item.lane, item);
    this.notePending(item);
  }

  find(kind: ItemKind, id: string): OpenItem | undefined {
    return isStreamed(kind) ? this.#items[kind].get(id) : undefined;
  }

  remove(item: OpenItem): void {
    this.#items[item.kind].set(item.id, undefined);
    if (item.parts !== undefined) this.#lanes.delete(item.lane);
  }

  /** Notes that an item has a delta that is not written yet. */
  notePending(item: OpenItem): void {
    if (item.isListed) return;
    item.isListed = true;
    this.#listed.push(item);
  }

  /** All items with a delta that is not written yet, in the order of beginning, which are written now. */
  takePending(): OpenItem[] {
    const listed = this.#listed;
    this.#listed = [];
    for (const item of listed) item.isListed = false;
    return inOrder(listed);
  }

  /** Those whose delta would close a lane. */
  pendingIn(lane: Lane): OpenItem[] {
    return inOrder(this.#listed.filter((item) => closes(item, lane)));
  }

  /** The items of other kinds than this one with one of these ids, in the order of beginning. */
  others(kind: ItemName | undefined, id: string | undefined, another: string | undefined): OpenItem[] {
    const found: OpenItem[] = [];
    for (const other of streamedKinds) {
      if (other === kind) continue;
      const items = this.#items[other];
      const [one, two] = [
        id === undefined ? undefined : items.get(id),
        another === undefined ? undefined : items.get(another),
      ];
      if (one !== undefined) found.push(one);
      if (two !== undefined && two !== one) found.push(two);
    }
    return found.length < 2 ? found : inOrder(found);
  }

  /** Whether a text and a reasoning message of this id are both open, so that the order of their deltas is that of the text. */
  isShared(kind: StreamedKind, id: string): boolean {
    if (kind === "tool-call") return false;
    return this.#items[kind === "text" ? "reasoning" : "text"].get(id) !== undefined;
  }

  /** The item that chunks keep open in a lane. */
  holder(lane: Lane): ChunkItem | undefined {
    return this.#lanes.get(lane);
  }

  /** All items, in no order. */
  all(): OpenItem[] {
    return streamedKinds.flatMap((kind) => [...this.#items[kind].values()]).filter((item) => item !== undefined);
  }
}

function inOrder(found: OpenItem[]): OpenItem[] {
  return found.sort((one, other) => one.arrival - other.arrival);
}

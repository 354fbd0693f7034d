// What has been begun and not ended.

import { itemKinds, toldApartByOwner, type ItemKind } from "../generated/events.js";
import type { Said } from "./events.js";
import { violation, type Violation } from "./violation.js";

/** An item that was begun and not ended. */
export interface OpenItem {
  readonly kind: ItemKind;
  /** Its id; the name of a step. */
  readonly id: string;
  /** The subagent that it belongs to. */
  readonly subagentRunId?: string;
}

/** An open item with the event that began it. */
export interface Opened {
  readonly index: number;
  readonly item: OpenItem;
}

/** What an event says of the item that it begins. */
export interface Beginning extends Said<ItemKind> {
  readonly id: string;
}

/** What takes the steps of events. Text and metadata are in the event, which the caller has. */
export interface Steps {
  begun(beginning: Beginning): void;
  appended(kind: ItemKind, id: string, subagentRunId: string | undefined): void;
  /** The item is continued by a chunk that says nothing. */
  idle(kind: ItemKind, id: string): void;
  ended(kind: ItemKind, id: string, subagentRunId: string | undefined): void;
  /** The item, which chunks kept open, is ended by an event that is about something else. */
  closed(kind: ItemKind, id: string, subagentRunId: string | undefined): void;
  /** The item is left open by the end of its run. */
  left(opened: Opened): void;
}

/** The items of a kind. What was ended is still named: to take names out of a `Map` one by one takes longer than all else. */
type Items = Map<string, Opened | undefined>;

/** The open items. Ids of different kinds do not meet. */
export class OpenItems {
  readonly #items: Readonly<Record<ItemKind, Items>>;
  /** How many are open. */
  #count: number;
  /** The item that was begun or continued last: mostly the one that is next. None of those that their owners tell apart. */
  #latest: OpenItem | undefined;

  constructor(copied?: OpenItems) {
    const items = itemKinds.map((kind) => [kind, new Map(copied && copied.#items[kind])]);
    this.#items = Object.fromEntries(items) as Record<ItemKind, Items>;
    this.#count = copied === undefined ? 0 : copied.#count;
  }

  /** Begins an item that must not be open. */
  begin(index: number, { kind, id, subagentRunId }: Beginning): Violation | undefined {
    const key = keyOf(kind, id, subagentRunId);
    const open = this.#items[kind].get(key);
    if (open !== undefined) {
      return violation(`${kind}.already-open`, `the ${kind} \`${id}\` is begun, but it is open`, open.index);
    }
    const item = subagentRunId === undefined ? { kind, id } : { kind, id, subagentRunId };
    this.#latest = key === id ? item : undefined;
    this.#items[kind].set(key, { index, item });
    this.#count += 1;
    return undefined;
  }

  /** Rejects continuing an item that is not open. */
  require(kind: ItemKind, id: string): Violation | undefined {
    const latest = this.#latest;
    if (latest !== undefined && latest.kind === kind && latest.id === id) return undefined;
    const key = keyOf(kind, id, undefined);
    const open = this.#items[kind].get(key);
    if (open === undefined) return notOpen(kind, id);
    this.#latest = key === id ? open.item : undefined;
    return undefined;
  }

  /** Ends an item that must be open. */
  end(kind: ItemKind, id: string, subagentRunId: string | undefined): Violation | undefined {
    this.#latest = undefined;
    const key = keyOf(kind, id, subagentRunId);
    const items = this.#items[kind];
    if (items.get(key) === undefined) return notOpen(kind, id);
    items.set(key, undefined);
    this.#count -= 1;
    return undefined;
  }

  /** The items in the order of beginning. */
  list(): Opened[] {
    if (this.#count === 0) return [];
    const all = itemKinds.flatMap((kind) => [...this.#items[kind].values()]).filter((opened) => opened !== undefined);
    // One event begins one item at most, so the indexes give the order.
    return all.sort((one, other) => one.index - other.index);
  }

  /** Takes all items out, as the end of a run does, and discards what was ended. */
  take(): Opened[] {
    const all = this.list();
    for (const kind of itemKinds) if (this.#items[kind].size > 0) this.#items[kind].clear();
    this.#count = 0;
    this.#latest = undefined;
    return all;
  }
}

/** Items such as steps are distinguished by their owner too; the ids of others are unique by themselves. */
function keyOf(kind: ItemKind, id: string, subagentRunId: string | undefined): string {
  if (!toldApartByOwner.includes(kind)) return id;
  return subagentRunId === undefined ? `/${id}` : `${subagentRunId.length}/${subagentRunId}${id}`;
}

function notOpen(kind: ItemKind, id: string): Violation {
  return violation(`${kind}.not-open`, `the ${kind} \`${id}\` is continued or ended, but it is not open`);
}

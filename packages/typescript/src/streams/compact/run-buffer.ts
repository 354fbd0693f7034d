// The run in progress: its events as slots, of which some are filled or emptied later.

import {
  isStreamed,
  items,
  roleOf,
  type EventRole,
  type ItemKind,
  type ItemName,
  type StreamedKind,
} from "../../generated/events.js";
import type { Event, Message, StateDeltaEvent, StateSnapshotEvent } from "../../generated/types.js";
import type { ChunkEvent, Lane } from "../chunks.js";
import { extraOf, memberOf } from "../events.js";
import type { Beginning, Steps } from "../items.js";
import type { DeltaEvent } from "../plain.js";
import { Conversation } from "../reducer.js";
import { deltaEvent, endEvent, startEvent } from "./emit.js";
import { OpenItems, pendingPart, type ChunkItem, type ExplicitItem, type OpenItem } from "./open-items.js";
import { isDelta, PendingDelta, type Place, type StreamedEvent } from "./pending-delta.js";
import { StateFold, type StateOutcome } from "./state-fold.js";

/** No event has come yet. */
const NONE: Event = { type: "RUN_ERROR", message: "" };

/** What is in a slot; an empty one is not taken yet, or not any more. */
type Slot = Event | undefined;

/** The slot of an event that stands elsewhere: before a slot that is not the last. */
interface Late {
  readonly place: Place;
  readonly slot: number;
}

/** The compacted events of the run in progress. It takes the steps of each event, and then the event itself. */
export class RunBuffer implements Steps {
  #slots: Slot[] = [];
  #late: Late[] = [];
  readonly #items = new OpenItems();
  #state = new StateFold();
  /** What the run's path says up to here. */
  conversation = new Conversation();
  /** Whether the event that is taken has closed an item with a chunk that the caller keeps. */
  #closesKept = false;
  /** The event that has come, and its number. */
  #event: Event = NONE;
  #arrival = 0;
  #role: EventRole | undefined;
  /** Whether the caller keeps it as it is. */
  #isKept = false;
  /** Whether it is known to have no members that the schema does not name. */
  #isPlain = false;

  /** Begins the run with an event. */
  beginRun(event: Event, conversation: Conversation): void {
    this.beginInside(conversation);
    this.#place(event);
  }

  /** Begins with a run whose first event is elsewhere. */
  beginInside(conversation: Conversation): void {
    this.#slots = [];
    this.#late = [];
    this.#items.clear();
    this.#state = new StateFold();
    this.conversation = conversation;
  }

  /** Begins with the event of this number, whose steps come next. */
  arrive(arrival: number, event: Event, role: EventRole | undefined, isKept: boolean, isPlain: boolean): void {
    this.#arrival = arrival;
    this.#event = event;
    this.#role = role;
    this.#isKept = isKept;
    this.#isPlain = isPlain;
    this.#closesKept = false;
    this.conversation.begin(arrival, event, role);
  }

  /** A START, or the chunk that opens an item. */
  begun(beginning: Beginning): void {
    const { kind, id, heads } = beginning;
    if (!isStreamed(kind)) return;
    this.#bar(kind, id, heads["parentMessageId"]);
    this.conversation.begun(beginning);
    if (this.#role?.does === "chunk") return this.#openChunks(beginning, kind);
    this.#place(this.#event);
    this.#items.push({ kind, id, arrival: this.#arrival, isListed: false, delta: undefined });
  }

  /** A delta event, or a chunk that continues an item. The delta of the chunk that opens an item is there by now. */
  appended(kind: ItemKind, id: string): void {
    const item = this.#items.find(kind, id);
    if (item === undefined || item.arrival === this.#arrival) return;
    if (item.parts === undefined) this.#delta(item);
    else this.#continueChunks(item);
  }

  /** A chunk that says nothing leaves nothing, unless the caller keeps it. */
  idle(kind: ItemKind, id: string): void {
    if (this.#isKept) this.appended(kind, id);
  }

  ended(kind: ItemKind, id: string): void {
    if (!isStreamed(kind)) return;
    this.#barEvent(this.#event, this.#role);
    const item = this.#items.find(kind, id);
    if (item !== undefined) {
      this.#writePending(item);
      this.#items.remove(item);
    }
    this.#place(this.#event);
    this.conversation.ended(kind, id);
  }

  /**
   * Ends an item that chunks kept open: it gets START, deltas and END, unless the caller keeps one of its chunks. It stays as
   * it came, then, and all that would close it stands before it.
   */
  closed(kind: ItemKind, id: string): void {
    const item = this.#items.find(kind, id);
    if (item?.parts === undefined) return;
    if (item.isKept) this.#writeLane(item.lane);
    this.#barProgress(item.kind, id, items[item.kind].ends[0]);
    this.#endPart(item);
    this.#items.remove(item);
    if (item.isKept) {
      this.#closesKept = true;
      return this.#restore(item);
    }
    for (const [number, { delta, slot }] of item.parts.entries()) {
      if (number === 0) this.#slots[item.start] = startEvent(item, delta);
      if (delta.count === 0 || slot === undefined) continue;
      if (number === 0 || delta.hasChunks) delta.timestamp = undefined;
      // A chunk that names no owner belongs to the lane of the parent agent.
      this.#slots[slot] = deltaEvent(item.kind, id, delta, delta.hasChunks ? item.lane : undefined);
    }
    this.#place(endEvent(item));
  }

  left(): void {}

  /** Takes the event itself; the terminal event goes to `endRun`. Throws a `Fault` at a limit. */
  take(messages?: readonly Message[]): void {
    const role = this.#role;
    if (role?.item !== undefined && isStreamed(role.item)) return;
    if (role?.item === "state") return this.#stateEvent();
    this.#barEvent(this.#event, role);
    this.#place(this.#event);
    this.conversation.apply(messages);
  }

  /** The run with its terminal event. */
  endRun(): Event[] {
    this.#writeAllPending();
    this.#writeState();
    this.#place(this.#event);
    this.conversation.apply();
    return this.#inOrder();
  }

  /** The run, which is not over. What is open goes where it was last. */
  finish(): Event[] {
    for (const item of this.#items.all()) {
      if (item.parts !== undefined) this.#restore(item);
      else if (item.delta !== undefined) this.#placeLate(item.delta, joined(item, item.delta));
    }
    const state = this.#state.take();
    if (state !== undefined) this.#placeLate(state.place, state.event);
    return this.#inOrder();
  }

  /** The delta of an item to which nothing but plain text is appended, as long as no other event comes. */
  plainDelta(kind: StreamedKind, id: string): PendingDelta | undefined {
    const item = this.#items.find(kind, id);
    return item?.parts === undefined && !this.#items.isShared(kind, id) ? item?.delta : undefined;
  }

  /** Puts what is late where it belongs. */
  #inOrder(): Event[] {
    const late = this.#late.sort((one, other) => byPlace(one.place, other.place));
    const events: Event[] = [];
    let next = 0;
    for (let number = 0; number <= this.#slots.length; number += 1) {
      for (; next < late.length && (late[next] as Late).place.slot <= number; next += 1) {
        const { slot } = late[next] as Late;
        const placed = this.#slots[slot];
        this.#slots[slot] = undefined;
        if (placed !== undefined) events.push(placed);
      }
      const placed = this.#slots[number];
      if (placed !== undefined) events.push(placed);
    }
    return events;
  }

  /** An explicit delta: merged, or alone in its place. */
  #delta(item: ExplicitItem): void {
    const { kind, id } = item;
    const event = this.#event as DeltaEvent;
    const hasExtra = !this.#isPlain && extraOf(event) !== undefined;
    if (this.#isKept || this.#closesKept || hasExtra || this.#items.isShared(kind, id)) {
      this.#writePending(item);
      this.#barEvent(event, this.#role);
      this.#place(event);
      return this.conversation.appended(kind, id);
    }
    if (item.delta === undefined) {
      item.delta = PendingDelta.ofEvent(event, this.#nextPlace);
      this.#items.notePending(item);
    } else {
      item.delta.join(event, this.#nextPlace);
    }
  }

  #stateEvent(): void {
    const event = this.#event as StateSnapshotEvent | StateDeltaEvent;
    const stays = this.#isKept || this.#closesKept;
    const outcome = this.#fold(event, stays);
    this.conversation.apply();
    if (outcome === "folded") return;
    this.#writeState();
    const slot = this.#place(event);
    if (outcome === "bars") this.#state = new StateFold();
    else if (!stays) this.#state.standing.push(slot);
  }

  #fold(event: StateSnapshotEvent | StateDeltaEvent, stays: boolean): StateOutcome {
    if (event.type === "STATE_DELTA") return this.#state.delta(event, this.#nextPlace, stays);
    for (const slot of this.#state.standing) this.#slots[slot] = undefined;
    return this.#state.snapshot(event, this.#nextPlace, stays);
  }

  /** Writes the folded state, if there is one. */
  #writeState(): void {
    const state = this.#state.take();
    if (state === undefined) return;
    const slot = this.#place(state.event);
    this.#noteMovable(state.subagentRunId, slot, state.place);
    this.#state.standing.push(slot);
  }

  #openChunks({ id, heads, subagentRunId: lane }: Beginning, kind: StreamedKind): void {
    const event = this.#event as ChunkEvent;
    const isKept = this.#isKept;
    const arrival = this.#arrival;
    const place = this.#nextPlace;
    const delta = PendingDelta.ofOpener(event, place);
    const standsAlone = this.#items.isShared(kind, id) || isKept || delta.extra !== undefined;
    const raw = [{ ...place, event }];
    const start = this.#reserve();
    const parts = [{ delta, slot: undefined }];
    const item: ChunkItem = { kind, id, arrival, isListed: false, lane, heads, start, parts, raw, movable: [], isKept };
    this.#items.push(item);
    if (standsAlone) this.#writePending(item);
  }

  /** A further chunk, or an explicit delta, of an item that chunks keep open. */
  #continueChunks(item: ChunkItem): void {
    const { kind, id } = item;
    const isKept = this.#isKept;
    const event = this.#event as StreamedEvent;
    const says = isDelta(event);
    const isAlone = this.#closesKept || extraOf(event) !== undefined;
    const standsAlone = this.#items.isShared(kind, id) || isKept || (says && isAlone);
    if (standsAlone) {
      this.#writePending(item);
      if (says) this.#barProgress(kind, id, items[kind].append);
    }
    const place = this.#nextPlace;
    item.raw.push({ ...place, event });
    item.isKept ||= isKept;
    const pending = pendingPart(item);
    if (pending !== undefined) {
      pending.delta.join(event, place);
    } else if (says) {
      item.parts.push({ delta: PendingDelta.of(event, place), slot: undefined });
      this.#items.notePending(item);
    }
    if (standsAlone) this.#writePending(item);
  }

  /** Ends the pending part of a chunk item, whose delta is written when the item is closed. */
  #endPart(item: ChunkItem): void {
    const part = pendingPart(item);
    if (part === undefined) return;
    const slot = this.#reserve();
    part.slot = slot;
    const { delta } = part;
    if (delta.count === 0) return;
    this.#say(item, delta);
    if (!delta.hasChunks) this.#noteMovable(undefined, slot, delta);
  }

  /** Puts an item back as it came, and before it what would close it. */
  #restore({ movable, raw }: ChunkItem): void {
    this.#late.push(...movable);
    for (const chunk of raw) this.#placeLate(chunk, chunk.event);
  }

  /** Writes the pending deltas of all other kinds of items with the ids that are written. */
  #bar(kind: ItemName | undefined, id: string | undefined, another?: string): void {
    for (const item of this.#items.others(kind, id, another)) this.#writePending(item);
  }

  /** The same for an event that stays where it is. */
  #barEvent(event: Event, role: EventRole | undefined): void {
    const writes = role?.writes;
    if (writes === "all") return this.#writeAllPending();
    if (writes !== undefined) this.#bar(role?.item, memberOf(event, writes[0]), memberOf(event, writes[1]));
  }

  /** The same for a delta or an END of this type that is only implied. */
  #barProgress(kind: StreamedKind, id: string, type: string | undefined): void {
    if (type !== undefined && roleOf(type)?.writes !== undefined) this.#bar(kind, id);
  }

  #writeAllPending(): void {
    for (const item of this.#items.takePending()) this.#writePending(item);
  }

  /** Ends the pending delta of an item: it is here, unless it would close what chunks keep open since it was last. */
  #writePending(item: OpenItem): void {
    if (item.parts !== undefined) return this.#endPart(item);
    const { delta } = item;
    if (delta === undefined) return;
    item.delta = undefined;
    this.#say(item, delta);
    const slot = this.#place(joined(item, delta));
    this.#noteMovable(delta.subagentRunId, slot, delta);
  }

  /** Writes what would close a lane by standing any later: the pending deltas and the folded state. */
  #writeLane(lane: Lane): void {
    for (const item of this.#items.pendingIn(lane)) this.#writePending(item);
    if (this.#state.closes(lane)) this.#writeState();
  }

  /**
   * Notes that what takes a slot closes a lane in which chunks keep an item open. If the item is not spelled out, it has to
   * stand where it stood before the chunks.
   */
  #noteMovable(lane: Lane, slot: number, { slot: before, arrival }: Place): void {
    this.#items.holder(lane)?.movable.push({ slot, place: { slot: before, arrival } });
  }

  /** Lets the conversation know what a merged delta says. */
  #say({ kind, id }: OpenItem, delta: PendingDelta): void {
    this.conversation.continued(kind, id, delta.text, delta.metadata, delta);
  }

  get #nextPlace(): Place {
    return { slot: this.#slots.length, arrival: this.#arrival };
  }

  #place(event: Event): number {
    return this.#slots.push(event) - 1;
  }

  #placeLate({ slot, arrival }: Place, event: Event): void {
    this.#late.push({ place: { slot, arrival }, slot: this.#place(event) });
  }

  /** A slot that is filled later, if it is. */
  #reserve(): number {
    return this.#slots.push(undefined) - 1;
  }
}

function byPlace(one: Place, other: Place): number {
  return one.slot - other.slot || one.arrival - other.arrival;
}

/** The event of deltas that a START began. */
function joined({ kind, id }: OpenItem, delta: PendingDelta): Event {
  return delta.event ?? deltaEvent(kind, id, delta, delta.subagentRunId);
}

// Where events stand whose place depends on which chunks stay chunks.

import type { Event } from "../../generated/types.js";
import type { Lane } from "../chunks.js";

/** Deltas as one, which close the chunks of this lane. They may have to stand before a chunk. */
export class Joined {
  constructor(
    readonly event: Event,
    readonly lane: Lane,
  ) {}
}

/** What stands in a slot: an event that stays there, joined deltas, or nothing, or nothing yet. */
export type Content = Event | Joined | undefined;

/** A chunk that stays one. */
export interface StayingChunk {
  readonly slot: number;
  readonly event: Event;
  readonly lane: Lane;
  /** The slot of the event that closed its item; none if that is open at the end of the input. */
  readonly closed: number | undefined;
}

/** A folded state and its slot. */
export interface PlacedState {
  readonly slot: number;
  readonly event: Event;
}

/**
 * The events in order.
 *
 * A joined delta that would stand after an open chunk of the lane it closes stands just before the first such chunk, and a
 * folded state before the first open chunk: otherwise an item that is open at the end of the input would be closed.
 */
export function inOrder(
  slots: readonly Content[],
  chunks: readonly StayingChunk[],
  state: PlacedState | undefined,
): Event[] {
  if (chunks.length === 0) return asTheyStand(slots, state);
  const before: Map<number, Event[]> = new Map();
  const standing: Map<number, Event[]> = new Map();
  const put = (places: Map<number, Event[]>, slot: number, event: Event): void => {
    const events = places.get(slot);
    if (events === undefined) places.set(slot, [event]);
    else events.push(event);
  };
  for (const [slot, content] of slots.entries()) {
    if (content === undefined) continue;
    const first = content instanceof Joined ? firstOf(chunks, slot, ({ lane }) => lane === content.lane) : undefined;
    const event = content instanceof Joined ? content.event : content;
    put(first === undefined ? standing : before, first ?? slot, event);
  }
  const stateSlot = state && (firstOf(chunks, state.slot, () => true) ?? state.slot);
  for (const { slot, event } of chunks) put(standing, slot, event);
  const events: Event[] = [];
  for (let slot = 0; slot <= slots.length; slot += 1) {
    for (const event of before.get(slot) ?? []) events.push(event);
    // The state stands between events, so that a chunk in the same slot comes after it.
    if (state !== undefined && slot === stateSlot) events.push(state.event);
    for (const event of standing.get(slot) ?? []) events.push(event);
  }
  return events;
}

/** The slot of the first of some chunks between which and the end of its item something in a slot would stand. */
function firstOf(
  chunks: readonly StayingChunk[],
  slot: number,
  wanted: (chunk: StayingChunk) => boolean,
): number | undefined {
  let first: number | undefined;
  for (const chunk of chunks) {
    const spans = chunk.slot < slot && (chunk.closed === undefined || slot < chunk.closed);
    if (spans && wanted(chunk) && (first === undefined || chunk.slot < first)) first = chunk.slot;
  }
  return first;
}

function asTheyStand(slots: readonly Content[], state: PlacedState | undefined): Event[] {
  const events: Event[] = [];
  for (let slot = 0; slot < slots.length; slot += 1) {
    if (state?.slot === slot) events.push(state.event);
    const content = slots[slot];
    if (content !== undefined) events.push(content instanceof Joined ? content.event : content);
  }
  if (state !== undefined && state.slot >= slots.length) events.push(state.event);
  return events;
}

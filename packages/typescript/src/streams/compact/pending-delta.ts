// The deltas of an item between two barriers, merged into one.

import { roleOf } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import type { ChunkEvent } from "../chunks.js";
import { extraOf } from "../events.js";
import type { DeltaEvent } from "../plain.js";
import { beginsWithLowSurrogate, endsWithHighSurrogate, type TextEnds } from "../surrogates.js";
import { folded } from "../values.js";

/** An event that may carry text. */
export type StreamedEvent = DeltaEvent | ChunkEvent;

/** Where something was: before which slot, and the number of its event. */
export interface Place {
  readonly slot: number;
  readonly arrival: number;
}

/** Whether a chunk that opens an item becomes a delta, too: its metadata belongs to the start of the item. */
export function opensWithDelta({ delta, rawEvent }: StreamedEvent): boolean {
  return delta !== undefined || rawEvent !== undefined;
}

/** Whether an event that continues an item becomes a delta; a chunk that does not is a sign of life, and leaves nothing. */
export function isDelta(event: StreamedEvent): boolean {
  return opensWithDelta(event) || event.metadata !== undefined;
}

/**
 * Deltas as one. The first timestamp and the last value of each metadata member stay, and of several deltas the providers'
 * original events go.
 */
export class PendingDelta implements Place, TextEnds {
  text = "";
  beginsWithLowSurrogate = false;
  endsWithHighSurrogate = false;
  timestamp: StreamedEvent["timestamp"];
  rawEvent: unknown;
  metadata: Members | undefined;
  subagentRunId: string | undefined;
  readonly extra: Members | undefined;
  /** The delta event that is all of it, which stays as it is. */
  event: Event | undefined;
  /** Where the last of them was; if one names a subagent, the last that does. */
  slot: number;
  arrival: number;
  /** How many there are; none where a chunk only opened the item. */
  count = 1;
  /** Whether one of them is of a chunk. */
  hasChunks: boolean;

  constructor(first: StreamedEvent, place: Place, extra: Members | undefined) {
    this.append(first.delta ?? "");
    this.timestamp = first.timestamp;
    this.rawEvent = first.rawEvent;
    this.metadata = first.metadata as Members | undefined;
    this.subagentRunId = first.subagentRunId;
    this.extra = extra;
    this.event = undefined;
    this.slot = place.slot;
    this.arrival = place.arrival;
    this.hasChunks = roleOf(first.type)?.does === "chunk";
  }

  /** Begins with a delta event or a chunk of an item that chunks keep open. */
  static of(first: StreamedEvent, place: Place): PendingDelta {
    return new PendingDelta(first, place, extraOf(first));
  }

  /** Begins with a delta event, which has no further members. */
  static ofEvent(event: DeltaEvent, place: Place): PendingDelta {
    const delta = new PendingDelta(event, place, undefined);
    delta.event = event;
    return delta;
  }

  /** Begins with the chunk that opens the item. */
  static ofOpener(opener: ChunkEvent, place: Place): PendingDelta {
    const delta = PendingDelta.of(opener, place);
    if (opensWithDelta(opener)) return delta;
    delta.count = 0;
    delta.hasChunks = false;
    // Delta events alone close no lane but that of the parent agent.
    delta.subagentRunId = undefined;
    return delta;
  }

  /** Joins text. */
  append(delta: string): void {
    if (delta === "") return;
    if (this.text === "") this.beginsWithLowSurrogate = beginsWithLowSurrogate(delta);
    this.endsWithHighSurrogate = endsWithHighSurrogate(delta);
    this.text += delta;
  }

  /**
   * Joins an event of the parent agent that has whole characters, perhaps a time, and nothing else, right after another
   * such event.
   */
  joinPlain({ delta, timestamp }: DeltaEvent, arrival: number): void {
    this.event = undefined;
    this.text += delta;
    this.count += 1;
    this.rawEvent = undefined;
    this.timestamp ??= timestamp;
    if (this.subagentRunId === undefined) this.arrival = arrival;
  }

  /** Joins a further delta. */
  join(next: StreamedEvent, { slot, arrival }: Place): void {
    this.event = undefined;
    this.append(next.delta ?? "");
    // What is merged closes the lane that it names, so it may be only where that was closed.
    if (next.subagentRunId !== undefined || this.subagentRunId === undefined) {
      this.slot = slot;
      this.arrival = arrival;
    }
    if (isDelta(next)) {
      this.count += 1;
      this.hasChunks ||= roleOf(next.type)?.does === "chunk";
      this.rawEvent = this.count === 1 ? next.rawEvent : undefined;
      this.subagentRunId ??= next.subagentRunId;
    }
    this.timestamp ??= next.timestamp;
    if (next.metadata !== undefined) this.metadata = folded(this.metadata, next.metadata as Members);
  }
}

// The deltas of an item between two barriers, as one.

import { commonMembers, members, roleOf } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import type { ChunkEvent } from "../chunks.js";
import type { DeltaEvent } from "../plain.js";
import { folded, setMember } from "../values.js";

/** An event that may carry text. */
export type StreamedEvent = DeltaEvent | ChunkEvent;

/** The members of a streamed or state event that the schema does not name; nothing without any. */
export function extraOf(event: Event): Members | undefined {
  const named = members.get(event.type);
  let extra: Members | undefined;
  for (const name in event) {
    if (commonMembers.includes(name) || named?.includes(name) === true || !Object.hasOwn(event, name)) continue;
    const value = (event as unknown as Members)[name];
    if (value !== undefined) setMember((extra ??= {}), name, value);
  }
  return extra;
}

/** Whether an event carries text of its own and is no chunk. */
export function isDelta(event: StreamedEvent): event is DeltaEvent {
  return roleOf(event.type)?.does === "append";
}

/** Whether a chunk that opens an item has something for a delta: its metadata is at home on the start of the item. */
export function openerSaysSomething({ delta, rawEvent }: StreamedEvent): boolean {
  return delta !== undefined || rawEvent !== undefined;
}

/** Whether an event that continues an item has something for a delta; one that has not is a sign of life. */
export function saysSomething(event: StreamedEvent): boolean {
  return openerSaysSomething(event) || event.metadata !== undefined;
}

/**
 * What the deltas of a part come to. A part of one delta is that delta. Where several are joined, the first timestamp and
 * the last value of each metadata member stay, and the providers' original events go.
 */
export class Part {
  delta: string | undefined;
  timestamp: StreamedEvent["timestamp"];
  rawEvent: unknown;
  metadata: Members | undefined;
  subagentRunId: string | undefined;
  /** The event that is the whole part, if it is to stay as it is. */
  event: Event | undefined;
  /** Whether all that has something for a delta is of delta events, and not of chunks. */
  isExplicit: boolean;
  /** How many events have something for a delta. */
  #joined = 1;

  /** The part that begins with a delta, or with a chunk that continues an item. */
  constructor(
    first: StreamedEvent,
    readonly extra: Members | undefined,
    isExplicit = isDelta(first),
  ) {
    this.delta = first.delta;
    this.timestamp = first.timestamp;
    this.rawEvent = first.rawEvent;
    this.metadata = first.metadata as Members | undefined;
    this.subagentRunId = first.subagentRunId;
    this.event = undefined;
    this.isExplicit = isExplicit;
  }

  /** The part that is one delta event, which stays as it is if nothing is joined with it. */
  static ofEvent(event: DeltaEvent): Part {
    const part = new Part(event, undefined, true);
    part.event = event;
    return part;
  }

  /** The part that begins with the chunk that opens an item. */
  static ofOpener(opener: ChunkEvent, extra: Members | undefined): Part {
    const part = new Part(opener, extra);
    part.#joined = openerSaysSomething(opener) ? 1 : 0;
    part.isExplicit = part.#joined === 0;
    return part;
  }

  /** Whether the part has a delta event, however empty. */
  get hasDelta(): boolean {
    return this.#joined > 0;
  }

  /** Whether the opener says nothing for a delta, and all deltas of the part are delta events. */
  get hasBareOpener(): boolean {
    return this.isExplicit && this.hasDelta;
  }

  /** The text that a chunk has for this part; an only chunk with an original event and no text needs none. */
  get chunkDelta(): string | undefined {
    return this.delta ?? (this.hasDelta && this.rawEvent === undefined ? "" : undefined);
  }

  /** Joins an event that has text, perhaps a time, and nothing else. */
  joinPlain({ delta, timestamp }: DeltaEvent): void {
    this.event = undefined;
    this.delta = (this.delta ?? "") + delta;
    this.#joined += 1;
    this.rawEvent = undefined;
    this.timestamp ??= timestamp;
  }

  join(next: StreamedEvent): void {
    this.event = undefined;
    if (next.delta !== undefined) this.delta = (this.delta ?? "") + next.delta;
    if (saysSomething(next)) {
      this.#joined += 1;
      this.isExplicit &&= isDelta(next);
      this.rawEvent = this.#joined === 1 ? next.rawEvent : undefined;
      // A chunk that says nothing leaves no subagent behind either: a delta event with one would end what the chunks of
      // that subagent have open.
      this.subagentRunId ??= next.subagentRunId;
    }
    this.timestamp ??= next.timestamp;
    if (next.metadata !== undefined) this.metadata = folded(this.metadata, next.metadata as Members);
  }
}

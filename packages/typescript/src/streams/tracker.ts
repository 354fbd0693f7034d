// One pass over the events, with chunks resolved: what each event begins, continues and ends.

import type { Event } from "../generated/types.js";
import { Lanes, type Chunk, type ChunkEvent, type ChunkItem, type Lane } from "./chunks.js";
import { PendingSurrogates } from "./surrogates.js";
import { OpenItems, type Beginning, type Opened, type Steps } from "./items.js";
import { streamedKinds, type EventRole, type ItemKind, type StreamRole } from "../generated/events.js";
import { idOf, memberOf, ownerOf, saidOf, subagentOf } from "./events.js";
import type { DeltaEvent } from "./plain.js";
import { violation, type Violation } from "./violation.js";

/** Nothing, or why an event is not allowed in its place. */
type Outcome = Violation | undefined;

/** What is open between two events. */
export class Tracker {
  readonly items: OpenItems;
  readonly surrogates: PendingSurrogates;
  readonly lanes: Lanes;

  constructor(copied?: Tracker) {
    this.items = new OpenItems(copied && copied.items);
    this.surrogates = new PendingSurrogates(copied && copied.surrogates);
    this.lanes = new Lanes(copied && copied.lanes);
  }

  /**
   * Takes the event of this index, which has this role, and passes on its steps in order. An event that cannot be here
   * is rejected; what it did before is done, so that a caller may continue after it.
   */
  take(index: number, event: Event, role: EventRole | undefined, steps: Steps): Outcome {
    const closed = this.#closeChunksBefore(event, role, steps);
    return closed ?? this.#takeItself(index, event, role, steps);
  }

  /** Takes an event of the parent agent that only appends text to an item. */
  takePlain(index: number, kind: ItemKind, id: string, delta: string, steps: Steps): Outcome {
    const closed = this.lanes.isEmpty() ? undefined : this.#closeLane(undefined, steps);
    return closed ?? this.#append(index, kind, id, undefined, delta, steps);
  }

  /** The open items in the order of beginning. */
  open(): Opened[] {
    return this.items.list();
  }

  #takeItself(index: number, event: Event, role: EventRole | undefined, steps: Steps): Outcome {
    switch (role?.does) {
      case "append":
        return this.#append(
          index,
          role.item,
          idOf(event, role),
          ownerOf(event, role),
          (event as DeltaEvent).delta,
          steps,
        );
      case "chunk":
        return this.#chunk(index, event as ChunkEvent, role, steps);
      case "begin":
        return this.#begin(index, saidOf(event, role) as Beginning, steps);
      case "end":
        return this.#end(role.item, idOf(event, role), ownerOf(event, role), steps);
      case "start-run":
      case "end-run":
        this.surrogates.clear();
        for (const opened of this.items.take()) steps.left(opened);
        return undefined;
      default:
        // Where all messages are said again, no unpaired surrogate waits for the other one.
        if (role?.item === "messages") this.surrogates.clear();
        return undefined;
    }
  }

  /** Ends the chunk items that an event ends by standing there. */
  #closeChunksBefore(event: Event, role: EventRole | undefined, steps: Steps): Outcome {
    if (this.lanes.isEmpty() || role?.closes === undefined) return undefined;
    return role.closes === "lane" ? this.#closeLane(subagentOf(event), steps) : this.#closeLanes(steps);
  }

  #closeLanes(steps: Steps): Outcome {
    const closed = this.lanes.closeAll().map(([lane, item]) => this.#closeItem(lane, item, steps));
    return closed.find((found) => found !== undefined);
  }

  #closeLane(lane: Lane, steps: Steps): Outcome {
    const item = this.lanes.close(lane);
    return item && this.#closeItem(lane, item, steps);
  }

  /** Ends an item that chunks kept open. */
  #closeItem(lane: Lane, { kind, id }: ChunkItem, steps: Steps): Outcome {
    const found = this.items.end(kind, id, lane);
    if (found !== undefined) return found;
    const whole = this.surrogates.end(kind, id);
    steps.closed(kind, id, lane);
    return whole;
  }

  #begin(index: number, beginning: Beginning, steps: Steps): Outcome {
    const found = this.items.begin(index, beginning);
    if (found === undefined) steps.begun(beginning);
    return found;
  }

  #append(index: number, kind: ItemKind, id: string, owner: Lane, delta: string, steps: Steps): Outcome {
    const found = this.items.require(kind, id) ?? this.surrogates.append(index, kind, id, delta);
    if (found === undefined) steps.appended(kind, id, owner);
    return found;
  }

  #end(kind: ItemKind, id: string, owner: Lane, steps: Steps): Outcome {
    const found = this.lanes.requireNone(kind, id) ?? this.items.end(kind, id, owner);
    if (found !== undefined) return found;
    // `isStreamed` would bring the table of all items into a program that only verifies.
    const isStreamed = (streamedKinds as readonly ItemKind[]).includes(kind);
    const whole = isStreamed ? this.surrogates.end(kind, id) : undefined;
    steps.ended(kind, id, owner);
    return whole;
  }

  /** Continues the item that a chunk belongs to, or ends what its lane has open and begins one. */
  #chunk(index: number, event: ChunkEvent, role: StreamRole, steps: Steps): Outcome {
    const chunk = saidOf(event, role);
    const found = this.lanes.laneOf(chunk);
    if ("rule" in found) return found;
    const { lane } = found;
    const item = this.lanes.continued(lane, chunk);
    if (item === undefined) return this.#openingChunk(index, event, role, chunk, lane, steps);
    if ("rule" in item) return item;
    // A chunk without text may carry metadata.
    const { delta, rawEvent, metadata } = event;
    if (delta === undefined && rawEvent === undefined && metadata === undefined) {
      steps.idle(chunk.kind, item.id);
      return undefined;
    }
    // What is continued belongs to the caller that opened it, also when the chunk does not say so.
    return this.#append(index, chunk.kind, item.id, lane, delta ?? "", steps);
  }

  #openingChunk(index: number, event: ChunkEvent, role: StreamRole, chunk: Chunk, lane: Lane, steps: Steps): Outcome {
    const closed = this.#closeLane(lane, steps);
    if (closed !== undefined) return closed;
    const missing = role.needs?.find((name) => memberOf(event, name) === undefined);
    if (missing !== undefined) return missingHead(missing);
    const { kind, id } = chunk as Beginning;
    const found = this.#begin(index, chunk as Beginning, steps);
    if (found !== undefined) return found;
    // The metadata of a chunk that begins its item belongs to the beginning.
    const hasText = event.delta !== undefined || event.rawEvent !== undefined;
    const appended = hasText ? this.#append(index, kind, id, lane, event.delta ?? "", steps) : undefined;
    this.lanes.open(lane, index, id, chunk);
    return appended;
  }
}

function missingHead(name: string): Violation {
  return violation("chunk.missing-head", `the chunk opens an item, so it needs \`${name}\``);
}

// The run in progress: its events as slots, of which some are filled or emptied later.

import { items, roleOf, type EventRole, type ItemName, type ItemRole, type StreamRole } from "../../generated/events.js";
import type { Event, StateDeltaEvent, StateSnapshotEvent } from "../../generated/types.js";
import type { Chunk, ChunkEvent, Lane } from "../chunks.js";
import { idOf, memberOf, saidOf, subagentOf } from "../events.js";
import type { DeltaEvent } from "../plain.js";
import type { Held } from "./held.js";
import { extraOf, Part, saysSomething, type StreamedEvent } from "./part.js";
import { inOrder, Joined, type Content, type StayingChunk } from "./placement.js";
import { isStreamed, pendingOf, Spans, type ChunkSpan, type Span } from "./spans.js";
import { StateFold } from "./state.js";
import { bareChunkEvent, chunkEvent, deltaEvent, endEvent, openingOf, startEvent } from "./writing.js";
import type { Members } from "../../runtime/json.js";

/** The compacted events of the run in progress. */
export class RunInProgress {
  readonly #slots: Content[] = [];
  readonly #spans = new Spans();
  readonly #state = new StateFold();
  /** The chunks of items that are closed, but with a chunk that is kept as it is. */
  #keptChunks: StayingChunk[] = [];
  #hasChunks = false;

  readonly #held: Held;

  constructor(held: Held) {
    this.#held = held;
  }

  /** Takes the event that begins the run. */
  begin(event: Event): void {
    this.#place(event);
  }

  /**
   * Takes an event of the parent agent that only appends text to this item. Gives the part that takes further
   * such events of the item, as long as no other event comes between, if nothing has to be looked at for them.
   */
  append(role: StreamRole, id: string, event: DeltaEvent): Part | undefined {
    const kind = role.item;
    if (this.#hasChunks) this.#closeLane(undefined);
    const span = this.#spans.find(kind, id);
    if (span === undefined || span.parts !== undefined || this.#spans.isShared(kind, id)) {
      this.#delta(event, role, id, false);
      return undefined;
    }
    if (span.part === undefined) span.part = Part.ofEvent(event);
    else span.part.joinPlain(event);
    return span.part;
  }

  /** Takes the next event of the run; the terminal event goes to `end`. Throws a `Fault` at a limit. */
  push(event: Event, role: EventRole | undefined, isKept: boolean): void {
    if (role === undefined) return this.#stand(event);
    if (this.#hasChunks) this.#closeChunksBefore(event, role);
    switch (role.does) {
      case "append":
        return this.#delta(event as DeltaEvent, role, idOf(event, role), isKept);
      case "chunk":
        return this.#chunk(event as ChunkEvent, role, isKept);
      case "begin":
        return this.#begun(event, role);
      case "end":
        return this.#ended(event, role);
      default:
        if (role.item === "state") return this.#changesState(event, role.does, isKept);
        this.#bar(event, role);
        return this.#stand(event);
    }
  }

  /** The events of the run with its terminal event. */
  end(terminal: Event): Event[] {
    for (const span of this.#spans.chunkSpans()) this.#close(span);
    const events = this.finish();
    events.push(terminal);
    return events;
  }

  /** The events of the run, which is not over. */
  finish(): Event[] {
    this.#flushAll();
    const { event: state } = this.#state;
    const staying = this.#spans.chunkSpans().flatMap((span) => stayingChunks(span, undefined));
    const chunks = this.#keptChunks.concat(staying);
    // A state without a place of its own stands before the terminal event.
    const slot = this.#state.place ?? this.#slots.length;
    return inOrder(this.#slots, chunks, state && { slot, event: state });
  }

  /** An event that begins an item, which stays where it is. */
  #begun(event: Event, role: ItemRole): void {
    this.#bar(event, role);
    this.#stand(event);
    const kind = role.item;
    if (isStreamed(kind)) this.#spans.all.push({ kind, id: idOf(event, role), part: undefined });
  }

  /** An event that ends an item, which stays where it is, behind the deltas of the item. */
  #ended(event: Event, role: ItemRole): void {
    this.#bar(event, role);
    const kind = role.item;
    const span = isStreamed(kind) ? this.#spans.find(kind, idOf(event, role)) : undefined;
    if (span !== undefined) {
      this.#flush(span);
      this.#spans.remove(span);
    }
    this.#stand(event);
  }

  #changesState(event: Event, does: EventRole["does"], isKept: boolean): void {
    if (does === "patch") {
      if (this.#state.delta(event as StateDeltaEvent, isKept)) this.#stateStays(event, isKept);
      return;
    }
    for (const slot of this.#state.standing) this.#slots[slot] = undefined;
    if (this.#state.snapshot(event as StateSnapshotEvent, isKept)) this.#stateStays(event, isKept);
  }

  /** A delta event that stays alone in its place. */
  #alone(event: DeltaEvent, role: StreamRole): void {
    this.#bar(event, role);
    this.#stand(event);
  }

  /** An event stays as it is. */
  #stand(event: Event): void {
    this.#place(event);
    this.#held.event(event);
  }

  #stateStays(event: Event, isKept: boolean): void {
    if (this.#state.needsPlace) this.#state.place = this.#place(undefined);
    const slot = this.#place(event);
    if (!isKept) this.#state.standing.push(slot);
  }

  /** An explicit delta: joined, or alone in its place. */
  #delta(event: DeltaEvent, role: StreamRole, id: string, isKept: boolean): void {
    const kind = role.item;
    const span = this.#spans.find(kind, id);
    if (span === undefined) return this.#alone(event, role);
    if (isKept || extraOf(event) !== undefined || this.#spans.isShared(kind, id)) {
      this.#flush(span);
      return this.#alone(event, role);
    }
    if (span.parts !== undefined) return this.#continueChunks(span, event, false);
    if (span.part !== undefined) return span.part.join(event);
    span.part = Part.ofEvent(event);
  }

  #chunk(event: ChunkEvent, role: StreamRole, isKept: boolean): void {
    const chunk = saidOf(event, role);
    const span = this.#spans.continued(chunk);
    if (span !== undefined) return this.#continueChunks(span, event, isKept);
    this.#closeLane(chunk.subagentRunId);
    this.#openChunks(event, role, chunk, isKept);
  }

  #openChunks(event: ChunkEvent, role: StreamRole, chunk: Chunk, isKept: boolean): void {
    const { kind, id = "", heads, subagentRunId: lane } = chunk;
    const extra = extraOf(event);
    this.#bar(event, role);
    const standsAlone = this.#spans.isShared(kind, id) || isKept || extra !== undefined;
    const first = this.#place(undefined);
    const part = Part.ofOpener(event, extra);
    if (isKept) part.event = event;
    this.#held.begin({ kind, id, subagentRunId: lane, heads, metadata: undefined });
    const span = { kind, id, lane, heads, parts: [{ first, delta: undefined, part }], isKept };
    this.#spans.all.push(span);
    this.#hasChunks = true;
    if (standsAlone) this.#flush(span);
  }

  /** A further chunk, or an explicit delta, of an item that chunks keep open. */
  #continueChunks(span: ChunkSpan, event: StreamedEvent, isKept: boolean): void {
    const { kind, id } = span;
    const says = saysSomething(event);
    const extra = says ? extraOf(event) : undefined;
    const standsAlone = this.#spans.isShared(kind, id) || isKept || extra !== undefined;
    if (standsAlone) {
      this.#flush(span);
      if (says) this.#barAs(items[kind].append, span);
    }
    span.isKept ||= isKept;
    const pending = pendingOf(span);
    if (pending !== undefined) return pending.part.join(event);
    if (says || isKept) this.#beginPart(span, event, extra, isKept);
    if (standsAlone) this.#flush(span);
  }

  #beginPart(span: ChunkSpan, event: StreamedEvent, extra: Members | undefined, isKept: boolean): void {
    const part = new Part(event, extra);
    if (isKept) part.event = event;
    span.parts.push({ first: this.#place(undefined), delta: undefined, part });
  }

  /** Ends the parts of items of other kinds with an id that an event writes. */
  #bar(event: Event, { item, writes }: EventRole): void {
    if (writes === "all") return this.#flushAll();
    if (writes === undefined || this.#spans.all.length === 0) return;
    this.#barIds(item, writes.map((name) => memberOf(event, name)));
  }

  /** The same for an event of this type that is only implied, by a chunk or by what closes an item. */
  #barAs(type: string | undefined, { kind, id }: ChunkSpan): void {
    if (type !== undefined && roleOf(type)?.writes !== undefined) this.#barIds(kind, [id]);
  }

  #barIds(kind: ItemName | undefined, ids: readonly (string | undefined)[]): void {
    for (const span of this.#spans.all) if (span.kind !== kind && ids.includes(span.id)) this.#flush(span);
  }

  #flushAll(): void {
    for (const span of this.#spans.all) if (span.parts === undefined) this.#flush(span);
  }

  /** Ends the part of an item: its joined delta stands here. */
  #flush(span: Span): void {
    const { kind, id } = span;
    if (span.parts === undefined) {
      const { part } = span;
      if (part === undefined) return;
      span.part = undefined;
      this.#held.append(kind, id, part);
      this.#place(new Joined(part.event ?? deltaEvent(kind, id, part), part.subagentRunId));
      return;
    }
    const pending = pendingOf(span);
    if (pending === undefined) return;
    this.#held.append(kind, id, pending.part);
    pending.delta = this.#place(undefined);
  }

  #closeChunksBefore(event: Event, { closes }: EventRole): void {
    if (closes === "lane") return this.#closeLane(subagentOf(event));
    if (closes === "all") for (const span of this.#spans.chunkSpans()) this.#close(span);
  }

  #closeLane(lane: Lane): void {
    const span = this.#hasChunks ? this.#spans.inLane(lane) : undefined;
    if (span !== undefined) this.#close(span);
  }

  /** Ends an item that chunks kept open: its slots get START, deltas and END. */
  #close(span: ChunkSpan): void {
    const { kind, id, lane, heads } = span;
    this.#barAs(items[kind].ends[0], span);
    this.#flush(span);
    this.#spans.remove(span);
    this.#hasChunks = this.#spans.chunkSpans().length > 0;
    if (span.isKept) {
      this.#keptChunks = this.#keptChunks.concat(stayingChunks(span, this.#place(undefined)));
      return;
    }
    for (const [index, { first, delta: slot, part }] of span.parts.entries()) {
      if (index === 0) this.#slots[first] = startEvent(kind, id, heads, lane, part);
      if (slot === undefined || !part.hasDelta) continue;
      if (index === 0 || !part.isExplicit) part.timestamp = undefined;
      // Whose it is is said if a chunk says it, since what did not would close what chunks keep open in the parent agent's
      // lane.
      part.subagentRunId = part.isExplicit ? undefined : lane;
      const delta = deltaEvent(kind, id, part);
      this.#slots[slot] = part.isExplicit ? new Joined(delta, undefined) : delta;
    }
    this.#place(endEvent(kind, id, lane));
  }

  #place(content: Content): number {
    return this.#slots.push(content) - 1;
  }
}

/**
 * The chunks that stand for the parts of an item, with their places. Only the first chunk says what the item is. Delta
 * events stay delta events, since a chunk would have to say whose it is.
 */
function stayingChunks(span: ChunkSpan, closed: number | undefined): StayingChunk[] {
  const { kind, id, lane, heads } = span;
  return span.parts.flatMap(({ first: slot, part }, index) => {
    const stay = (event: Event): StayingChunk => ({ slot, event, lane, closed });
    if (part.event !== undefined) return [stay(part.event)];
    const opening = index === 0 ? openingOf(kind, id, heads) : {};
    if (!part.hasBareOpener) return [stay(chunkEvent(kind, opening, lane, part))];
    if (index > 0) return [stay(deltaEvent(kind, id, part))];
    const { timestamp } = part;
    [part.timestamp, part.subagentRunId] = [undefined, undefined];
    return [stay(bareChunkEvent(kind, opening, lane, timestamp)), stay(deltaEvent(kind, id, part))];
  });
}

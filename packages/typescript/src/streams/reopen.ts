// The open items of a run in progress, begun again.

import { isObject } from "../runtime/check.js";
import { isStreamed, items, roleOf } from "../generated/events.js";
import type { Event } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";
import { endsWithHighSurrogate } from "./surrogates.js";
import type { OpenItem } from "./items.js";
import type { Reducer } from "./reducer.js";
import type { Thread } from "./thread.js";
import { optional } from "./values.js";

/** The messages with the unpaired surrogates that open texts end in taken out, and these surrogates. */
export class SplitEnds {
  readonly messages: readonly Members[];
  readonly #texts = new Map<string, string>();
  readonly #arguments = new Map<string, string>();

  constructor(messages: readonly Members[]) {
    this.messages = messages.map((message) => {
      const calls = message["toolCalls"];
      const whole = this.#cut(message, "content", this.#texts, textOf(message, "id"));
      if (!Array.isArray(calls)) return whole;
      const cutCalls = calls.map((call) => this.#cutCall(call));
      return cutCalls.every((call, at) => call === calls[at]) ? whole : { ...whole, toolCalls: cutCalls };
    });
  }

  /** The surrogate that an item continues with. A text and a reasoning message of one id share it. */
  take({ kind, id }: OpenItem): string | undefined {
    if (!isStreamed(kind)) return undefined;
    const splitEnds = kind === "tool-call" ? this.#arguments : this.#texts;
    const surrogate = splitEnds.get(id);
    splitEnds.delete(id);
    return surrogate;
  }

  #cutCall(call: unknown): unknown {
    const called = isObject(call) ? call["function"] : undefined;
    if (!isObject(call) || !isObject(called)) return call;
    const whole = this.#cut(called, "arguments", this.#arguments, textOf(call, "id"));
    return whole === called ? call : { ...call, function: whole };
  }

  #cut(object: Members, name: string, splitEnds: Map<string, string>, id: string | undefined): Members {
    const text = textOf(object, name);
    if (text === undefined || !endsWithHighSurrogate(text)) return object;
    if (id !== undefined) splitEnds.set(id, text.slice(-1));
    return { ...object, [name]: text.slice(0, -1) };
  }
}

/** What begins the open items again: before the snapshot those whose message it takes away, after it all others. */
export interface Reopened {
  readonly before: Event[];
  readonly after: Event[];
}

/**
 * Begins again what is open, in the order of beginning. Subagents that have ended are among the items, since others may
 * name them as their parents.
 *
 * @param first the index of the first event of the run
 */
export function reopened(run: readonly Event[], first: number, standing: Reducer, splitEnds: SplitEnds): Reopened {
  const all: Reopened = { before: [], after: [] };
  const open = new Map(standing.open().map(({ index, item }) => [index, item]));
  for (const [place, event] of run.entries()) {
    const item = open.get(first + place);
    if (item !== undefined) {
      (isHeld(item, standing.conversation.thread) ? all.after : all.before).push(...begunAgain(event, item, splitEnds));
    } else if (roleOf(event.type)?.item === "subagent") {
      all.after.push(event);
    }
  }
  return all;
}

/** Whether what an open item appends to is there. */
function isHeld({ kind, id }: OpenItem, thread: Thread): boolean {
  if (kind === "text" || kind === "reasoning") return thread.find(id) !== undefined;
  return kind !== "tool-call" || thread.holdsCall(id);
}

/** The event that began an item, without what it said beside that, and an unpaired surrogate to continue with. */
function begunAgain(event: Event, item: OpenItem, splitEnds: SplitEnds): Event[] {
  // The spans that are no messages keep all.
  if (!isStreamed(item.kind)) return [event];
  const surrogate = splitEnds.take(item);
  if (roleOf(event.type)?.does === "chunk") {
    const { delta: _, ...opener } = bare(event as Opener);
    return [{ ...opener, ...optional("delta", surrogate) } as Event];
  }
  const opener = bare(event as Opener) as Event;
  return surrogate === undefined ? [opener] : [opener, deltaOf(item, surrogate)];
}

/** What an opening may have beside what begins its item. */
interface Opener {
  metadata?: unknown;
  rawEvent?: unknown;
  delta?: unknown;
}

/** An opening without metadata and original event, which the message has by now. */
function bare<T extends Opener>(event: T): Omit<T, "metadata"> {
  const { metadata: _metadata, rawEvent: _rawEvent, ...opener } = event;
  return opener as Omit<T, "metadata">;
}

/** The surrogate as a delta of the item, in the lane of its opening. */
function deltaOf({ kind, id, subagentRunId }: OpenItem, delta: string): Event {
  const { append, id: idName } = items[kind];
  return {
    type: append,
    [idName as string]: id,
    delta,
    ...optional("subagentRunId", subagentRunId),
  } as unknown as Event;
}

// The messages of a thread in order, as events build them.
//
// Copies of a thread share what none of them has changed since. So the thread at the end of every run can be kept, and
// branches cost what they change.

import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";
import { Ids } from "./ids.js";
import { classOf, CLASSES, OTHERS, rankOf, RANKS, type Place } from "./places.js";
import { SharedMap, type Entry } from "./shared-map.js";
import { beginsWithLowSurrogate, endsWithHighSurrogate, type TextEnds } from "./surrogates.js";
import { folded, Own, sameValue, setMember } from "./values.js";

/** An object that may be changed. */
export type Changeable = Record<string, unknown>;

/** The gap after a message that is appended. Results that are inserted take its ranks, and all are given again if none is left. */
const GAP = 2 ** 20;

/** What is in the place of an unpaired surrogate that nothing completes. */
const REPLACEMENT = "\ufffd";

/** The messages, with the places of ids kept beside them, so that an event costs what it changes. */
export class Thread {
  #messages = new SharedMap<Members>();
  #ids = new Ids();
  #calls = new Ids();
  /** By the ranks of assistant messages, the last of the results that follow them. */
  #results = new SharedMap<number>();
  /** The rank of the message that is appended next. */
  #next = GAP;
  /** The message that was changed last: mostly the one that is next. */
  #latest: { readonly id: string; readonly message: Changeable } | undefined;
  #own = new Own();
  /** What has a text that ends in an unpaired surrogate. To look at the end of a long text would take it together first. */
  #cut = new WeakSet<object>();

  /** The same messages, of which this thread and the copy each change their own. */
  copy(): Thread {
    const copy = new Thread();
    copy.#messages = this.#messages.copy();
    copy.#ids = this.#ids.copy();
    copy.#calls = this.#calls.copy();
    copy.#results = this.#results.copy();
    copy.#next = this.#next;
    this.share();
    return copy;
  }

  /** From now on the messages may be shared, so none of them is changed in place. */
  share(): void {
    this.#own.share();
    this.#latest = undefined;
  }

  /** What may be changed in messages. */
  get own(): Own {
    return this.#own;
  }

  /** The message with this id; of several, the first. */
  find(id: string): Members | undefined {
    if (this.#latest?.id === id) return this.#latest.message;
    const place = this.place(id);
    return place === undefined ? undefined : this.#messages.get(place);
  }

  /** The message with this id, to change; its id, its role and its tool calls must stay. */
  change(id: string): Changeable | undefined {
    if (this.#latest?.id === id) return this.#latest.message;
    const place = this.place(id);
    const message = place === undefined ? undefined : this.#changeable(place);
    this.#latest = message && { id, message };
    return message;
  }

  /** The role of the message with this id. */
  role(id: string): string | undefined {
    const message = this.find(id);
    return message && textOf(message, "role");
  }

  /** The tool call with this id, to change; its id must stay. */
  changeCall(id: string): Changeable | undefined {
    const found = this.#calls.first(id);
    const message = found && this.#changeable(found.place);
    return message && (message["toolCalls"] as Changeable[])[found.call];
  }

  /** Adds a message at the end and gives its place. Of two messages of one id, the id only finds the first. */
  push(message: Members): Place {
    const place = this.#put(this.#next, message);
    this.#next += GAP;
    const id = textOf(message, "id");
    // What is new is mostly what is changed next.
    if (id !== undefined && this.#own.has(message) && this.place(id) === place) this.#latest = { id, message };
    return place;
  }

  /** The place of the message with this id; of several, the first. */
  place(id: string): Place | undefined {
    return this.#ids.first(id)?.place;
  }

  /** Puts another message in the place of the one with this id. */
  replace(id: string, message: Members): void {
    const place = this.place(id);
    if (place !== undefined) this.#replaceAt(place, message);
  }

  /** Adds a tool call to the assistant message at this place. */
  pushCall(place: Place, callId: string, call: Changeable): void {
    const message = this.#changeable(place);
    if (message === undefined) return;
    message["toolCalls"] ??= [];
    const calls = message["toolCalls"];
    if (!Array.isArray(calls)) return;
    calls.push(call);
    this.#calls.add(callId, { place, call: calls.length - 1 });
  }

  /**
   * Adds a tool's result after the message that made the call and the results that follow it, or at the end when no
   * message made the call.
   */
  insertResult(callId: string, message: Members): void {
    const owner = this.#calls.first(callId)?.place;
    if (owner === undefined || this.#roleAt(owner) !== "assistant") {
      this.push(message);
      return;
    }
    let last = this.#results.get(rankOf(owner)) ?? rankOf(owner);
    let next = this.#after(last);
    for (; next !== undefined && this.#roleAt(next) === "tool"; next = this.#after(last)) last = rankOf(next);
    if (next !== undefined && rankOf(next) === last + 1) {
      this.#spread();
      return this.insertResult(callId, message);
    }
    this.#results.set(rankOf(owner), last + 1);
    this.#put(last + 1, message);
  }

  /**
   * Makes the messages those of a snapshot: known ids keep their place and take the snapshot's value, new ones follow in
   * its order, others go. Activities go only if the snapshot has some of its own, and so does reasoning.
   */
  applySnapshot(snapshot: readonly Members[]): void {
    const latest = new Map<string, Members>();
    for (const message of snapshot) {
      const id = textOf(message, "id");
      if (id !== undefined) latest.set(id, message);
    }
    for (const begin of new Set([OTHERS, ...snapshot.map(classOf)])) this.#removeOthers(begin, latest);
    this.#results = new SharedMap();
    const known = snapshot.map((message) => {
      const id = textOf(message, "id");
      return id === undefined ? [] : this.#ids.messages(id);
    });
    for (const [number, message] of snapshot.entries()) {
      const places = known[number] ?? [];
      if (places.length === 0) this.push(message);
      // Of two messages of one id, the last counts.
      else if (latest.get(textOf(message, "id") ?? "") === message)
        places.forEach((place) => this.#replaceAt(place, message));
    }
  }

  /**
   * Appends text to a member that holds text, of a message or of a call's function; a member of another kind begins
   * again.
   *
   * An unpaired surrogate that a failed run left at the end cannot be completed any more when the text continues, and
   * U+FFFD takes its place. A text that is empty begins as the delta does.
   */
  append(object: Changeable, name: "content" | "arguments", delta: string, ends?: TextEnds): void {
    const before = object[name];
    const text = typeof before === "string" ? before : "";
    const isCut = this.#cut.has(object);
    const meets = ends?.beginsWithLowSurrogate ?? beginsWithLowSurrogate(delta);
    if (delta === "") object[name] = text;
    else if (isCut === meets || text === "") object[name] = text + delta;
    else object[name] = isCut ? text.slice(0, -1) + REPLACEMENT + delta : text + REPLACEMENT + delta.slice(1);
    if (delta === "") return;
    if (ends?.endsWithHighSurrogate ?? endsWithHighSurrogate(delta)) this.#cut.add(object);
    else if (isCut) this.#cut.delete(object);
  }

  /** Whether a message holds this tool call. */
  holdsCall(id: string): boolean {
    return this.#calls.first(id) !== undefined;
  }

  /** Whether two messages or two tool calls have one id. */
  get hasSharedIds(): boolean {
    return this.#ids.hasRepeated || this.#calls.hasRepeated;
  }

  /** The messages in order. */
  messages(): Members[] {
    // Those of a class are in order, so there are three lists to be merged.
    return [...this.entries()].sort((one, other) => rankOf(one.key) - rankOf(other.key)).map(({ value }) => value);
  }

  /** The messages in no order, one by one. */
  entries(): Iterable<Entry<Members>> {
    return this.#messages.within(0, Infinity);
  }

  #put(rank: number, message: Members): Place {
    const place = classOf(message) + rank;
    const id = textOf(message, "id");
    this.#latest = undefined;
    this.#messages.set(place, message);
    if (id !== undefined) this.#ids.add(id, { place, call: 0 });
    for (const [call, callId] of callIds(message)) this.#calls.add(callId, { place, call });
    return place;
  }

  #remove(place: Place): void {
    const message = this.#messages.get(place);
    if (message === undefined) return;
    const id = textOf(message, "id");
    this.#latest = undefined;
    this.#messages.delete(place);
    if (id !== undefined) this.#ids.remove(id, { place, call: 0 });
    for (const [call, callId] of callIds(message)) this.#calls.remove(callId, { place, call });
  }

  #replaceAt(place: Place, message: Members): void {
    const before = this.#messages.get(place);
    // Most snapshots repeat most messages, which stay shared.
    if (sameValue(before, message)) return;
    if (before?.["role"] !== message["role"]) this.#results = new SharedMap();
    this.#remove(place);
    this.#put(rankOf(place), message);
  }

  /** Removes the messages of a class but for those that a snapshot holds. */
  #removeOthers(begin: Place, holds: ReadonlyMap<string, unknown>): void {
    const goes = [...this.#messages.within(begin, begin + RANKS)].filter(({ value }) => {
      const id = textOf(value, "id");
      return id === undefined || !holds.has(id);
    });
    for (const { key: place } of goes) this.#remove(place);
  }

  /** The place of the message after a rank. */
  #after(rank: number): Place | undefined {
    let first: Place | undefined;
    for (const begin of CLASSES) {
      const place = this.#messages.from(begin + rank + 1)?.key ?? Infinity;
      if (place < begin + RANKS && rankOf(place) < rankOf(first ?? RANKS - 1)) first = place;
    }
    return first;
  }

  #roleAt(place: Place): string | undefined {
    const message = this.#messages.get(place);
    return message && textOf(message, "role");
  }

  /** Gives all ranks again, with whole gaps between them. */
  #spread(): void {
    const messages = this.messages();
    this.#messages = new SharedMap();
    this.#ids = new Ids();
    this.#calls = new Ids();
    this.#results = new SharedMap();
    this.#next = GAP;
    for (const message of messages) this.push(message);
  }

  /** A message that may be changed, with its tool calls. */
  #changeable(place: Place): Changeable | undefined {
    const shared = this.#messages.get(place);
    if (shared === undefined || this.#own.has(shared)) return shared as Changeable | undefined;
    const message: Changeable = this.#own.add({ ...shared });
    const calls = message["toolCalls"];
    if (Array.isArray(calls)) message["toolCalls"] = calls.map((call) => this.#copyOfCall(call));
    this.#noteCut(message, "content");
    this.#messages.set(place, message);
    return message;
  }

  #copyOfCall(call: unknown): unknown {
    if (!isObject(call)) return call;
    const copy: Changeable = { ...call };
    const called = copy["function"];
    if (isObject(called)) copy["function"] = this.#noteCut({ ...called }, "arguments");
    return copy;
  }

  #noteCut(object: Changeable, name: string): Changeable {
    const text = object[name];
    if (typeof text === "string" && endsWithHighSurrogate(text)) this.#cut.add(object);
    return object;
  }
}

/** The tool calls of a message that have an id, each with its place among them. */
function callIds(message: Members): [number, string][] {
  const calls = message["toolCalls"];
  if (!Array.isArray(calls)) return NONE;
  return calls.flatMap((call: Members | null, place): [number, string][] => {
    const id: unknown = call?.["id"];
    return typeof id === "string" ? [[place, id]] : [];
  });
}

const NONE: [number, string][] = [];

/** Folds metadata into an object, name by name; the last write wins. */
export function foldMetadata(object: Changeable, metadata: Members | undefined): void {
  if (metadata !== undefined) setMember(object, "metadata", folded(object["metadata"], metadata));
}

// The messages of a thread in order, as events build them.
//
// Copies of a thread share what none of them has changed since. So the thread at the end of every run can be kept, and
// branches cost what they change.

import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";
import { hasLeadingHalf, hasTrailingHalf } from "./halves.js";
import { SharedMap, type Entry } from "./shared-map.js";
import { folded, Own, sameValue, setMember } from "./values.js";

/** What a snapshot may leave where it is: activities and reasoning. */
const KINDS = ["activity", "reasoning", "other"] as const;
type Kind = (typeof KINDS)[number];

/** Where a message stands. Ranks grow along the thread, with gaps in which results of tools are inserted. */
export interface Place {
  readonly rank: number;
  readonly kind: Kind;
}

/** Where an id stands; `call` is the place of a tool call among those of its message. */
interface IdPlace {
  readonly id: string;
  readonly rank: number;
  readonly call: number;
}

/** The places of ids, in each of which there is a message of this kind. Of several places of an id, the first counts. */
type Ids = SharedMap<IdPlace, Kind>;

/** An object that may be changed. */
export type Changeable = Record<string, unknown>;

/** The gap behind a message that is appended. Results that are inserted take the next rank; ranks are given anew if it is used up. */
const GAP = 2 ** 20;

/** What stands in the place of half a character that nothing completes. */
const REPLACEMENT = "\ufffd";

/** The messages, with the places of ids kept beside them, so that an event costs what it changes. */
export class Thread {
  #messages = messagesByKind();
  #ids = idPlaces();
  #calls = idPlaces();
  /** By the ranks of assistant messages, the last of the results that follow them. */
  #results = new SharedMap<number, number>(byNumber);
  /** The rank of the message that is appended next. */
  #next = GAP;
  /** How many places of ids are not the only one of their id. */
  #shared = 0;
  /** The message that was changed last: mostly the one that is next. */
  #latest: { readonly id: string; readonly message: Changeable } | undefined;
  #own = new Own();
  /** What has a text that ends in half a character. To look at the end of a long text would take it together first. */
  #cut = new WeakSet<object>();

  /** The same messages, of which this thread and the copy each change their own. */
  copy(): Thread {
    const copy = new Thread();
    for (const kind of KINDS) copy.#messages[kind] = this.#messages[kind].copy();
    copy.#ids = this.#ids.copy();
    copy.#calls = this.#calls.copy();
    copy.#results = this.#results.copy();
    copy.#next = this.#next;
    copy.#shared = this.#shared;
    this.share();
    return copy;
  }

  /** From now on the messages may be somebody else's too, so none of them is changed in place. */
  share(): void {
    this.#own.share();
    this.#latest = undefined;
  }

  /** What may be changed in messages. */
  get own(): Own {
    return this.#own;
  }

  /** How many messages there are. */
  get size(): number {
    return KINDS.reduce((sum, kind) => sum + this.#messages[kind].size, 0);
  }

  /** The message with this id; of several, the first. */
  find(id: string): Members | undefined {
    if (this.#latest !== undefined && this.#latest.id === id) return this.#latest.message;
    const place = this.place(id);
    return place && this.at(place);
  }

  /** The message with this id, to change; its id, its role and its tool calls must stay. */
  change(id: string): Changeable | undefined {
    if (this.#latest !== undefined && this.#latest.id === id) return this.#latest.message;
    const place = this.place(id);
    const message = place && this.#changeable(place);
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
    const found = firstOf(this.#calls, id);
    const message = found && this.#changeable({ rank: found.key.rank, kind: found.value });
    return message && (message["toolCalls"] as Changeable[])[found.key.call];
  }

  /** Adds a message at the end and tells its place. Of two messages of one id, the id only finds the first. */
  push(message: Members): Place {
    const rank = this.#next;
    this.#next += GAP;
    return this.#put(rank, message);
  }

  /** The place of the message with this id; of several, the first. */
  place(id: string): Place | undefined {
    const found = firstOf(this.#ids, id);
    return found && { rank: found.key.rank, kind: found.value };
  }

  /** The message at a place. */
  at({ rank, kind }: Place): Members | undefined {
    return this.#messages[kind].get(rank);
  }

  /** Puts another message where the one with this id stands. */
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
    this.#note(this.#calls, { id: callId, rank: place.rank, call: calls.length - 1 }, place.kind);
  }

  /**
   * Adds a tool's result after the message that made the call and the results that follow it, or at the end when nobody
   * made the call.
   */
  insertResult(callId: string, message: Members): void {
    const call = firstOf(this.#calls, callId);
    const owner = call?.key.rank;
    if (owner === undefined || this.#roleAt(owner, call?.value) !== "assistant") {
      this.push(message);
      return;
    }
    let last = this.#results.get(owner) ?? owner;
    let next = this.#after(last);
    for (; next !== undefined && this.#roleAt(next.rank, next.kind) === "tool"; next = this.#after(last)) last = next.rank;
    if (next?.rank === last + 1) {
      this.#spread();
      return this.insertResult(callId, message);
    }
    this.#results.set(owner, last + 1);
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
    const restated = new Set<Kind>(["other", ...snapshot.map(kindOf)]);
    for (const kind of restated) this.#removeOthers(kind, latest);
    this.#results = new SharedMap(byNumber);
    const known = snapshot.map((message) => this.#placesOf(textOf(message, "id")));
    for (const [number, message] of snapshot.entries()) {
      const places = known[number] ?? [];
      if (places.length === 0) this.push(message);
      // Of two messages of one id, the last counts.
      else if (latest.get(textOf(message, "id") ?? "") === message) this.#replaceAll(places, message);
    }
  }

  /**
   * Appends text to a member that holds text, of a message or of a call's function; a member of another kind begins anew.
   *
   * Half a character that a failed run left at the end cannot be completed any more when the text goes on, and U+FFFD
   * takes its place. A text that is empty begins as the delta does.
   */
  append(object: Changeable, name: "content" | "arguments", delta: string): void {
    const before = object[name];
    const text = typeof before === "string" ? before : "";
    const isCut = this.#cut.has(object);
    const meets = hasLeadingHalf(delta);
    if (delta === "") object[name] = text;
    else if (isCut === meets || text === "") object[name] = text + delta;
    else object[name] = isCut ? text.slice(0, -1) + REPLACEMENT + delta : text + REPLACEMENT + delta.slice(1);
    if (delta === "") return;
    if (hasTrailingHalf(delta)) this.#cut.add(object);
    else if (isCut) this.#cut.delete(object);
  }

  /** Whether a message holds this tool call. */
  holdsCall(id: string): boolean {
    return firstOf(this.#calls, id) !== undefined;
  }

  /** Whether two messages or two tool calls have one id. */
  get hasSharedIds(): boolean {
    return this.#shared > 0;
  }

  /** The messages in order. Nothing may be changed before the last one is taken. */
  *messages(): Generator<Members, undefined> {
    const all = KINDS.map((kind) => this.#messages[kind].entries());
    const next = all.map((entries) => entries.next().value);
    for (;;) {
      const first = firstRank(next);
      const entry = next[first];
      if (entry === undefined) return;
      yield entry.value;
      next[first] = all[first]?.next().value;
    }
  }

  /** Whether the messages of both are the same. */
  equals(other: Thread): boolean {
    if (this.size !== other.size) return false;
    const others = other.messages();
    for (const message of this.messages()) if (!sameValue(message, others.next().value)) return false;
    return true;
  }

  #put(rank: number, message: Members): Place {
    const kind = kindOf(message);
    const id = textOf(message, "id");
    this.#latest = undefined;
    this.#messages[kind].set(rank, message);
    if (id !== undefined) this.#note(this.#ids, { id, rank, call: 0 }, kind);
    for (const [call, callId] of callIds(message)) this.#note(this.#calls, { id: callId, rank, call }, kind);
    return { rank, kind };
  }

  #remove({ rank, kind }: Place): void {
    const message = this.#messages[kind].get(rank);
    if (message === undefined) return;
    const id = textOf(message, "id");
    this.#latest = undefined;
    this.#messages[kind].delete(rank);
    if (id !== undefined) this.#forget(this.#ids, { id, rank, call: 0 });
    for (const [call, callId] of callIds(message)) this.#forget(this.#calls, { id: callId, rank, call });
  }

  #replaceAt(place: Place, message: Members): void {
    const before = this.at(place);
    if (before !== undefined && textOf(before, "role") !== textOf(message, "role")) {
      this.#results = new SharedMap(byNumber);
    }
    this.#remove(place);
    this.#put(place.rank, message);
  }

  /** Most snapshots repeat most messages, which stay shared. */
  #replaceAll(places: readonly Place[], message: Members): void {
    for (const place of places) if (!sameValue(this.at(place), message)) this.#replaceAt(place, message);
  }

  /** Removes the messages of a kind but for those that a snapshot holds. */
  #removeOthers(kind: Kind, holds: ReadonlyMap<string, unknown>): void {
    const goes = [];
    for (const { key: rank, value } of this.#messages[kind].entries()) {
      const id = textOf(value, "id");
      if (id === undefined || !holds.has(id)) goes.push(rank);
    }
    for (const rank of goes) this.#remove({ rank, kind });
  }

  #placesOf(id: string | undefined): Place[] {
    const places: Place[] = [];
    if (id === undefined) return places;
    for (let rank = 0; ; rank += 1) {
      const found = this.#ids.from({ id, rank, call: 0 });
      if (found?.key.id !== id) return places;
      rank = found.key.rank;
      places.push({ rank, kind: found.value });
    }
  }

  /** The place of the message behind a rank. */
  #after(rank: number): Place | undefined {
    let first: Place | undefined;
    for (const kind of KINDS) {
      const entry = this.#messages[kind].from(rank + 1);
      if (entry !== undefined && (first === undefined || entry.key < first.rank)) first = { rank: entry.key, kind };
    }
    return first;
  }

  #roleAt(rank: number, kind: Kind = "other"): string | undefined {
    const message = this.at({ rank, kind });
    return message && textOf(message, "role");
  }

  /** Gives all ranks anew, with whole gaps between them. */
  #spread(): void {
    const messages = [...this.messages()];
    this.#messages = messagesByKind();
    this.#ids = idPlaces();
    this.#calls = idPlaces();
    this.#results = new SharedMap(byNumber);
    this.#next = GAP;
    this.#shared = 0;
    for (const message of messages) this.push(message);
  }

  /** A message that may be changed, with its tool calls. */
  #changeable({ rank, kind }: Place): Changeable | undefined {
    const shared = this.#messages[kind].get(rank);
    if (shared === undefined || this.#own.has(shared)) return shared as Changeable | undefined;
    const message: Changeable = this.#own.add({ ...shared });
    const calls = message["toolCalls"];
    if (Array.isArray(calls)) message["toolCalls"] = calls.map((call) => this.#copyOfCall(call));
    this.#noteCut(message, "content");
    this.#messages[kind].set(rank, message);
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
    if (typeof text === "string" && hasTrailingHalf(text)) this.#cut.add(object);
    return object;
  }

  #note(ids: Ids, place: IdPlace, kind: Kind): void {
    if (firstOf(ids, place.id) !== undefined) this.#shared += 1;
    ids.set(place, kind);
  }

  #forget(ids: Ids, place: IdPlace): void {
    ids.delete(place);
    if (firstOf(ids, place.id) !== undefined) this.#shared -= 1;
  }
}

function byNumber(one: number, other: number): number {
  return one - other;
}

function byId(one: IdPlace, other: IdPlace): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return one.rank - other.rank || one.call - other.call;
}

function idPlaces(): Ids {
  return new SharedMap<IdPlace, Kind>(byId);
}

function messagesByKind(): Record<Kind, SharedMap<number, Members>> {
  const none = (): SharedMap<number, Members> => new SharedMap(byNumber);
  return { activity: none(), reasoning: none(), other: none() };
}

function firstOf(ids: Ids, id: string): Entry<IdPlace, Kind> | undefined {
  const found = ids.from({ id, rank: 0, call: 0 });
  return found?.key.id === id ? found : undefined;
}

/** Which of the entries stands first. */
function firstRank(entries: readonly (Entry<number, Members> | undefined)[]): number {
  let first = 0;
  for (const [at, entry] of entries.entries()) {
    if (entry !== undefined && entry.key < (entries[first]?.key ?? Infinity)) first = at;
  }
  return first;
}

function kindOf(message: Members): Kind {
  const role = textOf(message, "role");
  return role === "activity" || role === "reasoning" ? role : "other";
}

/** The tool calls of a message that have an id, each with its place among them. */
function callIds(message: Members): [number, string][] {
  const calls = message["toolCalls"];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: Members | null, place): [number, string][] => {
    const id: unknown = call?.["id"];
    return typeof id === "string" ? [[place, id]] : [];
  });
}

/** Folds metadata into an object, name by name; the last write wins. */
export function foldMetadata(object: Changeable, metadata: Members | undefined): void {
  if (metadata !== undefined) setMember(object, "metadata", folded(object["metadata"], metadata));
}

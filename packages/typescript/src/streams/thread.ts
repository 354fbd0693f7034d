// The messages of a thread in order, as events build them.

import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";
import { hasLeadingHalf, hasTrailingHalf } from "./halves.js";
import { folded, setMember, type Own } from "./values.js";

/** A message in its place; whoever wants to change it takes it from `Thread.change`. */
interface Node extends Place {
  message: Members;
  before: Node | undefined;
  after: Node | undefined;
  removed: boolean;
}

/** The place of a message. */
export interface Place {
  readonly message: Members;
}

/** Where a tool call stands: the message and the place among its calls. */
interface CallPlace {
  readonly node: Node;
  readonly call: number;
}

/** An object that may be changed. */
export type Changeable = Record<string, unknown>;

/** What stands in the place of half a character that nothing completes. */
const REPLACEMENT = "\ufffd";

/** What a snapshot may leave where it is: activities and reasoning. */
const KINDS = ["activity", "reasoning", "other"] as const;
type Kind = (typeof KINDS)[number];

/** The messages, with the places of ids kept beside them, so that an event costs what it changes. */
export class Thread {
  #first: Node | undefined;
  #last: Node | undefined;
  readonly #places = new Map<string, Node>();
  readonly #calls = new Map<string, CallPlace>();
  /** The messages of each kind. One that went or changed its role is still named where it was. */
  #kinds: Record<Kind, Node[]> = { activity: [], reasoning: [], other: [] };
  /** By assistant messages, the last of the results that follow them. */
  readonly #results = new Map<Node, Node>();
  /** Whether two messages or two tool calls have had one id, of which only the first is found. */
  #hasTwins = false;
  /** What has a text that ends in half a character. To look at the end of a long text would take it together first. */
  readonly #cut = new WeakSet<object>();

  readonly #own: Own;

  constructor(own: Own) {
    this.#own = own;
  }

  /** The same messages for a branch, of which each changes its own. */
  copy(own: Own): Thread {
    const copied = new Thread(own);
    for (const message of this.messages()) copied.push(message);
    return copied;
  }

  /** The message with this id; of several, the first. */
  find(id: string): Members | undefined {
    return this.#places.get(id)?.message;
  }

  /** The message with this id, to change; its id, its role and its tool calls must stay. */
  change(id: string): Changeable | undefined {
    const node = this.#places.get(id);
    return node && this.#owned(node);
  }

  /** The role of the message with this id. */
  role(id: string): string | undefined {
    const message = this.find(id);
    return message && textOf(message, "role");
  }

  /** The tool call with this id, to change; its id must stay. */
  changeCall(id: string): Changeable | undefined {
    const place = this.#calls.get(id);
    return place && (this.#owned(place.node)["toolCalls"] as Changeable[])[place.call];
  }

  /** Adds a message at the end. Of two messages of one id, the id only finds the first. */
  push(message: Members): Place {
    const node = this.#insert(message, this.#last);
    this.#note(node);
    return node;
  }

  /** The place of the message with this id; of several, the first. */
  place(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** Puts another message where the one with this id stands. */
  replace(id: string, message: Members): void {
    const node = this.#places.get(id);
    if (node === undefined) return;
    this.#replaceAt(node, message);
    this.#noteTwins();
  }

  /** Adds a tool call to the assistant message at this place. */
  pushCall(place: Place, callId: string, call: Changeable): void {
    const node = place as Node;
    const message = this.#owned(node);
    message["toolCalls"] ??= [];
    const calls = message["toolCalls"];
    if (!Array.isArray(calls)) return;
    calls.push(call);
    this.#noteCall(callId, { node, call: calls.length - 1 });
  }

  /**
   * Adds a tool's result after the message that made the call and the results that follow it, or at the end when nobody
   * made the call.
   */
  insertResult(callId: string, message: Members): void {
    const owner = this.#calls.get(callId)?.node;
    if (owner === undefined || textOf(owner.message, "role") !== "assistant") {
      this.push(message);
      return;
    }
    let last = this.#results.get(owner) ?? owner;
    while (last.after !== undefined && textOf(last.after.message, "role") === "tool") last = last.after;
    const node = this.#insert(message, last);
    this.#results.set(owner, node);
    this.#note(node);
    this.#noteTwins();
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
    if (this.#hasTwins) return this.#applyToTwins(snapshot, latest, restated);
    this.#remove(restated, latest);
    const known = new Map(snapshot.map((message) => [message, this.#places.get(textOf(message, "id") ?? "")]));
    for (const message of snapshot) {
      const id = textOf(message, "id");
      const node = id === undefined ? undefined : known.get(message);
      if (node === undefined) this.push(message);
      else if (latest.get(id as string) === message) this.#replaceAt(node, message);
    }
    this.#noteTwins();
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
    return this.#calls.has(id);
  }

  /** The messages in order. */
  messages(): Members[] {
    const messages: Members[] = [];
    for (let node = this.#first; node !== undefined; node = node.after) messages.push(node.message);
    return messages;
  }

  /** The same where an id does not tell two messages apart: both take the snapshot's value. */
  #applyToTwins(
    snapshot: readonly Members[],
    latest: ReadonlyMap<string, Members>,
    restated: ReadonlySet<Kind>,
  ): void {
    const known = new Set<string>();
    const before = this.messages();
    this.#clear();
    for (const message of before) {
      const id = textOf(message, "id");
      if (id !== undefined) known.add(id);
      const now = id === undefined ? undefined : latest.get(id);
      if (now !== undefined) this.push(now);
      else if (!restated.has(kindOf(message))) this.push(message);
    }
    for (const message of snapshot) {
      const id = textOf(message, "id");
      if (id === undefined || !known.has(id)) this.push(message);
    }
  }

  /** Removes the messages of some kinds but for those that a snapshot holds, which take its value afterwards. */
  #remove(restated: ReadonlySet<Kind>, latest: ReadonlyMap<string, Members>): void {
    for (const kind of restated) {
      const nodes = this.#kinds[kind];
      this.#kinds[kind] = [];
      for (const node of nodes) {
        const id = textOf(node.message, "id");
        if (node.removed || kindOf(node.message) !== kind || (id !== undefined && latest.has(id))) continue;
        this.#forget(node);
        this.#unlink(node);
      }
    }
    this.#results.clear();
  }

  #clear(): void {
    this.#first = this.#last = undefined;
    this.#places.clear();
    this.#calls.clear();
    this.#kinds = { activity: [], reasoning: [], other: [] };
    this.#results.clear();
    this.#hasTwins = false;
  }

  #insert(message: Members, before: Node | undefined): Node {
    const after = before === undefined ? this.#first : before.after;
    const node: Node = { message, before, after, removed: false };
    if (before === undefined) this.#first = node;
    else before.after = node;
    if (after === undefined) this.#last = node;
    else after.before = node;
    return node;
  }

  #unlink(node: Node): void {
    node.removed = true;
    if (node.before === undefined) this.#first = node.after;
    else node.before.after = node.after;
    if (node.after === undefined) this.#last = node.before;
    else node.after.before = node.before;
  }

  #replaceAt(node: Node, message: Members): void {
    this.#forget(node);
    if (textOf(node.message, "role") !== textOf(message, "role")) this.#results.clear();
    node.message = message;
    this.#note(node);
  }

  /** A message that may be changed, with its tool calls. */
  #owned(node: Node): Changeable {
    if (this.#own.has(node.message)) return node.message as Changeable;
    const message: Changeable = this.#own.add({ ...node.message });
    const calls = message["toolCalls"];
    if (Array.isArray(calls)) message["toolCalls"] = calls.map((call) => this.#copyOfCall(call));
    this.#noteCut(message, "content");
    node.message = message;
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

  /** Notes where the ids of a message stand. */
  #note(node: Node): void {
    this.#kinds[kindOf(node.message)].push(node);
    const id = textOf(node.message, "id");
    const known = id === undefined ? node : this.#places.get(id);
    if (id !== undefined && known === undefined) this.#places.set(id, node);
    else this.#hasTwins ||= known !== node;
    for (const [call, callId] of callIds(node.message)) this.#noteCall(callId, { node, call });
  }

  #noteCall(id: string, place: CallPlace): void {
    if (this.#calls.has(id)) this.#hasTwins = true;
    else this.#calls.set(id, place);
  }

  /** Forgets where the ids of a message stand. */
  #forget(node: Node): void {
    const id = textOf(node.message, "id");
    if (id !== undefined && this.#places.get(id) === node) this.#places.delete(id);
    for (const [, callId] of callIds(node.message)) {
      if (this.#calls.get(callId)?.node === node) this.#calls.delete(callId);
    }
  }

  /** Finds all ids again if one stands twice: which of the two is first may have changed. */
  #noteTwins(): void {
    if (!this.#hasTwins) return;
    this.#hasTwins = false;
    this.#places.clear();
    this.#calls.clear();
    this.#kinds = { activity: [], reasoning: [], other: [] };
    for (let node = this.#first; node !== undefined; node = node.after) this.#note(node);
  }
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

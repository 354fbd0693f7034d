// Which messages the path of a run holds, so that its input need not repeat them.
//
// Of a message that the events of one run build, or that comes whole, the value is known. What a later run does to it makes
// its value unknown, and nothing that is unknown is dropped from an input. What is known depends only on events that
// compaction keeps, so that compacting again finds the same.

import { roleOf as eventRoleOf, type ItemName, type StreamedKind } from "../../generated/events.js";
import type {
  ActivityDeltaEvent,
  ActivitySnapshotEvent,
  Event,
  Message,
  MessagesSnapshotEvent,
  ReasoningEncryptedValueEvent,
  ToolCallResultEvent,
} from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import { idOf, membersOf, saidOf, textOf, type Said } from "../events.js";
import { callIdsOf } from "../owners.js";
import type { DeltaEvent } from "../plain.js";
import { folded, optional, sameValue } from "../values.js";
import {
  Calls,
  confirm,
  Entries,
  roleAt,
  roleOf,
  sameKnown,
  whenRestated,
  withResult,
  type Known,
  type Role,
} from "./entries.js";
import type { Part } from "./part.js";
import { isStreamed } from "./spans.js";
import { classOf, Path, type MessageClass, type Place } from "./path.js";

type Mutable = Record<string, unknown>;

/** A tool call of a message that this run makes. */
interface CallDraft extends Mutable {
  function: { name: string; arguments: string };
}

/** A message that the run in progress made or changed. */
interface RunMessage extends Known {
  /** The message while the events of this run alone build it. */
  readonly draft?: Mutable & { toolCalls?: CallDraft[] };
}

/** Where a call of the run stands: in a draft, in a message that its id does not find, or in one that others made too. */
type CallPlace = { readonly holder: string; readonly call: CallDraft } | "hidden" | "elsewhere";

/** What an event says of the item that it begins. */
interface Named extends Said<StreamedKind> {
  readonly id: string;
}

/** What names and opens an item. */
export interface Item extends Named {
  readonly metadata: Members | undefined;
}

/** The messages that the run in progress made or changed. */
class RunMessages {
  readonly messages = new Map<string, RunMessage>();
  readonly calls = new Map<string, CallPlace>();
  /** The calls that the run's messages make, with the messages. */
  readonly holders: (readonly [call: string, holder: string])[] = [];
  /** The classes of messages that a snapshot restated. */
  readonly restated: MessageClass[] = [];

  constructor(
    readonly place: Place,
    readonly predecessor: Place | undefined,
  ) {}
}

/** The messages of a log. */
export class Held {
  readonly #path = new Path();
  readonly #entries = new Entries();
  readonly #calls = new Calls();
  #run = new RunMessages(0, undefined);

  /** Begins a run. */
  beginRun(runId: string, parentRunId: string | undefined): void {
    const place = this.#path.begin(runId, parentRunId);
    this.#run = new RunMessages(place, this.#path.predecessor(place));
  }

  /**
   * Takes a message of the run's input, and tells whether the path holds it. One that is new is held from now on. A message
   * of a subagent is never told to be held: a verifier learns its owner from the input of each run.
   */
  takeInput(message: Message): boolean {
    const value = membersOf(message);
    const id = textOf(value, "id");
    if (id === undefined) return false;
    const known = this.#run.messages.get(id) ?? this.#entries.at(this.#path, this.#run.predecessor, id);
    if (known !== undefined) {
      const isHeld = known.value !== undefined && sameValue(known.value, value);
      return isHeld && textOf(value, "subagentRunId") === undefined;
    }
    this.#run.messages.set(id, { role: roleOf(message.role), value });
    this.#noteCalls(id, message);
    return false;
  }

  /** Takes an event that stands in the run as it is. */
  event(event: Event): void {
    const role = eventRoleOf(event.type);
    const metadata = event.metadata as Members | undefined;
    switch (role?.does) {
      case "begin":
        if (isStreamed(role.item)) this.begin({ ...(saidOf(event, role) as Named), metadata });
        return;
      case "append":
        return this.#continue(role.item, idOf(event, role), (event as DeltaEvent).delta, metadata);
      case "end":
        if (isStreamed(role.item)) this.#continue(role.item, idOf(event, role), undefined, metadata);
        return;
      case "add":
        return this.#callResult(event as ToolCallResultEvent);
      case "replace":
        return this.#replaced(event, role.item);
      case "patch":
        if (role.item === "activity") this.#activityDelta(event as ActivityDeltaEvent);
        return;
      case "annotate":
        return this.#encryptedValue(event as ReasoningEncryptedValueEvent);
      default:
    }
  }

  /** Takes the joined deltas of an item. */
  append(kind: StreamedKind, id: string, part: Part): void {
    const delta = part.hasDelta ? part.delta ?? "" : undefined;
    this.#continue(kind, id, delta, part.metadata);
  }

  /** Begins an item. */
  begin(item: Item): void {
    if (item.kind === "tool-call") return this.#beginCall(item);
    const { kind, id, heads, subagentRunId, metadata } = item;
    if (this.#role(id) === undefined) {
      const role = kind === "reasoning" ? "reasoning" : heads["role"] ?? "assistant";
      const others = { ...optional("name", heads["name"]), ...optional("subagentRunId", subagentRunId) };
      this.#setDraft(id, { id, role, content: "", ...others });
    }
    this.#continueMessage(id, undefined, metadata);
  }

  /** Learns the unknown values from the messages as they are at the end of the run in progress. */
  learn(messages: readonly Members[]): void {
    const isUnknown = ({ draft, value }: RunMessage): boolean => draft === undefined && value === undefined;
    if (![...this.#run.messages.values()].some(isUnknown)) return;
    const seen = new Set<string>();
    for (const value of messages) {
      const id = textOf(value, "id");
      const known = id === undefined ? undefined : this.#run.messages.get(id);
      if (id === undefined || known === undefined || known.draft !== undefined || seen.has(id)) continue;
      seen.add(id);
      if (isUnknown(known)) this.#run.messages.set(id, { role: roleOf(textOf(value, "role") ?? ""), value });
    }
    for (const [id, known] of this.#run.messages) if (isUnknown(known)) this.#run.messages.delete(id);
  }

  /** Ends the run in progress: hands what it made of messages on to those that come after it. */
  endRun(): void {
    const path = this.#path;
    const run = this.#run;
    for (const restated of run.restated) path.restate(run.place, restated);
    for (const [id, { role, value, draft }] of run.messages) {
      const known: Known = { role, value: draft ?? value };
      if (!this.#stands(id, known)) this.#entries.add(run.place, id, known);
    }
    for (const [call, holder] of run.holders) this.#calls.add(call, holder);
    this.#run = new RunMessages(run.place, run.predecessor);
  }

  /** Whether a message is at the end of the run in progress as it was before the run. */
  #stands(id: string, { role, value }: Known): boolean {
    const path = this.#path;
    const run = this.#run;
    const before = this.#entries.at(path, run.predecessor, id);
    if (before === undefined || roleAt(path, run.predecessor as Place, before) !== role) return false;
    if (!sameKnown(before.value, value)) return false;
    const messages = classOf(role);
    const isRestated = messages !== undefined && run.restated.includes(messages);
    return !isRestated || confirm(path, run.place, before);
  }

  #noteCalls(id: string, message: Message): void {
    for (const call of callIdsOf(message)) {
      this.#run.holders.push([call, id]);
      if (!this.#run.calls.has(call)) this.#run.calls.set(call, "elsewhere");
    }
  }

  /** The role of the message that has this id now. */
  #role(id: string): Role | undefined {
    const own = this.#run.messages.get(id);
    if (own !== undefined) return own.role;
    const path = this.#path;
    const run = this.#run;
    const entry = this.#entries.at(path, run.predecessor, id);
    if (entry === undefined) return undefined;
    const before = roleAt(path, run.predecessor as Place, entry);
    const role = run.restated.includes("conversation") ? whenRestated(before) : before;
    const messages = classOf(role);
    return messages !== undefined && run.restated.includes(messages) ? undefined : role;
  }

  #setDraft(id: string, draft: NonNullable<RunMessage["draft"]>): void {
    this.#run.messages.set(id, { role: roleOf(draft["role"] as string), value: undefined, draft });
  }

  #draft(id: string): RunMessage["draft"] {
    return this.#run.messages.get(id)?.draft;
  }

  /** Makes the value of a message unknown, if there is such a message. */
  #touch(id: string): void {
    const role = this.#role(id);
    if (role !== undefined) this.#run.messages.set(id, { role, value: undefined });
  }

  /** Makes the value of a message unknown, whether or not there is one. */
  #doubt(id: string): void {
    this.#run.messages.set(id, { role: this.#role(id) ?? "doubtful", value: undefined });
  }

  #continue(kind: StreamedKind, id: string, delta: string | undefined, metadata: Members | undefined): void {
    if (kind === "tool-call") this.#continueCall(id, delta, metadata);
    else this.#continueMessage(id, delta, metadata);
  }

  #continueMessage(id: string, delta: string | undefined, metadata: Members | undefined): void {
    if (delta === undefined && metadata === undefined) return;
    const draft = this.#draft(id);
    if (draft !== undefined) {
      if (delta !== undefined) draft["content"] = ((draft["content"] as string | undefined) ?? "") + delta;
      foldInto(draft, metadata);
    } else if (this.#role(id) !== "activity") {
      this.#touch(id);
    }
  }

  #beginCall(item: Item): void {
    const { id, heads, metadata } = item;
    const parent = heads["parentMessageId"];
    const place = this.#run.calls.get(id);
    if (place === "hidden") return;
    if (typeof place === "object") {
      const call = this.#callDraft(place);
      if (call === undefined) return this.#beginCallAgain(id, parent);
      call.function.name = heads["toolCallName"] ?? "";
      return foldInto(call, metadata);
    }
    // Whether an earlier run made the call, and no snapshot of this run took its message away.
    const isEarlier = !this.#run.restated.includes("conversation") && this.#calls.isKnown(id);
    if (place === "elsewhere" || isEarlier) this.#beginCallAgain(id, parent);
    else this.#beginNewCall(item, parent);
  }

  /** A call that another event made before, perhaps in a message that is gone by now. */
  #beginCallAgain(id: string, parent: string | undefined): void {
    this.#touchHolders(id);
    this.#doubt(id);
    if (parent !== undefined) this.#doubt(parent);
    this.#run.calls.set(id, "elsewhere");
    this.#run.holders.push([id, id]);
    if (parent !== undefined) this.#run.holders.push([id, parent]);
  }

  /** A call goes into its parent if that is an assistant's message, else into a new message. */
  #beginNewCall(item: Item, parent: string | undefined): void {
    const { id, subagentRunId } = item;
    const role = parent === undefined ? undefined : this.#role(parent);
    if (parent !== undefined && role === "doubtful") return this.#beginCallAgain(id, parent);
    const isParent = role === "assistant";
    const holder = parent !== undefined && (role === undefined || isParent) ? parent : id;
    this.#run.holders.push([id, holder]);
    const exists = this.#role(holder);
    if (exists === "doubtful") return this.#beginCallAgain(id, holder);
    if (exists !== undefined && !isParent) {
      this.#run.calls.set(id, "hidden");
      return;
    }
    if (exists !== undefined && this.#draft(holder) === undefined) {
      this.#touch(holder);
      this.#run.calls.set(id, "elsewhere");
      return;
    }
    if (exists === undefined) {
      this.#setDraft(holder, { id: holder, role: "assistant", ...optional("subagentRunId", subagentRunId) });
    }
    this.#addCall(holder, item);
  }

  #addCall(holder: string, { id, heads, metadata }: Item): void {
    const draft = this.#draft(holder);
    if (draft === undefined) return;
    const call: CallDraft = {
      id,
      type: "function",
      function: { name: heads["toolCallName"] ?? "", arguments: "" },
      ...optional("metadata", metadata),
    };
    (draft.toolCalls ??= []).push(call);
    this.#run.calls.set(id, { holder, call });
  }

  #continueCall(id: string, delta: string | undefined, metadata: Members | undefined): void {
    if (delta === undefined && metadata === undefined) return;
    const call = this.#changeCall(id);
    if (call === undefined) return;
    call.function.arguments += delta ?? "";
    foldInto(call, metadata);
  }

  #encryptedValue(event: ReasoningEncryptedValueEvent): void {
    const { subtype, entityId: id, encryptedValue, encryptedValueType } = event;
    const call = subtype === "tool-call" ? this.#changeCall(id) : undefined;
    const entity = subtype === "tool-call" ? call : this.#draft(id);
    if (entity !== undefined) {
      entity["encryptedValue"] = encryptedValue;
      entity["encryptedValueType"] = encryptedValueType;
    } else if (subtype !== "tool-call" && this.#role(id) !== "activity") {
      this.#touch(id);
    }
  }

  /** The draft of a call that changes; the messages that may hold it are unknown from now on if there is none. */
  #changeCall(id: string): CallDraft | undefined {
    const place = this.#run.calls.get(id);
    if (place === "hidden") return undefined;
    const call = this.#callDraft(place);
    if (call === undefined) this.#touchHolders(id);
    return call;
  }

  /** The draft of a call, if its message is still one. */
  #callDraft(place: CallPlace | undefined): CallDraft | undefined {
    if (typeof place !== "object") return undefined;
    return this.#draft(place.holder) === undefined ? undefined : place.call;
  }

  #touchHolders(id: string): void {
    const holders = new Set(this.#run.restated.includes("conversation") ? [] : this.#calls.holders(id));
    for (const [call, holder] of this.#run.holders) if (call === id) holders.add(holder);
    for (const holder of holders) this.#touch(holder);
  }

  /** A result is a message of its own. What stands with two of one id depends on their order. */
  #callResult(event: ToolCallResultEvent): void {
    const { messageId: id, toolCallId, content, subagentRunId, metadata } = event;
    const role = this.#role(id);
    const others = { ...optional("subagentRunId", subagentRunId), ...optional("metadata", metadata) };
    const value = { id, toolCallId, role: "tool", content, ...others };
    this.#run.messages.set(id, role === undefined ? { role: "other", value } : unknown(withResult(role)));
  }

  #replaced(event: Event, item: ItemName | undefined): void {
    if (item === "messages") this.#messagesSnapshot((event as MessagesSnapshotEvent).messages);
    else if (item === "activity") this.#activitySnapshot(event as ActivitySnapshotEvent);
  }

  #activityDelta({ messageId }: ActivityDeltaEvent): void {
    if (this.#role(messageId) === "activity") this.#touch(messageId);
  }

  /** The values of activities are not followed. */
  #activitySnapshot({ messageId: id, replace: replaces = true, metadata }: ActivitySnapshotEvent): void {
    const hasMetadata = metadata !== undefined;
    const role = this.#role(id);
    if (role === "shared" || role === "doubtful") return;
    if (role !== undefined && !replaces && !(role === "activity" && hasMetadata)) return;
    this.#run.messages.set(id, unknown("activity"));
  }

  /** Only what a snapshot holds stays, and activities and reasoning if it holds none of them. */
  #messagesSnapshot(snapshot: readonly Message[]): void {
    const run = this.#run;
    const restated: MessageClass[] = ["conversation"];
    if (snapshot.some(({ role }) => role === "activity")) restated.push("activities");
    if (snapshot.some(({ role }) => role === "reasoning")) restated.push("reasoning");
    for (const messages of restated) if (!run.restated.includes(messages)) run.restated.push(messages);
    for (const [id, known] of run.messages) {
      const messages = classOf(known.role);
      if (messages !== undefined && restated.includes(messages)) run.messages.delete(id);
      else if (known.draft === undefined) run.messages.set(id, { ...known, role: whenRestated(known.role) });
    }
    // From here on the only calls are those that the messages of the snapshot make.
    run.calls.clear();
    run.holders.length = 0;
    const seen = new Set<string>();
    for (const message of snapshot) {
      const value = membersOf(message);
      const id = textOf(value, "id");
      if (id === undefined) continue;
      run.messages.set(id, { role: roleOf(message.role), value: seen.has(id) ? undefined : value });
      seen.add(id);
      this.#noteCalls(id, message);
    }
  }
}

function unknown(role: Role): RunMessage {
  return { role, value: undefined };
}

function foldInto(object: Mutable, metadata: Members | undefined): void {
  if (metadata !== undefined) object["metadata"] = folded(object["metadata"], metadata);
}

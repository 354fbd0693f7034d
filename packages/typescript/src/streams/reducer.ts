// One pass over the events of a path of runs: what they mean.
//
// Names many events: each changes messages, state or runs in its own way, which no role can say.

import { isObject } from "../runtime/check.js";
import { roleOf, type EventRole, type ItemKind, type ItemName } from "../generated/events.js";
import type {
  ActivityDeltaEvent,
  ActivitySnapshotEvent,
  Event,
  Interrupt,
  JsonPatch,
  Message,
  MessagesSnapshotEvent,
  ReasoningEncryptedValueEvent,
  RunErrorEvent,
  RunFinishedEvent,
  RunStartedEvent,
  StateDeltaEvent,
  StateSnapshotEvent,
  ToolCallResultEvent,
} from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { Fault } from "../runtime/rejection.js";
import type { ChunkEvent } from "./chunks.js";
import { membersOf, parentOf, textOf } from "./events.js";
import type { TextEnds } from "./surrogates.js";
import type { Beginning, Opened, OpenItem, Steps } from "./items.js";
import { isKnownPatch, Patched, type PatchFailure } from "./patch.js";
import type { Place } from "./places.js";
import type { DeltaEvent } from "./plain.js";
import type { Remarks } from "./remarks.js";
import { foldMetadata, Thread, type Changeable } from "./thread.js";
import { Tracker } from "./tracker.js";
import { optional, Own } from "./values.js";
import type { Violation } from "./violation.js";

/** The status of a run. */
export type RunStatus = "running" | "finished" | "failed" | "interrupted" | "cancelled";

/** A run as a replay finds it. */
export interface Run {
  /** Its id; null for an error before any run. */
  readonly runId: string | null;
  /** The run that it names as its parent. */
  readonly parentRunId?: string;
  readonly status: RunStatus;
  /** The outcome that it finished with, as it was sent. */
  readonly outcome?: NonNullable<RunFinishedEvent["outcome"]>;
  /** The result that it finished with. */
  readonly result?: NonNullable<unknown>;
  /** Why it failed: what its `RUN_ERROR` says for people, and for programs. */
  readonly error?: { readonly message: string; readonly code?: string };
  /** The tokens that it used, as the last event that ended it gave them. */
  readonly usage?: NonNullable<RunFinishedEvent["usage"]>;
}

/** The meaning of a stream at the end of one of its runs. What is in it may be part of the events; change neither. */
export interface Replay {
  /** The messages in order, each with every member. */
  readonly messages: readonly Message[];
  /** The shared state. */
  readonly state: unknown;
  /** The runs that lead here, the earliest first. */
  readonly runs: readonly Run[];
  /** What was begun and not ended, in the order of beginning. */
  readonly open: readonly OpenItem[];
  /** What the last finished run waits for. */
  readonly interrupts: readonly Interrupt[];
}

/** A replay between two events: what is open, and what was said. */
export class Reducer {
  constructor(
    readonly tracker = new Tracker(),
    readonly conversation = new Conversation(),
  ) {}

  /** Applies the event of this index. An event that is not allowed here is rejected. Throws a `Fault` at a limit. */
  apply(index: number, event: Event, messages?: readonly Message[]): Violation | undefined {
    const role = roleOf(event.type);
    this.conversation.begin(index, event, role);
    const found = this.tracker.take(index, event, role, this.conversation);
    if (found === undefined) this.conversation.apply(messages);
    return found;
  }

  /** What is open, each with the index of its first event. */
  open(): Opened[] {
    return this.tracker.open();
  }

  /** What the stream means up to here. */
  finish(): Replay {
    const { messages, state, runs, interrupts } = this.conversation;
    const open = this.open().map(({ item }) => item);
    return { messages: messages as unknown as Message[], state, runs, open, interrupts };
  }
}

/** Something that was done to the state: it was said whole, or patched. */
export type StateChange = { readonly whole: unknown } | { readonly patch: JsonPatch };

/** What was said, whatever the order of its events: every step and every event can be applied. */
export class Conversation implements Steps {
  /** What was done to the state since the run began, from where it was said whole. */
  stateChanges: StateChange[] = [];
  /** Whether the state is known: no operation was left out since it was said whole. */
  knowsState = true;
  /** Whether the messages are known: no operation on an activity and no encrypted value was left out. */
  knowsMessages = true;
  interrupts: readonly Interrupt[] = [];
  runs: Run[] = [];
  /** Takes what is passed over, if the caller asks for it. */
  remarks: Remarks | undefined;
  /** How many bytes the patches of this run have copied in activities. */
  #copiedActivities = 0;
  #index = 0;
  #event: Event | undefined;
  #role: EventRole | undefined;

  /**
   * @param thread the messages
   * @param document the state; nothing if it is not asked for, or a later run has taken it along
   */
  constructor(
    readonly thread = new Thread(),
    public document: Patched | undefined = new Patched({}, new Own()),
  ) {}

  /** The messages up to here. They are the caller's too from now on, so none of them is changed in place. */
  get messages(): Members[] {
    this.thread.share();
    return this.thread.messages();
  }

  /** The state up to here, which is the caller's too from now on. */
  get state(): unknown {
    this.document?.share();
    return this.document?.value;
  }

  /** Begins with the event of this index, whose steps come next. */
  begin(index: number, event: Event, role: EventRole | undefined): void {
    this.#index = index;
    this.#event = event;
    this.#role = role;
  }

  begun(beginning: Beginning): void {
    if (beginning.kind === "text" || beginning.kind === "reasoning") this.#messageBegun(beginning);
    else if (beginning.kind === "tool-call") this.#callBegun(beginning);
  }

  appended(kind: ItemKind, id: string): void {
    this.continued(kind, id, this.#delta, this.#metadata);
  }

  ended(kind: ItemKind, id: string): void {
    this.continued(kind, id, this.#delta, this.#metadata);
  }

  idle(): void {}

  /** Who ends an item by being about something else says nothing of it. */
  closed(): void {}

  left(): void {}

  /** Continues an item with text and metadata, or with one of the two. */
  continued(
    kind: ItemKind,
    id: string,
    delta: string | undefined,
    metadata: Members | undefined,
    ends?: TextEnds,
  ): void {
    if (delta === undefined && metadata === undefined) return;
    if (kind === "text" || kind === "reasoning") this.#continueMessage(id, delta, metadata, ends);
    else if (kind === "tool-call") this.#continueCall(id, delta, metadata, ends);
  }

  /** Applies the event itself. Those that only begin, continue or end an item are done by now. Throws a `Fault` at a limit. */
  apply(messages?: readonly Message[]): void {
    const event = this.#event as Event;
    switch (this.#role?.does) {
      case "start-run":
        return this.#runStarted(event as RunStartedEvent, messages);
      case "end-run":
        // An error names no run: it is the run in progress that fails.
        if (this.#role.id === undefined) return this.#runFailed(event as RunErrorEvent);
        return this.#runFinished(event as RunFinishedEvent);
      case "replace":
        return this.#replaced(event, this.#role.item);
      case "patch":
        if (this.#role.item === "activity") return this.#activityDelta(event as ActivityDeltaEvent);
        return this.#statePatched(event as StateDeltaEvent);
      case "annotate":
        return this.#encryptedValue(event as ReasoningEncryptedValueEvent);
      case "add":
        return this.#callResult(event as ToolCallResultEvent);
      default:
    }
  }

  /** Begins a text or reasoning message. A message that exists keeps what it is; an activity is not touched. */
  #messageBegun({ kind, id, heads, subagentRunId }: Beginning): void {
    if (this.thread.find(id) === undefined) {
      const role = kind === "reasoning" ? kind : (heads["role"] ?? "assistant");
      const others = { ...optional("name", heads["name"]), ...optional("subagentRunId", subagentRunId) };
      this.thread.push(this.thread.own.add({ id, role, content: "", ...others }));
    }
    if (this.#metadata !== undefined) this.#continueMessage(id, undefined, this.#metadata);
  }

  /** Begins a tool call. A call that exists takes the new name and is continued. */
  #callBegun(beginning: Beginning): void {
    const { id, heads } = beginning;
    const name = heads["toolCallName"];
    const known = this.thread.changeCall(id);
    if (known !== undefined) {
      const called = known["function"];
      if (isObject(called)) (called as Changeable)["name"] = name;
      return foldMetadata(known, this.#metadata);
    }
    const call = { id, type: "function", function: { name, arguments: "" } };
    foldMetadata(call, this.#metadata);
    this.thread.pushCall(this.#caller(beginning), id, call);
  }

  /**
   * The assistant message that makes a call: the parent, else a new one with the parent's id, else (none is named, or
   * the parent has another role) a new one with the call's id.
   */
  #caller({ id, heads, subagentRunId }: Beginning): Place {
    const parent = heads["parentMessageId"];
    const place = parent === undefined ? undefined : this.thread.place(parent);
    if (place !== undefined && this.thread.role(parent as string) === "assistant") return place;
    const named = parent !== undefined && place === undefined ? parent : id;
    const message = { id: named, role: "assistant", toolCalls: [], ...optional("subagentRunId", subagentRunId) };
    return this.thread.push(this.thread.own.add(message));
  }

  #continueMessage(id: string, delta: string | undefined, metadata: Members | undefined, ends?: TextEnds): void {
    if (this.thread.role(id) === "activity") return;
    const message = this.thread.change(id);
    if (message === undefined) return;
    if (delta !== undefined) this.thread.append(message, "content", delta, ends);
    foldMetadata(message, metadata);
  }

  #continueCall(id: string, delta: string | undefined, metadata: Members | undefined, ends?: TextEnds): void {
    const call = this.thread.changeCall(id);
    if (call === undefined) return;
    const called = call["function"];
    if (delta !== undefined && isObject(called)) this.thread.append(called as Changeable, "arguments", delta, ends);
    foldMetadata(call, metadata);
  }

  /** The text of the event at hand. A chunk without text still makes an empty text of none. */
  get #delta(): string | undefined {
    const does = this.#role?.does;
    if (does !== "append" && does !== "chunk") return undefined;
    return (this.#event as DeltaEvent | ChunkEvent).delta ?? "";
  }

  get #metadata(): Members | undefined {
    return this.#event?.metadata as Members | undefined;
  }

  #replaced(event: Event, item: ItemName | undefined): void {
    if (item === "state") return this.#setState((event as StateSnapshotEvent).snapshot);
    if (item === "activity") return this.#activitySnapshot(event as ActivitySnapshotEvent);
    this.thread.applySnapshot((event as MessagesSnapshotEvent).messages.map(membersOf));
  }

  #setState(whole: unknown): void {
    if (this.document === undefined) return;
    this.document = new Patched(whole, new Own());
    this.stateChanges = [{ whole }];
    this.knowsState = true;
  }

  #statePatched({ delta: patch }: StateDeltaEvent): void {
    if (this.document === undefined) return;
    if (!isKnownPatch(patch)) this.knowsState = false;
    this.remarks?.patch(this.#index, "delta", patch);
    this.stateChanges.push({ patch });
    this.#applies("delta", this.document.apply(patch));
  }

  /** Whether a patch has applied; one that does not is skipped whole. */
  #applies(member: string, failure: PatchFailure | undefined): boolean {
    if (failure !== undefined) this.remarks?.failedPatch(this.#index, member, failure);
    return failure === undefined;
  }

  #runStarted(event: RunStartedEvent, messages: readonly Message[] = event.input?.messages ?? []): void {
    const { runId, input } = event;
    this.runs.push({ runId, ...optional("parentRunId", parentOf(event)), status: "running" });
    if (this.document !== undefined) this.document.copied = 0;
    this.#copiedActivities = 0;
    if (input?.state !== undefined) this.#setState(input.state);
    for (const [place, message] of messages.entries()) this.#inputMessage(place, membersOf(message));
  }

  /** The first copy of a message wins. */
  #inputMessage(place: number, message: Members): void {
    const id = textOf(message, "id");
    const known = id === undefined ? undefined : this.thread.find(id);
    if (known === undefined) this.thread.push(message);
    else this.remarks?.inputMessage(this.#index, place, known, message);
  }

  #runFinished({ outcome, result, usage }: RunFinishedEvent): void {
    const values = { ...optional("outcome", outcome), ...optional("result", result), ...optional("usage", usage) };
    this.#changeRun({ status: statusOf(outcome), ...values });
    this.interrupts = outcome !== undefined && outcome.type === "interrupt" ? outcome.interrupts : [];
  }

  /** Changes the run that is in progress or was last; an error before any run is a run without an id. */
  #changeRun(change: Omit<Run, "runId" | "parentRunId">): void {
    const last = this.runs.pop() ?? { runId: null };
    this.runs.push({ ...last, ...change });
  }

  /** A late error takes nothing away of what the run had finished with. */
  #runFailed({ message, code, usage }: RunErrorEvent): void {
    this.#changeRun({ status: "failed", error: { message, ...optional("code", code) }, ...optional("usage", usage) });
  }

  #activitySnapshot(event: ActivitySnapshotEvent): void {
    const { messageId: id, activityType, content, replace = true, subagentRunId } = event;
    const existing = this.thread.find(id);
    const isActivity = this.thread.role(id) === "activity";
    if (existing !== undefined && !replace) {
      const message = isActivity && this.#metadata !== undefined ? this.thread.change(id) : undefined;
      if (message !== undefined) foldMetadata(message, this.#metadata);
      return;
    }
    // What an activity has beside its type, content and owner stays when it is replaced.
    const { subagentRunId: _, ...kept } = existing !== undefined && isActivity ? existing : { id, role: "activity" };
    const message = this.thread.own.add({
      ...kept,
      activityType,
      content,
      ...optional("subagentRunId", subagentRunId),
    });
    foldMetadata(message, this.#metadata);
    if (existing === undefined) this.thread.push(message);
    else this.thread.replace(id, message);
  }

  #activityDelta({ messageId, activityType, patch }: ActivityDeltaEvent): void {
    if (this.thread.role(messageId) !== "activity") {
      return this.remarks?.noTarget(this.#index, "messageId", messageId, "activity");
    }
    if (!isKnownPatch(patch)) this.knowsMessages = false;
    this.remarks?.patch(this.#index, "patch", patch);
    const message = this.thread.change(messageId);
    if (message === undefined) return;
    foldMetadata(message, this.#metadata);
    if (message["content"] === undefined) return;
    const content = new Patched(message["content"], this.thread.own, this.#copiedActivities);
    const failure = content.apply(patch);
    this.#copiedActivities = content.copied;
    if (!this.#applies("patch", failure)) return;
    message["content"] = content.value;
    message["activityType"] = activityType;
  }

  #encryptedValue(event: ReasoningEncryptedValueEvent): void {
    const { subtype, entityId, encryptedValue, encryptedValueType } = event;
    const isCall = subtype === "tool-call";
    if (!isCall && subtype !== "message") {
      this.knowsMessages = false;
      return this.remarks?.unknownWord(this.#index, "subtype", subtype);
    }
    const isActivity = !isCall && this.thread.role(entityId) === "activity";
    const entity = isCall ? this.thread.changeCall(entityId) : isActivity ? undefined : this.thread.change(entityId);
    if (entity === undefined) return this.remarks?.noTarget(this.#index, "entityId", entityId, HOLDER);
    entity["encryptedValue"] = encryptedValue;
    // The type belongs to the value, so a value without one removes it.
    if (encryptedValueType === undefined) delete entity["encryptedValueType"];
    else entity["encryptedValueType"] = encryptedValueType;
  }

  #callResult({ messageId, toolCallId, content, subagentRunId, metadata }: ToolCallResultEvent): void {
    const others = { ...optional("subagentRunId", subagentRunId), ...optional("metadata", metadata) };
    this.thread.insertResult(toolCallId, { id: messageId, toolCallId, role: "tool", content, ...others });
  }
}

const HOLDER = "message or tool call that may hold an encrypted value by the id";

/** The status that an outcome means; absent means success. */
function statusOf(outcome: RunFinishedEvent["outcome"]): RunStatus {
  if (outcome?.type === "interrupt") return "interrupted";
  return outcome?.type === "cancelled" ? "cancelled" : "finished";
}

/** The rejection of an event that is not allowed in its place. */
export function rejection({ rule, message }: Violation): Fault {
  return new Fault("sequence", rule, message);
}

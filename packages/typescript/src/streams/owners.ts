// Who owns what: what one subagent began, no other may continue.
//
// Owners are kept for a whole run, also of what is closed, and begin again with the next run. An event without
// `subagentRunId` never disagrees; an opening without one makes the parent agent the owner. So in a run where no event
// has named a subagent nothing can disagree, and it is enough to remember what would have to be noted if one does.

import { owners, roleOf, type EventRole, type ItemKind, type OwnedKind } from "../generated/events.js";
import type {
  ActivityDeltaEvent,
  ActivitySnapshotEvent,
  Event,
  Message,
  MessagesSnapshotEvent,
  ReasoningEncryptedValueEvent,
  RunStartedEvent,
  ToolCallResultEvent,
} from "../generated/types.js";
import { membersOf, subagentOf, textOf } from "./events.js";
import type { Beginning } from "./items.js";
import { violation, type Violation } from "./violation.js";

/** An owner, by the event that said so; the parent agent has no name. */
interface Owner {
  readonly subagentRunId: string | undefined;
  readonly index: number;
}

/** Owners by id. */
export type Registry = Map<string, Owner>;

/** What says an owner: an item that is begun, or an event. */
interface Notice {
  readonly index: number;
  readonly said: Beginning | Event;
}

/** The owners within one run, by what the ids name, since an id is unique only within that. */
export class Owners {
  #registries = new Map<OwnedKind, Registry>();
  /** What said owners before an event named a subagent; nothing once one has. */
  #earlier: Notice[] | undefined = [];

  /** Discards all owners, as the beginning of a run does. */
  clear(): void {
    if (this.#registries.size > 0) this.#registries = new Map();
    this.#earlier = [];
  }

  /** What has owners. */
  get owned(): readonly OwnedKind[] {
    return [...this.#registries.keys()];
  }

  /** The owners of what such ids name. */
  of(owned: OwnedKind): Registry {
    let registry = this.#registries.get(owned);
    if (registry === undefined) this.#registries.set(owned, (registry = new Map()));
    return registry;
  }

  /** Checks and notes the owner of what is begun. */
  begun(index: number, beginning: Beginning): Violation | undefined {
    const { kind, id, subagentRunId } = beginning;
    if (this.#earlier !== undefined) {
      if (subagentRunId === undefined && kind !== "subagent") return this.#remember(index, beginning);
      this.catchUp();
    }
    const owned = owners[kind];
    if (owned === undefined) return undefined;
    const registry = this.of(owned);
    if (kind === "tool-call") return this.#callBegun(owned, index, beginning);
    if (kind === "subagent") return subagentBegun(registry, index, id, subagentRunId);
    if (registry.has(id)) return agree(registry.get(id), subagentRunId, owned, id);
    registry.set(id, { subagentRunId, index });
    return undefined;
  }

  /** Checks the owner of what is continued or ended. */
  continued(kind: ItemKind, id: string, tag: string | undefined): Violation | undefined {
    // Most events name no owner, and for those none is looked up.
    const owned = tag === undefined ? undefined : owners[kind];
    if (owned === undefined) return undefined;
    this.catchUp();
    return agree(this.of(owned).get(id), tag, owned, id);
  }

  /** Checks and notes what an event says of owners beside the items that it begins or continues. */
  event(index: number, event: Event, role: EventRole | undefined): Violation | undefined {
    if (this.#earlier !== undefined) {
      if (!namesSubagent(event, role)) return saysOwner(role) ? this.#remember(index, event) : undefined;
      this.catchUp();
    }
    const owner = { subagentRunId: subagentOf(event), index };
    const owned = role?.item && owners[role.item];
    switch (role?.does) {
      case "start-run":
        for (const message of messagesIn(event, role)) this.#seed(index, message, false);
        return undefined;
      case "replace":
        // A snapshot overrules what was known, an input does not.
        for (const message of messagesIn(event, role)) this.#seed(index, message, true);
        if (owned !== undefined) activityReplaced(this.of(owned), event as ActivitySnapshotEvent, owner);
        return undefined;
      case "add":
        if (owned !== undefined) this.of(owned).set((event as ToolCallResultEvent).messageId, owner);
        return undefined;
      case "patch": {
        if (owned === undefined) return undefined;
        const { messageId, subagentRunId } = event as ActivityDeltaEvent;
        return agree(this.of(owned).get(messageId), subagentRunId, owned, messageId);
      }
      case "annotate": {
        const { subtype, entityId, subagentRunId } = event as ReasoningEncryptedValueEvent;
        if (subtype === "tool-call") {
          return agree(this.of("tool-call").get(entityId), subagentRunId, "tool-call", entityId);
        }
        // Of another subtype, it is not known what the id is of.
        if (subtype !== "message") return undefined;
        const known = this.of("message").get(entityId) ?? this.of("reasoning").get(entityId);
        return agree(known, subagentRunId, "message", entityId);
      }
      default:
        return undefined;
    }
  }

  #remember(index: number, said: Notice["said"]): undefined {
    this.#earlier?.push({ index, said });
  }

  /** Notes what was said before. Nothing of it disagrees, since it names no subagent. */
  catchUp(): void {
    const earlier = this.#earlier;
    this.#earlier = undefined;
    for (const { index, said } of earlier ?? []) {
      if ("type" in said) this.event(index, said, roleOf(said.type));
      else this.begun(index, said);
    }
  }

  /** A call lives in the message that makes it and belongs to the owner of that message. */
  #callBegun(owned: OwnedKind, index: number, { id, subagentRunId, heads }: Beginning): Violation | undefined {
    const parent = heads["parentMessageId"];
    const holder = parent === undefined ? undefined : this.of("message").get(parent);
    if (holder !== undefined && agree(holder, subagentRunId, "message", parent ?? "") !== undefined) {
      const message = `the call \`${id}\` is put into \`${parent}\` of ${nameOf(holder)}`;
      return violation("subagent.wrong-parent", message, holder.index);
    }
    const calls = this.of(owned);
    const owner = calls.get(id);
    if (owner === undefined) {
      calls.set(id, { subagentRunId: subagentRunId ?? holder?.subagentRunId, index });
      return undefined;
    }
    const found = agree(owner, subagentRunId, owned, id);
    // A call that is begun again without a tag is the one of the message around it.
    if (found !== undefined || holder === undefined || holder.subagentRunId === owner.subagentRunId) return found;
    const message = `the call \`${id}\` of ${nameOf(owner)} is put into a message of ${nameOf(holder)}`;
    return violation("subagent.wrong-parent", message, owner.index);
  }

  /** Notes the owners that a message names. One of an unknown role may lack an id, and then no event can name it. */
  #seed(index: number, message: Message, overrules: boolean): void {
    const members = membersOf(message);
    const id = textOf(members, "id");
    if (id === undefined) return;
    const owner = { subagentRunId: textOf(members, "subagentRunId"), index };
    note(this.of(ownedBy(message.role)), id, owner, overrules);
    for (const call of callIdsOf(message)) note(this.of("tool-call"), call, owner, overrules);
  }
}

/** What the id of a message of this role names. */
function ownedBy(role: string): OwnedKind {
  return role === "reasoning" || role === "activity" ? role : "message";
}

/** The id of a subagent is for one time that it works, and its parent has begun before. */
function subagentBegun(
  subagents: Registry,
  index: number,
  id: string,
  parent: string | undefined,
): Violation | undefined {
  const isUnknown = parent !== undefined && !subagents.has(parent);
  const earlier = subagents.get(id);
  if (earlier !== undefined) {
    return violation("subagent.reused", `the run has had a subagent \`${id}\` before`, earlier.index);
  }
  subagents.set(id, { subagentRunId: parent, index });
  if (!isUnknown) return undefined;
  return violation("subagent.unknown-parent", `the subagent \`${id}\` names \`${parent}\`, which has not begun`);
}

/** An activity belongs to whom its last replacing snapshot names. */
function activityReplaced(activities: Registry, { messageId, replace }: ActivitySnapshotEvent, owner: Owner): void {
  if (replace !== false || !activities.has(messageId)) activities.set(messageId, owner);
}

/** Whether an event names a subagent, as its own or as the owner of a message. */
function namesSubagent(event: Event, role: EventRole | undefined): boolean {
  return messagesIn(event, role).some(isOfSubagent) || subagentOf(event) !== undefined;
}

/** The messages that an event brings, in its input or as a snapshot. */
function messagesIn(event: Event, role: EventRole | undefined): readonly Message[] {
  if (role?.does === "start-run") return (event as RunStartedEvent).input?.messages ?? NONE;
  return role?.item === "messages" ? (event as MessagesSnapshotEvent).messages : NONE;
}

function isOfSubagent(message: Message): boolean {
  return textOf(membersOf(message), "subagentRunId") !== undefined;
}

/** Whether an event may name an owner. */
function saysOwner(role: EventRole | undefined): boolean {
  const does = role?.does;
  return does === "start-run" || does === "add" || (does === "replace" && role?.item !== "state");
}

function note(registry: Registry, id: string, owner: Owner, overrules: boolean): void {
  if (overrules || !registry.has(id)) registry.set(id, owner);
}

const NONE: readonly never[] = [];

/** The ids of the tool calls that an assistant makes in a message. */
export function callIdsOf(message: Message): readonly string[] {
  if (message.role !== "assistant" || message.toolCalls === undefined) return NONE;
  return message.toolCalls.map(({ id }) => id);
}

/** Rejects a `subagentRunId` that is not the owner of what the id names. */
function agree(owner: Owner | undefined, tag: string | undefined, owned: OwnedKind, id: string): Violation | undefined {
  if (owner === undefined || tag === undefined || tag === owner.subagentRunId) return undefined;
  const what = owned.replace("-", " ");
  const message = `the event names the subagent \`${tag}\`, but the ${what} \`${id}\` belongs to ${nameOf(owner)}`;
  return violation("subagent.wrong-owner", message, owner.index);
}

function nameOf({ subagentRunId }: Owner): string {
  return subagentRunId === undefined ? "the parent agent" : `the subagent \`${subagentRunId}\``;
}

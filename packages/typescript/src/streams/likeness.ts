// Whether what may follow two streams is the same, and means the same.

import type { Lanes, ChunkItem } from "./chunks.js";
import type { Owners, Registry } from "./owners.js";
import type { Conversation, Reducer } from "./reducer.js";
import type { Thread } from "./thread.js";
import type { Tracker } from "./tracker.js";
import { sameValue } from "./values.js";
import type { Verifier } from "./verify.js";

/** Whether messages, state and interrupts are the same, and whatever follows makes the same of both. */
export function sameMeaning(one: Reducer, other: Reducer): boolean {
  return sameOpen(one.tracker, other.tracker) && sameSaid(one.conversation, other.conversation);
}

/** Whether the messages of both are the same. */
export function sameThread(one: Thread, other: Thread): boolean {
  return sameValue(one.messages(), other.messages());
}

function sameSaid(one: Conversation, other: Conversation): boolean {
  return (
    sameThread(one.thread, other.thread) &&
    sameValue(one.document?.value, other.document?.value) &&
    sameValue(one.interrupts, other.interrupts)
  );
}

/** Whether both reject the same of what may follow within the run in progress. */
export function sameRejections(one: Verifier, other: Verifier): boolean {
  return sameOpen(one.tracker, other.tracker) && sameOwners(one.owners, other.owners);
}

function sameOpen(one: Tracker, other: Tracker): boolean {
  const items = (tracker: Tracker): string => JSON.stringify(tracker.open().map(({ item }) => item));
  return (
    items(one) === items(other) &&
    sameLanes(one.lanes, other.lanes) &&
    sameKeys(one.surrogates.open, other.surrogates.open)
  );
}

/** Whether the same chunks may follow on both. */
function sameLanes({ items }: Lanes, other: Lanes): boolean {
  const says = (item: ChunkItem | undefined): string => JSON.stringify(item && [item.kind, item.id, item.heads]);
  return (
    items.size === other.items.size && [...items].every(([lane, item]) => says(other.items.get(lane)) === says(item))
  );
}

function sameOwners(one: Owners, other: Owners): boolean {
  one.catchUp();
  other.catchUp();
  return [...one.owned, ...other.owned].every((owned) => sameRegistry(one.of(owned), other.of(owned)));
}

function sameRegistry(one: Registry, other: Registry): boolean {
  const sameOwner = (id: string): boolean => one.get(id)?.subagentRunId === other.get(id)?.subagentRunId;
  return sameKeys(one, other) && [...one.keys()].every(sameOwner);
}

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}

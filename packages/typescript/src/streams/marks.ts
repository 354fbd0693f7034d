// What chatstate writes into the metadata of the event that begins a run.

import type { Event, RunStartedEvent } from "../generated/types.js";
import { isObject } from "../runtime/check.js";
import type { Members } from "../runtime/json.js";
import { setMember } from "./values.js";

/** The member of a run's metadata that holds the mark. */
export const MARK = "chatstate";

/** The members of the mark of a run. */
export function markOf({ metadata }: RunStartedEvent): Members {
  const mark = metadata !== undefined && Object.hasOwn(metadata, MARK) ? metadata[MARK] : undefined;
  return isObject(mark) ? mark : {};
}

/** The beginning of a run with members of its mark, beside those that it has. */
export function marked(start: RunStartedEvent, members: Members): RunStartedEvent {
  const metadata = { ...start.metadata };
  setMember(metadata, MARK, { ...markOf(start), ...members });
  return { ...start, metadata };
}

/** The ids of the runs that a prelude leaves out which begins so, in their order. */
export function leftOutBy(start: Event | undefined): string[] {
  const runIds: unknown = start?.type === "RUN_STARTED" ? markOf(start)["without"] : undefined;
  return Array.isArray(runIds) ? runIds.filter((id) => typeof id === "string") : [];
}

/** The beginning of a prelude that names the runs which it leaves out. */
export function leavingOut(start: RunStartedEvent, runIds: readonly string[]): RunStartedEvent {
  return marked(start, { without: runIds });
}

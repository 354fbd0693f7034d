// A run that is compacted.

import { items, type EventRole } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";

/** What an event of a run is about, which says whether snapshots may replace it. */
export type Subject = "messages" | "state" | "other";

/** An event of the compacted run. */
export interface Placed {
  readonly event: Event;
  readonly subject: Subject;
  readonly isKept: boolean;
}

/** What events of a role are about. */
export function subjectOf(role: EventRole | undefined): Subject {
  if (role?.item !== undefined) return items[role.item].changes ?? "other";
  return role?.does === "annotate" ? "messages" : "other";
}

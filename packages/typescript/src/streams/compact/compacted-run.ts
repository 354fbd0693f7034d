// A run that is compacted.

import type { ReplayedPart } from "../../generated/events.js";
import type { Event } from "../../generated/types.js";

/** An event of the compacted run. */
export interface Placed {
  readonly event: Event;
  /** What of a replay it changes, which says whether snapshots may replace it. */
  readonly changes: ReplayedPart | undefined;
  readonly isKept: boolean;
}

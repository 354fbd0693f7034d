// A run that is compacted.

import type { Event } from "../../generated/types.js";

/** An event of the compacted run. */
export interface Placed {
  readonly event: Event;
  readonly isKept: boolean;
}

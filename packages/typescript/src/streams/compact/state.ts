// Folding the state of one run.

import type { StateDeltaEvent, StateSnapshotEvent } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import { Patched } from "../patch.js";
import { folded, optional, Own } from "../values.js";
import { extraOf } from "./part.js";

/** The last snapshot with the patches after it. */
interface Folded {
  readonly event: StateSnapshotEvent;
  metadata: Members | undefined;
  /** The state, once a patch was folded into it. */
  state: Patched | undefined;
}

/** The state events of the run in progress, as far as they matter for folding. */
export class StateFold {
  /** The slots of the events that stay, unless a later snapshot makes them vanish. */
  standing: number[] = [];
  /** The slot of the folded snapshot when an event behind it stays; else it is at the end of the run. */
  place: number | undefined;
  #folded: Folded | undefined;
  /** Whether nothing more can be folded into the snapshot. */
  #stopped = false;

  /** Takes a snapshot, which makes all state events before it vanish; tells whether it stays as it is. */
  snapshot(event: StateSnapshotEvent, isKept: boolean): boolean {
    this.standing = [];
    this.place = undefined;
    this.#stopped = isKept || extraOf(event) !== undefined;
    const metadata = event.metadata as Members | undefined;
    this.#folded = this.#stopped ? undefined : { event, metadata, state: undefined };
    return this.#stopped;
  }

  /**
   * Takes a patch, which is folded into the snapshot before it when there is one of the same owner; tells whether it stays
   * as it is. One that does not apply is skipped whole, as a replay does. Throws a `Fault` at a limit.
   */
  delta(event: StateDeltaEvent, isKept: boolean): boolean {
    const before = this.#folded;
    if (before === undefined || this.#stopped) return true;
    if (isKept || event.subagentRunId !== before.event.subagentRunId || extraOf(event) !== undefined) {
      this.#stopped = true;
      return true;
    }
    before.state ??= new Patched(before.event.snapshot, new Own());
    before.state.apply(event.delta);
    if (event.metadata !== undefined) before.metadata = folded(before.metadata, event.metadata as Members);
    return false;
  }

  /** Whether the folded snapshot still needs a place in front of an event that stays. */
  get needsPlace(): boolean {
    return this.#folded !== undefined && this.place === undefined;
  }

  /** The folded snapshot, if there is one. */
  get event(): StateSnapshotEvent | undefined {
    if (this.#folded?.state === undefined) return this.#folded?.event;
    const { event, metadata, state } = this.#folded;
    return {
      type: "STATE_SNAPSHOT",
      snapshot: state.value,
      ...optional("timestamp", event.timestamp),
      ...optional("metadata", metadata as StateSnapshotEvent["metadata"]),
      ...optional("subagentRunId", event.subagentRunId),
    };
  }
}

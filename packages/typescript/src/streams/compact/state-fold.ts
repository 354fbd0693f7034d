// Folding the state events of the run in progress.

import type { Event, JsonPatch, StateDeltaEvent, StateSnapshotEvent } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import type { Lane } from "../chunks.js";
import { extraOf } from "../events.js";
import { isKnownPatch, Patched } from "../patch.js";
import { folded, optional, Own } from "../values.js";
import type { Place } from "./pending-delta.js";

/** What becomes of a state event: it stays, is part of the folded snapshot, or stays and nothing is folded across it. */
export type StateOutcome = "stays" | "folded" | "bars";

/** The last snapshot with the patches after it. */
export class FoldedState {
  readonly #first: StateSnapshotEvent;
  #metadata: Members | undefined;
  /** The state, once a patch was folded in. */
  #state: Patched | undefined;

  constructor(
    first: StateSnapshotEvent,
    /** Where the last event was that is part of it. */
    public place: Place,
  ) {
    this.#first = first;
    this.#metadata = first.metadata as Members | undefined;
  }

  get subagentRunId(): string | undefined {
    return this.#first.subagentRunId;
  }

  /** Folds a patch in. One that does not apply is skipped whole, as a replay does. Throws a `Fault` at a limit. */
  patch(patch: JsonPatch, metadata: Members | undefined, place: Place): void {
    this.#state ??= new Patched(this.#first.snapshot, new Own());
    this.#state.apply(patch);
    this.place = place;
    if (metadata !== undefined) this.#metadata = folded(this.#metadata, metadata);
  }

  get event(): Event {
    if (this.#state === undefined) return this.#first;
    return {
      type: "STATE_SNAPSHOT",
      snapshot: this.#state.value,
      ...optional("timestamp", this.#first.timestamp),
      ...optional("metadata", this.#metadata as StateSnapshotEvent["metadata"]),
      ...optional("subagentRunId", this.subagentRunId),
    };
  }
}

/** The state events of the run in progress, as far as they matter for folding. */
export class StateFold {
  /** The slots of those that are written, unless a later snapshot makes them vanish. */
  standing: number[] = [];
  #folded: FoldedState | undefined;
  /** Whether nothing more can be folded into the snapshot. */
  #isStopped = false;

  /** Takes a snapshot. All state events before it vanish. */
  snapshot(event: StateSnapshotEvent, place: Place, isKept: boolean): StateOutcome {
    this.standing = [];
    this.#isStopped = isKept || extraOf(event) !== undefined;
    this.#folded = this.#isStopped ? undefined : new FoldedState(event, place);
    return this.#isStopped ? "stays" : "folded";
  }

  /** Takes a patch, which is folded into the snapshot before it if there is one of its owner. Throws a `Fault` at a limit. */
  delta(event: StateDeltaEvent, place: Place, isKept: boolean): StateOutcome {
    if (!isKnownPatch(event.delta)) return "bars";
    const before = this.#folded;
    if (before === undefined || this.#isStopped) return "stays";
    this.#isStopped = isKept || extraOf(event) !== undefined || event.subagentRunId !== before.subagentRunId;
    if (this.#isStopped) return "stays";
    before.patch(event.delta, event.metadata as Members | undefined, place);
    return "folded";
  }

  /** Whether the folded snapshot, if there is one, would close a lane. */
  closes(lane: Lane): boolean {
    return this.#folded !== undefined && this.#folded.subagentRunId === lane;
  }

  /** Takes out the folded snapshot, which is to be written now. */
  take(): FoldedState | undefined {
    const taken = this.#folded;
    this.#folded = undefined;
    return taken;
  }
}

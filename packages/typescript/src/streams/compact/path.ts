// The runs of a log, and which of them lie on the path to another.

import type { Role } from "./entries.js";

/** The classes of messages that a snapshot restates together, or leaves alone when it has none. */
export type MessageClass = "conversation" | "activities" | "reasoning";

/** The number of a run in the log. */
export type Place = number;

/** A run, with what it takes to find its predecessors in a few steps. */
interface Row {
  readonly predecessor: Place | undefined;
  /** A predecessor further away. Jumps double in length, so that a path of n runs takes about log n steps. */
  readonly jump: Place;
  /** How many predecessors there are. */
  readonly depth: number;
  /** From this run on, each is the predecessor of the next. */
  readonly chain: Place;
  /** By class of messages, the nearest run on the path, itself included, that restated them. */
  readonly restated: { [restated in MessageClass]?: Place };
}

/** The class of a message of some role; what nobody can tell has none. */
export function classOf(role: Role): MessageClass | undefined {
  switch (role) {
    case "assistant":
    case "other":
      return "conversation";
    case "activity":
      return "activities";
    case "reasoning":
      return "reasoning";
    default:
      return undefined;
  }
}

/** The runs of a log. */
export class Path {
  readonly #rows: Row[] = [];
  readonly #byId = new Map<string, Place>();

  /** Begins a run, and gives its number. */
  begin(runId: string, parentRunId: string | undefined): Place {
    const place = this.#rows.length;
    const named = parentRunId === undefined || parentRunId === runId ? undefined : this.#byId.get(parentRunId);
    this.#rows.push(this.#rowAfter(place, named ?? (place === 0 ? undefined : place - 1)));
    this.#byId.set(runId, place);
    return place;
  }

  /** The run before this one on its path. */
  predecessor(place: Place): Place | undefined {
    return this.#rows[place]?.predecessor;
  }

  /** Notes that a run restated a class of messages. */
  restate(place: Place, restated: MessageClass): void {
    const row = this.#rows[place];
    if (row !== undefined) row.restated[restated] = place;
  }

  /** The nearest run on the path to this one that restated a class of messages. */
  restated(place: Place, messages: MessageClass): Place | undefined {
    return this.#rows[place]?.restated[messages];
  }

  /** Whether a run is on the path to another, or is that run. */
  isOn(place: Place, last: Place): boolean {
    const [row, end] = [this.#rows[place], this.#rows[last]];
    if (row === undefined || end === undefined || place > last) return false;
    return place >= end.chain || this.#atDepth(last, row.depth) === place;
  }

  #rowAfter(place: Place, predecessor: Place | undefined): Row {
    const before = predecessor === undefined ? undefined : this.#rows[predecessor];
    if (predecessor === undefined || before === undefined) {
      return { predecessor, jump: place, depth: 0, chain: place, restated: {} };
    }
    return {
      predecessor,
      jump: this.#jumpFrom(predecessor),
      depth: before.depth + 1,
      chain: predecessor + 1 === place ? before.chain : place,
      restated: { ...before.restated },
    };
  }

  /** The run on the path to this one that has this many predecessors. */
  #atDepth(place: Place, depth: number): Place {
    let at = place;
    for (let row = this.#rows[at]; row !== undefined && row.depth > depth; row = this.#rows[at]) {
      const far = this.#rows[row.jump];
      at = far !== undefined && far.depth >= depth ? row.jump : (row.predecessor ?? at);
    }
    return at;
  }

  /** Where the run after this one jumps to, as the digits of a skew binary number do. */
  #jumpFrom(place: Place): Place {
    const depth = (at: Place): number => this.#rows[at]?.depth ?? 0;
    const jump = (at: Place): Place => this.#rows[at]?.jump ?? at;
    const [near, far] = [jump(place), jump(jump(place))];
    return depth(place) - depth(near) === depth(near) - depth(far) ? far : place;
  }
}

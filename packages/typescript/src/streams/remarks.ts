// What the replays of all branches pass over.

import type { Event } from "../generated/types.js";
import type { Runs } from "./lineage.js";
import { Reducer, type Remark } from "./reducer.js";

/** The end of a run, and how many runs that go on from it are still to come. */
interface End {
  readonly reducer: Reducer;
  waiting: number;
}

/**
 * What the replays of all branches pass over, in the order of the log. Events that a replay refuses are skipped, so that
 * one damaged run hides nothing about the others.
 */
export function remarksOf(events: readonly Event[], runs: Runs): Remark[] {
  const branches = branchesOf(runs);
  const remarks: Remark[] = [];
  const waiting: [number, End][] = runs.rows.length === 0 ? [] : [[0, { reducer: new Reducer(), waiting: 1 }]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [place, before] = next;
    before.waiting -= 1;
    // Of the runs that go on from one, the last takes what stands there and the others copy it.
    const reducer = before.waiting === 0 ? before.reducer : new Reducer(before.reducer);
    reducer.keepRemarks();
    const [start, end] = runs.rangeOf(place, events.length);
    for (let index = start; index < end; index += 1) reducer.apply(index, events[index] as Event);
    for (const remark of reducer.endRun()) remarks.push(remark);
    const following = branches[place] ?? [];
    const after = { reducer, waiting: following.length };
    for (const run of following) waiting.push([run, after]);
  }
  return remarks.sort((one, other) => one.index - other.index);
}

/** The places of the runs that go on from each run, the one with the most runs behind it first. */
function branchesOf(runs: Runs): number[][] {
  const branches: number[][] = runs.rows.map(() => []);
  const sizes = runs.rows.map(() => 1);
  const size = (place: number): number => sizes[place] ?? 0;
  // A run goes on from an earlier one, so backwards all that is behind a run is counted.
  for (let place = runs.rows.length - 1; place >= 0; place -= 1) {
    const { predecessor } = runs.row(place);
    if (predecessor === undefined) continue;
    sizes[predecessor] = size(predecessor) + size(place);
    branches[predecessor]?.push(place);
  }
  for (const places of branches) places.sort((one, other) => size(other) - size(one));
  return branches;
}

// What streams of events mean, and fewer events that mean the same.

export { attachPrelude } from "./attach.js";
export { branchOf } from "./branch.js";
export { checkEvents, type Verification } from "./check.js";
export { compactEvents, compactStream, EventCompactor, type CompactOptions } from "./compactor.js";
export type { ItemKind } from "../generated/events.js";
export type { AnyEvent, BaseEvent } from "./events.js";
export type { OpenItem } from "./items.js";
export { lineageOf, type Lineage, type LineageProblem, type LineageRun } from "./lineage.js";
export type { Replay, Run, RunStatus } from "./reducer.js";
export { replayEvents, type ReplayOptions } from "./replay.js";
export { verifyEvents, type Finding, type VerifyOptions } from "./verify.js";

// Everything that can be said of a stream: what is wrong with it, and what is suspicious.

import { rejecting } from "../runtime/document.js";
import type { Event, RunStartedEvent } from "../generated/types.js";
import { limitFindings, remarksOf } from "./checkpoints.js";
import { eventsOf, type AnyEvent } from "./events.js";
import { MARK } from "./marks.js";
import { isRemoved } from "./removed.js";
import { parentsOutside } from "./runs.js";
import { unknownIn } from "./unknown.js";
import { findingOf, framesRun, inOrder, placed, verified, type Finding, type VerifyOptions } from "./verify.js";

/** What verification found. */
export interface Verification {
  /** What makes the stream invalid, in the order of the events. */
  readonly errors: readonly Finding[];
  /** What does not. */
  readonly warnings: readonly Finding[];
}

/**
 * What is wrong with the order of events, and what is suspicious: event types, members, variants and operations that are not known,
 * patches that do not apply, parents outside of the log, messages that an input brings with another value, runs that bear
 * the mark of compaction and have events. Patches that copy beyond the limit are errors.
 *
 * @throws Rejection for an event that the schema does not allow
 */
export function checkEvents(events: readonly AnyEvent[], options: VerifyOptions = {}): Verification {
  return rejecting(() => {
    const stream = eventsOf(events);
    const verifier = verified(stream, options);
    const { remarks, limits } = remarksOf(stream);
    const outside = parentsOutside(verifier.runs).map(findingOf);
    const passedOver = remarks.map(({ rule, index, place, message }) => ({ rule, index, ...placed(place), message }));
    const noted = [...newerVersions(stream), ...unknownIn(stream), ...markedRuns(stream)];
    return {
      errors: inOrder([...verifier.errors, ...limitFindings(limits)]),
      warnings: inOrder([...verifier.warnings, ...outside, ...passedOver, ...noted]),
    };
  });
}

/** The runs that name a version which is not known here. */
function newerVersions(stream: readonly Event[]): Finding[] {
  const found: Finding[] = [];
  for (const [index, event] of stream.entries()) {
    const message = newerVersion(event);
    if (message === undefined) continue;
    found.push({ rule: "verify.newer-version", index, place: "/protocolVersion", message });
  }
  return found;
}

/** The runs that say that compaction removed their events, and have some. */
function markedRuns(stream: readonly Event[]): Finding[] {
  const message = "the run says that compaction removed its events, and has some; it is not replayed";
  const found: Finding[] = [];
  let marked: number | undefined;
  for (const [index, event] of stream.entries()) {
    if (event.type === "RUN_STARTED") marked = isRemoved(event) ? index : undefined;
    else if (framesRun(event)) marked = undefined;
    if (marked === undefined || isFrame(event)) continue;
    found.push({ rule: "verify.marked-run", index: marked, place: `/metadata/${MARK}`, message });
    marked = undefined;
  }
  return found;
}

/** Whether an event does nothing but begin or end a run. */
function isFrame(event: Event): boolean {
  const given = event.type === "RUN_STARTED" ? (event as RunStartedEvent).input?.messages.length : 0;
  return framesRun(event) && (given ?? 0) === 0;
}

/** The version of AG-UI that the schema describes. */
const VERSION = "1.1";

/** Why the version that a run names is not one that is known here. */
function newerVersion(event: Event): string | undefined {
  const version = event.type === "RUN_STARTED" ? (event as RunStartedEvent).protocolVersion : undefined;
  if (version === undefined) return undefined;
  if (!/^[0-9]+\.[0-9]+$/.test(version)) {
    return `\`${version}\` is no version of AG-UI such as \`${VERSION}\`; the run is read as one of it`;
  }
  const [major, minor] = version.split(".").map(BigInt) as [bigint, bigint];
  const [knownMajor, knownMinor] = VERSION.split(".").map(BigInt) as [bigint, bigint];
  if (major < knownMajor || (major === knownMajor && minor <= knownMinor)) return undefined;
  return `\`${version}\` is newer than \`${VERSION}\`, which is known here`;
}

// The forms that a finished run may take.

import { checkMessage } from "../../generated/check.js";
import { changedBy, type ReplayedPart } from "../../generated/events.js";
import type { Event, RunStartedEvent } from "../../generated/types.js";
import { MAX_DEPTH } from "../../runtime/reader.js";
import { Fault } from "../../runtime/rejection.js";
import { textOf } from "../events.js";
import { sameThread } from "../likeness.js";
import { depthOf } from "../patch.js";
import { Conversation, Reducer } from "../reducer.js";
import { marked } from "../marks.js";
import { hasCutText, withoutMessages } from "../restate.js";
import { Thread } from "../thread.js";
import { Tracker } from "../tracker.js";
import { Verifier } from "../verify.js";
import type { Placed } from "./compacted-run.js";
import { messagesEvent, stateEvent } from "./emit.js";
import { Countdown, sizeOf } from "./size.js";

/** A finished run, and what leads to it. */
export interface FinishedRun {
  readonly run: readonly Placed[];
  /** The messages of its path with those of its input. */
  readonly start: Thread;
  readonly predecessor: number | undefined;
  /** Whether its path needs what compaction removed. */
  readonly isIncomplete: boolean;
  /** Whether compaction kept only its frame. */
  readonly isRemoved: boolean;
  /** What followed it before the next run: an error. */
  readonly after: Event[];
}

/** The bytes of the two snapshots around what they say. */
const MESSAGES_FRAME = '{"messages":[],"type":"MESSAGES_SNAPSHOT"}'.length;
const STATE_FRAME = '{"snapshot":,"type":"STATE_SNAPSHOT"}'.length;

/** How deep a message lies in the event of a snapshot. */
const MESSAGE_DEPTH = 2;

/** The run as it is. */
export function asItIs({ run }: FinishedRun): Event[] {
  return run.map(({ event }) => event);
}

/**
 * A run that says what it adds to its predecessor: by snapshots where these are no larger than the events that they
 * replace.
 */
export function saidAnew(finished: FinishedRun, end: Conversation): Event[] {
  const { run, start } = finished;
  if (finished.isIncomplete || finished.isRemoved) return asItIs(finished);
  const messages = messagesIfSmaller(finished, end);
  const state = stateIfSmaller(finished, end);
  if (messages === undefined && state === undefined) return asItIs(finished);
  const replaced = new Set<ReplayedPart>();
  if (messages !== undefined) replaced.add("messages");
  if (state !== undefined) replaced.add("state");
  const snapshots = [messages, state].filter((snapshot) => snapshot !== undefined);
  const events = withSnapshots(run, (run[0] as Placed).event, replaced, snapshots);
  return isAcceptable(run, events, start, end.thread) ? events : asItIs(finished);
}

/** A run with all messages and the state of its path; nothing if no snapshot can say them after the messages before. */
export function saidWhole(finished: FinishedRun, end: Conversation, before: Thread): Event[] | undefined {
  const { run } = finished;
  if (finished.isIncomplete || finished.isRemoved || !end.knowsMessages || !end.knowsState) return undefined;
  const { event, isKept } = run[0] as Placed;
  const start = isKept ? event : withoutMessages(event as RunStartedEvent);
  const base = isKept ? withInput(before, event) : before;
  const messages = messagesOn(base, end.thread);
  if (messages === undefined) return undefined;
  const snapshots = [messages, stateEvent(end.state)];
  const events = withSnapshots(run, start, new Set<ReplayedPart>(["messages", "state"]), snapshots);
  return isAcceptable(run, events, base, end.thread) ? events : undefined;
}

/** The messages at the beginning of a run that keeps its input. */
function withInput(before: Thread, start: Event): Thread {
  const reducer = new Reducer(new Tracker(), new Conversation(before.copy()));
  reducer.apply(0, start);
  return reducer.conversation.thread;
}

/** The frame of a run that is not retained, which says so. */
export function frame(run: readonly Placed[]): Event[] {
  const start = withoutMessages((run[0] as Placed).event as RunStartedEvent);
  return [
    marked(start, { compacted: "tips" }),
    ...run
      .slice(1)
      .slice(-1)
      .map(({ event }) => event),
  ];
}

function withSnapshots(
  run: readonly Placed[],
  start: Event,
  replaced: ReadonlySet<ReplayedPart>,
  snapshots: readonly Event[],
): Event[] {
  const events = [start];
  for (const { event, isKept } of run.slice(1, -1)) {
    const changes = changedBy.get(event.type);
    if (isKept || changes === undefined || !replaced.has(changes)) events.push(event);
  }
  return [...events, ...snapshots, (run.at(-1) as Placed).event];
}

/**
 * Whether a form means what the run means also where events stay that the caller keeps: they may not be valid without those
 * that went, or change what the snapshots say.
 */
function isAcceptable(run: readonly Placed[], events: readonly Event[], before: Thread, after: Thread): boolean {
  const isBound = run.some(({ event, isKept }) => isKept && changedBy.has(event.type));
  return !isBound || replaysTo(events, before, after);
}

function replaysTo(events: readonly Event[], before: Thread, after: Thread): boolean {
  const verifier = new Verifier();
  const reducer = new Reducer(new Tracker(), new Conversation(before.copy()));
  try {
    for (const [index, event] of events.entries()) {
      verifier.push(index, event);
      // The messages of the input are among those before.
      if (verifier.errors.length > 0 || reducer.apply(index, event, index === 0 ? [] : undefined) !== undefined)
        return false;
    }
  } catch (error) {
    // A patch was beyond the limit.
    if (error instanceof Fault) return false;
    throw error;
  }
  return sameThread(reducer.conversation.thread, after);
}

/** Counts down from the bytes of the events that a snapshot may replace; nothing if there are no such events. */
function bytesAbout(run: readonly Placed[], part: ReplayedPart): Countdown | undefined {
  const events = run.filter(({ event, isKept }) => changedBy.get(event.type) === part && !isKept);
  if (events.length === 0) return undefined;
  return new Countdown(events.reduce((sum, { event }) => sum + sizeOf(event), 0));
}

function messagesIfSmaller({ run, start }: FinishedRun, { thread, knowsMessages }: Conversation): Event | undefined {
  const left = bytesAbout(run, "messages");
  if (left === undefined || !knowsMessages || !left.bytes(MESSAGES_FRAME)) return undefined;
  let isFirst = true;
  for (const { value } of thread.entries()) {
    if (!left.bytes(isFirst ? 0 : 1) || !left.value(value)) return undefined;
    isFirst = false;
  }
  return messagesOn(start, thread);
}

function stateIfSmaller({ run }: FinishedRun, end: Conversation): Event | undefined {
  const left = bytesAbout(run, "state");
  const isBound = run.some(({ event, isKept }) => changedBy.get(event.type) === "state" && isKept);
  if (left === undefined || isBound || !end.knowsState) return undefined;
  return left.bytes(STATE_FRAME) && left.value(end.document?.value) ? stateEvent(end.state) : undefined;
}

/** The snapshot of all messages that makes them of those before; nothing if there is none. */
function messagesOn(before: Thread, thread: Thread): Event | undefined {
  if (thread.hasSharedIds) return undefined;
  thread.share();
  const messages = thread.messages();
  if (messages.some((message) => textOf(message, "id") === undefined)) return undefined;
  const after = before.copy();
  after.applySnapshot(messages);
  if (!sameThread(after, thread)) return undefined;
  // What no event can say: a text that ends in an unpaired surrogate, and an activity whose patches made no object of
  // it.
  const isSaid = messages.every(
    (message) =>
      !hasCutText(message) && depthOf(message) + MESSAGE_DEPTH <= MAX_DEPTH && checkMessage(message) === undefined,
  );
  return isSaid ? messagesEvent(messages) : undefined;
}

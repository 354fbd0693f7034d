// Where runs begin and end, and which events may be outside of them.

import { roleOf } from "../generated/events.js";
import type { Event, RunFinishedEvent, RunStartedEvent } from "../generated/types.js";
import { violation, type Violation } from "./violation.js";

/** What the last event of a run, or the lack of one, leaves open. */
type Phase = "before" | "running" | "finished" | "failed";

/** The place in the life of runs. */
export class Lifecycle {
  #phase: Phase = "before";
  /** Whether an event outside of all runs has been reported since the last run ended. */
  #hasStrayed = false;
  /** The index of the event that ended the last run. */
  #ended = 0;
  /** The run in progress, or the last one. */
  #run: { readonly threadId: string; readonly runId: string; readonly index: number } | undefined;
  /** The id of the thread and the index of the event that named it first. */
  #thread: { readonly id: string; readonly index: number } | undefined;

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.#phase === "running";
  }

  /** A run is in progress whose beginning is elsewhere; nobody knows its id and its thread. */
  beginInside(): void {
    this.#phase = "running";
  }

  /**
   * Whether an event belongs to a run. The first known one that does not is rejected, those after it are not admitted.
   * Unknown ones are not admitted either, and never rejected.
   */
  admit(index: number, event: Event): boolean | Violation {
    const phase = this.#phase;
    switch (event.type) {
      case "RUN_STARTED":
        this.#phase = "running";
        if (phase !== "running") return true;
        return violation("run.already-started", "a run begins while another one is in progress", this.#run?.index);
      case "RUN_FINISHED":
        if (phase !== "running") return this.#stray(event);
        return this.#end("finished", index);
      case "RUN_ERROR":
        if (phase === "failed") return this.#stray(event);
        return this.#end("failed", index);
      default:
        if (phase === "running") return true;
        return roleOf(event.type) === undefined ? false : this.#stray(event);
    }
  }

  /** Checks the thread of an event that begins a run. */
  begin(index: number, { threadId, runId }: RunStartedEvent): Violation[] {
    this.#hasStrayed = false;
    this.#run = { threadId, runId, index };
    this.#thread ??= { id: threadId, index };
    const { id, index: first } = this.#thread;
    if (id === threadId) return [];
    const message = `the run is on the thread \`${threadId}\`, and the log began on \`${id}\``;
    return [violation("run.wrong-thread", message, first)];
  }

  /** Checks the ids of an event that finishes a run. */
  finish({ threadId, runId, outcome }: RunFinishedEvent): Violation[] {
    const run = this.#run;
    const found: Violation[] = [];
    if (run !== undefined && runId !== run.runId) {
      found.push(violation("run.wrong-run", `the run \`${run.runId}\` finishes as \`${runId}\``, run.index));
    }
    if (run !== undefined && threadId !== run.threadId) {
      const message = `the run on the thread \`${run.threadId}\` finishes on \`${threadId}\``;
      found.push(violation("run.wrong-thread", message, run.index));
    }
    return [...found, ...repeatedInterrupts(outcome)];
  }

  #end(phase: Phase, index: number): true {
    this.#phase = phase;
    this.#ended = index;
    return true;
  }

  #stray({ type }: Event): false | Violation {
    if (this.#hasStrayed) return false;
    this.#hasStrayed = true;
    switch (this.#phase) {
      case "failed":
        return violation("run.after-error", `\`${type}\` comes after the run has failed`, this.#ended);
      case "finished":
        return violation("run.after-finish", `\`${type}\` comes after the run has finished`, this.#ended);
      default:
        return violation("run.first-event", `\`${type}\` comes before any run has begun`);
    }
  }
}

/** The interrupts that have the id of an earlier one: nobody could answer both. */
function repeatedInterrupts(outcome: RunFinishedEvent["outcome"]): Violation[] {
  if (outcome === undefined || outcome.type !== "interrupt") return [];
  const ids = new Set<string>();
  const found: Violation[] = [];
  for (const [number, { id }] of outcome.interrupts.entries()) {
    const repeated = violation("run.repeated-interrupt", `two interrupts of the run have the id \`${id}\``);
    if (ids.has(id)) found.push({ ...repeated, place: `/outcome/interrupts/${number}/id` });
    ids.add(id);
  }
  return found;
}

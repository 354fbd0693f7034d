// Level `snapshot`: finished runs as what they leave behind.
//
// The runs come in their `stream` form. Snapshots stand only in finished runs, just before the terminal event; a run that is
// not over keeps its `stream` form.

import type { Event } from "../../generated/types.js";
import type { Members } from "../../runtime/json.js";
import { sameMeaning } from "../likeness.js";
import { Reducer } from "../reducer.js";
import { messagesSnapshot, stateSnapshot } from "../restate.js";
import { sameValue } from "../values.js";
import { isValid, partsOf, stands, type Form } from "./form.js";
import { applied, Standings } from "./standings.js";
import { tips } from "./tips.js";

/** Which finished runs are retained: the ends of the branches, or all. */
export type Retain = "tips" | "runs";

/** Puts snapshots in the place of finished runs. */
export class Snapshots {
  readonly #standings = new Standings();
  /** What stands before the first run, while it is held back. */
  readonly #before: Event[] = [];
  readonly #retain: Retain;
  readonly #form: Form;

  constructor(retain: Retain, form: Form) {
    this.#retain = retain;
    this.#form = form;
  }

  /** Takes a finished run, and gives what is settled by it. */
  takeRun(run: Event[]): Event[] {
    if (this.#retain === "runs") return retainedRun(this.#standings, this.#form, run);
    this.#standings.take(run);
    return [];
  }

  /** Takes an event outside of all runs. An error after a run has finished belongs to that run. */
  takeOutside(event: Event): Event[] {
    if (this.#retain === "runs") return [event];
    (this.#standings.events.at(-1) ?? this.#before).push(event);
    return [];
  }

  /** The messages at the end of the last run, as far as they are known. */
  messages(): Members[] | undefined {
    return this.#standings.messages();
  }

  /** Gives what was held back and the run that is not over. */
  finish(unfinished: Event[]): Event[] {
    if (this.#retain === "runs") return unfinished;
    return [...this.#before, ...tips(this.#standings, this.#form, unfinished)];
  }
}

/**
 * A finished run as its frame, the events that belong to no message, call or state, and snapshots of what it changed. It
 * keeps its `stream` form if snapshots cannot say the same, as when they would change the order of messages, or if they
 * take more events.
 */
function retainedRun(standings: Standings, form: Form, run: Event[]): Event[] {
  const before = standings.before(run);
  const isSimple = form.partial || partsOf(run).inner.every((event) => stands(event, form));
  const copied = isSimple || before === undefined ? undefined : new Reducer(before);
  const after = before && applied(before, run);
  const shorter = copied && after && inSnapshots(form, copied, run, after);
  const written = shorter !== undefined && shorter.length <= run.length ? shorter : run;
  standings.put(written, after);
  return written;
}

/** The run in snapshots, if they mean the same. */
function inSnapshots(form: Form, standing: Reducer, run: readonly Event[], after: Reducer): Event[] | undefined {
  const { start, inner, terminal } = partsOf(run);
  if (standing.apply(0, start) !== undefined) return undefined;
  const events = [start, ...inner.filter((event) => stands(event, form))];
  const messages = after.messages;
  if (!sameValue(standing.messages, messages)) {
    const snapshot = messagesSnapshot(messages);
    if (snapshot === undefined) return undefined;
    events.push(snapshot);
  }
  if (!sameValue(standing.state, after.state)) events.push(stateSnapshot(after.state));
  events.push(...terminal);
  const end = applied(standing, events.slice(1));
  return end && sameMeaning(end, after) && isValid(events) ? events : undefined;
}

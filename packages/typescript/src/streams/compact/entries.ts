// What is known of the messages of a log.

import type { Members } from "../../runtime/json.js";
import { sameValue } from "../values.js";
import { classOf, type Path, type Place } from "./path.js";

/**
 * What a message is, as far as it decides what events do to it. `shared` are messages of one id of which none is an
 * assistant's; of what is `doubtful` nobody can tell, or whether there is such a message at all.
 */
export type Role = "assistant" | "activity" | "reasoning" | "other" | "shared" | "doubtful";

/** The role of this name. */
export function roleOf(name: string): Role {
  switch (name) {
    case "assistant":
      return "assistant";
    case "activity":
      return "activity";
    case "reasoning":
      return "reasoning";
    default:
      return "other";
  }
}

/** What is left to know once a snapshot may have taken one of several messages away. */
export function whenRestated(role: Role): Role {
  return role === "shared" ? "doubtful" : role;
}

/** The role of messages of one id, once a tool's result is one of them. */
export function withResult(role: Role): Role {
  return role === "assistant" || role === "doubtful" ? "doubtful" : "shared";
}

/** A message as it is known. */
export interface Known {
  readonly role: Role;
  /** Nothing if something changed it after the run that made it. */
  readonly value: Members | undefined;
}

/** What one run made of a message. */
export interface Entry extends Known {
  readonly made: Place;
  /** The last run that restated it as it was. */
  confirmed: Place;
  /** What an earlier run made of a message with the same id. */
  readonly older: Entry | undefined;
}

/** What is known of the messages of all runs. */
export class Entries {
  readonly #latest = new Map<string, Entry>();

  /** The message with this id at the end of a run, if the run's path has one. */
  at(path: Path, run: Place | undefined, id: string): Entry | undefined {
    let entry = run === undefined ? undefined : this.#latest.get(id);
    while (entry !== undefined && !path.isOn(entry.made, run as Place)) entry = entry.older;
    return entry === undefined || isThere(path, run as Place, entry) ? entry : undefined;
  }

  /** Notes what a run made of a message. */
  add(run: Place, id: string, { role, value }: Known): void {
    this.#latest.set(id, { role, value, made: run, confirmed: run, older: this.#latest.get(id) });
  }
}

/**
 * Notes that a run restated a message as it was. False if another branch restated it last, so that this run needs an entry
 * of its own.
 */
export function confirm(path: Path, run: Place, entry: Entry): boolean {
  const isFree = path.isOn(entry.confirmed, run);
  if (isFree) entry.confirmed = run;
  return isFree;
}

/** Whether the same is known of the values of two messages. */
export function sameKnown(one: Members | undefined, other: Members | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameValue(one, other);
}

/** Whether a message that a run on the path made is still there: no run after it restated its class without it. */
function isThere(path: Path, run: Place, { role, made, confirmed }: Entry): boolean {
  const messages = classOf(role);
  const restated = messages && path.restated(run, messages);
  return restated === undefined || path.isOn(restated, made) || path.isOn(restated, confirmed);
}

/** What the role of a message is at the end of a run. */
export function roleAt(path: Path, run: Place, { role, made }: Entry): Role {
  const restated = path.restated(run, "conversation");
  return restated === undefined || path.isOn(restated, made) ? role : whenRestated(role);
}

/** Which messages made a tool call, whatever the branch. */
export class Calls {
  /** Nearly all calls are made by one message. */
  readonly #byCall = new Map<string, string | Set<string>>();

  isKnown(call: string): boolean {
    return this.#byCall.has(call);
  }

  /** The messages that made a call. */
  holders(call: string): Iterable<string> {
    const holders = this.#byCall.get(call) ?? [];
    return typeof holders === "string" ? [holders] : holders;
  }

  /** Notes that a message made a call. */
  add(call: string, holder: string): void {
    const holders = this.#byCall.get(call);
    if (holders === undefined) this.#byCall.set(call, holder);
    else if (typeof holders !== "string") holders.add(holder);
    else if (holders !== holder) this.#byCall.set(call, new Set([holders, holder]));
  }
}

// What a replay passes over, for callers that ask for it.

import type { JsonPatch } from "../generated/types.js";
import { isKnownPatchOperation } from "../generated/index.js";
import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";
import type { PatchFailure } from "./patch.js";
import { sameValue } from "./values.js";

/** Something that a replay passed over. */
export interface Remark {
  readonly rule:
    | "verify.failed-patch"
    | "verify.unknown-operation"
    | "verify.unknown-word"
    | "verify.no-target"
    | "lineage.conflict";
  readonly index: number;
  /** JSON Pointer from the event to what was passed over. */
  readonly place: string;
  readonly message: string;
}

/** The remarks on the events of a log. */
export class Remarks {
  readonly all: Remark[] = [];

  /** A patch that did not apply. */
  failedPatch(index: number, member: string, { operation, reason }: PatchFailure): void {
    const message = `operation ${operation} of the patch does not apply: ${reason}; replay skips the whole patch`;
    this.all.push({ rule: "verify.failed-patch", index, place: `/${member}/${operation}`, message });
  }

  /** A patch, of which operations of an unknown kind are left out. */
  patch(index: number, member: string, patch: JsonPatch): void {
    for (const [place, operation] of patch.entries()) {
      if (isKnownPatchOperation(operation)) continue;
      const message = `\`${operation.op}\` is no known operation; replay leaves it out and applies the rest of the patch`;
      this.all.push({ rule: "verify.unknown-operation", index, place: `/${member}/${place}`, message });
    }
  }

  /** A word of an open set that is unknown, so that its event has no effect. */
  unknownWord(index: number, member: string, word: string): void {
    const message = `\`${word}\` is no known \`${member}\`; replay ignores the event`;
    this.all.push({ rule: "verify.unknown-word", index, place: `/${member}`, message });
  }

  /** An event about something that is not there, which has no effect; `member` names it. */
  noTarget(index: number, member: string, id: string, what: string): void {
    const message = `there is no ${what} \`${id}\`, so replay ignores the event`;
    this.all.push({ rule: "verify.no-target", index, place: `/${member}`, message });
  }

  /** A message of an input whose id is known; a conflict if its value is another one. */
  inputMessage(index: number, place: number, known: Members, message: Members): void {
    if (sameValue(known, message)) return;
    const reason = `the run already holds another message \`${textOf(message, "id")}\`, which replay keeps`;
    this.all.push({ rule: "lineage.conflict", index, place: `/input/messages/${place}`, message: reason });
  }
}

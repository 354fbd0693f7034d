// Helpers for tests of programs that save and load chat state: they compare by value, and say what was lost.

import { ExactNumber } from "../runtime/numbers.js";
import { stringify, writesItself } from "../runtime/writer.js";
import { lossesBetween, type Loss } from "./losses.js";

export { lossesBetween, type Loss, type LossClass } from "./losses.js";

/** The most losses that a message lists. */
const MOST = 20;

/** Two documents that are not the same. */
export class DocumentsDiffer extends Error {
  override readonly name = "DocumentsDiffer";

  constructor(readonly losses: readonly Loss[]) {
    super(messageOf(losses));
  }

  /** The error as `JSON.stringify` writes it, which leaves the message of other errors out. */
  toJSON(): unknown {
    return {
      name: this.name,
      message: this.message,
      losses: this.losses.map(({ class: kind, at }) => ({ class: kind, at })),
    };
  }
}

/**
 * Compares two documents, or objects that have one, by value: the order of members and the spelling of numbers do not matter.
 *
 * @throws DocumentsDiffer with the class and the place of each difference
 */
export function assertSameDocument(actual: unknown, expected: unknown): void {
  const losses = lossesBetween(documentOf(expected), documentOf(actual));
  if (losses.length > 0) throw new DocumentsDiffer(losses);
}

declare global {
  /** Vitest and Jest both look here for the matchers of others. */
  namespace jest {
    interface Matchers<R, T = {}> {
      /** Equal by value: the order of members and the spelling of numbers do not matter. */
      toBeSameDocument(expected: unknown): R;
    }
  }
}

/**
 * What `expect.addSnapshotSerializer` of Vitest and Jest takes: a number that no `number` is stands in a snapshot as it
 * stands in a document.
 */
export const snapshotSerializer = {
  test: (value: unknown): boolean => value instanceof ExactNumber,
  serialize: (value: unknown): string => String(value),
};

/** What `expect.extend` of Vitest and Jest takes. */
export const matchers = {
  /** `expect(actual).toBeSameDocument(expected)`: equal by value; a failure says what was lost. */
  toBeSameDocument(actual: unknown, expected: unknown): { pass: boolean; message: () => string } {
    const losses = lossesBetween(documentOf(expected), documentOf(actual));
    const pass = losses.length === 0;
    return { pass, message: () => (pass ? "the documents are the same by value" : messageOf(losses)) };
  },
};

/** What is written for a value, such as the document of a session. */
function documentOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber) && writesItself(value)
    ? value.toJSON()
    : value;
}

function messageOf(losses: readonly Loss[]): string {
  const lines = losses.slice(0, MOST).map(({ class: kind, at, before, after }) => {
    const [wasText, isText] = [before, after].map((value) => (value === undefined ? undefined : stringify(value)));
    const start = wasText === undefined || isText === undefined ? 0 : startOf(wasText, isText);
    const was = wasText === undefined ? "" : ` expected ${short(wasText, start)}`;
    const is = isText === undefined ? "" : ` got ${short(isText, start)}`;
    const place = at === "" ? "the whole document" : `\`${at}\``;
    return `  ${kind} at ${place}:${was}${was === "" || is === "" ? "" : ","}${is}`;
  });
  const more = losses.length > MOST ? [`  and ${losses.length - MOST} more`] : [];
  return [`the documents differ in ${losses.length} place(s):`, ...lines, ...more].join("\n");
}

/** The most characters that a message shows of a value. */
const LONGEST = 80;

/** Where to begin to show two long texts, so that their first difference is shown. */
function startOf(one: string, other: string): number {
  if (Math.max(one.length, other.length) <= LONGEST) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return Math.max(0, same - LONGEST / 2);
}

function short(text: string, start: number): string {
  const end = start + LONGEST;
  return `\`${start > 0 ? "..." : ""}${text.slice(start, end)}${text.length > end ? "..." : ""}\``;
}

// Objects that hold more than their members say.

/**
 * Makes an object refuse to be copied or compared by its members. What it holds is in none of them, so that
 * `structuredClone`, a spread and a deep comparison would take it for an empty object.
 *
 * @param sentence what the object is, and what to do instead
 */
export function refuseCopies(object: object, sentence: string): void {
  // Only what is enumerable, with a text as its name, is looked at by all of them.
  Object.defineProperty(object, "(not plain)", { enumerable: true, get: () => refuse(sentence) });
}

/** Refuses to write or to copy an object. Throws a `TypeError` with the sentence that names the way. */
export function refuse(sentence: string): never {
  throw new TypeError(sentence);
}

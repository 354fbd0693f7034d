/** What ES2024 gives every text; older platforms have not got it. */
interface MaybeWellFormed {
  isWellFormed?: () => boolean;
}

const isKnownToPlatform = typeof ("" as MaybeWellFormed).isWellFormed === "function";

/** Whether a text holds half of a surrogate pair anywhere. */
export function hasHalf(text: string): boolean {
  return isKnownToPlatform ? !(text as unknown as Required<MaybeWellFormed>).isWellFormed() : HALF.test(text);
}

/** Whether a text holds half of a surrogate pair elsewhere than at its two ends. */
export function hasHalfInside(text: string): boolean {
  return HALF.test(text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, ""));
}

const HALF = /\p{Surrogate}/u;

/** The number of characters; a surrogate pair is one. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What ES2024 gives every text; older platforms have not got it. */
interface MaybeWellFormed {
  isWellFormed?: () => boolean;
}

const isKnownToPlatform = typeof ("" as MaybeWellFormed).isWellFormed === "function";

/** Whether a text holds an unpaired surrogate anywhere. */
export function holdsUnpaired(text: string): boolean {
  return isKnownToPlatform ? !(text as unknown as Required<MaybeWellFormed>).isWellFormed() : SURROGATE.test(text);
}

/** Whether a text holds an unpaired surrogate elsewhere than at its two ends. */
export function holdsUnpairedInside(text: string): boolean {
  return SURROGATE.test(text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, ""));
}

const SURROGATE = /\p{Surrogate}/u;

/** The number of characters; a surrogate pair is one. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

// These two are there in every browser and on every server, and in no library of the language itself.
declare class TextDecoder {
  constructor(label: string, options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

/** The bytes of a text in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes of UTF-8 as text; throws a `TypeError` where they are none. A byte order mark is part of the text. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

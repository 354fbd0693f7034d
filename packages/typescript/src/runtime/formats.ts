import { decodeBase64 } from "./base64.js";

/**
 * The time that a text of format `date-time` says; `undefined` where it says none. The text itself keeps its time zone and
 * its digits, which a `Date` does not.
 */
export function dateOf(text: string): Date | undefined {
  const known = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/.test(text);
  const date = new Date(text.replace(" ", "T").toUpperCase());
  return known && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** The bytes that a Base64 text stands for; `undefined` where it is none. */
export function bytesOf(text: string): Uint8Array | undefined {
  return decodeBase64(text);
}

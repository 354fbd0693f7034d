/** What may stand before the padding where one byte or two are left for the last four characters. */
const LAST_OF_ONE = "AQgw";
const LAST_OF_TWO = "AEIMQUYcgkosw048";

/** How many bytes become text at once; a call takes only so many arguments. */
const CHUNK = 8192;

declare function btoa(binary: string): string;
declare function atob(base64: string): string;

/** Bytes as Base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/**
 * The bytes of a Base64 text (RFC 4648 section 4); `undefined` where it is none, also if a lenient reader would take it:
 * without its padding, with white space, or with bits left over.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.endsWith("==") ? text.slice(0, -2) : text.endsWith("=") ? text.slice(0, -1) : text;
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(plain)) return undefined;
  const last = [undefined, LAST_OF_TWO, LAST_OF_ONE][text.length - plain.length];
  if (last?.includes(plain.slice(-1)) === false) return undefined;
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

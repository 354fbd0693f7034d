import { decodeUtf8, encodeUtf8 } from "./text.js";

const ALPHABET = encodeUtf8("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

const PADDING = 0x3d;

/** What no character of the alphabet means. */
const NOTHING = 64;

const VALUES = new Uint8Array(256).fill(NOTHING);
ALPHABET.forEach((character, value) => (VALUES[character] = value));

/** Bytes as Base64 (RFC 4648 section 4), with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3)).fill(PADDING);
  let end = 0;
  for (let start = 0; start < bytes.length; start += 3) {
    const three = ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0);
    const characters = Math.min(4, bytes.length - start + 1);
    for (let place = 0; place < characters; place += 1) {
      text[end + place] = ALPHABET[(three >> (18 - 6 * place)) & 63] ?? PADDING;
    }
    end += 4;
  }
  return decodeUtf8(text);
}

/**
 * The bytes of a Base64 text; `undefined` where it is none, also if a lenient reader would take it: without its
 * padding, with whitespace, or with bits left over.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (text.length % 4 !== 0) return undefined;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const end = text.length - padding;
  let [bits, count, place] = [0, 0, 0];
  for (let at = 0; at < end; at += 1) {
    const value = VALUES[text.charCodeAt(at)] ?? NOTHING;
    if (value === NOTHING) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[place] = bits >> count;
      place += 1;
    }
  }
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined;
}

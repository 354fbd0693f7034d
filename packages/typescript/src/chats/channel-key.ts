import { encodeBase64 } from "../runtime/base64.js";
import { list, text } from "../runtime/check.js";
import { parser } from "../runtime/document.js";
import { sha256 } from "../runtime/sha256.js";

/** Reads the parts of a channel key, a JSON array of texts. */
export const parseChannelKeyParts = /* @__PURE__ */ parser<string[]>((value) => list(value, text));

/**
 * The key under which the state of a channel is saved: the Base64 of the SHA-256 of its parts, joined by colons. Lists
 * that join to the same text have the same key.
 */
export function channelKey(parts: readonly string[]): string {
  return encodeBase64(sha256(parts.join(":")));
}

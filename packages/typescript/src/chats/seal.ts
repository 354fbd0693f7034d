// Seals: a proof that no one without the key has changed a document. This is an entry point of its own, so that who does
// not seal does not load it.

import { decodeBase64, encodeBase64 } from "../runtime/base64.js";
import { canonicalize } from "../runtime/canonical.js";
import { isObject } from "../runtime/check.js";
import { parseJson } from "../runtime/document.js";
import type { Members } from "../runtime/json.js";
import { refuse, refuseCopies } from "../runtime/refusal.js";
import { Fault, Rejection } from "../runtime/rejection.js";
import { encodeUtf8 } from "../runtime/text.js";
import { stringify } from "../runtime/writer.js";

/** The one algorithm of this version. */
const ALGORITHM = "HMAC-SHA256";

/** The shortest key that is taken, in bytes. */
const LEAST_BYTES = 16;

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

const KEY = "a `SealKey` is a secret, and is not saved, copied or compared";

/** The part of Web Crypto that seals need. Browsers, Node.js and other servers have it, and no library of the language. */
interface HmacOfPlatform {
  importKey(
    format: "raw",
    bytes: Uint8Array,
    algorithm: typeof HMAC,
    readable: false,
    uses: string[],
  ): Promise<unknown>;
  sign(algorithm: "HMAC", key: unknown, message: Uint8Array): Promise<ArrayBuffer>;
  verify(algorithm: "HMAC", key: unknown, code: Uint8Array, message: Uint8Array): Promise<boolean>;
}

/** The key as the platform has it. */
let imported: (key: SealKey) => Promise<unknown>;

/**
 * A secret that seals documents, and the name that documents give it. Nothing shows the secret.
 */
export class SealKey {
  static {
    imported = (key) => platform().importKey("raw", key.#secret, HMAC, false, ["sign", "verify"]);
  }

  readonly #secret: Uint8Array;
  readonly #id: string | undefined;

  /**
   * @param secret the bytes of the key, all of which count; 32 bytes of `crypto.getRandomValues` are right
   * @param id the name, which is written into what the key seals. A document that was sealed with a key of another name is
   *   rejected without a look at its code
   * @throws Rejection for a key of fewer than 16 bytes, which can be guessed, and for one of zero bytes alone, with which
   *   HMAC fills keys up
   */
  constructor(secret: Uint8Array, id?: string) {
    if (secret.length < LEAST_BYTES) throw unusable(`has ${secret.length} bytes, fewer than ${LEAST_BYTES}`);
    if (secret.every((byte) => byte === 0)) throw unusable("is nothing but zero bytes");
    this.#secret = secret.slice();
    this.#id = id;
    refuseCopies(this, KEY);
  }

  /** The name, if the key has one. */
  get id(): string | undefined {
    return this.#id;
  }

  /** No document holds a key. */
  toJSON(): never {
    return refuse(KEY);
  }
}

/**
 * A document with a seal, as text.
 *
 * @throws Rejection for a document that is sealed, since sealing again would confirm changes that were never checked, and for
 *   what is no object
 */
export async function seal(text: string | Uint8Array, key: SealKey): Promise<string> {
  const document = objectOf(text);
  if (document["seal"] !== undefined) {
    const reason = "the document is sealed; take the seal off first, which verifies it";
    throw new Rejection(new Fault("semantic", "seal.present", reason).within("seal"));
  }
  const mark = { algorithm: ALGORITHM, ...(key.id === undefined ? {} : { keyId: key.id }) };
  const code = await platform().sign("HMAC", await imported(key), covered(document, mark));
  return stringify({ ...document, seal: { ...mark, mac: encodeBase64(new Uint8Array(code)) } });
}

/**
 * A document without its seal, which is verified first, as text.
 *
 * @throws Rejection for a document that was changed, was sealed with another key, or has no seal
 */
export async function unseal(text: string | Uint8Array, key: SealKey): Promise<string> {
  const { seal: mark, ...document } = objectOf(text);
  if (mark === undefined) {
    const reason = "the document is not sealed, so nothing shows whether it was changed";
    throw new Rejection(new Fault("semantic", "seal.missing", reason).within("seal"));
  }
  if (!isObject(mark)) throw malformed("type", "must be of type object");
  const code = codeIn(mark, key);
  const { mac: _, ...others } = mark;
  if (!(await platform().verify("HMAC", await imported(key), code, covered(document, others)))) {
    const reason =
      "the seal does not fit: the document was changed after it was sealed, or it was sealed with another key";
    throw new Rejection(new Fault("semantic", "seal.mismatch", reason).from(["seal", "mac"]));
  }
  return stringify(document);
}

/** What the code of a seal is made of. */
function covered(document: Members, mark: Members): Uint8Array {
  return encodeUtf8(canonicalize({ ...document, seal: mark }));
}

/** The code in a seal that can be verified. */
function codeIn(mark: Members, key: SealKey): Uint8Array {
  if (textIn(mark, "algorithm") !== ALGORITHM)
    throw malformed("const", `must be the text \`${ALGORITHM}\``, "algorithm");
  const code = decodeBase64(textIn(mark, "mac"));
  if (code === undefined) throw malformed("pattern", "must be Base64 of RFC 4648 section 4, with padding", "mac");
  const named = mark["keyId"] === undefined ? undefined : textIn(mark, "keyId");
  if (named !== undefined && key.id !== undefined && named !== key.id) {
    const reason = `was sealed with the key \`${named}\`, not with \`${key.id}\``;
    throw new Rejection(new Fault("semantic", "seal.other-key", reason).from(["seal", "keyId"]));
  }
  return code;
}

function textIn(mark: Members, name: string): string {
  const text = mark[name];
  if (text === undefined) throw malformed("required", `the member \`${name}\` is missing`, name);
  if (typeof text !== "string") throw malformed("type", "must be of type string", name);
  return text;
}

function objectOf(text: string | Uint8Array): Members {
  const document = parseJson(text);
  if (isObject(document)) return document;
  const reason = "only an object can be sealed, and this is none; seal the elements of a list one by one";
  throw new Rejection(new Fault("schema", "type", reason));
}

function malformed(rule: string, reason: string, ...place: readonly string[]): Rejection {
  return new Rejection(new Fault("schema", rule, reason).from(["seal", ...place]));
}

function unusable(what: string): Rejection {
  return new Rejection(
    new Fault("semantic", "seal.key", `the key ${what}; use at least 32 bytes from a random source`),
  );
}

function platform(): HmacOfPlatform {
  const { crypto } = globalThis as { crypto?: { subtle?: HmacOfPlatform } };
  if (crypto?.subtle !== undefined) return crypto.subtle;
  throw new Error("there is no Web Crypto here, which pages have over https alone; seal on the server");
}

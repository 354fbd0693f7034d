// The second form of documents: CBOR (RFC 8949), with the same values, in the one way of its section 4.2.1. This is an entry
// point of its own, so that who has no use for it does not load it.

import { canonicalize } from "../runtime/canonical.js";
import { isObject } from "../runtime/check.js";
import { rejecting } from "../runtime/document.js";
import { readDocument, type Members } from "../runtime/json.js";
import { exactNumber, isJsonNumber, type JsonNumber } from "../runtime/numbers.js";
import { MAX_DEPTH, unpaired } from "../runtime/reader.js";
import { Fault } from "../runtime/rejection.js";
import { decodeUtf8, encodeUtf8, holdsUnpaired, holdsUnpairedInside } from "../runtime/text.js";
import { setMember } from "../streams/values.js";

const MAX_DIGITS = 100_000;
const [POSITIVE, NEGATIVE, DECIMAL, SPLIT_TEXT] = [2n, 3n, 4n, 273n];
const BEYOND = 1n << 64n;

/**
 * A document in CBOR.
 *
 * @throws Rejection for what is not JSON
 */
export function toCbor(text: string | Uint8Array): Uint8Array {
  return rejecting(() => {
    const { value } = readDocument(text);
    const writer = new CborWriter();
    writer.value(value);
    return Uint8Array.from(writer.bytes);
  });
}

/**
 * The value of a document in CBOR; `stringify` makes text of it. Integers and floats of any width are read, and names in any
 * order.
 *
 * @throws Rejection of what JSON does not have, with the place and the byte where it begins
 */
export function fromCbor(encoded: Uint8Array): unknown {
  return rejecting(() => {
    const reader = new CborReader(encoded);
    const value = reader.value(0);
    if (reader.position < encoded.length) throw fault("cbor", reader.position, "there are bytes after the value");
    return value;
  });
}

class CborWriter {
  readonly bytes: number[] = [];

  value(value: unknown): void {
    if (typeof value === "string") this.text(value);
    else if (isJsonNumber(value)) this.number(canonicalize(value));
    else if (Array.isArray(value)) {
      this.head(4, BigInt(value.length));
      for (const item of value) this.value(item);
    } else if (isObject(value)) this.members(value);
    else this.bytes.push(value === null ? 0xf6 : value === true ? 0xf5 : 0xf4);
  }

  /** The head of a value: its kind and a number, in the shortest form. */
  private head(major: number, count: bigint): void {
    const width = count < 24n ? 0 : count < 0x100n ? 1 : count < 0x10000n ? 2 : count < 0x100000000n ? 4 : 8;
    this.bytes.push((major << 5) | (width === 0 ? Number(count) : 24 + Math.log2(width)));
    for (let place = width - 1; place >= 0; place -= 1) this.bytes.push(Number((count >> BigInt(8 * place)) & 0xffn));
  }

  private members(value: Members): void {
    const names = Object.keys(value).map((name) => ({ name, bytes: encodeUtf8(name) }));
    this.head(5, BigInt(names.length));
    // The head of a shorter name is less than that of a longer one.
    names.sort((one, two) => one.bytes.length - two.bytes.length || compareBytes(one.bytes, two.bytes));
    for (const { name } of names) {
      this.text(name);
      this.value(value[name]);
    }
  }

  private text(text: string): void {
    if (holdsUnpairedInside(text)) throw unpaired();
    const bytes = holdsUnpaired(text) ? wtf8(text) : encodeUtf8(text);
    if (holdsUnpaired(text)) {
      this.head(6, SPLIT_TEXT);
      this.head(2, BigInt(bytes.length));
    } else this.head(3, BigInt(bytes.length));
    for (const byte of bytes) this.bytes.push(byte);
  }

  /** A number by its canonical text, so that the spellings of one value have one encoding. */
  private number(text: string): void {
    const integer = /^-?[0-9]+$/.test(text) ? BigInt(text) : undefined;
    if (integer !== undefined && -BEYOND <= integer && integer < BEYOND) return this.integer(integer);
    const double = Number(text);
    if (Number.isFinite(double) && canonicalize(double) === text) return this.float(double);
    if (text.length > MAX_DIGITS) throw tooManyDigits();
    if (integer !== undefined) return this.big(integer);
    const [mantissa = "", exponent = ""] = text.split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    this.head(6, DECIMAL);
    this.head(4, 2n);
    this.integer(BigInt(exponent.replace("+", "")) - BigInt(fraction.length));
    const digits = BigInt(whole + fraction);
    if (-BEYOND <= digits && digits < BEYOND) this.integer(digits);
    else this.big(digits);
  }

  private integer(value: bigint): void {
    if (value >= 0n) this.head(0, value);
    else this.head(1, -1n - value);
  }

  private big(value: bigint): void {
    const digits = (value >= 0n ? value : -1n - value).toString(16);
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    this.head(6, value >= 0n ? POSITIVE : NEGATIVE);
    this.head(2, BigInt(even.length / 2));
    for (let at = 0; at < even.length; at += 2) this.bytes.push(parseInt(even.slice(at, at + 2), 16));
  }

  /** A double in the shortest form that has its value. */
  private float(value: number): void {
    const half = halfOf(value);
    if (half !== undefined) {
      this.bytes.push(0xf9, half >> 8, half & 0xff);
      return;
    }
    const isSingle = Math.fround(value) === value;
    const view = new DataView(new ArrayBuffer(8));
    if (isSingle) view.setFloat32(0, value);
    else view.setFloat64(0, value);
    this.bytes.push(isSingle ? 0xfa : 0xfb);
    for (let at = 0; at < (isSingle ? 4 : 8); at += 1) this.bytes.push(view.getUint8(at));
  }
}

class CborReader {
  position = 0;

  constructor(private readonly encoded: Uint8Array) {}

  value(depth: number): unknown {
    const at = this.position;
    const { major, code, count } = this.head();
    if (major === 0) return integerOf(count);
    if (major === 1) return integerOf(-1n - count);
    if (major === 3) return this.text(at, count);
    if (major === 6) return this.tagged(at, count);
    if (major === 7) return this.simple(at, code, count);
    if (major === 2) throw noJson(at, "a byte string");
    if (depth === MAX_DEPTH) {
      const reason = `the document nests deeper than ${MAX_DEPTH} levels (byte ${at})`;
      throw new Fault("limit", "depth", reason);
    }
    return major === 4 ? this.array(count, depth + 1) : this.map(count, depth + 1);
  }

  /** A head: the kind, how the number is written, and the number. */
  private head(): { major: number; code: number; count: bigint } {
    const at = this.position;
    const [first = 0] = this.bytes(at, 1n);
    const [major, code] = [first >> 5, first & 31];
    if (code < 24) return { major, code, count: BigInt(code) };
    if (code === 31 && major >= 2 && major <= 5) {
      throw fault("cbor.indefinite", at, "a length is left open; write it with definite lengths");
    }
    if (code > 27) throw fault("cbor", at, "this byte begins no value");
    const bytes = this.bytes(at, BigInt(1 << (code - 24)));
    return { major, code, count: bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) };
  }

  private bytes(at: number, count: bigint): Uint8Array {
    if (count > BigInt(this.encoded.length - this.position)) {
      throw fault("cbor", at, "the document ends in the middle of a value");
    }
    const end = this.position + Number(count);
    const bytes = this.encoded.subarray(this.position, end);
    this.position = end;
    return bytes;
  }

  private text(at: number, count: bigint): string {
    const bytes = this.bytes(at, count);
    try {
      return decodeUtf8(bytes);
    } catch (error) {
      if (error instanceof TypeError) throw fault("utf-8", at, "a text is not UTF-8");
      throw error;
    }
  }

  private array(count: bigint, depth: number): unknown[] {
    const items: unknown[] = [];
    // The length is a claim: there may be fewer items.
    while (items.length < count) items.push(this.inside(items.length, depth));
    return items;
  }

  private map(count: bigint, depth: number): Members {
    const members: Members = {};
    for (let taken = 0n; taken < count; taken += 1n) {
      const at = this.position;
      const name = this.name(at);
      if (Object.hasOwn(members, name)) {
        throw fault("duplicate-member", at, `the member \`${name}\` appears more than once`).within(name);
      }
      setMember(members, name, this.inside(name, depth));
    }
    return members;
  }

  private inside(step: string | number, depth: number): unknown {
    try {
      return this.value(depth);
    } catch (error) {
      throw error instanceof Fault ? error.within(step) : error;
    }
  }

  private name(at: number): string {
    const { major, count } = this.head();
    if (major !== 3) throw fault("cbor.key", at, "a key is not text, and JSON has keys of text only");
    return this.text(at, count);
  }

  private simple(at: number, code: number, count: bigint): unknown {
    if (code >= 25) {
      const double = doubleOf(this.encoded, this.position, code);
      if (!Number.isFinite(double)) throw fault("cbor.value", at, "JSON has no such number");
      return double === 0 ? 0 : double;
    }
    if (code === 20 || code === 21) return code === 21;
    if (code === 22) return null;
    throw noJson(at, `the simple value ${count}`);
  }

  private tagged(at: number, tag: bigint): unknown {
    if (tag === POSITIVE || tag === NEGATIVE) return integerOf(this.big(tag));
    if (tag === DECIMAL) return this.decimal(at);
    if (tag !== SPLIT_TEXT) throw fault("cbor.tag", at, `the tag ${tag} has no meaning in JSON; convert it before`);
    const text = textOfWtf8(this.bytesAfterTag());
    if (text === undefined || !holdsUnpaired(text) || holdsUnpairedInside(text)) {
      throw fault("utf-8", at, "no unpaired surrogate is at an end");
    }
    return text;
  }

  private bytesAfterTag(): Uint8Array {
    const at = this.position;
    const { major, count } = this.head();
    if (major !== 2) throw fault("cbor.tag", at, "the tag is not followed by bytes");
    return this.bytes(at, count);
  }

  private big(tag: bigint): bigint {
    const bytes = this.bytesAfterTag();
    // Five bytes have twelve digits.
    if (Math.floor(bytes.length / 5) * 12 > MAX_DIGITS) throw tooManyDigits();
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const magnitude = BigInt(`0x0${digits}`);
    return tag === POSITIVE ? magnitude : -1n - magnitude;
  }

  private decimal(at: number): unknown {
    const { major, count } = this.head();
    if (major !== 4 || count !== 2n) throw noPair(at);
    const exponent = this.integerOfPair(false);
    // The reader of JSON judges it: an exponent has a limit.
    return readDocument(`${this.integerOfPair(true)}e${exponent}`).value;
  }

  private integerOfPair(withTags: boolean): bigint {
    const at = this.position;
    const { major, count } = this.head();
    if (major === 0) return count;
    if (major === 1) return -1n - count;
    if (major === 6 && withTags && (count === POSITIVE || count === NEGATIVE)) return this.big(count);
    throw noPair(at);
  }
}

function fault(rule: string, byte: number, reason: string): Fault {
  return new Fault("syntax", rule, `${reason} (byte ${byte})`);
}

function noJson(byte: number, what: string): Fault {
  return fault("cbor.value", byte, `this is ${what}, which JSON does not have`);
}

function noPair(byte: number): Fault {
  return fault("cbor.tag", byte, "a decimal is a pair of two integers");
}

function tooManyDigits(): Fault {
  return new Fault("limit", "number-digits", `a number has more than ${MAX_DIGITS} digits; write it as text`);
}

/** An integer as reading JSON gives it. */
function integerOf(value: bigint): JsonNumber {
  return exactNumber(String(value));
}

function compareBytes(one: Uint8Array, two: Uint8Array): number {
  const at = one.findIndex((byte, place) => byte !== two[place]);
  return at < 0 ? 0 : (one[at] ?? 0) - (two[at] ?? 0);
}

/** The bits of the half-precision float that has exactly this value, if there is one. */
function halfOf(value: number): number | undefined {
  const magnitude = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  if (magnitude > 65504) return undefined;
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const steps = magnitude / 2 ** (exponent - 10);
  if (!Number.isInteger(steps)) return undefined;
  return steps < 1024 ? sign | steps : sign | ((exponent + 15) << 10) | (steps - 1024);
}

/** The double in the bytes before a place, of which a head says how many they are. */
function doubleOf(encoded: Uint8Array, end: number, code: number): number {
  const width = 1 << (code - 24);
  const view = new DataView(encoded.buffer, encoded.byteOffset + end - width, width);
  if (code === 27) return view.getFloat64(0);
  if (code === 26) return view.getFloat32(0);
  const bits = view.getUint16(0);
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const magnitude =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The bytes of a text with half of a surrogate pair at an end: each half as three bytes. */
function wtf8(text: string): number[] {
  return Array.from(text).flatMap((character) => {
    const point = character.codePointAt(0) ?? 0;
    const isHalf = point >= 0xd800 && point <= 0xdfff;
    return isHalf
      ? [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
      : [...encodeUtf8(character)];
  });
}

/** The text of such bytes; `undefined` where they are none. */
function textOfWtf8(bytes: Uint8Array): string | undefined {
  const half = (at: number): string => {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const is = first === 0xed && second >= 0xa0 && second <= 0xbf && third >> 6 === 2;
    return is ? String.fromCharCode(((first & 15) << 12) | ((second & 63) << 6) | (third & 63)) : "";
  };
  const isLow = (text: string): boolean => text >= "\udc00";
  const first = half(0);
  const start = first !== "" && isLow(first) ? first : "";
  const last = bytes.length >= 3 + 3 * start.length ? half(bytes.length - 3) : "";
  const end = last !== "" && !isLow(last) ? last : "";
  try {
    return start + decodeUtf8(bytes.subarray(3 * start.length, bytes.length - 3 * end.length)) + end;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

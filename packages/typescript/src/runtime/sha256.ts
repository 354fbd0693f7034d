// The digests of the platforms are asynchronous (Web Crypto) or of one platform alone (`node:crypto`).

import { encodeUtf8 } from "./text.js";

/** Bytes in lower-case hexadecimal digits. */
export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The SHA-256 (FIPS 180-4) of a text in UTF-8. */
export function sha256(text: string): Uint8Array {
  const message = padded(encodeUtf8(text));
  const state = Uint32Array.from(firstPrimes(8), (prime) => fraction(prime ** 0.5));
  const schedule = new Uint32Array(64);
  for (let block = 0; block < message.byteLength; block += 64) {
    for (let word = 0; word < 16; word += 1) schedule[word] = message.getUint32(block + 4 * word);
    extend(schedule);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

/** A one bit, zeros, and the length in bits, up to a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setBigUint64(message.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function extend(schedule: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(schedule, index - 15), at(schedule, index - 2)];
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[index] = at(schedule, index - 16) + first + at(schedule, index - 7) + second;
  }
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round += 1) {
    const choice = (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g));
    const majority = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    const mixed = (h + choice + at(CONSTANTS, round) + at(schedule, round)) | 0;
    [h, g, f, e] = [g, f, e, (d + mixed) | 0];
    [d, c, b, a] = [c, b, a, (mixed + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = at(state, index) + word));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

/** The first 32 bits of the fractional part. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

const CONSTANTS = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));

/** The most digits that an integer is written out with, or made a `bigint`; longer ones have an exponent. */
const MAX_PLAIN_DIGITS = 1000n;

const GRAMMAR = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** A value of JSON for which JavaScript has no primitive. */
export abstract class Scalar {}

/** Where the platform has it, a text of JSON that `JSON.stringify` writes as it is. */
interface MaybeRawJson {
  rawJSON?: (text: string) => unknown;
}

/**
 * A number that no `number` of JavaScript is, such as `9007199254740993`, `0.1234567890123456789` or `1e400`, by the text
 * that it was read from. What computes with it as with a `number` gets a `TypeError`, and never another number;
 * `bigIntOf` gives an integer to compute with.
 */
export class ExactNumber extends Scalar {
  /**
   * `JSON.stringify` writes this number as it is where the platform has `JSON.rawJSON`, and else refuses to write another
   * one. It is a member of each number, so that `structuredClone` refuses what would arrive as another object.
   */
  readonly toJSON = rawJson;

  /** @param text a number in the grammar of JSON */
  constructor(readonly text: string) {
    super();
    if (!GRAMMAR.test(text)) throw new SyntaxError(`\`${text}\` is not a number of JSON`);
  }

  /** The nearest finite `number`. */
  toNumber(): number {
    return nearest(this.text);
  }

  override toString(): string {
    return this.text;
  }

  /** The text where a text is asked for. A `number` is never made of it in silence. */
  [Symbol.toPrimitive](hint: string): string {
    return hint === "string" ? this.text : refuseNumber(this.text);
  }
}

function rawJson(this: ExactNumber): unknown {
  const { rawJSON } = JSON as MaybeRawJson;
  return rawJSON === undefined ? refuseNumber(this.text) : rawJSON(this.text);
}

function refuseNumber(text: string): never {
  throw new TypeError(`${text} is no \`number\`; use \`stringify\` or \`toNumber()\``);
}

/** A number as a document has it: a `number` wherever a `number` has exactly its value. Reading makes no `bigint`. */
export type JsonNumber = number | bigint | ExactNumber;

/** Whether a value is a number of JSON. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === "number" ? Number.isFinite(value) : typeof value === "bigint" || value instanceof ExactNumber;
}

/** The number that a text of JSON's grammar is, exactly. */
export function exactNumber(text: string): number | ExactNumber {
  return isDouble(text) ? Number(text) : new ExactNumber(text);
}

/** Whether the number that JavaScript makes of a text has its value; not so of a text that is no number. */
export function isDouble(text: string): boolean {
  const value = Number(text);
  const shortest = String(value);
  return shortest === text || (Number.isFinite(value) && same(decimal(shortest), decimal(text)));
}

/** The finite `number` that comes nearest to a text of JSON's grammar. */
export function nearest(text: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(text)));
}

/** The integer that a number of a document is; `undefined` for one that is none, or has more than 1,000 digits. */
export function bigIntOf(number: JsonNumber): bigint | undefined {
  const text = String(number);
  const value = decimal(text);
  if (!integral(value) || value.exponent >= MAX_PLAIN_DIGITS) return undefined;
  const magnitude = BigInt(value.digits.padEnd(Number(value.exponent) + 1, "0"));
  return value.negative ? -magnitude : magnitude;
}

/** The one spelling of a number's value: that of RFC 8785 where a double has the value, else the exact decimal. */
export function canonicalNumber(value: JsonNumber): string {
  const text = String(value);
  return isDouble(text) ? String(Number(text)) : spelled(decimal(text));
}

/** Whether a number has no fractional part; `1.0` and `1e2` have none. */
export function isIntegral(value: JsonNumber): boolean {
  return typeof value === "number" ? Number.isInteger(value) : integral(decimal(String(value)));
}

/** Less than zero, zero or more than zero, as the first number is less than, equal to or more than the second. */
export function compare(first: JsonNumber, second: JsonNumber): number {
  if (!(first instanceof ExactNumber) && !(second instanceof ExactNumber)) {
    return first < second ? -1 : first > second ? 1 : 0;
  }
  const [left, right] = [decimal(String(first)), decimal(String(second))];
  const [sign, other] = [signOf(left), signOf(right)];
  if (sign !== other || sign === 0) return sign - other;
  return sign * compareMagnitudes(left, right);
}

/** Whether a number is an integer multiple of another, computed in decimals. */
export function isMultiple(value: JsonNumber, of: JsonNumber): boolean {
  const [left, right] = [decimal(String(value)), decimal(String(of))];
  if (left.digits === "" || right.digits === "") return left.digits === "";
  const [low, other] = [lowest(left), lowest(right)];
  const shift = low - other;
  if (shift > 10_000n || shift < -10_000n) return shift > 0n;
  const [scaled, divisor] = [BigInt(left.digits), BigInt(right.digits)];
  return shift >= 0n ? (scaled * 10n ** shift) % divisor === 0n : scaled % (divisor * 10n ** -shift) === 0n;
}

/** `d.ddd` times ten to the exponent, without zeros at either end of the digits; zero has no digits. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: bigint;
}

function decimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const [mantissa = "", exponent = "0"] = (negative ? text.slice(1) : text).split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const digits = trimmed(all);
  if (digits === "") return { negative: false, digits, exponent: 0n };
  const leading = all.length - all.replace(/^0+/, "").length;
  return { negative, digits, exponent: BigInt(exponent.replace("+", "")) + BigInt(whole.length - leading - 1) };
}

/** The digits without zeros at either end. A regular expression would look at each run of zeros again and again. */
function trimmed(digits: string): string {
  let [start, end] = [0, digits.length];
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  return digits.slice(start, end);
}

/** The power of ten of the last digit. */
function lowest(value: Decimal): bigint {
  return value.exponent - BigInt(value.digits.length - 1);
}

function integral(value: Decimal): boolean {
  return value.digits === "" || lowest(value) >= 0n;
}

function same(first: Decimal, second: Decimal): boolean {
  return first.negative === second.negative && first.exponent === second.exponent && first.digits === second.digits;
}

function signOf(value: Decimal): number {
  return value.digits === "" ? 0 : value.negative ? -1 : 1;
}

function compareMagnitudes(first: Decimal, second: Decimal): number {
  if (first.exponent !== second.exponent) return first.exponent < second.exponent ? -1 : 1;
  return first.digits < second.digits ? -1 : first.digits > second.digits ? 1 : 0;
}

function spelled(value: Decimal): string {
  const sign = value.negative ? "-" : "";
  if (integral(value) && value.exponent < MAX_PLAIN_DIGITS) {
    return sign + value.digits.padEnd(Number(value.exponent) + 1, "0");
  }
  const fraction = value.digits.length > 1 ? `.${value.digits.slice(1)}` : "";
  return `${sign}${value.digits.slice(0, 1)}${fraction}e${value.exponent < 0n ? "" : "+"}${value.exponent}`;
}

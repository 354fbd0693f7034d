import { exactNumber, nearest, type JsonNumber } from "./numbers.js";
import { Fault } from "./rejection.js";
import { decodeUtf8, holdsUnpaired, holdsUnpairedInside } from "./text.js";

/** The deepest nesting of arrays and objects that is read. */
export const MAX_DEPTH = 512;

/** The longest exponent of a number, in digits. */
const MAX_EXPONENT_DIGITS = 18;

/** What was read, and whether a text in it begins or ends with an unpaired surrogate. */
export interface Reading {
  value: unknown;
  hasUnpaired: boolean;
}

/**
 * Reads JSON text character by character, and throws a `Fault` that says what is wrong and where. It is exact and slow:
 * `JSON.parse` reads what it can, and this reader all that it cannot, or cannot judge.
 */
export function read(text: string, exact: boolean): Reading {
  return new Reader(text, exact).document();
}

const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?([0-9]+))?/y;

class Reader {
  readonly #text: string;
  readonly #exact: boolean;
  #at = 0;
  #hasUnpaired = false;
  readonly #path: (string | number)[] = [];

  constructor(text: string, exact: boolean) {
    this.#text = text;
    this.#exact = exact;
  }

  document(): Reading {
    if (this.#text.startsWith("\ufeff")) throw byteOrderMark();
    const value = this.#value(0);
    this.#skipWhiteSpace();
    if (this.#at < this.#text.length) throw this.#expected("the end of the document");
    return { value, hasUnpaired: this.#hasUnpaired };
  }

  #value(depth: number): unknown {
    this.#skipWhiteSpace();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth + 1);
      case "[":
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(depth: number): unknown {
    const object = {};
    const names = new Set<string>();
    this.#open(depth);
    if (this.#skip("}")) return object;
    do {
      const name = this.#name(names);
      // An assignment to `__proto__` would not make a member.
      const value = this.#value(depth);
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
      this.#path.pop();
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#expected("`,` or `}`");
    return object;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#open(depth);
    if (this.#skip("]")) return items;
    do {
      this.#path.push(items.length);
      items.push(this.#value(depth));
      this.#path.pop();
    } while (this.#skip(","));
    if (this.#skip("]")) return items;
    this.#path.push(items.length);
    throw this.#expected("`,` or `]`");
  }

  #open(depth: number): void {
    if (depth > MAX_DEPTH) throw tooDeep();
    this.#at += 1;
  }

  /** Reads a name and its colon; the name is a step of the path from then on. */
  #name(names: Set<string>): string {
    this.#skipWhiteSpace();
    if (this.#text[this.#at] !== '"') throw this.#expected("a member name in double quotes");
    const name = this.#string();
    if (holdsUnpaired(name)) throw this.#placed(unpaired());
    this.#path.push(name);
    if (names.has(name)) {
      throw this.#placed(
        new Fault(
          "syntax",
          "duplicate-member",
          "a member name occurs twice in one object; readers disagree about which one counts, so remove one",
        ),
      );
    }
    names.add(name);
    if (!this.#skip(":")) throw this.#expected("`:` after the member name");
    return name;
  }

  #string(): string {
    this.#at += 1;
    let text = "";
    for (;;) {
      text += this.#match(PLAIN)?.[0] ?? "";
      const stop = this.#text[this.#at];
      if (stop === '"') break;
      if (stop === undefined) throw this.#expected("the closing quote of a string");
      if (stop !== "\\") throw this.#expected("an escape such as `\\n` for a control character");
      text += this.#escape();
    }
    this.#at += 1;
    if (!holdsUnpaired(text)) return text;
    if (holdsUnpairedInside(text)) throw this.#placed(unpaired());
    this.#hasUnpaired = true;
    return text;
  }

  #escape(): string {
    this.#at += 1;
    const letter = this.#text[this.#at] ?? "";
    const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (character !== undefined) {
      this.#at += 1;
      return character;
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (letter !== "u") throw this.#expected('one of `"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after a backslash');
    this.#at += 1;
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#expected("four hexadecimal digits after `\\u`");
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #scalar(): JsonNumber | boolean | null {
    for (const [word, value] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const number = this.#match(NUMBER);
    if (number === undefined) throw this.#expected("a value");
    if (/^[0-9]|^[.eE]/.test(this.#text.slice(this.#at, this.#at + 1))) throw this.#expected("a digit");
    if ((number[1] ?? "").replace(/^0+/, "").length > MAX_EXPONENT_DIGITS) {
      throw this.#placed(
        new Fault("limit", "number-exponent", `a number's exponent has more than ${MAX_EXPONENT_DIGITS} digits`),
      );
    }
    return this.#exact ? exactNumber(number[0]) : nearest(number[0]);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #skip(character: string): boolean {
    this.#skipWhiteSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipWhiteSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #expected(what: string): Fault {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const found = this.#at < this.#text.length ? `there is \`${character}\`` : "the document ends";
    const lines = this.#text.slice(0, this.#at).split("\n");
    const column = (lines.at(-1) ?? "").length + 1;
    const place = `line ${lines.length}, column ${column}`;
    return this.#placed(new Fault("syntax", "json", `not JSON: expected ${what}, but ${found} (${place})`));
  }

  #placed(fault: Fault): Fault {
    fault.path.push(...[...this.#path].reverse());
    return fault;
  }
}

/** The fault of text that holds an unpaired surrogate. */
export function unpaired(): Fault {
  return new Fault(
    "syntax",
    "unpaired-surrogate",
    "text holds an unpaired surrogate; only a text that is a piece of another may begin or end with one",
  );
}

/** The fault of a document that is nested too deep, which is the document as a whole. */
export function tooDeep(): Fault {
  return new Fault("limit", "depth", `the document is nested deeper than ${MAX_DEPTH} levels`);
}

function byteOrderMark(): Fault {
  return new Fault("syntax", "byte-order-mark", "the document begins with a byte order mark; save it without one");
}

/** The text of a document that came as bytes; throws a `Fault` where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Fault("syntax", "utf-8", "the document is not UTF-8; save it as UTF-8");
  }
}

// What an event holds that the schema does not know: readers that strip it do not see it.

import { known, roleOf } from "../generated/events.js";
import type { Event } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { pointer } from "../runtime/rejection.js";
import type { Finding } from "./verify.js";

/** What the schema knows of a definition. */
interface KnownWords {
  /** The member that distinguishes the variants, if it is a union. */
  readonly tag?: string;
  /** The members, or the values of the tag, with the definition of what is inside, or no text. */
  readonly definitions: ReadonlyMap<string, string>;
}

const words = new Map<string, KnownWords>();

/** What the schema knows of a definition. */
function knownWords(definition: string): KnownWords {
  const held = words.get(definition);
  if (held !== undefined) return held;
  const all = (known.get(definition) ?? "").split(" ");
  const tag = all[0]?.endsWith(":") ? all.shift()?.slice(0, -1) : undefined;
  const definitions = new Map(all.map((word) => word.split(">") as [string, string?]).map(([name, inside]) => [name, inside ?? ""]));
  const found = tag === undefined ? { definitions } : { tag, definitions };
  words.set(definition, found);
  return found;
}

/** What is unknown in the events of known types; an event of another type is unknown itself. */
export function unknownIn(stream: readonly Event[]): Finding[] {
  const found: Finding[] = [];
  const [event] = known.keys();
  for (const [index, happened] of stream.entries()) {
    if (event === undefined || roleOf(happened.type) === undefined) continue;
    inDefinition(event, happened as unknown as Members, "", (rule, place, message) => {
      found.push({ rule, index, ...(place !== "" && { place }), message });
    });
  }
  return found;
}

type Warn = (rule: string, place: string, message: string) => void;

function inDefinition(definition: string, value: Members, place: string, warn: Warn): void {
  const { tag, definitions } = knownWords(definition);
  if (tag === undefined) return inObject(definition, definitions, value, place, warn);
  const chosen = value[tag] as string;
  const variant = definitions.get(chosen);
  if (variant !== undefined) return inDefinition(variant, value, place, warn);
  warn("verify.unknown-variant", place, `the schema does not know the \`${tag}\` \`${chosen}\` here`);
}

function inObject(
  definition: string, names: ReadonlyMap<string, string>, value: Members, place: string, warn: Warn,
): void {
  for (const [name, member] of Object.entries(value)) {
    const under = place + pointer([name]);
    const inside = names.get(name);
    if (inside === undefined && member !== undefined) {
      warn("verify.unknown-member", under, `the schema has no member \`${name}\` of \`${definition}\``);
    } else if (inside) {
      inValue(inside, member, under, warn);
    }
  }
}

function inValue(definition: string, value: unknown, place: string, warn: Warn): void {
  if (Array.isArray(value)) {
    value.forEach((element, number) => inDefinition(definition, element as Members, `${place}/${number}`, warn));
  } else if (typeof value === "object" && value !== null) {
    inDefinition(definition, value as Members, place, warn);
  }
}

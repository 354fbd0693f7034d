// What an event holds that the schema does not know: readers that strip it do not see it.

import { type Known, known, roleOf } from "../generated/events.js";
import type { Event } from "../generated/types.js";
import type { Members } from "../runtime/json.js";
import { pointer } from "../runtime/rejection.js";
import type { Finding } from "./verify.js";

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
  const of = known.get(definition);
  if (of === undefined) return;
  const { tag, names } = of;
  if (tag === undefined) return inObject(definition, names, value, place, warn);
  const chosen = value[tag] as string;
  const variant = names.get(chosen);
  if (variant !== undefined) return inDefinition(variant, value, place, warn);
  warn("verify.unknown-variant", place, `the schema does not know the \`${tag}\` \`${chosen}\` here`);
}

function inObject(definition: string, names: Known["names"], value: Members, place: string, warn: Warn): void {
  for (const [name, member] of Object.entries(value)) {
    const under = place + pointer([name]);
    const inside = names.get(name);
    if (!names.has(name) && member !== undefined) {
      warn("verify.unknown-member", under, `the schema has no member \`${name}\` of \`${definition}\``);
    } else if (inside !== undefined) {
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

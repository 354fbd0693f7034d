// The ids of messages or of tool calls, and where each is.

import { rankOf, type Place } from "./places.js";
import { SharedMap } from "./shared-map.js";

/** Where an id is: the message, and the place of a call among those of the message. */
export interface IdPlace {
  readonly place: Place;
  readonly call: number;
}

/** The places of an id that is there more than once, by rank and by call. */
type Several = SharedMap<SharedMap<IdPlace>>;

/** Ids with their places. Hardly ever is an id there twice, and then the first place counts. */
export class Ids {
  /** A number for each id that there ever was, for all copies: to look a number up in a tree is faster than a text. */
  #numbers = new Map<string, number>();
  #places = new SharedMap<IdPlace | Several>();
  /** How many places are not the only one of their id. */
  #repeated = 0;

  copy(): Ids {
    const copy = new Ids();
    copy.#numbers = this.#numbers;
    copy.#places = this.#places.copy();
    copy.#repeated = this.#repeated;
    return copy;
  }

  /** Whether an id is there twice. */
  get hasRepeated(): boolean {
    return this.#repeated > 0;
  }

  /** The first place of an id. */
  first(id: string): IdPlace | undefined {
    const known = this.#find(id);
    return known instanceof SharedMap ? known.from(0)?.value.from(0)?.value : known;
  }

  /** The messages with an id, in their order. */
  messages(id: string): Place[] {
    const known = this.#find(id);
    if (known === undefined) return [];
    if (!(known instanceof SharedMap)) return [known.place];
    return [...known.within(0, Infinity)].flatMap(({ value }) => value.from(0)?.value.place ?? []);
  }

  add(id: string, place: IdPlace): void {
    const number = this.#numbers.get(id) ?? this.#numbers.size;
    this.#numbers.set(id, number);
    const known = this.#places.get(number);
    if (known === undefined) return this.#places.set(number, place);
    const several = known instanceof SharedMap ? known.copy() : withPlace(new SharedMap(), known);
    this.#repeated += 1;
    this.#places.set(number, withPlace(several, place));
  }

  /** Removes a place that an id has. */
  remove(id: string, place: IdPlace): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    const known = this.#places.get(number);
    const left = known instanceof SharedMap ? withoutPlace(known.copy(), place) : undefined;
    if (left?.from(0) === undefined) return this.#places.delete(number);
    this.#repeated -= 1;
    this.#places.set(number, left);
  }

  #find(id: string): IdPlace | Several | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#places.get(number);
  }
}

/** Adds a place to those that nobody else has. */
function withPlace(places: Several, place: IdPlace): Several {
  const rank = rankOf(place.place);
  const calls = places.get(rank)?.copy() ?? new SharedMap<IdPlace>();
  calls.set(place.call, place);
  places.set(rank, calls);
  return places;
}

/** Removes a place from those that nobody else has. */
function withoutPlace(places: Several, { place, call }: IdPlace): Several {
  const rank = rankOf(place);
  const calls = places.get(rank)?.copy();
  calls?.delete(call);
  if (calls?.from(0) === undefined) places.delete(rank);
  else places.set(rank, calls);
  return places;
}

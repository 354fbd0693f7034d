// Where messages are in a thread.

import type { Members } from "../runtime/json.js";
import { textOf } from "./events.js";

/**
 * The place of a message: its rank, and in front of that what it is to snapshots, which may leave activities and
 * reasoning where they are. Ranks grow along the thread, with gaps in which results of tools are inserted.
 */
export type Place = number;

/** How many ranks there are. */
export const RANKS = 2 ** 51;

/** The places of activities, of reasoning and of all others begin here. */
const ACTIVITIES = 0;
const REASONING = RANKS;
export const OTHERS = 2 * RANKS;
export const CLASSES = [ACTIVITIES, REASONING, OTHERS] as const;

/** Where the places of the messages begin that are to snapshots what this one is. */
export function classOf(message: Members): Place {
  const role = textOf(message, "role");
  return role === "activity" ? ACTIVITIES : role === "reasoning" ? REASONING : OTHERS;
}

export function rankOf(place: Place): number {
  return place % RANKS;
}

// The messages of a run's input that its path holds already: a chat sends its history again with every run.

import type { Message } from "../../generated/types.js";
import { membersOf, textOf } from "../events.js";
import type { Thread } from "../thread.js";
import { sameValue } from "../values.js";

/**
 * Takes the messages of an input into a thread, and gives those that stay in the input: not those that the thread
 * holds, if all is known of it. AG-UI assigns owners again in each run, so a message with one stays.
 */
export function takeInput(thread: Thread, messages: readonly Message[], isKnown: boolean): Message[] {
  return messages.filter((message) => {
    const members = membersOf(message);
    const id = textOf(members, "id");
    const held = id === undefined ? undefined : thread.find(id);
    if (held === undefined) {
      thread.push(members);
      return true;
    }
    return !isKnown || members["subagentRunId"] !== undefined || !sameValue(held, members);
  });
}

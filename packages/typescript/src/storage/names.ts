// How the files of threads are named, which is the same in the stores of all languages.

import { Fault, Rejection } from "../runtime/rejection.js";
import { decodeUtf8, encodeUtf8, holdsUnpaired } from "../runtime/text.js";

/** The longest name of a file without its suffix, which every file system takes. */
const LONGEST_NAME = 200;

/** What is a device on Windows, whatever suffix follows it. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * The name of a thread's files without their suffix.
 *
 * @throws Rejection for an id that no file can be named after
 */
export function nameOf(threadId: string): string {
  if (holdsUnpaired(threadId)) throw refused("has an unpaired surrogate");
  if (threadId === "") throw refused("is empty");
  const name = escaped(threadId);
  if (name.length > LONGEST_NAME) {
    throw refused(`takes ${name.length} characters in the name of a file, and ${LONGEST_NAME} are the most`);
  }
  return DEVICE.test(name) ? `${escapedByte(name.charCodeAt(0))}${name.slice(1)}` : name;
}

/** The thread whose files have a name, or had it in former versions; `undefined` if it is of none. */
export function threadOf(name: string): string | undefined {
  const bytes = name.split(/(%[0-9A-Fa-f]{2}|.)/su).filter((piece) => piece !== "");
  const byteOf = (piece: string): number => (piece.length === 3 ? parseInt(piece.slice(1), 16) : piece.charCodeAt(0));
  try {
    const threadId = decodeUtf8(Uint8Array.from(bytes, byteOf));
    return [nameOf(threadId), formerNameOf(threadId)].includes(name) ? threadId : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof Rejection) return undefined;
    throw error;
  }
}

/** The name that stores of TypeScript, which escaped in lower case, and those that did not know of devices gave. */
export function formerNameOf(threadId: string): string {
  return escaped(threadId).toLowerCase();
}

/** Letters may be the same in upper and lower case in the names of files, so those in upper case are escaped. */
function escaped(threadId: string): string {
  const named = [...encodeUtf8(threadId)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : escapedByte(byte);
  });
  return named.join("");
}

function escapedByte(byte: number): string {
  return `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
}

function refused(why: string): Rejection {
  return new Rejection(new Fault("semantic", "store.thread-id", `the id of the thread ${why}; choose another id`));
}

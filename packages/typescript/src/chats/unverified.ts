// What may be used of a sealed document: nothing, until its seal is verified.

import { Fault, Rejection } from "../runtime/rejection.js";

/** Rejects the use of a document that still has its seal, since nothing has verified it. */
export function rejectUnverified({ seal }: { readonly seal?: unknown }, ...place: readonly (string | number)[]): void {
  if (seal === undefined) return;
  const reason =
    "the document is sealed, and its seal was not verified; unseal it with its key, or take off the member `seal`";
  throw new Rejection(new Fault("semantic", "seal.unverified", reason).within("seal").from(place));
}

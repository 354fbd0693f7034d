export * from "./generated/index.js";
export type * from "./generated/types.js";
export { channelKey, parseChannelKeyParts } from "./channel-key.js";
export * from "./chats/index.js";
export { decode, encode, type Decoder } from "./encoding.js";
export * from "./sessions/index.js";
export * from "./storage/index.js";
export * from "./streams/index.js";
export { canonicalize, digest, equals } from "./canonical.js";
export {
  parseJson,
  unknownTagOf,
  withExtras,
  type Exact,
  type ExactList,
  type Parser,
  type UnknownTag,
  type Validator,
  type WithExtras,
  type Writer,
} from "./document.js";
export { bytesOf, dateOf } from "./formats.js";
export type { ReadOptions } from "./json.js";
export { ExactNumber, type JsonNumber } from "./numbers.js";
export { Rejection, type RejectionClass } from "./rejection.js";
export type { StandardResult, StandardSchema } from "./standard-schema.js";
export { stringify } from "./writer.js";

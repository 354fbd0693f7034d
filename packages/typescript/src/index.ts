export * from "./generated/index.js";
export type * from "./generated/types.js";
export { channelKey, parseChannelKeyParts } from "./chats/channel-key.js";
export * from "./chats/index.js";
export { decode, encode, type Decoder } from "./chats/encoding.js";
export * from "./sessions/index.js";
export * from "./storage/index.js";
export * from "./streams/index.js";
export { canonicalize, digest, equals } from "./runtime/canonical.js";
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
} from "./runtime/document.js";
export { bytesOf, dateOf } from "./runtime/formats.js";
export type { ReadOptions } from "./runtime/json.js";
export { bigIntOf, ExactNumber, type JsonNumber } from "./runtime/numbers.js";
export { Rejection, type RejectionClass } from "./runtime/rejection.js";
export type { StandardResult, StandardSchema } from "./runtime/standard-schema.js";
export { stringify } from "./runtime/writer.js";

import { decodeBase64, encodeBase64 } from "../runtime/base64.js";
import { canonicalize } from "../runtime/canonical.js";
import { anything, list, type Check } from "../runtime/check.js";
import { readAs, rejecting, type Exact } from "../runtime/document.js";
import { checkChatMessage, checkParticipant } from "../generated/check.js";
import type { ChannelState, ChatMessage, ChatState, EncodedChatState, Participant } from "../generated/types.js";
import { noJson, type ReadOptions } from "../runtime/json.js";
import { tooDeep } from "../runtime/reader.js";
import { Fault } from "../runtime/rejection.js";
import { encodeUtf8 } from "../runtime/text.js";

/**
 * The encoded form of a chat state: each state in it is the Base64 of its canonical text. This discourages editing by hand
 * and protects nothing: everybody can decode it. What the schema does not name stays as it is, beside the states.
 *
 * Numbers are encoded as what they were read as: not with `{ numbers: "double" }`, which rounds them.
 *
 * @throws Rejection for a chat state that is sealed, since the seal says nothing of the encoded form
 */
export function encode(state: Exact<ChatState>): EncodedChatState {
  rejecting(() => rejectSealed(state));
  const { encoding: _, participants, ...others } = state;
  return {
    ...others,
    encoding: "base64",
    history: encoded(state.history),
    ...(participants === undefined ? {} : { participants: participants.map(encoded) }),
    channels: state.channels.map((channel) => ({ ...channel, channelstate: encoded(channel.channelstate) })),
  } as EncodedChatState;
}

/** Decodes an encoded chat state. */
export interface Decoder {
  /** @throws Rejection for what is no encoded chat state, and for one that is sealed */
  (state: Exact<EncodedChatState>, options: ReadOptions & { readonly numbers: "exact" }): Exact<ChatState>;
  /** @throws Rejection for what is no encoded chat state, and for one that is sealed */
  (state: Exact<EncodedChatState>, options?: ReadOptions): ChatState;
}

/** The plain form of an encoded chat state: what was encoded, without an `encoding`. */
export const decode = ((state: EncodedChatState, options?: ReadOptions): ChatState => {
  return rejecting(() => {
    rejectSealed(state);
    const { encoding: _, participants, ...others } = state;
    const plain = {
      ...others,
      history: decoded(state.history, checkHistory, options, ["history"]) as ChatMessage[],
      ...(participants === undefined ? {} : { participants: decodeParticipants(participants, options) }),
      channels: decodeChannels(state.channels, options),
    };
    // States that are read one by one may be too deep together.
    const found = noJson(plain);
    if (found !== undefined) throw tooDeep();
    return plain as ChatState;
  });
}) as Decoder;

function rejectSealed(state: { readonly seal?: unknown }): void {
  if (state.seal === undefined) return;
  const reason =
    "a seal holds for one form of a document only; take it off before the form changes, and seal the new form";
  throw new Fault("semantic", "encoding.sealed", reason).within("seal");
}

function encoded(value: unknown): string {
  return encodeBase64(encodeUtf8(canonicalize(value)));
}

function checkHistory(value: unknown): ReturnType<Check> {
  return list(value, checkChatMessage);
}

function decodeParticipants(all: readonly string[], options: ReadOptions | undefined): Participant[] {
  return all.map((text, index) => decoded(text, checkParticipant, options, ["participants", index]) as Participant);
}

function decodeChannels(all: EncodedChatState["channels"], options: ReadOptions | undefined): ChannelState[] {
  return all.map((channel, index) => {
    const path = ["channels", index, "channelstate"];
    return { ...channel, channelstate: decoded(channel.channelstate, anything, options, path) };
  });
}

/** What a text encodes. A rejection of what is inside is at the text, which is the place that the document has. */
function decoded(text: string, check: Check, options: ReadOptions | undefined, path: (string | number)[]): unknown {
  const bytes = decodeBase64(text);
  try {
    if (bytes !== undefined) return readAs(bytes, check, options);
    throw new Fault("schema", "pattern", "must be Base64 of RFC 4648 section 4, with padding and without line breaks");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const inside = new Fault(error.kind, error.rule, `what is encoded here is rejected: ${error.reason}`);
    inside.path.push(...[...path].reverse());
    throw inside;
  }
}

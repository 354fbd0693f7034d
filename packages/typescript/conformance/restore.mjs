// The operation `restore`: a saved chat is restored into a chat that the input describes, as an application would.

/** @typedef {typeof import("../src/index.js")} Package */
/** @typedef {{id: string, name?: string, type: string, channelkeys: string[], channel?: string, agents?: Row[]}} Row */

/** @param {Package} chatstate @param {string | Uint8Array} text @param {boolean} save @returns {Promise<string>} */
export async function restore(chatstate, text, save) {
  const { AgentChat, AgentChatSerializer, OpaqueChannel, Rejection } = chatstate;
  const { state, target, join = [] } = /** @type {any} */ (chatstate.parseJson(text));
  const { agents, history = [], channels = [] } = target;
  const chat = new AgentChat(...agents.map((/** @type {Row} */ row) => agentOf(chatstate, row)));
  const open = (/** @type {any} */ saved) => ({ key: saved.channelkey, channel: new OpaqueChannel(saved.channelstate) });
  chat.adopt({ history, channels: channels.map(open) });
  try {
    const serializer = AgentChatSerializer.ofValue(state);
    const restored = await serializer.restore(chat);
    const synchronized = await joined(chat, join.map((/** @type {Row} */ row) => agentOf(chatstate, row)));
    const saved = save ? { saved: await AgentChatSerializer.stateOf(chat) } : {};
    const participants = serializer.getParticipants();
    const pending = chatstate.pendingKeys(chat);
    return chatstate.stringify({ participants, ...restored, pending, history: chat.history, synchronized, ...saved });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    if (error.rule === "restore.empty") throw error.within("target", "agents");
    if (error.rule === "restore.invalid") throw error.within("target", history.length > 0 ? "history" : "channels");
    throw error.within("state");
  }
}

/**
 * @param {import("../src/index.js").AgentChat} chat
 * @param {import("../src/index.js").Agent[]} agents who take part after the restore
 */
async function joined(chat, agents) {
  /** @type {Record<string, number>} */
  const synchronized = {};
  for (const agent of agents) {
    chat.addAgent(agent);
    const part = await chat.takePart(agent.id);
    if (part?.synchronized !== undefined) synchronized[part.key] = part.synchronized;
  }
  return synchronized;
}

/** @param {Package} chatstate @param {Row} row @returns {import("../src/index.js").Agent} */
function agentOf(chatstate, row) {
  const { AgentChat, ChatChannel, HistoryChannel, OpaqueChannel } = chatstate;
  const { id, name, type, channelkeys: channelKeys, channel = "opaque", agents = [] } = row;
  const behind = () => new AgentChat(...agents.map((inner) => agentOf(chatstate, inner)));
  switch (channel) {
    case "history": {
      const restoreChannel = (/** @type {unknown} */ state) => HistoryChannel.restored(state);
      return { id, name, type, channelKeys, createChannel: () => new HistoryChannel(), restoreChannel };
    }
    case "chat": {
      const restoreChannel = (/** @type {unknown} */ state) => ChatChannel.restored(behind(), state);
      return { id, name, type, channelKeys, createChannel: () => new ChatChannel(behind()), restoreChannel };
    }
    default: {
      const restoreChannel = (/** @type {unknown} */ state) => new OpaqueChannel(state);
      return { id, name, type, channelKeys, createChannel: () => new OpaqueChannel(), restoreChannel };
    }
  }
}

// The operation `session`: steps on one session, as agents and their providers do them.

/** @typedef {typeof import("../src/index.js")} Package */
/** @typedef {Record<string, any>} Step */

/** @param {Package} chatstate @param {string | Uint8Array} text @returns {string} */
export function session(chatstate, text) {
  const { session: document, steps } = /** @type {any} */ (chatstate.parseJson(text));
  const used = opened(chatstate, document);
  const types = typesOf(chatstate);
  const results = steps.map((/** @type {Step} */ step) => {
    try {
      return done(chatstate, used, types, step);
    } catch (error) {
      if (!(error instanceof chatstate.Rejection)) throw error;
      return { refused: error.class };
    }
  });
  return chatstate.stringify({ session: used.toDocument(), results });
}

/** @param {Package} chatstate @param {unknown} document */
function opened(chatstate, document) {
  try {
    return chatstate.Session.fromJson(chatstate.stringify(document));
  } catch (error) {
    throw error instanceof chatstate.Rejection ? error.within("session") : error;
  }
}

/** @param {Package} chatstate the types of the steps, of which none knows all members of what it reads */
function typesOf({ ExactNumber }) {
  const text = (/** @type {any} */ value, /** @type {string} */ name) => {
    if (typeof value?.[name] !== "string") throw new TypeError(`\`${name}\` must be a text`);
    return value[name];
  };
  const integer = (/** @type {any} */ value) =>
    value instanceof ExactNumber ? /^-?[0-9]+$/.test(value.text) : Number.isInteger(value);
  return {
    Profile: {
      name: "Profile",
      read(/** @type {any} */ value) {
        const { visits } = value ?? {};
        if (visits !== undefined && visits !== null && !integer(visits)) throw new TypeError("`visits` must be an integer");
        return { name: text(value, "name"), ...(visits === undefined || visits === null ? {} : { visits }) };
      },
    },
    Notes: {
      name: "Notes",
      read(/** @type {any} */ value) {
        const notes = value?.notes;
        const areTexts = Array.isArray(notes) && notes.every((note) => typeof note === "string");
        if (!areTexts) throw new TypeError("`notes` must be texts");
        return { notes };
      },
    },
    Remote: {
      name: "RemoteChatMessageStoreState",
      read: (/** @type {unknown} */ value) => ({ thread: text(value, "thread") }),
    },
  };
}

/** @param {Package} chatstate @param {import("../src/index.js").Session} used
 *  @param {ReturnType<typeof typesOf>} types @param {Step} step @returns {object} */
function done(chatstate, used, types, step) {
  const { bag } = used;
  /** @type {import("../src/index.js").StateType<any>} */
  const type = step.as === "Profile" ? types.Profile : types.Notes;
  switch (step.do) {
    case "read":
      return shown(bag.get(step.key, type));
    case "change": {
      const state = bag.get(step.key, type);
      if (state !== undefined && state !== null) change(chatstate, state, type, step);
      return shown(state);
    }
    case "write":
      bag.set(step.key, read(chatstate, type, step.value), type);
      return { done: true };
    case "remove":
      return { done: bag.delete(step.key) };
    case "provide": {
      const provider = new chatstate.ProviderState(step.key, type, () => read(chatstate, type, step.initial));
      return { value: provider.get(used) };
    }
    case "providers":
      chatstate.checkProviderKeys(step.keys);
      return { done: true };
    case "use":
      used.expectKind(step.kind);
      return { done: true };
    case "converse":
      used.setConversationId(step.id);
      return { done: true };
    default:
      return { attached: attached(chatstate, used, types, step) };
  }
}

/** @param {any} state what later steps may change */
function shown(state) {
  return state === undefined ? { absent: true } : { value: state && { ...state } };
}

/** @param {Package} chatstate @param {any} state @param {import("../src/index.js").StateType<any>} type
 *  @param {Step} step changes one member of a state that a program holds, if that makes a value of its type */
function change(chatstate, state, type, { member, value }) {
  const changed = read(chatstate, type, { ...state, [member]: value });
  for (const name of Object.keys(state)) delete state[name];
  Object.assign(state, changed);
}

/** @param {Package} chatstate @param {import("../src/index.js").StateType<any>} type @param {unknown} value */
function read({ StateBag }, type, value) {
  return new StateBag({ value }).get("value", type);
}

/** @param {Package} chatstate @param {import("../src/index.js").Session} used
 *  @param {ReturnType<typeof typesOf>} types @param {Step} step */
function attached(chatstate, used, { Remote }, { key, factory }) {
  const { attachStore, inMemoryChatMessageStoreState, StoreRegistry, StoreState } = chatstate;
  const registry = new StoreRegistry().register(inMemoryChatMessageStoreState).register(Remote);
  /** @param {import("../src/index.js").StoreState | undefined} state */
  const made = (state) => remoteStore(state ?? StoreState.of({ thread: "new" }, Remote));
  return attachStore(used, key, registry, factory === true ? made : undefined).state.kind;
}

/** @param {import("../src/index.js").StoreState} state @returns {import("../src/index.js").ChatMessageStore} */
function remoteStore(state) {
  const away = () => {
    throw new Error("the messages are at a service, and no step asks for them");
  };
  return { state, getMessages: away, append: away };
}

// Sessions: the state of an agent and its providers, apart from what they do.

export { StateBag } from "./bag.js";
export type { StateType } from "./entry.js";
export { checkProviderKeys, ProviderState, Session } from "./session.js";
export {
  attachStore,
  InMemoryChatMessageStore,
  inMemoryChatMessageStoreState,
  StoreRegistry,
  StoreState,
  type ChatMessageStore,
  type InMemoryChatMessageStoreState,
  type StoreFactory,
} from "./stores.js";

// Where the events of threads are kept.

export { MemoryEventStore } from "./memory.js";
export type { EventStore, StoredEvents, StoredSnapshot } from "./store.js";

// Chats and sessions, as a program uses them that saves and restores.
import assert from "node:assert/strict";
import { Writable, Readable } from "node:stream";
import { test } from "node:test";

import {
  AgentChat,
  AgentChatSerializer,
  AggregatorAgent,
  attachStore,
  equals,
  HistoryAgent,
  HistoryChannel,
  InMemoryChatMessageStore,
  inMemoryChatMessageStoreState,
  ProviderState,
  Rejection,
  Session,
  StoreRegistry,
  StoreState,
  type Agent,
  type ChatMessage,
  type ChatMessageStore,
  type OpenChannel,
  type RestoredParts,
  type SavableChat,
  type StateType,
} from "chatstate";

const hello: ChatMessage = { role: "user", items: [{ type: "text", text: "hello" }] };

/** A stream of Node.js that keeps what it is given. */
function memory(): { sink: Writable; text: () => string } {
  const chunks: Uint8Array[] = [];
  const sink = new Writable({ write: (chunk: Uint8Array, _, done) => (chunks.push(chunk), done()) });
  return { sink, text: () => Buffer.concat(chunks).toString("utf8") };
}

async function saved(chat: SavableChat, encoded = false): Promise<string> {
  const { sink, text } = memory();
  await AgentChatSerializer.serialize(chat, sink, { encoded });
  return text();
}

const rule = (expected: string) => (error: unknown) => error instanceof Rejection && error.rule === expected;

test("a chat is saved to a stream and restored from one", async () => {
  for (const encoded of [false, true]) {
    const chat = new AgentChat(new HistoryAgent("a", "ChatCompletionAgent", "Ann"));
    await chat.addMessage(hello);
    await chat.takePart("a");
    await chat.addReply("a", { role: "assistant", items: [] });
    const serializer = await AgentChatSerializer.deserialize(Readable.from([await saved(chat, encoded)]));
    assert.deepEqual(serializer.getParticipants(), [{ id: "a", name: "Ann", type: "ChatCompletionAgent" }]);
    const restored = new AgentChat();
    for (const { id, type, name } of serializer.getParticipants()) restored.addAgent(new HistoryAgent(id, type, name));
    await serializer.restore(restored);
    assert.deepEqual(restored.history, chat.history);
    assert(equals(JSON.parse(await saved(restored)), JSON.parse(await saved(chat))));
  }
});

test("a chat is restored in one call, from text or from a stream", async () => {
  const chat = new AgentChat(new HistoryAgent("a", "T"));
  await chat.addMessage(hello);
  await chat.takePart("a");
  const text = await saved(chat);
  for (const source of [text, new TextEncoder().encode(text), Readable.from([text]), Readable.from([Buffer.from(text)])]) {
    const restored = new AgentChat(new HistoryAgent("a", "T"));
    const { restored: keys, pending } = await AgentChatSerializer.deserialize(restored, source);
    assert.deepEqual([keys.length, pending.length], [1, 0]);
    assert.equal(await saved(restored), text);
    await assert.rejects(AgentChatSerializer.deserialize(restored, text), rule("restore.invalid"));
  }
  await assert.rejects(AgentChatSerializer.deserialize(new AgentChat(), text), rule("restore.empty"));
  await assert.rejects(AgentChatSerializer.deserialize(new AgentChat(), "{"), rule("json"));
});

test("streams of the web will do as well", async () => {
  const chat = new AgentChat(new HistoryAgent("a", "T"));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const serializer = AgentChatSerializer.deserialize(readable as AsyncIterable<Uint8Array>);
  await AgentChatSerializer.serialize(chat, writable);
  await writable.close();
  assert.equal((await serializer).getParticipants().length, 1);
});

test("a rejected restore leaves the chat usable", async () => {
  const chat = new AgentChat(new HistoryAgent("a", "T"));
  await chat.addMessage(hello);
  await chat.takePart("a");
  const serializer = await AgentChatSerializer.deserialize(await saved(chat));

  const empty = new AgentChat();
  await assert.rejects(serializer.restore(empty), rule("restore.empty"));
  empty.addAgent(new HistoryAgent("b", "T"));
  await serializer.restore(empty);
  await assert.rejects(serializer.restore(empty), rule("restore.invalid"));

  const broken: Agent = {
    id: "c",
    type: "T",
    channelKeys: ["HistoryChannel"],
    createChannel: () => new HistoryChannel(),
    restoreChannel: () => {
      throw new TypeError("the service is gone");
    },
  };
  const other = new AgentChat(broken);
  await assert.rejects(serializer.restore(other), (error: unknown) => {
    assert(error instanceof Rejection && error.cause instanceof TypeError);
    assert.deepEqual([error.class, error.rule, error.at], ["restore", "restore.channel", "/channels/0/channelstate"]);
    return true;
  });
  assert.equal(other.history.length, 0);
  await other.addMessage(hello);
});

test("a chat inside of a chat is restored as one", async () => {
  const inner = (): AgentChat => new AgentChat(new HistoryAgent("i", "T"));
  const chat = new AgentChat(new AggregatorAgent("o", inner));
  await chat.addMessage(hello);
  await chat.takePart("o");
  const restored = new AgentChat(new AggregatorAgent("o", inner));
  const { restored: keys } = await (await AgentChatSerializer.deserialize(await saved(chat))).restore(restored);
  assert.equal(keys.length, 1);
  assert.equal(await saved(restored), await saved(chat));
});

/** What an SDK does with a chat of its own. */
class TheirChat implements SavableChat {
  history: readonly ChatMessage[] = [];
  channels: readonly OpenChannel[] = [];

  constructor(readonly agents: readonly Agent[]) {}

  adopt({ history, channels }: RestoredParts): void {
    this.history = history;
    this.channels = channels;
  }
}

test("the chat of an SDK needs three members and a method", async () => {
  const text = '{"schemaVersion":"1","history":[{"role":"user","items":[]}],"participants":[],"channels":[]}';
  const chat = new TheirChat([new HistoryAgent("a", "T")]);
  const { pending } = await (await AgentChatSerializer.deserialize(text)).restore(chat);
  assert.equal(chat.history.length, 1);
  assert.equal(pending.length, 1);
});

interface Profile {
  name: string;
}

const profile: StateType<Profile> = {
  name: "Profile",
  read(value) {
    const name: unknown = (value as { name?: unknown } | null)?.name;
    if (typeof name !== "string") throw new TypeError("a profile has a name");
    return { name };
  },
};

test("a session keeps what a type does not know", () => {
  const text = '{"stateBag":{"p":{"name":"Ada","id":12345678901234567890},"q":{"later":1.10}}}';
  const session = Session.fromJson(text);
  const state = session.bag.get("p", profile);
  assert(state);
  state.name = "Eve";
  assert.equal(session.toJson(), '{"stateBag":{"p":{"name":"Eve","id":12345678901234567890},"q":{"later":1.1}}}');
  assert.throws(() => session.bag.get("q", profile), (error: unknown) => {
    assert(error instanceof Rejection);
    assert.deepEqual([error.class, error.at], ["schema", "/stateBag/q"]);
    return true;
  });
});

test("providers and stores keep their state in the session", () => {
  const session = Session.create();
  const provider = new ProviderState("p", profile, () => ({ name: "new" }));
  provider.get(session).name = "Ada";
  const registry = new StoreRegistry().register(inMemoryChatMessageStoreState);
  const store = attachStore(session, "messages", registry);
  assert.equal(store.state.kind, "InMemoryChatMessageStoreState");
  store.append([hello]);
  const document = session.toDocument();
  assert.deepEqual(document.stateBag["p"], { name: "Ada" });
  assert.deepEqual(document.stateBag["messages"], { $type: "InMemoryChatMessageStoreState", messages: [hello] });
  store.append([hello]);
  assert.equal(JSON.parse(session.toJson()).stateBag.messages.messages.length, 2);
  const [first, second] = Session.listFromJson(Session.listToJson([session, Session.create()]));
  assert.equal(first?.bag.size, 2);
  assert.equal(second?.bag.size, 0);
});

const remote: StateType<{ thread: string }> = {
  name: "RemoteChatMessageStoreState",
  read: (value) => ({ thread: (value as { thread: string }).thread }),
};

/** A store of an application, with a state of its own or with the one that it was given. */
class RemoteStore implements ChatMessageStore {
  readonly state: StoreState;

  constructor(given: StoreState | undefined, keepsGiven: boolean) {
    const thread = given === undefined ? "none" : given.get(remote).thread;
    this.state = given !== undefined && keepsGiven ? given : StoreState.of({ thread }, remote);
  }

  getMessages(): readonly ChatMessage[] {
    return [];
  }

  async append(): Promise<void> {
    this.state.get(remote).thread += "+";
  }
}

/** A session whose store `H` has members that no type knows, and numbers that no `number` is. */
const stored = (kind: string, rest: string): string =>
  `{"stateBag":{"H":{"later":12345678901234567890,"$type":"${kind}","${rest},"more":[1]}}}`;
const inMemory = stored("InMemoryChatMessageStoreState", 'messages":[{"role":"user","items":[],"n":1e400}]');
const atService = stored("RemoteChatMessageStoreState", 'thread":"t"');

test("what is added through an attached store is saved with the session", async () => {
  const session = Session.fromJson(inMemory);
  const registry = new StoreRegistry().register(inMemoryChatMessageStoreState);
  const [store, another] = [attachStore(session, "H", registry), attachStore(session, "H", registry)];
  assert.equal(session.toJson(), inMemory);
  assert.equal(attachStore(Session.fromJson(inMemory), "H", new StoreRegistry()).state.isKnown, false);
  store.append([hello]);
  another.append([hello, hello]);
  session.bag.get("H", inMemoryChatMessageStoreState)?.messages.push(hello);
  const added = `,${JSON.stringify(hello)}`.repeat(4);
  assert.equal(session.toJson(), inMemory.replace("1e400}", `1e400}${added}`));
  assert.deepEqual(await another.getMessages(), await store.getMessages());
  assert.throws(() => store.append([hello, {} as ChatMessage]), (error: unknown) => {
    assert(error instanceof Rejection);
    assert.deepEqual([error.class, error.at], ["schema", "/1/role"]);
    return true;
  });
  assert.equal(session.toJson(), inMemory.replace("1e400}", `1e400}${added}`));
  const copy = Session.fromJson(session.toJson());
  assert.equal((attachStore(copy, "H", registry) as InMemoryChatMessageStore).getMessages().length, 5);
});

for (const keepsGiven of [true, false]) {
  test(`the store of a factory is saved with the session, ${keepsGiven ? "with" : "without"} the state it was given`, async () => {
    const registry = new StoreRegistry().register(remote);
    const session = Session.fromJson(atService);
    const store = attachStore(session, "H", registry, (state) => new RemoteStore(state, keepsGiven));
    assert.equal(session.toJson(), atService);
    await store.append([hello]);
    assert.equal(session.toJson(), atService.replace('"t"', '"t+"'));
    assert.equal(session.bag.get("H", remote)?.thread, "t+");
    const fresh = Session.create();
    await attachStore(fresh, "H", registry, (state) => new RemoteStore(state, keepsGiven)).append([hello]);
    assert.equal(fresh.toJson(), '{"stateBag":{"H":{"$type":"RemoteChatMessageStoreState","thread":"none+"}}}');
  });
}

test("what a type does with the value that it reads leaves the session as it was", () => {
  const draining: StateType<object> = {
    name: "RemoteChatMessageStoreState",
    read(value) {
      for (const name of Object.keys(value as object)) delete (value as Record<string, unknown>)[name];
      return {};
    },
  };
  const session = Session.fromJson(atService);
  attachStore(session, "H", new StoreRegistry().register(draining), (state) => new RemoteStore(state, true));
  assert.equal(session.toJson(), atService);
});

test("messages under another spelling are not taken for none", () => {
  const text = '{"stateBag":{"H":{"$type":"InMemoryChatMessageStoreState","Messages":[{"role":"user","items":[]}]}}}';
  const session = Session.fromJson(text);
  for (const registry of [new StoreRegistry(), new StoreRegistry().register(inMemoryChatMessageStoreState)]) {
    assert.throws(() => attachStore(session, "H", registry), (error: unknown) => {
      assert(error instanceof Rejection);
      assert.deepEqual([error.class, error.at], ["schema", "/stateBag/H/Messages"]);
      return true;
    });
  }
  assert.equal(session.toJson(), text);
});

test("a store does not take an entry that is in use as another type", () => {
  const registry = new StoreRegistry().register(inMemoryChatMessageStoreState);
  const session = Session.fromJson('{"stateBag":{"H":{"$type":"InMemoryChatMessageStoreState","name":"Ada"}}}');
  session.bag.get("H", profile);
  assert.throws(() => attachStore(session, "H", registry), rule("session.other-type"));
  const text = '{"stateBag":{"H":{"$type":"InMemoryChatMessageStoreState","messages":[{}]}}}';
  assert.throws(() => attachStore(Session.fromJson(text), "H", new StoreRegistry()), (error: unknown) => {
    assert(error instanceof Rejection);
    assert.deepEqual([error.class, error.at], ["schema", "/stateBag/H/messages/0/role"]);
    return true;
  });
});

test("a state that was text is text when it has changed", () => {
  const text = '[ {"role":"user","items":[]} ]';
  const channel = HistoryChannel.restored(text);
  assert.equal(channel.state(), text);
  channel.receive([{ role: "user", items: [] }]);
  assert.equal(channel.state(), '[{"role":"user","items":[]},{"role":"user","items":[]}]');
});

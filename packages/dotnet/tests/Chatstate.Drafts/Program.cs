// The programs that the drafts of the format show, with no other names than those of their SDK changed. Prints what
// is otherwise than they say, and how many there are.

using Chatstate.Drafts;

(string Name, string Expected, Func<Task<string>> Run)[] samples =
[
    ("a chat is saved in one call", "user assistant; 2 channels", ChatDraft.Save),
    ("a chat is restored in one call", "user assistant assistant", ChatDraft.Restore),
    ("the serializer of the language says what to use", "AgentChatSerializer AgentChatSerializer", ChatDraft.SerializeObject),
    ("a chat is restored by the asynchronous call", "user assistant; 2 restored", ChatDraft.RestoreAsync),
    ("a chat of the application's own is restored and saved", "2 messages; the same text", ChatDraft.SaveOwn),
    ("a chat of participants is saved", "a1 a2", ParticipantsDraft.Save),
    ("a chat is restored by its participants", "user assistant assistant", ParticipantsDraft.Restore),
    ("a serializer that has read into a chat is asked to restore it", "a1 a2; 2 restored", ParticipantsDraft.ReadThenRestore),
    ("a chat without agents is no chat to read into", "restore.empty", ParticipantsDraft.ReadIntoEmpty),
    ("a session is written by the serializer of the language", """{"sessionId":"s","stateBag":{"memory":{"facts":["x"]}}}""", SessionDraft.Serialize),
    ("a list of sessions", """[{"sessionType":"K","stateBag":{"memory":1}},{"sessionType":"L","stateBag":{}}]""", SessionDraft.SerializeList),
    ("a store works on its state", "1 1 Hi", SessionDraft.Store),
    ("a store of a session that is used", """{"stateBag":{"history":{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user","items":[{"type":"text","text":"Hi"}]}]}}}""", SessionDraft.Attach),
    ("a store by a factory", """{"stateBag":{"history":{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user","items":[{"type":"text","text":"Hi"}]}]}}}""", SessionDraft.AttachByFactory),
    ("a polymorphic state, by default and with names in camel case", "session.store-malformed; 2 under messages", SessionDraft.Polymorphic),
];
var failed = 0;
foreach (var (name, expected, run) in samples)
{
    var found = await run();
    if (found != expected)
    {
        failed++;
        Console.WriteLine($"{name}\n  expected {expected}\n  found    {found}");
    }
}

Console.WriteLine($"{samples.Length} samples, {failed} failed");
return failed == 0 ? 0 : 1;

using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// The messages of a thread in order, as events build them, with the places of ids kept beside them, so that
/// an event costs what it changes.
/// </summary>
internal sealed class MessageThread
{
    private readonly LinkedList<ThreadMessage> messages = new();
    private readonly Dictionary<string, LinkedListNode<ThreadMessage>> places = [];
    private readonly Dictionary<string, (LinkedListNode<ThreadMessage> Message, int Place)> calls = [];

    /// <summary>
    /// The messages of each class. A message that went or changed its role is still named where it was.
    /// </summary>
    private readonly List<LinkedListNode<ThreadMessage>>[] classes = [[], [], []];

    /// <summary>By assistant messages, the last of the results that follow them.</summary>
    private readonly Dictionary<LinkedListNode<ThreadMessage>, LinkedListNode<ThreadMessage>> results = [];

    /// <summary>Whether two messages or two tool calls have had one id, of which only the first is found.</summary>
    private bool hasTwins;

    /// <summary>The messages in order.</summary>
    public IEnumerable<ThreadMessage> Messages => messages;

    /// <summary>The message with this id; of several, the first.</summary>
    public ThreadMessage? Find(string id) => places.GetValueOrDefault(id)?.Value;

    /// <summary>The message with this id, to change; its id, its role and its tool calls must stay.</summary>
    public JsonTree? Change(string id) => places.TryGetValue(id, out var place) ? Own(place) : null;

    /// <summary>The tool call with this id, to change; its id must stay.</summary>
    public JsonTree? ChangeCall(string id)
    {
        if (!calls.TryGetValue(id, out var call))
        {
            return null;
        }

        var found = Own(call.Message).Member("toolCalls")?.Items?.ElementAtOrDefault(call.Place);
        return found?.Members is null ? null : found;
    }

    /// <summary>Whether a message holds this tool call.</summary>
    public bool HoldsCall(string id) => calls.ContainsKey(id);

    /// <summary>The place of the message with this id.</summary>
    public LinkedListNode<ThreadMessage>? Place(string id) => places.GetValueOrDefault(id);

    /// <summary>
    /// Adds a message at the end and tells its place. Of two messages of one id, the id only finds the first.
    /// </summary>
    public LinkedListNode<ThreadMessage> Push(JsonTree message)
    {
        var place = messages.AddLast(new ThreadMessage(message));
        NotePlace(place);
        return place;
    }

    /// <summary>Puts another message where the one with this id stands.</summary>
    public void Replace(string id, JsonTree message)
    {
        if (places.TryGetValue(id, out var place))
        {
            ReplaceAt(place, new(message));
            NoteTwins();
        }
    }

    /// <summary>Adds a tool call to an assistant message of the thread.</summary>
    public void PushCall(LinkedListNode<ThreadMessage> place, string callId, JsonTree call)
    {
        var message = Own(place);
        if (message.Member("toolCalls") is null)
        {
            message.Set("toolCalls", JsonTree.OfItems([]));
        }

        if (message.Member("toolCalls")?.Items is { } made)
        {
            hasTwins |= !calls.TryAdd(callId, (place, made.Count));
            made.Add(call);
        }
    }

    /// <summary>
    /// Adds a tool's result behind the message that made the call and the results that follow it, or at the
    /// end when nobody made the call.
    /// </summary>
    public void InsertResult(string callId, JsonTree message)
    {
        if (!calls.TryGetValue(callId, out var call) || call.Message.Value.Role != "assistant")
        {
            Push(message);
            return;
        }

        var last = results.GetValueOrDefault(call.Message, call.Message);
        while (last.Next is { Value.Role: "tool" } next)
        {
            last = next;
        }

        var place = messages.AddAfter(last, new ThreadMessage(message));
        results[call.Message] = place;
        NotePlace(place);
        NoteTwins();
    }

    /// <summary>
    /// Makes the messages those of a snapshot: known ids keep their place and take the snapshot's value, new
    /// ones follow in its order, others go. Activities go only if the snapshot has some of its own, and so
    /// does reasoning.
    /// </summary>
    public void Restate(IEnumerable<JsonTree> restated)
    {
        var snapshot = restated.Select(message => new ThreadMessage(message)).ToList();
        var latest = new Dictionary<string, int>();
        for (var number = 0; number < snapshot.Count; number++)
        {
            if (snapshot[number].Id is { } id)
            {
                latest[id] = number;
            }
        }

        var goes = new[] { MessageClass.Conversation, MessageClass.Activities, MessageClass.Reasoning }
            .Where(kind => kind == MessageClass.Conversation || snapshot.Exists(message => message.Class == kind))
            .ToHashSet();
        if (hasTwins)
        {
            RestateTwins(snapshot, latest, goes);
            return;
        }

        Remove(goes, latest);
        RestateEach(snapshot, latest);
        NoteTwins();
    }

    /// <summary>A thread of its own. The messages are shared until one of the two changes them.</summary>
    public MessageThread Copy()
    {
        var copy = new MessageThread();
        foreach (var message in messages)
        {
            message.IsShared = true;
            copy.NotePlace(copy.messages.AddLast(message));
        }

        return copy;
    }

    public bool IsEqualTo(MessageThread other) =>
        messages.Count == other.messages.Count
        && messages.Zip(other.messages).All(pair => pair.First.Value.IsEqualTo(pair.Second.Value));

    private static JsonTree Own(LinkedListNode<ThreadMessage> place)
    {
        if (place.Value.IsShared)
        {
            place.Value = place.Value.Copy();
        }

        return place.Value.Value;
    }

    private void RestateEach(List<ThreadMessage> snapshot, Dictionary<string, int> latest)
    {
        // What was known before decides, not what the snapshot itself has added meanwhile.
        var known = snapshot
            .Select(message => message.Id is { } id ? places.GetValueOrDefault(id) : null)
            .ToList();
        for (var number = 0; number < snapshot.Count; number++)
        {
            var message = snapshot[number];
            if (known[number] is not { } place)
            {
                NotePlace(messages.AddLast(message));
            }
            else if (latest[message.Id!] == number)
            {
                ReplaceAt(place, message);
            }
        }
    }

    /// <summary>The same where an id does not tell two messages apart: both take the snapshot's value.</summary>
    private void RestateTwins(List<ThreadMessage> snapshot, Dictionary<string, int> latest, HashSet<MessageClass> goes)
    {
        var before = messages.ToList();
        var known = before.Select(message => message.Id).Where(id => id is not null).ToHashSet();
        messages.Clear();
        Forget();
        foreach (var message in before)
        {
            if (message.Id is { } id && latest.TryGetValue(id, out var number))
            {
                Push(snapshot[number].Value.Copy());
            }
            else if (!goes.Contains(message.Class))
            {
                NotePlace(messages.AddLast(message));
            }
        }

        foreach (var message in snapshot.Where(message => message.Id is null || !known.Contains(message.Id)))
        {
            Push(message.Value.Copy());
        }
    }

    /// <summary>
    /// Removes the messages of some classes but for those that a snapshot holds, which will be noted again
    /// when they take its value.
    /// </summary>
    private void Remove(HashSet<MessageClass> goes, Dictionary<string, int> latest)
    {
        foreach (var kind in goes)
        {
            var noted = classes[(int)kind].ToList();
            classes[(int)kind].Clear();
            foreach (var place in noted.Where(place => place.List is not null && place.Value.Class == kind))
            {
                if (place.Value.Id is not { } id || !latest.ContainsKey(id))
                {
                    ForgetPlace(place);
                    messages.Remove(place);
                }
            }
        }

        results.Clear();
    }

    private void ReplaceAt(LinkedListNode<ThreadMessage> place, ThreadMessage message)
    {
        ForgetPlace(place);
        if (place.Value.Role != message.Role)
        {
            results.Clear();
        }

        place.Value = message;
        NotePlace(place);
    }

    /// <summary>Notes where the ids of a message stand.</summary>
    private void NotePlace(LinkedListNode<ThreadMessage> place)
    {
        var message = place.Value;
        classes[(int)message.Class].Add(place);
        if (message.Id is { } id && !places.TryAdd(id, place))
        {
            hasTwins |= places[id] != place;
        }

        foreach (var call in message.Calls)
        {
            hasTwins |= !calls.TryAdd(call.Id, (place, call.Place));
        }
    }

    /// <summary>Forgets where the ids of a message stand.</summary>
    private void ForgetPlace(LinkedListNode<ThreadMessage> place)
    {
        if (place.Value.Id is { } id && places.GetValueOrDefault(id) == place)
        {
            places.Remove(id);
        }

        foreach (var call in place.Value.Calls)
        {
            if (calls.TryGetValue(call.Id, out var known) && known.Message == place)
            {
                calls.Remove(call.Id);
            }
        }
    }

    /// <summary>
    /// Finds all ids again if one stands twice: which of the two is first may have changed. Ids are unique in
    /// a thread as it should be, so this hardly ever costs anything.
    /// </summary>
    private void NoteTwins()
    {
        if (!hasTwins)
        {
            return;
        }

        Forget();
        for (var place = messages.First; place is not null; place = place.Next)
        {
            NotePlace(place);
        }
    }

    private void Forget()
    {
        hasTwins = false;
        places.Clear();
        calls.Clear();
        foreach (var noted in classes)
        {
            noted.Clear();
        }
    }
}

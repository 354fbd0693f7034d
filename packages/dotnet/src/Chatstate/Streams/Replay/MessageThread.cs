using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;

namespace Chatstate;

/// <summary>Where a message is kept: ranks grow along the thread.</summary>
internal readonly record struct MessagePlace(long Rank, MessageClass Class) : IComparable<MessagePlace>
{
    public int CompareTo(MessagePlace other) => Rank.CompareTo(other.Rank);
}

/// <summary>Where a tool call is kept: its message, and its number among the calls of that.</summary>
internal readonly record struct CallPlace(MessagePlace Message, int Call) : IComparable<CallPlace>
{
    public int CompareTo(CallPlace other)
    {
        var order = Message.CompareTo(other.Message);
        return order != 0 ? order : Call.CompareTo(other.Call);
    }
}

/// <summary>
/// The messages of a thread in order, as events build them. A thread is persistent: a copy shares what none of
/// the two has changed since. So the thread at the end of every run can be kept, and branches cost what they
/// change.
/// </summary>
internal sealed class MessageThread
{
    /// <summary>
    /// The gap after a message that is appended. Results that are inserted take the next rank, so a gap is as good
    /// as never used up; if it is, all ranks are given again.
    /// </summary>
    private const long Gap = 1L << 32;

    /// <summary>The messages of each class by rank.</summary>
    private readonly ImmutableSortedSet<Ranked>.Builder[] classes;

    private IdPlaces<MessagePlace> ids;
    private IdPlaces<CallPlace> calls;

    /// <summary>By assistant messages, the last of the results that follow them.</summary>
    private readonly ImmutableDictionary<long, long>.Builder results;

    /// <summary>The rank of the message that is appended next.</summary>
    private long next;

    /// <summary>What marks the messages that this thread alone holds.</summary>
    private object owner = new();

    /// <summary>The run appended the messages from this rank on.</summary>
    private long firstAppended;

    /// <summary>By the places before that which changed in the run, the message that was there.</summary>
    private Dictionary<MessagePlace, ThreadMessage?> changed = [];

    /// <summary>The thread before the run, if its places are others now.</summary>
    private MessageThread? whole;

    public MessageThread()
    {
        var none = ImmutableSortedSet.Create<Ranked>(ByRank.Order);
        classes = [none.ToBuilder(), none.ToBuilder(), none.ToBuilder()];
        (ids, calls) = (new(), new());
        results = ImmutableDictionary.CreateBuilder<long, long>();
        (next, firstAppended) = (Gap, Gap);
    }

    private MessageThread(MessageThread shared)
    {
        classes = Array.ConvertAll(shared.classes, messages => messages.ToImmutable().ToBuilder());
        (ids, calls) = (shared.ids.Copy(), shared.calls.Copy());
        results = shared.results.ToImmutable().ToBuilder();
        (next, firstAppended) = (shared.next, shared.next);
    }

    /// <summary>The messages in order.</summary>
    public IEnumerable<ThreadMessage> Messages => InOrder().Select(ranked => ranked.Message!);

    /// <summary>How many messages there are.</summary>
    public int Count => classes.Sum(messages => messages.Count);

    /// <summary>Whether two messages or two tool calls have one id.</summary>
    public bool HasSharedIds => ids.Shared + calls.Shared > 0;

    /// <summary>The message with this id; of several, the first.</summary>
    public ThreadMessage? Find(string id) => ids.First(id) is { } place ? At(place) : null;

    /// <summary>The message with this id, to change; its id, its role and its tool calls must stay.</summary>
    public JsonTree? Change(string id) => ids.First(id) is { } place ? Own(place) : null;

    /// <summary>The tool call with this id, to change; its id must stay.</summary>
    public JsonTree? ChangeCall(string id)
    {
        if (calls.First(id) is not { } place)
        {
            return null;
        }

        var made = Own(place.Message)?.Member("toolCalls")?.Items;
        return made?.ElementAtOrDefault(place.Call) is { Members: not null } call ? call : null;
    }

    /// <summary>Whether a message holds this tool call.</summary>
    public bool HoldsCall(string id) => calls.First(id) is not null;

    /// <summary>The place of the message with this id.</summary>
    public MessagePlace? Place(string id) => ids.First(id);

    /// <summary>
    /// Adds a message at the end and gives its place. Of two messages of one id, the id only finds the first.
    /// </summary>
    public MessagePlace Push(JsonTree message) => Push(new ThreadMessage(message, owner));

    /// <summary>The same of a message that may be another thread's, too.</summary>
    public MessagePlace Push(ThreadMessage message)
    {
        var rank = next;
        next += Gap;
        return Put(rank, message);
    }

    /// <summary>Puts another message in the place of the one with this id.</summary>
    public void Replace(string id, JsonTree message)
    {
        if (ids.First(id) is { } place)
        {
            ReplaceAt(place, new(message, owner));
        }
    }

    /// <summary>Adds a tool call to an assistant message of the thread.</summary>
    public void PushCall(MessagePlace place, string callId, JsonTree call)
    {
        if (Own(place) is not { } message)
        {
            return;
        }

        if (message.Member("toolCalls") is null)
        {
            message.Set("toolCalls", JsonTree.OfItems([]));
        }

        if (message.Member("toolCalls")?.Items is { } made)
        {
            calls.Add(callId, new(place, made.Count));
            made.Add(call);
        }
    }

    /// <summary>
    /// Adds a tool's result after the message that made the call and the results that follow it, or at the
    /// end when no message made the call.
    /// </summary>
    public void InsertResult(string callId, JsonTree message)
    {
        if (calls.First(callId)?.Message is not { } caller || At(caller)?.Role != "assistant")
        {
            Push(message);
            return;
        }

        var last = results.GetValueOrDefault(caller.Rank, caller.Rank);
        var after = After(last);
        while (after is { Message.Role: "tool" } result)
        {
            last = result.Rank;
            after = After(last);
        }

        if (after?.Rank == last + 1)
        {
            Spread();
            InsertResult(callId, message);
            return;
        }

        results[caller.Rank] = last + 1;
        Put(last + 1, new(message, owner));
    }

    /// <summary>
    /// Makes the messages those of a snapshot: known ids keep their place and take the snapshot's value, new
    /// ones follow in its order, others go. Activities go only if the snapshot has some of its own, and so
    /// does reasoning.
    /// </summary>
    public void Restate(IReadOnlyList<ThreadMessage> snapshot)
    {
        var latest = new Dictionary<string, int>();
        for (var number = 0; number < snapshot.Count; number++)
        {
            if (snapshot[number].Id is { } id)
            {
                latest[id] = number;
            }
        }

        foreach (var kind in Enum.GetValues<MessageClass>())
        {
            if (kind == MessageClass.Conversation || snapshot.Any(message => message.Class == kind))
            {
                RemoveOthers(kind, latest);
            }
        }

        results.Clear();
        // What was known before decides, not what the snapshot itself has added meanwhile.
        var known = snapshot.Select(message => message.Id is { } id ? ids.All(id) : []).ToList();
        for (var number = 0; number < snapshot.Count; number++)
        {
            var message = snapshot[number];
            if (known[number].Count == 0)
            {
                Push(message);
            }
            else if (latest[message.Id!] == number)
            {
                known[number].ForEach(place => Restate(place, message));
            }
        }
    }

    /// <summary>A thread of its own.</summary>
    public MessageThread Copy()
    {
        // What is there is shared from now on.
        owner = new();
        return new(this);
    }

    /// <summary>Ends a run, and gives what it changed.</summary>
    public ThreadChanges EndRun()
    {
        var changes = whole is null ? new ThreadChanges(firstAppended, changed) : new ThreadChanges(whole);
        (firstAppended, changed, whole) = (next, [], null);
        return changes;
    }

    /// <summary>The thread before a run, of which this is the end.</summary>
    public MessageThread Before(ThreadChanges changes)
    {
        if (changes.Whole is not null)
        {
            return changes.Whole.Copy();
        }

        var before = Copy();
        before.RemoveFrom(changes.FirstAppended);
        foreach (var (place, message) in changes.Messages())
        {
            before.Remove(place);
            if (message is not null)
            {
                before.Put(place.Rank, message);
            }
        }

        before.results.Clear();
        before.changed.Clear();
        return before;
    }

    public bool IsEqualTo(MessageThread other) =>
        Count == other.Count && Messages.Zip(other.Messages).All(pair => pair.First.IsEqualTo(pair.Second));

    private ThreadMessage? At(MessagePlace place) =>
        classes[(int)place.Class].TryGetValue(new(place.Rank, null), out var found) ? found.Message : null;

    private JsonTree? Own(MessagePlace place)
    {
        var message = At(place);
        if (message is not null && message.Owner != owner)
        {
            Note(place, message);
            message = message.Copy(owner);
            classes[(int)place.Class].Remove(new(place.Rank, null));
            classes[(int)place.Class].Add(new(place.Rank, message));
        }

        return message?.Value;
    }

    private void Restate(MessagePlace place, ThreadMessage message)
    {
        // Most snapshots repeat most messages, which stay shared.
        if (At(place) is { } known && !known.IsEqualTo(message))
        {
            // What this thread has elsewhere may be changed there, and not here.
            ReplaceAt(place, message.Owner == owner ? message.Copy(owner) : message);
        }
    }

    private void ReplaceAt(MessagePlace place, ThreadMessage message)
    {
        if (At(place)?.Role != message.Role)
        {
            results.Clear();
        }

        Remove(place);
        Put(place.Rank, message);
    }

    /// <summary>Removes the messages from a rank on.</summary>
    private void RemoveFrom(long rank)
    {
        while (After(rank - 1) is { } appended)
        {
            Remove(new(appended.Rank, appended.Message!.Class));
        }
    }

    /// <summary>Removes the messages of a class but for those that a snapshot holds.</summary>
    private void RemoveOthers(MessageClass kind, Dictionary<string, int> latest)
    {
        var goes = classes[(int)kind].Where(ranked => ranked.Message!.Id is not { } id || !latest.ContainsKey(id));
        foreach (var ranked in goes.ToList())
        {
            Remove(new(ranked.Rank, kind));
        }
    }

    private MessagePlace Put(long rank, ThreadMessage message)
    {
        var place = new MessagePlace(rank, message.Class);
        Note(place, null);
        classes[(int)place.Class].Add(new(rank, message));
        if (message.Id is { } id)
        {
            ids.Add(id, place);
        }

        foreach (var call in message.Calls)
        {
            calls.Add(call.Id, new(place, call.Place));
        }

        return place;
    }

    private void Remove(MessagePlace place)
    {
        if (At(place) is not { } message)
        {
            return;
        }

        Note(place, message);
        classes[(int)place.Class].Remove(new(place.Rank, null));
        if (message.Id is { } id)
        {
            ids.Remove(id, place);
        }

        foreach (var call in message.Calls)
        {
            calls.Remove(call.Id, new(place, call.Place));
        }
    }

    /// <summary>Notes what is at a place before it changes, if that is not noted, and was there before the run.</summary>
    private void Note(MessagePlace place, ThreadMessage? message)
    {
        if (whole is null && place.Rank < firstAppended)
        {
            changed.TryAdd(place, message);
        }
    }

    /// <summary>The message after this rank.</summary>
    private Ranked? After(long rank)
    {
        Ranked? first = null;
        foreach (var messages in classes)
        {
            var place = messages.IndexOf(new(rank + 1, null));
            place = place < 0 ? ~place : place;
            if (place < messages.Count && (first is null || messages[place].Rank < first.Value.Rank))
            {
                first = messages[place];
            }
        }

        return first;
    }

    /// <summary>Gives all ranks again, with whole gaps between them.</summary>
    private void Spread()
    {
        whole ??= Before(new(firstAppended, changed));
        var messages = Messages.ToList();
        Array.ForEach(classes, ranked => ranked.Clear());
        (ids, calls, next) = (new(), new(), Gap);
        results.Clear();
        messages.ForEach(message => Push(message));
    }

    private IEnumerable<Ranked> InOrder()
    {
        var classes = this.classes.Where(messages => messages.Count > 0).ToList();
        return classes.Count == 1 ? classes[0] : Merged(classes);
    }

    private static IEnumerable<Ranked> Merged(List<ImmutableSortedSet<Ranked>.Builder> classes)
    {
        var left = classes.Select(messages => messages.AsEnumerable().GetEnumerator()).Where(it => it.MoveNext()).ToList();
        while (left.Count > 0)
        {
            var first = left[0];
            foreach (var one in left)
            {
                first = one.Current.Rank < first.Current.Rank ? one : first;
            }

            yield return first.Current;
            if (!first.MoveNext())
            {
                left.Remove(first);
            }
        }
    }

    /// <summary>A message with its rank; a rank alone finds it.</summary>
    private readonly record struct Ranked(long Rank, ThreadMessage? Message);

    private sealed class ByRank : IComparer<Ranked>
    {
        public static readonly ByRank Order = new();

        public int Compare(Ranked one, Ranked two) => one.Rank.CompareTo(two.Rank);
    }
}

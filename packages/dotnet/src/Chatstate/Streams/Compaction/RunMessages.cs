using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>A message that the run in progress made or changed.</summary>
internal sealed class RunMessage
{
    private readonly KnownMessage known;

    public RunMessage(KnownMessage known) => this.known = known;

    public RunMessage(MessageDraft draft) => Draft = draft;

    /// <summary>What is built by the events of this run alone.</summary>
    public MessageDraft? Draft { get; }

    public HeldRole Role => Draft?.Role ?? known.Role;

    public static RunMessage Unknown(HeldRole role) => new(new KnownMessage(role, null, null));

    public KnownMessage Settled() => Draft?.Known ?? known;

    /// <summary>What is left to know once a snapshot restates the conversation.</summary>
    public RunMessage WhenRestated() => Draft is null ? new(known with { Role = known.Role.WhenRestated() }) : this;
}

/// <summary>Where a call of the run in progress stands.</summary>
/// <param name="Caller">The message that makes it, if that is a draft.</param>
/// <param name="Call">The call in there.</param>
/// <param name="IsHidden">
/// Whether it is in a message that is not found by its id, because another one with it came first.
/// </param>
internal sealed record CallPlace(string? Caller, JsonTree? Call, bool IsHidden)
{
    /// <summary>In a message that others made too.</summary>
    public static CallPlace Elsewhere { get; } = new(null, null, false);

    /// <inheritdoc cref="IsHidden"/>
    public static CallPlace Hidden { get; } = new(null, null, true);
}

/// <summary>The messages that the run in progress made or changed, by their ids.</summary>
/// <param name="place">The number of the run.</param>
/// <param name="predecessor">The number of the run before it on its path.</param>
internal sealed class RunMessages(int place, int predecessor)
{
    public int Place => place;

    public int Predecessor => predecessor;

    public Dictionary<string, RunMessage> Messages { get; } = [];

    public Dictionary<string, CallPlace> Calls { get; } = [];

    /// <summary>The calls that the run's messages make, with the messages.</summary>
    public List<(string Call, string Message)> Callers { get; } = [];

    /// <summary>The classes of messages that a snapshot restated.</summary>
    public HashSet<MessageClass> Restated { get; } = [];

    public void NoteCalls(string id, Message message)
    {
        foreach (var call in message.Calls)
        {
            Callers.Add((call.Id, id));
            Calls.TryAdd(call.Id, CallPlace.Elsewhere);
        }
    }

    /// <summary>Forgets what a snapshot takes away.</summary>
    public void Restate(IList<Message> snapshot)
    {
        var restates = new HashSet<MessageClass> { MessageClass.Conversation };
        if (snapshot.Any(message => message.Role == "activity"))
        {
            restates.Add(MessageClass.Activities);
        }

        if (snapshot.Any(message => message.Role == "reasoning"))
        {
            restates.Add(MessageClass.Reasoning);
        }

        Restated.UnionWith(restates);
        foreach (var (id, message) in Messages.ToList())
        {
            if (message.Role.Class() is { } kind && restates.Contains(kind))
            {
                Messages.Remove(id);
            }
            else
            {
                Messages[id] = message.WhenRestated();
            }
        }

        // From here on the only calls are those that the messages of the snapshot make.
        Calls.Clear();
        Callers.Clear();
    }

    /// <summary>Learns the unknown values from the messages as they are at the end of the run.</summary>
    public void Learn(IEnumerable<ThreadMessage> messages)
    {
        if (!Messages.Values.Any(IsUnknown))
        {
            return;
        }

        var seen = new HashSet<string>();
        foreach (var message in messages)
        {
            var isOwn = message.Id is { } id && Messages.TryGetValue(id, out var own) && own.Draft is null;
            if (isOwn && seen.Add(message.Id!) && IsUnknown(Messages[message.Id!]))
            {
                var digest = message.Value.Digest();
                Messages[message.Id!] = new(new KnownMessage(HeldRoles.Of(message.Role), digest, null));
            }
        }

        foreach (var (id, _) in Messages.Where(message => IsUnknown(message.Value)).ToList())
        {
            Messages.Remove(id);
        }
    }

    private static bool IsUnknown(RunMessage message) => message.Draft is null && message.Settled().Digest is null;
}

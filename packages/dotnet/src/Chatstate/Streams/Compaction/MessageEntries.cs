using System.Collections.Generic;

namespace Chatstate;

/// <summary>What is known of the messages of all runs.</summary>
internal sealed class MessageEntries
{
    private readonly Dictionary<string, int> latest = [];
    private readonly List<Entry> entries = [];

    /// <summary>The message with this id at the end of a run, if the run's path has one, and its place.</summary>
    public KnownMessage? At(RunPath path, int run, string id, out int place)
    {
        place = latest.GetValueOrDefault(id, RunPath.None);
        while (place >= 0)
        {
            var entry = entries[place];
            if (path.IsOn(entry.Made, run))
            {
                return IsThere(path, run, entry) ? entry.Known with { Role = RoleAt(path, run, entry) } : null;
            }

            place = entry.Older;
        }

        return null;
    }

    /// <summary>Notes what a run made of a message.</summary>
    public void Add(int run, string id, KnownMessage known)
    {
        var older = latest.GetValueOrDefault(id, RunPath.None);
        latest[id] = entries.Count;
        entries.Add(new(known, run, older));
    }

    /// <summary>
    /// Notes that a run restated a message as it was. False if another branch restated it last, so that this
    /// run needs an entry of its own.
    /// </summary>
    public bool Confirm(RunPath path, int run, int place)
    {
        var isFree = path.IsOn(entries[place].Confirmed, run);
        if (isFree)
        {
            entries[place].Confirmed = run;
        }

        return isFree;
    }

    /// <summary>Notes another spelling of the same value.</summary>
    public void Respell(int place, ValueDigest spelling) =>
        entries[place].Known = entries[place].Known with { Spelling = spelling };

    /// <summary>
    /// Whether a message that a run on the path made is still there: no run after it restated the messages of
    /// its class without it.
    /// </summary>
    private static bool IsThere(RunPath path, int run, Entry entry)
    {
        if (entry.Known.Role.Class() is not { } kind)
        {
            return true;
        }

        var restated = path.Restated(run, kind);
        return restated == RunPath.None || path.IsOn(restated, entry.Made) || path.IsOn(restated, entry.Confirmed);
    }

    /// <summary>What the role of a message is at the end of a run.</summary>
    private static HeldRole RoleAt(RunPath path, int run, Entry entry)
    {
        var restated = path.Restated(run, MessageClass.Conversation);
        return restated == RunPath.None || path.IsOn(restated, entry.Made)
            ? entry.Known.Role
            : entry.Known.Role.WhenRestated();
    }

    /// <summary>What one run made of a message.</summary>
    private sealed class Entry(KnownMessage known, int made, int older)
    {
        public KnownMessage Known { get; set; } = known;

        public int Made { get; } = made;

        /// <summary>The last run that restated it as it was.</summary>
        public int Confirmed { get; set; } = made;

        /// <summary>What an earlier run made of a message with the same id.</summary>
        public int Older => older;
    }
}

using System;
using System.Collections.Generic;
using System.Collections.Immutable;

namespace Chatstate;

/// <summary>
/// Where ids are. Hardly ever is one there twice, and then its first place counts. A copy shares what none
/// of the two has changed since.
/// </summary>
/// <typeparam name="T">A place.</typeparam>
internal sealed class IdPlaces<T>
    where T : struct, IComparable<T>
{
    private readonly ImmutableDictionary<string, Places>.Builder places;

    public IdPlaces()
        : this(ImmutableDictionary.CreateBuilder<string, Places>(StringComparer.Ordinal), 0)
    {
    }

    private IdPlaces(ImmutableDictionary<string, Places>.Builder places, int shared)
    {
        this.places = places;
        Shared = shared;
    }

    /// <summary>How many places are not the first of their id.</summary>
    public int Shared { get; private set; }

    /// <summary>The first place of an id.</summary>
    public T? First(string id) => places.TryGetValue(id, out var known) ? known.First : null;

    /// <summary>All places of an id, the first one first.</summary>
    public List<T> All(string id) =>
        places.TryGetValue(id, out var known) ? [known.First, .. known.Further ?? []] : [];

    public void Add(string id, T place)
    {
        if (places.TryGetValue(id, out var known))
        {
            places[id] = known.With(place);
            Shared++;
        }
        else
        {
            places.Add(id, new(place, null));
        }
    }

    public void Remove(string id, T place)
    {
        if (!places.TryGetValue(id, out var known))
        {
            return;
        }

        if (known.Without(place) is { } rest)
        {
            places[id] = rest;
            Shared--;
        }
        else
        {
            places.Remove(id);
        }
    }

    public IdPlaces<T> Copy() => new(places.ToImmutable().ToBuilder(), Shared);

    /// <summary>The places of one id.</summary>
    private readonly record struct Places(T First, ImmutableSortedSet<T>? Further)
    {
        public Places With(T place)
        {
            var further = Further ?? [];
            return place.CompareTo(First) < 0 ? new(place, further.Add(First)) : new(First, further.Add(place));
        }

        /// <summary>The places without one of them; none if there is no other.</summary>
        public Places? Without(T place)
        {
            if (Further is not { Count: > 0 } further)
            {
                return null;
            }

            return place.CompareTo(First) == 0
                ? new(further.Min, further.Remove(further.Min))
                : new(First, further.Remove(place));
        }
    }
}

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>What events hold that the schema does not know: readers that strip it do not see it.</summary>
internal static class UnknownValues
{
    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 512 };

    private static readonly ConcurrentDictionary<string, KnownWords> Words = new(StringComparer.Ordinal);

    /// <summary>A warning for each; an event of an unknown type is unknown itself.</summary>
    public static IEnumerable<Finding> Of(IReadOnlyList<Event> events)
    {
        for (var index = 0; index < events.Count; index++)
        {
            if (events[index] is UnknownEvent)
            {
                continue;
            }

            using var document = JsonDocument.Parse(events[index].ToJson(), Deep);
            foreach (var (rule, place, sentence) in In(KnownMembers.Event, document.RootElement, ""))
            {
                yield return new(rule, index, sentence) { Place = place };
            }
        }
    }

    private static IEnumerable<(string Rule, string Place, string Sentence)> In(string definition, JsonElement value, string place)
    {
        var known = Words.GetOrAdd(definition, KnownWords.Of);
        if (known.Tag is not { } tag)
        {
            return InObject(definition, known.Definitions, value, place);
        }

        var chosen = value.GetProperty(tag).GetString()!;
        return known.Definitions.TryGetValue(chosen, out var variant)
            ? In(variant, value, place)
            : [("verify.unknown-variant", place, $"the schema does not know the `{tag}` `{chosen}` here")];
    }

    private static IEnumerable<(string Rule, string Place, string Sentence)> InObject(
        string definition,
        Dictionary<string, string> known,
        JsonElement value,
        string place)
    {
        foreach (var member in value.EnumerateObject())
        {
            var under = $"{place}/{RejectionException.Escape(member.Name)}";
            if (!known.TryGetValue(member.Name, out var inside))
            {
                yield return ("verify.unknown-member", under, $"the schema has no member `{member.Name}` of `{definition}`");
                continue;
            }

            foreach (var found in inside.Length == 0 ? [] : InValue(inside, member.Value, under))
            {
                yield return found;
            }
        }
    }

    private static IEnumerable<(string Rule, string Place, string Sentence)> InValue(string definition, JsonElement value, string place) =>
        value.ValueKind switch
        {
            JsonValueKind.Object => In(definition, value, place),
            JsonValueKind.Array => value.EnumerateArray().SelectMany((element, number) =>
                In(definition, element, string.Create(CultureInfo.InvariantCulture, $"{place}/{number}"))),
            _ => [],
        };

    /// <summary>What the schema knows of a definition.</summary>
    /// <param name="Tag">The member that distinguishes the variants, if it is a union.</param>
    /// <param name="Definitions">
    /// The members, or the values of the tag, with the definition of what is inside, or no text.
    /// </param>
    private sealed record KnownWords(string? Tag, Dictionary<string, string> Definitions)
    {
        public static KnownWords Of(string definition)
        {
            var words = KnownMembers.Of[definition].Split(' ');
            var tag = words[0].EndsWith(':') ? words[0][..^1] : null;
            var named = words.Skip(tag is null ? 0 : 1).Select(word => word.Split('>'));
            return new(tag, named.ToDictionary(word => word[0], word => word.ElementAtOrDefault(1) ?? "", StringComparer.Ordinal));
        }
    }
}

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>What events hold that the schema does not know: readers that strip it do not see it.</summary>
internal static class UnknownValues
{
    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 512 };

    /// <summary>A warning for each; an event of an unknown type is unknown itself.</summary>
    public static IEnumerable<Finding> Of(IReadOnlyList<Event> events)
    {
        for (var index = 0; index < events.Count; index++)
        {
            if (events[index] is UnknownEvent)
            {
                continue;
            }

            using var document = JsonDocument.Parse(Written(events[index], index), Deep);
            foreach (var (rule, place, sentence) in In(KnownMembers.Event, document.RootElement, ""))
            {
                yield return new(rule, index, sentence) { Place = place };
            }
        }
    }

    private static string Written(Event happened, int index)
    {
        try
        {
            return happened.ToJson();
        }
        catch (RejectionException rejection) when (rejection.Within(index))
        {
            throw;
        }
    }

    private static IEnumerable<(string Rule, string Place, string Sentence)> In(string definition, JsonElement value, string place)
    {
        var known = KnownMembers.Of[definition];
        if (known.Tag is not { } tag)
        {
            return InObject(definition, known.Names, value, place);
        }

        var chosen = value.GetProperty(tag).GetString()!;
        return known.Names.TryGetValue(chosen, out var variant) && variant is not null
            ? In(variant, value, place)
            : [("verify.unknown-variant", place, $"the schema does not know the `{tag}` `{chosen}` here")];
    }

    private static IEnumerable<(string Rule, string Place, string Sentence)> InObject(
        string definition,
        IReadOnlyDictionary<string, string?> known,
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

            foreach (var found in inside is null ? [] : InValue(inside, member.Value, under))
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
}

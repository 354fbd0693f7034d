using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <content>
/// Conditions of a schema: what is asked of an object beyond the types of its members. A condition is the
/// text of a JSON object with a few keywords of JSON Schema, each of which lets values of other types
/// through. The generator writes no other keywords than those that are read here.
/// </content>
internal static partial class JsonRead
{
    private static readonly ConcurrentDictionary<string, JsonElement> Predicates = new();

    /// <summary>Rejects a value that is not as the keyword at that JSON pointer asks.</summary>
    public static void Condition(JsonElement element, string keyword, string pointer, string predicate)
    {
        if (!Fits(element, Predicates.GetOrAdd(predicate, JsonText.Parse)))
        {
            throw RejectionException.Schema(keyword, $"must be as the schema asks at `{pointer}`");
        }
    }

    private static bool Fits(JsonElement element, JsonElement asked)
    {
        if (asked.TryGetProperty("type", out var types) && !types.EnumerateArray().Any(name => IsOfType(element, name)))
        {
            return false;
        }

        if (asked.TryGetProperty("enum", out var values)
            && !values.EnumerateArray().Any(known => AreEqual(element, known)))
        {
            return false;
        }

        return FitsItsKind(element, asked) && FitsOthers(element, asked);
    }

    private static bool IsOfType(JsonElement element, JsonElement name) =>
        name.ValueEquals("integer"u8)
            ? element.ValueKind == JsonValueKind.Number && Number(element).IsInteger
            : name.ValueEquals(Word(element.ValueKind));

    private static bool AreEqual(JsonElement element, JsonElement known) =>
        element.ValueKind == known.ValueKind && CanonicalJson.Of(element) == CanonicalJson.Of(known);

    /// <summary>Whether a value is as other predicates about itself ask.</summary>
    private static bool FitsOthers(JsonElement element, JsonElement asked)
    {
        if (asked.TryGetProperty("not", out var not) && Fits(element, not))
        {
            return false;
        }

        if (asked.TryGetProperty("allOf", out var all) && !all.EnumerateArray().All(one => Fits(element, one)))
        {
            return false;
        }

        if (asked.TryGetProperty("anyOf", out var any) && !any.EnumerateArray().Any(one => Fits(element, one)))
        {
            return false;
        }

        if (asked.TryGetProperty("oneOf", out var only) && only.EnumerateArray().Count(one => Fits(element, one)) != 1)
        {
            return false;
        }

        if (!asked.TryGetProperty("if", out var condition))
        {
            return true;
        }

        return !asked.TryGetProperty(Fits(element, condition) ? "then" : "else", out var branch)
            || Fits(element, branch);
    }

    private static bool FitsItsKind(JsonElement element, JsonElement asked) => element.ValueKind switch
    {
        JsonValueKind.Number => FitsNumber(Number(element), asked),
        JsonValueKind.String => FitsText(SplitText(element), asked),
        JsonValueKind.Array => FitsList(element, asked),
        JsonValueKind.Object => FitsObject(element, asked),
        _ => true,
    };

    private static bool FitsNumber(JsonNumber number, JsonElement asked)
    {
        bool Holds(string keyword, Func<JsonNumber, bool> holds) =>
            !asked.TryGetProperty(keyword, out var bound) || holds(Number(bound));
        return Holds("minimum", bound => number >= bound)
            && Holds("maximum", bound => number <= bound)
            && Holds("exclusiveMinimum", bound => number > bound)
            && Holds("exclusiveMaximum", bound => number < bound)
            && Holds("multipleOf", number.IsMultipleOf);
    }

    private static bool FitsText(string text, JsonElement asked)
    {
        if (asked.TryGetProperty("pattern", out var pattern) && !IsMatch(text, Text(pattern)))
        {
            return false;
        }

        return IsWithin(() => text.EnumerateRunes().Count(), asked, "minLength", "maxLength");
    }

    private static bool FitsList(JsonElement element, JsonElement asked)
    {
        if (!IsWithin(element.GetArrayLength, asked, "minItems", "maxItems"))
        {
            return false;
        }

        var seen = new HashSet<string>();
        if (asked.TryGetProperty("uniqueItems", out _)
            && !element.EnumerateArray().All(item => seen.Add(CanonicalJson.Of(item))))
        {
            return false;
        }

        return FitsContained(element, asked) && FitsItems(element, asked);
    }

    private static bool FitsContained(JsonElement element, JsonElement asked)
    {
        if (!asked.TryGetProperty("contains", out var contained))
        {
            return true;
        }

        var found = element.EnumerateArray().Count(item => Fits(item, contained));
        var isEnough = found > 0 || asked.TryGetProperty("minContains", out _);
        return isEnough && IsWithin(() => found, asked, "minContains", "maxContains");
    }

    private static bool FitsItems(JsonElement element, JsonElement asked)
    {
        var place = 0;
        if (asked.TryGetProperty("prefixItems", out var first))
        {
            foreach (var (item, each) in element.EnumerateArray().Zip(first.EnumerateArray()))
            {
                place++;
                if (!Fits(item, each))
                {
                    return false;
                }
            }
        }

        return !asked.TryGetProperty("items", out var rest)
            || element.EnumerateArray().Skip(place).All(item => Fits(item, rest));
    }

    private static bool FitsObject(JsonElement element, JsonElement asked)
    {
        if (!IsWithin(element.GetPropertyCount, asked, "minProperties", "maxProperties"))
        {
            return false;
        }

        if (asked.TryGetProperty("required", out var required)
            && !required.EnumerateArray().All(name => element.TryGetProperty(Text(name), out _)))
        {
            return false;
        }

        return element.EnumerateObject().All(member => FitsName(member.Name, asked) && FitsMember(member.Name, member.Value, asked));
    }

    private static bool FitsName(string name, JsonElement asked) =>
        !asked.TryGetProperty("propertyNames", out var names)
            || Fits(JsonText.Parse($"\"{JsonEncodedText.Encode(name)}\""), names);

    private static bool FitsMember(string name, JsonElement value, JsonElement asked)
    {
        var isKnown = false;
        if (asked.TryGetProperty("properties", out var named) && named.TryGetProperty(name, out var own))
        {
            isKnown = true;
            if (!Fits(value, own))
            {
                return false;
            }
        }

        if (asked.TryGetProperty("patternProperties", out var patterns))
        {
            foreach (var each in patterns.EnumerateObject().Where(each => IsMatch(name, each.Name)))
            {
                isKnown = true;
                if (!Fits(value, each.Value))
                {
                    return false;
                }
            }
        }

        return isKnown || !asked.TryGetProperty("additionalProperties", out var others) || Fits(value, others);
    }

    private static bool IsWithin(Func<int> count, JsonElement asked, string least, string most)
    {
        var (hasLeast, hasMost) = (asked.TryGetProperty(least, out var low), asked.TryGetProperty(most, out var high));
        return (!hasLeast || count() >= low.GetInt64()) && (!hasMost || count() <= high.GetInt64());
    }
}

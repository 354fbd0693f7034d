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
    /// <summary>How many predicates may be asked for each other: those that refer to themselves go as deep as a document.</summary>
    private const int MaxNesting = 1024;

    private static readonly ConcurrentDictionary<string, JsonElement> Predicates = new();

    /// <summary>What a predicate is asked with: what references lead to, and how many are asked for each other.</summary>
    private readonly record struct Asking(JsonElement Whole, int Nesting)
    {
        public Asking Deeper() => Nesting < MaxNesting
            ? new(Whole, Nesting + 1)
            : throw new RejectionException(
                RejectionClass.Limit, "depth", "the document is nested too deeply for a condition");

        public JsonElement Target(JsonElement reference) =>
            Whole.GetProperty("$defs").GetProperty(Text(reference)["#/$defs/".Length..]);
    }

    /// <summary>Rejects a value that is not as the keyword at that JSON pointer asks.</summary>
    public static void Condition(JsonElement element, string keyword, string pointer, string predicate)
    {
        var asked = Predicates.GetOrAdd(predicate, JsonText.Parse);
        if (!Fits(element, asked, new(asked, 0)))
        {
            throw RejectionException.Schema(keyword, $"must be as the schema asks at `{pointer}`");
        }
    }

    /// <summary>A value that was read, if it is as the keyword at that JSON pointer asks.</summary>
    public static T Fitting<T>(JsonElement element, T value, string keyword, string pointer, string predicate)
    {
        Condition(element, keyword, pointer, predicate);
        return value;
    }

    private static bool Fits(JsonElement element, JsonElement asked, Asking outer)
    {
        var asking = outer.Deeper();
        if (asked.TryGetProperty("type", out var types) && !types.EnumerateArray().Any(name => IsOfType(element, name)))
        {
            return false;
        }

        if (asked.TryGetProperty("enum", out var values)
            && !values.EnumerateArray().Any(known => AreEqual(element, known)))
        {
            return false;
        }

        return FitsItsKind(element, asked, asking)
            && FitsOthers(element, asked, asking)
            && FitsUnevaluated(element, asked, asking);
    }

    private static bool IsOfType(JsonElement element, JsonElement name) =>
        name.ValueEquals("integer"u8)
            ? element.ValueKind == JsonValueKind.Number && Number(element).IsInteger
            : name.ValueEquals(Word(element.ValueKind));

    private static bool AreEqual(JsonElement element, JsonElement known) =>
        element.ValueKind == known.ValueKind && CanonicalJson.Of(element) == CanonicalJson.Of(known);

    /// <summary>Whether a value is as other predicates about itself ask.</summary>
    private static bool FitsOthers(JsonElement element, JsonElement asked, Asking asking)
    {
        if (asked.TryGetProperty("$ref", out var reference) && !Fits(element, asking.Target(reference), asking))
        {
            return false;
        }

        if (asked.TryGetProperty("not", out var not) && Fits(element, not, asking))
        {
            return false;
        }

        if (asked.TryGetProperty("allOf", out var all) && !all.EnumerateArray().All(one => Fits(element, one, asking)))
        {
            return false;
        }

        if (asked.TryGetProperty("anyOf", out var any) && !any.EnumerateArray().Any(one => Fits(element, one, asking)))
        {
            return false;
        }

        if (asked.TryGetProperty("oneOf", out var only) && only.EnumerateArray().Count(one => Fits(element, one, asking)) != 1)
        {
            return false;
        }

        if (!asked.TryGetProperty("if", out var condition))
        {
            return true;
        }

        return !asked.TryGetProperty(Fits(element, condition, asking) ? "then" : "else", out var branch)
            || Fits(element, branch, asking);
    }

    private static bool FitsItsKind(JsonElement element, JsonElement asked, Asking asking) => element.ValueKind switch
    {
        JsonValueKind.Number => FitsNumber(Number(element), asked),
        JsonValueKind.String => FitsText(SplitText(element), asked),
        JsonValueKind.Array => FitsList(element, asked, asking),
        JsonValueKind.Object => FitsObject(element, asked, asking),
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

    private static bool FitsList(JsonElement element, JsonElement asked, Asking asking)
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

        return FitsContained(element, asked, asking) && FitsItems(element, asked, asking);
    }

    private static bool FitsContained(JsonElement element, JsonElement asked, Asking asking)
    {
        if (!asked.TryGetProperty("contains", out var contained))
        {
            return true;
        }

        var found = element.EnumerateArray().Count(item => Fits(item, contained, asking));
        var isEnough = found > 0 || asked.TryGetProperty("minContains", out _);
        return isEnough && IsWithin(() => found, asked, "minContains", "maxContains");
    }

    private static bool FitsItems(JsonElement element, JsonElement asked, Asking asking)
    {
        var place = 0;
        if (asked.TryGetProperty("prefixItems", out var first))
        {
            foreach (var (item, each) in element.EnumerateArray().Zip(first.EnumerateArray()))
            {
                place++;
                if (!Fits(item, each, asking))
                {
                    return false;
                }
            }
        }

        return !asked.TryGetProperty("items", out var rest)
            || element.EnumerateArray().Skip(place).All(item => Fits(item, rest, asking));
    }

    private static bool FitsObject(JsonElement element, JsonElement asked, Asking asking)
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

        return element.EnumerateObject().All(member => FitsName(member.Name, asked, asking) && FitsMember(member.Name, member.Value, asked, asking));
    }

    private static bool FitsName(string name, JsonElement asked, Asking asking) =>
        !asked.TryGetProperty("propertyNames", out var names)
            || Fits(JsonText.Parse($"\"{JsonEncodedText.Encode(name)}\""), names, asking);

    private static bool FitsMember(string name, JsonElement value, JsonElement asked, Asking asking)
    {
        var isKnown = false;
        if (asked.TryGetProperty("properties", out var named) && named.TryGetProperty(name, out var own))
        {
            isKnown = true;
            if (!Fits(value, own, asking))
            {
                return false;
            }
        }

        if (asked.TryGetProperty("patternProperties", out var patterns))
        {
            foreach (var each in patterns.EnumerateObject().Where(each => IsMatch(name, each.Name)))
            {
                isKnown = true;
                if (!Fits(value, each.Value, asking))
                {
                    return false;
                }
            }
        }

        return isKnown || !asked.TryGetProperty("additionalProperties", out var others) || Fits(value, others, asking);
    }

    /// <summary>Whether members that nothing else says anything of are as they have to be.</summary>
    private static bool FitsUnevaluated(JsonElement element, JsonElement asked, Asking asking)
    {
        if (element.ValueKind != JsonValueKind.Object
            || !asked.TryGetProperty("unevaluatedProperties", out var others))
        {
            return true;
        }

        return element.EnumerateObject().All(member =>
            EvaluatesBeside(member.Name, element, asked, asking) || Fits(member.Value, others, asking));
    }

    /// <summary>Whether a predicate that an object fits says something of the member of that name.</summary>
    private static bool Evaluates(string name, JsonElement element, JsonElement asked, Asking outer)
    {
        var asking = outer.Deeper();
        return asked.TryGetProperty("unevaluatedProperties", out _) || EvaluatesBeside(name, element, asked, asking);
    }

    /// <summary>Whether something else does than <c>unevaluatedProperties</c>.</summary>
    private static bool EvaluatesBeside(string name, JsonElement element, JsonElement asked, Asking asking)
    {
        bool IsEvaluating(JsonElement one) => Evaluates(name, element, one, asking);
        bool IsEvaluatingAt(string keyword) => asked.TryGetProperty(keyword, out var one) && IsEvaluating(one);
        bool IsEvaluatedByOne(string keyword) => asked.TryGetProperty(keyword, out var arms)
            && arms.EnumerateArray().Any(arm => IsEvaluating(arm) && Fits(element, arm, asking));
        if (IsKnown(name, asked)
            || (asked.TryGetProperty("$ref", out var reference) && IsEvaluating(asking.Target(reference)))
            || (asked.TryGetProperty("allOf", out var all) && all.EnumerateArray().Any(IsEvaluating))
            || IsEvaluatedByOne("anyOf")
            || IsEvaluatedByOne("oneOf"))
        {
            return true;
        }

        if (!asked.TryGetProperty("if", out var condition))
        {
            return false;
        }

        return Fits(element, condition, asking)
            ? IsEvaluating(condition) || IsEvaluatingAt("then")
            : IsEvaluatingAt("else");
    }

    /// <summary>Whether the keywords of a predicate say something of the member of that name.</summary>
    private static bool IsKnown(string name, JsonElement asked) =>
        asked.TryGetProperty("additionalProperties", out _)
            || (asked.TryGetProperty("properties", out var named) && named.TryGetProperty(name, out _))
            || (asked.TryGetProperty("patternProperties", out var patterns)
                && patterns.EnumerateObject().Any(each => IsMatch(name, each.Name)));

    private static bool IsWithin(Func<int> count, JsonElement asked, string least, string most)
    {
        var (hasLeast, hasMost) = (asked.TryGetProperty(least, out var low), asked.TryGetProperty(most, out var high));
        return (!hasLeast || count() >= low.GetInt64()) && (!hasMost || count() <= high.GetInt64());
    }
}

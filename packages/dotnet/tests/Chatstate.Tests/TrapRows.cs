using T = Traps;

namespace Chatstate.Tests;

/// <summary>Rows about every kind of definition that there is.</summary>
internal static class TrapRows
{
    private const string Everywhere = """{"required":"r","requiredNull":null,"requiredShape":null,"requiredAny":null,"requiredList":[1,null],"requiredEnum":null,"notDescribed":0""";

    public static Row[] Presence =>
    [
        new("absent stays absent", "the same", () => Same(Everywhere + "}")),
        new("null stays null", "the same", () => Same(Everywhere + ""","optionalNull":null}""")),
        new("a value stays a value", "the same", () => Same(Everywhere + ""","optionalNull":"v"}""")),
        new("absent is told from null", "True False", () =>
        {
            var read = T.Presence.FromJson(Everywhere + "}");
            return $"{read.OptionalNull.IsAbsent} {read.OptionalNull.IsNull}";
        }),
        new("null is told from absent", "False True", () =>
        {
            var read = T.Presence.FromJson(Everywhere + ""","optionalNull":null}""");
            return $"{read.OptionalNull.IsAbsent} {read.OptionalNull.IsNull}";
        }),
        new("an absent value is said to be none", "the member has no value; ask `HasValue` first", () =>
            T.Presence.FromJson(Everywhere + "}").OptionalNull.Value),
        new("what is optional is not null", "type at /optional", () =>
            Same(Everywhere + ""","optional":null}""")),
        new("a value is set without ceremony", """{"class":"circle","radius":1.50}""", () =>
            new T.Circle { Radius = T.JsonNumber.Parse("1.50") }.ToJson()),
        new("defaults are not written", "{}", () => T.Defaults.FromJson("{}").ToJson()),
    ];

    public static Row[] Unions =>
    [
        new("the discriminator may be last", "Circle 2", () =>
            T.Shape.FromJson("""{"radius":2,"class":"circle"}""") is T.Circle circle ? $"Circle {circle.Radius}" : "other"),
        new("a tag is any text", "Group", () => T.Shape.FromJson("""{"class":""}""").GetType().Name),
        new("an unknown arm keeps everything, in order", """{"b":[1.0,{"a":null}],"class":"star","a":"\u00e9"}""", () =>
            ((T.UnknownShape)T.Shape.FromJson("""{"b":[1.0,{"a":null}],"class":"star","a":"\u00e9"}""")).Raw.GetRawText()),
        new("a known arm with a fault is rejected", "type at /radius", () => T.Shape.FromJson("""{"class":"circle","radius":"1"}""").ToJson()),
        new("a closed union has no other arms", "oneOf at /class", () => T.ClosedShape.FromJson("""{"class":"star"}""").ToJson()),
        new("a union without a tag", "required at /class", () => T.Shape.FromJson("{}").ToJson()),
        new("shared arms are held", "circle", () => T.ClosedShape.FromJson("""{"class":"circle","radius":1}""").AsCircle!.Class),
        new("an arm of a JSON kind", "True text", () =>
        {
            T.Anything held = "text";
            return $"{held.AsNumber is null} {held.Value}";
        }),
        new("no arm of a JSON kind", "oneOf at ", () => T.Anything.FromJson("null").ToJson()),
        new("the first alternative that takes it", """{"size":1}""", () =>
            T.Overlapping.FromJson("""{"size":1}""").AsObject!.AsWithSize!.ToJson()),
        new("no alternative takes it", "anyOf at ", () => T.Overlapping.FromJson("{}").ToJson()),
    ];

    public static Row[] Open =>
    [
        new("an unknown integer is kept", "12", () => T.OpenLevel.FromJson("12").ToJson()),
        new("a closed integer", "enum at ", () => T.Level.FromJson("12").ToJson()),
        new("an integer in another spelling", "1", () => T.Level.FromJson("1.0").ToJson()),
        new("a closed record", "additionalProperties at /x", () => T.ClosedRecord.FromJson("""{"id":"i","x":1}""").ToJson()),
        new("others of one type", "minimum at /x", () => T.CountedOthers.FromJson("""{"title":"t","x":-1}""").ToJson()),
        new("others of one type are read", "4", () => T.CountedOthers.FromJson("""{"title":"t","x":4}""").AdditionalProperties!["x"].ToString()!),
        new("names that mean something", """{"__proto__":1,"constructor":2,"toString":3}""", () =>
            T.EmptyRecord.FromJson("""{"__proto__":1,"constructor":2,"toString":3}""").ToJson()),
    ];

    public static Row[] Limits =>
    [
        Bounded("between", "6", "maximum"),
        Bounded("between", "-6", "minimum"),
        Bounded("between", "1e100", "maximum"),
        Bounded("between", "1.5", "type"),
        Bounded("above", "0", "exclusiveMinimum"),
        Bounded("below", "1.50", "exclusiveMaximum"),
        Bounded("half", "2.50000000000000000001", "maximum"),
        Bounded("even", "3", "multipleOf"),
        Bounded("tenth", "0.15", "multipleOf"),
        Bounded("large", "18446744073709551616", "maximum"),
        Bounded("name", "\"a\"", "minLength"),
        Bounded("name", "\"abcde\"", "maxLength"),
        new("characters are counted, not halves of them", "ok", () =>
        {
            _ = T.Bounded.FromJson("""{"name":"😀😀😀😀"}""");
            return "ok";
        }),
        new("a number of tenths, exactly", "ok", () =>
        {
            _ = T.Bounded.FromJson("""{"tenth":0.3}""");
            return "ok";
        }),
    ];

    public static Row[] Values =>
    [
        new("integers of any size", """{"size":123456789012345678901234567890}""", () => T.WithSize.FromJson("""{"size":123456789012345678901234567890}""").ToJson()),
        new("decimals with all digits", "[0.1000000000000000055511151231257827,2]", () => PointAgain("[0.1000000000000000055511151231257827,2]")),
        new("a tuple is too short", "minItems at ", () => PointAgain("[1]")),
        new("a tuple is too long", "maxItems at ", () => PointAgain("[1,2,3]")),
        new("an item of a tuple", "type at /1", () => PointAgain("[1,true]")),
        new("a text as a date and time", "2026-11-22T00:00:00.0000000+01:00", () =>
            T.Formats.FromJson("""{"date_time":"2026-11-22T00:00:00+01:00"}""").DateTimeAsDateTimeOffset()!.Value.ToString("O")),
        new("a text that is no date and time", """{"date_time":"soon"} True""", () =>
        {
            var read = T.Formats.FromJson("""{"date_time":"soon"}""");
            return $"{read.ToJson()} {read.DateTimeAsDateTimeOffset() is null}";
        }),
        new("a list of itself", "[[],[[]]]", () => T.Forest.FromJson("[[],[[]]]").ToJson()),
        new("an unpaired surrogate in a delta", """{"any":null,"delta":"a\ud83d"}""", () => T.Loose.FromJson("""{"any":null,"delta":"a\ud83d"}""").ToJson()),
        new("an unpaired surrogate elsewhere", "unpaired-surrogate at /any/0", () => T.Loose.FromJson("""{"any":["\ud83d"]}""").ToJson()),
        new("depth 512", "512", () => Depth(512)),
        new("depth 513", "depth at " + string.Concat(Enumerable.Repeat("/0", 512)), () => Depth(513)),
    ];

    private static string Same(string json)
    {
        var written = T.Presence.FromJson(json).ToJson();
        return T.CanonicalJson.FromJson(written) == T.CanonicalJson.FromJson(json) ? "the same" : written;
    }

    private static string PointAgain(string json) => T.Point.ToJson(T.Point.FromJson(json));

    private static Row Bounded(string member, string value, string rule) =>
        new($"{member} of {value}", $"{rule} at /{member}", () => T.Bounded.FromJson($$"""{"{{member}}":{{value}}}""").ToJson());

    private static string Depth(int depth)
    {
        var text = new string('[', depth) + new string(']', depth);
        return T.Forest.FromJson(text).ToJson().Count(character => character == '[').ToString();
    }
}

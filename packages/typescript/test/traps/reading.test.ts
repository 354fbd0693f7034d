// The package of `tests/schemas/traps.schema.json`: what its readers take and what they reject.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as traps from "traps";

type Reader = (text: string, options?: { numbers: "double" }) => unknown;

const readers = traps as unknown as { [name: string]: Reader };

/** What a reader makes of a text: the text that is written again, or the rejection. */
function outcome(type: string, text: string, options?: { numbers: "double" }): string {
  const parse = readers[`parse${type}`];
  assert(parse !== undefined, type);
  try {
    return traps.stringify(parse(text, options));
  } catch (error) {
    if (error instanceof traps.Rejection) return [error.class, error.at, error.rule].join(" ");
    throw error;
  }
}

/** Documents that come out as they went in. */
const KEPT: readonly (readonly [type: string, text: string])[] = [
  ["ObjectWords", '{"constructor":"a","__proto__":"b","toString":"c","hasOwnProperty":"d","toJSON":"e","then":"f"}'],
  ["ObjectWords", '{"further":{"constructor":1}}'],
  ["ObjectWords", "{}"],
  ["StrangeNames", '{"":"a","1st":"b","with space":"c","$type":"d","größe":"e","quo\\"te":"f"}'],
  ["EmptyRecord", '{"a":1}'],
  ["ClosedRecord", '{"id":"a"}'],
  ["ClosedEmptyRecord", "{}"],
  ["CountedOthers", '{"title":"a","b":1,"c":0}'],
  ["NullableOthers", '{"first":{"class":"later"},"second":null}'],
  ["Level", "9007199254740991"],
  ["OpenLevel", "17"],
  ["Words", '"class"'],
  ["Bounded", '{"between":-5,"above":0.1,"below":1.4,"half":0.5,"even":-4,"tenth":0.3,"large":5,"name":"😀😀"}'],
  ["Loose", '{"any":null,"yes":null,"present":[null],"list":[null],"delta":"\\ud83d"}'],
  ["Point", "[1,2.5]"],
  ["Tuples", '{"point":[1,2],"mixed":["a",null,{"class":"later"},"end"],"single":[true]}'],
  ["Shape", '{"class":"later","radius":"x"}'],
  ["Anything", '[true,1,"a",{"b":[]}]'],
  ["TextOrShapes", '[{"class":"later"}]'],
  ["Overlapping", '{"name":"a","size":"b"}'],
  ["Overlapping", '{"size":1}'],
  ["Overlapping", "[1,2]"],
  ["Overlapping", '"long text"'],
  ["Recursive", '{"next":{"next":{"end":true}}}'],
  ["Forest", "[[],[[]]]"],
  ["Directory", '{"a":{"b":{}}}'],
  ["Tree", '{"left":{},"right":null,"pair":[{},{"others":{"a":{}}}]}'],
  ["Fixed", '"fixed"'],
  ["Nothing", "null"],
];

const REFUSED: readonly (readonly [type: string, text: string, expected: string])[] = [
  ["ObjectWords", '{"constructor":1}', "schema /constructor type"],
  ["ObjectWords", '{"__proto__":{}}', "schema /__proto__ type"],
  ["StrangeNames", '{"a/d":1}', "schema /a~1d type"],
  ["StrangeNames", '{"a~e":null}', "schema /a~0e type"],
  ["ClosedRecord", '{"id":"a","other":1}', "schema /other additionalProperties"],
  ["ClosedEmptyRecord", '{"__proto__":1}', "schema /__proto__ additionalProperties"],
  ["CountedOthers", '{"title":"a","b":-1}', "schema /b minimum"],
  ["CountedOthers", '{"title":"a","b":null}', "schema /b type"],
  ["NullableOthers", '{"first":null}', "schema /first type"],
  ["NullableOthers", '{"second":{"class":1}}', "schema /second/class type"],
  ["Level", "2", "schema  enum"],
  ["Level", '"0"', "schema  type"],
  ["OpenLevel", "1.5", "schema  type"],
  ["Colour", '"RED"', "schema  enum"],
  ["Constants", "{}", "schema /text required"],
  ["Bounded", '{"between":6}', "schema /between maximum"],
  ["Bounded", '{"above":0}', "schema /above exclusiveMinimum"],
  ["Bounded", '{"below":1.5}', "schema /below exclusiveMaximum"],
  ["Bounded", '{"half":0.4}', "schema /half minimum"],
  ["Bounded", '{"even":3}', "schema /even multipleOf"],
  ["Bounded", '{"tenth":0.35}', "schema /tenth multipleOf"],
  ["Bounded", '{"name":"a"}', "schema /name minLength"],
  ["Bounded", '{"name":"abcde"}', "schema /name maxLength"],
  ["Loose", "{}", "schema /any required"],
  ["Loose", '{"any":1,"present":null}', "schema /present type"],
  ["Loose", '{"any":"\\ud83d"}', "syntax /any unpaired-surrogate"],
  ["Point", "[1]", "schema  minItems"],
  ["Point", "[1,2,3]", "schema  maxItems"],
  ["Point", '[1,"2"]', "schema /1 type"],
  ["Tuples", '{"point":[1,2],"mixed":["a",null,{"class":"later"},"End"]}', "schema /mixed/3 const"],
  ["Shape", "{}", "schema /class required"],
  ["Shape", '{"class":"circle","radius":"x"}', "schema /radius type"],
  ["ClosedShape", '{"class":"later"}', "schema /class oneOf"],
  ["Anything", "null", "schema  oneOf"],
  ["Anything", "[1.5]", "schema /0 type"],
  ["TextOrShapes", "1", "schema  oneOf"],
  ["Overlapping", "true", "schema  oneOf"],
  ["Overlapping", "{}", "schema  anyOf"],
  ["Recursive", '{"next":{}}', "schema  anyOf"],
  ["Forest", "[[1]]", "schema /0/0 type"],
  ["Directory", '{"a":{"b":[]}}', "schema /a/b type"],
  ["Tree", '{"pair":[{},{"left":1}]}', "schema /pair/1/left type"],
];

for (const [type, text] of KEPT) {
  test(`${type} keeps ${text}`, () => {
    assert.equal(outcome(type, text), text);
    assert.equal(outcome(type, text, { numbers: "double" }), text);
  });
}

for (const [type, text, expected] of REFUSED) {
  test(`${type} rejects ${text}`, () => {
    assert.equal(outcome(type, text), expected);
    assert.equal(outcome(type, text, { numbers: "double" }), expected);
  });
}

test("numbers beyond a double come home, and keep to their bounds", () => {
  const rows: readonly (readonly [type: string, text: string, expected?: string])[] = [
    ["Bounded", '{"large":18446744073709551615}'],
    ["Bounded", '{"large":18446744073709551616}', "schema /large maximum"],
    ["Bounded", '{"large":-9223372036854775809}', "schema /large minimum"],
    ["Bounded", '{"tenth":0.10000000000000000000000001}', "schema /tenth multipleOf"],
    ["Bounded", '{"above":1e-400}'],
    ["Loose", '{"any":12345678901234567890.10,"list":[9007199254740993,1e400]}'],
    ["Point", "[9007199254740993,0.1234567890123456789]"],
  ];
  for (const [type, text, expected] of rows) assert.equal(outcome(type, text), expected ?? text);
  assert.equal(outcome("Loose", '{"any":9007199254740993}', { numbers: "double" }), '{"any":9007199254740992}');
});

test("types that hold themselves have exact forms", () => {
  const exact = { numbers: "exact" } as const;
  assert.equal(traps.stringifyForest(traps.parseForest("[[]]", exact)), "[[]]");
  assert.equal(traps.stringifyDirectory(traps.parseDirectory('{"a":{}}', exact)), '{"a":{}}');
  assert.equal(traps.stringifyAnything(traps.parseAnything("[1e400]", exact)), "[1e400]");
  const [first] = traps.parsePoint("[1,2]", exact);
  // @ts-expect-error it may be an `ExactNumber`
  const number: number = first;
  assert.equal(number, 1);
});

test("types say what readers take", () => {
  const shape: traps.Shape = { class: "circle", radius: 1 };
  const closed: traps.ClosedEmptyRecord = {};
  const counted: traps.CountedOthers = { title: "a", b: 1 };
  const tuple: traps.Point = [1, 2];
  const loose: traps.Loose = { any: null, present: 0 };
  // @ts-expect-error a closed record has no other members
  const other: traps.ClosedEmptyRecord = { a: 1 };
  // @ts-expect-error any value but null
  const none: traps.Loose = { any: 1, present: null };
  // @ts-expect-error two items
  const single: traps.Point = [1];
  // @ts-expect-error a truth that is the only one
  const yes: traps.Constants["yes"] = false;
  // @ts-expect-error an integer that is not listed
  const level: traps.Level = 5;
  const all = [shape, closed, counted, tuple, loose, other, none, single, yes, level];
  assert.equal(all.length, 10);
});

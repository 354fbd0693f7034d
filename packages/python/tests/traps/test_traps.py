"""Documents of the schema that holds everything which generated code has been seen to break on."""

import importlib
import json
import os
import sys
import unittest
from decimal import Decimal
from typing import Any

from pydantic import RootModel, TypeAdapter, ValidationError

from chatstate import canonical, canonicalize

sys.path.insert(0, os.environ["TRAPS"])
traps: Any = importlib.import_module("traps")
rejection: Any = importlib.import_module("traps._runtime.rejection")

# A type, a document, and how it is rejected: the rule and the place. Without them it comes back.
CASES: list[tuple[str, str, str, str]] = [
    ("PythonWords", '{"class":"a","None":"b","str":"c","property":"d","async":"e"}', "", ""),
    ("PythonWords", '{"class_":1,"none":2}', "", ""),
    ("ModelWords", '{"model_fields":"a","copy":"b","json":"c","schema":"d","self":"e"}', "", ""),
    ("ModelWords", '{"copy":1}', "type", "/copy"),
    ("ObjectWords", '{"__proto__":"a","constructor":"b"}', "", ""),
    ("ClassWords", '{"Equals":"a","ClassWords":"b"}', "", ""),
    ("StrangeNames", '{"":"a","$type":"b","a/d":"c","größe":"d","line\\nfeed":"e"}', "", ""),
    ("StrangeNames", '{"a/d":1}', "type", "/a~1d"),
    ("StrangeNames", '{"a~e":1}', "type", "/a~0e"),
    ("StrangeNames", '{"dollar_type":1,"a_d":[]}', "", ""),
    ("OneFace", '{"😀":"a"}', "", ""),
    ("EmptyRecord", '{"x":null}', "", ""),
    ("ClosedRecord", '{"id":"a"}', "", ""),
    ("ClosedRecord", '{"id":"a","x":1}', "additionalProperties", "/x"),
    ("ClosedEmptyRecord", "{}", "", ""),
    ("ClosedEmptyRecord", '{"x":1}', "additionalProperties", "/x"),
    ("CountedOthers", '{"title":"a","b":0,"c":1e2}', "", ""),
    ("CountedOthers", '{"title":"a","b":-1}', "minimum", "/b"),
    ("CountedOthers", '{"title":"a","b":"1"}', "type", "/b"),
    ("NullableOthers", '{"a":null,"b":{"class":"circle","radius":1}}', "", ""),
    ("NullableOthers", '{"a":{"class":"circle"}}', "required", "/a/radius"),
    ("TypeNames", '{"none":{"value":"a"},"any":{},"literal":{},"model":{}}', "", ""),
    ("Words", '"None"', "", ""),
    ("Words", '"none"', "enum", ""),
    ("Words", "1", "type", ""),
    ("Everything", '{"OpenWords":"anything"}', "", ""),
    ("Everything", '{"OpenWords":1}', "type", "/OpenWords"),
    ("Everything", '{"Level":-1}', "", ""),
    ("Everything", '{"Level":1.0}', "", ""),
    ("Everything", '{"Level":2}', "enum", "/Level"),
    ("Everything", '{"Level":true}', "type", "/Level"),
    ("Everything", '{"Level":"1"}', "type", "/Level"),
    ("Everything", '{"OpenLevel":5}', "", ""),
    ("Everything", '{"OpenLevel":5.5}', "type", "/OpenLevel"),
    ("Everything", '{"Fixed":"fixed","Flag":false,"Count":0}', "", ""),
    ("Everything", '{"Fixed":"other"}', "const", "/Fixed"),
    ("Everything", '{"Flag":0}', "type", "/Flag"),
    ("Everything", '{"Constants":{"text":"fixed","integer":true}}', "const", "/Constants/integer"),
    ("Everything", '{"Constants":{"text":"fixed","integer":7,"negative":-1,"yes":1}}', "const", "/Constants/yes"),
    ("Everything", '{"Constants":{}}', "required", "/Constants/text"),
    ("Everything", '{"Identity":""}', "minLength", "/Identity"),
    ("Everything", '{"Forest":[[],[[]]]}', "", ""),
    ("Everything", '{"Forest":[[],[1]]}', "type", "/Forest/1/0"),
    ("Everything", '{"Directory":{"a":{"b":{}}}}', "", ""),
    ("Everything", '{"Directory":{"a":{"b":[]}}}', "type", "/Directory/a/b"),
    ("Bounded", '{"above":0.1,"below":1.4,"half":2.5,"even":-4,"tenth":0.3}', "", ""),
    ("Bounded", '{"above":0}', "exclusiveMinimum", "/above"),
    ("Bounded", '{"below":1.5}', "exclusiveMaximum", "/below"),
    ("Bounded", '{"half":0.4}', "minimum", "/half"),
    ("Bounded", '{"half":2.50000000000000000000001}', "maximum", "/half"),
    ("Bounded", '{"half":2.4999999999999999999999999}', "", ""),
    ("Bounded", '{"even":3}', "multipleOf", "/even"),
    ("Bounded", '{"tenth":0.35}', "multipleOf", "/tenth"),
    ("Bounded", '{"large":18446744073709551615}', "", ""),
    ("Bounded", '{"large":18446744073709551616}', "maximum", "/large"),
    ("Bounded", '{"name":"ab"}', "", ""),
    ("Bounded", '{"name":"😀"}', "minLength", "/name"),
    ("Bounded", '{"name":"abcde"}', "maxLength", "/name"),
    ("Bounded", '{"pattern":"a`$1"}', "", ""),
    ("Bounded", '{"pattern":"A"}', "pattern", "/pattern"),
    ("Bounded", '{"pair":["a"]}', "minItems", "/pair"),
    ("Bounded", '{"pair":["a","b","c"]}', "maxItems", "/pair"),
    ("Bounded", '{"set":[1,"1",{"a":1},{"a":2}]}', "", ""),
    ("Bounded", '{"set":[{"a":1,"b":2},{"b":2,"a":1.0}]}', "uniqueItems", "/set"),
    ("Bounded", '{"counts":[1,0]}', "minimum", "/counts/1"),
    ("Loose", '{"any":null,"yes":[],"present":0,"object":{},"list":[null]}', "", ""),
    ("Loose", '{"any":1,"present":null}', "type", "/present"),
    ("Loose", '{"any":1,"object":[]}', "type", "/object"),
    ("Loose", '{"any":1,"delta":"\\ud83d"}', "", ""),
    ("Loose", '{"any":"\\ud83d"}', "unpaired-surrogate", "/any"),
    ("Loose", "{}", "required", "/any"),
    ("Point", "[1,2.50000000000000000000001]", "", ""),
    ("Point", '[1,"2"]', "type", "/1"),
    ("Tuples", '{"point":[1,2],"mixed":["a",null,{"class":""},"end"]}', "", ""),
    ("Tuples", '{"point":[1,2],"mixed":["a",1,{"class":"x"},"stop"]}', "const", "/mixed/3"),
    ("Tuples", '{"point":[1,2],"mixed":["a",1,{"class":"circle"},"end"]}', "required", "/mixed/2/radius"),
    ("Tuples", '{"point":{},"mixed":[]}', "type", "/point"),
    ("Shape", '{"class":"a square/with \\"side\\"","side":1}', "", ""),
    ("Shape", '{"class":"","shapes":[{"class":"new","radius":"x"}]}', "", ""),
    ("Shape", '{"class":"","shapes":[{"class":"circle","radius":"x"}]}', "type", "/shapes/0/radius"),
    ("Shape", '{"kind":"circle"}', "required", "/class"),
    ("Shape", '{"class":["circle"]}', "type", "/class"),
    ("Shape", "[]", "type", ""),
    ("Everything", '{"ClosedShape":{"class":"new"}}', "oneOf", "/ClosedShape/class"),
    ("Everything", '{"Message":{"id":"a","kind":"user"}}', "required", "/Message/text"),
    ("Anything", '[true,1,"a",[],{"b":[false]}]', "", ""),
    ("Anything", "null", "oneOf", ""),
    ("Anything", '[1,{"a":[null]}]', "oneOf", "/1/a/0"),
    ("Anything", "[1,1.5]", "type", "/1"),
    ("Everything", '{"TextOrShapes":"a"}', "", ""),
    ("Everything", '{"TextOrShapes":[{"class":"circle"}]}', "required", "/TextOrShapes/0/radius"),
    ("Everything", '{"TextOrShapes":1}', "oneOf", "/TextOrShapes"),
    ("Everything", '{"Overlapping":{"size":1,"x":2}}', "", ""),
    ("Everything", '{"Overlapping":{"name":"a","size":"b"}}', "", ""),
    ("Everything", '{"Overlapping":{"nothing":1}}', "oneOf", "/Overlapping"),
    ("Everything", '{"Overlapping":"abcd"}', "", ""),
    ("Everything", '{"Recursive":{"next":{"next":{"end":true}}}}', "", ""),
    ("Everything", '{"Recursive":{"next":{"next":{"end":1}}}}', "oneOf", "/Recursive"),
    ("Tree", '{"left":{"pair":[{},{}]},"right":null,"others":{"a":{}}}', "", ""),
    ("Tree", '{"left":null}', "type", "/left"),
    ("Formats", '{"date_time":"yesterday"}', "", ""),
    ("Defaults", "{}", "", ""),
    ("Documented", '{"text":"a","quote":"b"}', "", ""),
    ("Undocumented", '{"text":"a","object":{"a":"b","c":1}}', "", ""),
    (
        "Presence",
        '{"required":"a","requiredNull":null,"requiredShape":null,"requiredAny":null,'
        '"requiredList":[1,null],"requiredEnum":null,"notDescribed":null}',
        "",
        "",
    ),
]


class Traps(unittest.TestCase):
    """Every kind of definition and type of the model."""

    def test_members_with_names_of_methods(self) -> None:
        """A member may be called as a method is, and each does its own."""
        words = traps.ModelWords.from_json('{"validate":"a"}')
        words.validate()
        words.validate_ = "b"
        self.assertEqual(words.to_json(), '{"validate":"b"}')
        counted = traps.CountedOthers.from_json('{"title":"a","b":0}')
        with self.assertRaises(ValidationError):
            counted.b = "1"
        with self.assertRaises(ValidationError):
            traps.ClosedRecord(id="a").other = 1
        self.assertEqual(counted.to_json(), '{"title":"a","b":0}')

    def test_cases(self) -> None:
        """Reads each document and writes it again."""
        for name, text, rule, at in CASES:
            with self.subTest(f"{name} {text}"):
                self.check(name, text, rule, at)

    def check(self, name: str, text: str, rule: str, at: str) -> None:
        """Holds one case against what comes of it."""
        self.check_made(getattr(traps, name), text, (rule, at))
        try:
            written = getattr(traps, name).from_json(text).to_json()
        except rejection.Rejection as rejected:
            self.assertEqual((rejected.rule, rejected.at), (rule, at), rejected)
        else:
            self.check_pydantic(getattr(traps, name), text, written)
            self.assertEqual(rule, "", f"accepted as {written}")
            # An unpaired surrogate has no canonical form but where it is.
            self.assertTrue(written == text or canonicalize(written) == canonicalize(text), written)

    def check_made(self, kind: Any, text: str, expected: tuple[str, str]) -> None:
        """Makes the same value without a question, and holds what `validate` says of it against the case."""
        plain = json.loads(text, parse_float=Decimal)
        if issubclass(kind, RootModel):
            made = kind.model_construct(plain)
        elif isinstance(plain, dict):
            made = kind.model_construct()
            made.__pydantic_extra__ = plain
        else:
            return
        try:
            self.assertIsNone(made.validate())
        except rejection.Rejection as rejected:
            self.assertEqual((rejected.rule, rejected.at), expected, rejected)
        else:
            self.assertEqual("", expected[0], f"valid: {made.to_json()}")

    def check_pydantic(self, kind: Any, text: str, written: str) -> None:
        """Holds what pydantic reads and writes against what the type itself does."""
        value = kind.from_json(text)
        self.assertEqual(kind.model_validate_json(text).to_json(), written)
        self.assertEqual(value.model_dump_json(), written)
        plain = json.loads(text, parse_float=Decimal)
        self.assertEqual(canonical(value.model_dump()), canonical(plain))
        read = TypeAdapter(list[kind]).validate_python([plain])[0]
        self.assertEqual(canonical(read.model_dump()), canonical(plain))
        with self.assertRaises(ValidationError):
            TypeAdapter(kind).validate_json(text)

    def test_formats_have_accessors(self) -> None:
        """Reads texts that denote something else."""
        formats = traps.Formats(
            date_time="2024-02-29T12:30:00.5Z",
            date="2024-02-29",
            uuid="F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
        )
        self.assertEqual(formats.date_time_as_date_time.isoformat(), "2024-02-29T12:30:00.500000+00:00")
        self.assertEqual(formats.date_as_date.day, 29)
        self.assertEqual(formats.uuid_as_uuid.version, 1)
        self.assertIsNone(formats.time_as_time)
        with self.assertRaises(ValueError):
            traps.Formats(date="yesterday").date_as_date

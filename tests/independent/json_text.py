"""JSON text to values and back, with the standard library alone: strict about text, exact about numbers."""

import json
import re
import sys

# The most levels of arrays and objects that are read.
MAX_DEPTH = 512
# The longest exponent that is read.
MAX_EXPONENT_DIGITS = 18
# The longest integer that is written in plain digits, if a double does not hold it.
MAX_PLAIN_DIGITS = 1000

# Texts of numbers are longer than the default allows, and nesting goes deeper.
sys.set_int_max_str_digits(0)
sys.setrecursionlimit(20_000)

NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?")
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Rejection(Exception):
    """A document that is rejected: the class, the rule, and the place as a JSON pointer, where it is known."""

    def __init__(self, kind, rule, at=None, message=""):
        super().__init__(message or rule)
        self.kind, self.rule, self.at = kind, rule, at


class Number:
    """An exact number: an integer times a power of ten, without trailing zeros."""

    def __init__(self, spelling):
        sign, whole, fraction, exponent = NUMBER.fullmatch(spelling).groups()
        exponent = exponent or "0"
        if len(exponent.lstrip("+-").lstrip("0")) > MAX_EXPONENT_DIGITS:
            raise Rejection("limit", "number-exponent")
        digits = (whole + (fraction or "")).lstrip("0")
        kept = digits.rstrip("0")
        self.negative = bool(sign and kept)
        self.digits = kept
        self.exponent = int(exponent) - len(fraction or "") + len(digits) - len(kept) if kept else 0

    def is_integer(self):
        return self.exponent >= 0

    def value(self):
        """The number as an integer; only for integers that a bound may hold."""
        size = int(self.digits or "0") * 10 ** min(self.exponent, 40)
        return -size if self.negative else size

    def canonical(self):
        """The spelling of RFC 8785 if it says all, else plain digits, else scientific notation."""
        if not self.digits:
            return "0"
        sign = "-" if self.negative else ""
        length = len(self.digits) + self.exponent
        if -400 < length < 400:
            double = float(f"{self.digits}e{self.exponent}")
            if double not in (0.0, float("inf")):
                spelling = ecmascript(repr(double))
                if Number(spelling).same(self.digits, self.exponent):
                    return sign + spelling
        if self.exponent >= 0 and length <= MAX_PLAIN_DIGITS:
            return sign + self.digits + "0" * self.exponent
        fraction = "." + self.digits[1:] if len(self.digits) > 1 else ""
        return f"{sign}{self.digits[0]}{fraction}e{length - 1:+}"

    def same(self, digits, exponent):
        return self.digits == digits and self.exponent == exponent


def ecmascript(shortest):
    """The shortest spelling of a positive double, as ECMAScript lays out its digits."""
    number = Number(shortest)
    digits, point = number.digits, len(number.digits) + number.exponent
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+}"


def parse(document):
    """Bytes or text to a value: dict, list, str, bool, None and Number."""
    try:
        text = document if isinstance(document, str) else document.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Rejection("syntax", "utf-8") from error
    if text.startswith("\ufeff"):
        raise Rejection("syntax", "byte-order-mark")
    check_depth(text)
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=reject_constant,
            object_pairs_hook=without_duplicates,
        )
    except ValueError as error:
        raise Rejection("syntax", "json", message=str(error)) from error


def reject_constant(word):
    raise Rejection("syntax", "json", message=f"`{word}` is not JSON")


def without_duplicates(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Rejection("syntax", "duplicate-member")
    return members


def check_depth(text):
    """Counts brackets outside of strings, so that the library is never asked to go too deep."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text, re.DOTALL):
        first = token.group()[0]
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(first, 0)
        if depth > MAX_DEPTH:
            raise Rejection("limit", "depth")


def write(value):
    """The canonical text of a value."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Number):
        return value.canonical()
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(write_text(name) + ":" + write(value[name]) for name in names) + "}"


def write_text(text):
    return '"' + "".join(map(write_character, text)) + '"'


def write_character(character):
    if character in ESCAPES:
        return ESCAPES[character]
    if character < " " or "\ud800" <= character <= "\udfff":
        return f"\\u{ord(character):04x}"
    return character


def check_text(text, at):
    """Rejects an unpaired surrogate anywhere."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Rejection("syntax", "unpaired-surrogate", at)


def check_split_text(text, at):
    """Rejects an unpaired surrogate but for a low one at the start and a high one at the end."""
    inner = text[1:] if "\udc00" <= text[:1] <= "\udfff" else text
    inner = inner[:-1] if "\ud800" <= inner[-1:] <= "\udbff" else inner
    check_text(inner, at)


def pointer(at, step):
    """The place one step further."""
    return f"{at}/" + str(step).replace("~", "~0").replace("/", "~1")

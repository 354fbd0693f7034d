"""Numbers at the edges of what Python computes with."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic_core import PydanticCustomError

from chatstate import Event, Rejection
from chatstate._runtime.annotations import Bounds


@pytest.mark.parametrize(
    ("number", "rule"),
    [
        ("1e400", "maximum"),
        ("-1e400", "minimum"),
        ("1e999999999999999999", "type"),
        ("1e-400", "type"),
        ("1e-999999999999999999", "type"),
        ("12345678901234567890e-19", "type"),
    ],
)
def test_what_is_no_timestamp_is_rejected(number: str, rule: str) -> None:
    with pytest.raises(Rejection) as rejected:
        Event.from_json('{"type":"RAW","event":1,"timestamp":%s}' % number)
    assert (rejected.value.class_, rejected.value.rule) == ("schema", rule)


@pytest.mark.parametrize(
    ("number", "written"),
    [("1e2", 100), ("0e-999999999999999999", 0), ("10000000000000000000000e-20", 100), ("7.0", 7)],
)
def test_a_whole_number_is_an_integer_in_every_spelling(number: str, written: int) -> None:
    event = Event.from_json('{"type":"RAW","event":1,"timestamp":%s}' % number)
    assert event.to_json() == f'{{"type":"RAW","event":1,"timestamp":{written}}}'


@pytest.mark.parametrize(
    ("step", "value", "is_multiple"),
    [
        (3, 10**40, False),
        (3, 3 * 10**40, True),
        (0.1, 1e300, True),
        (0.1, 0.35, False),
        (0.5, Decimal("1e-999999999999999999"), False),
        (7, Decimal("7e999999999999999999"), True),
        (7, Decimal("1e999999999999999999"), False),
        (2, 0, True),
        (10, -5, False),
    ],
)
def test_multiples_however_far_apart(step: float, value: float | Decimal, is_multiple: bool) -> None:
    bounds = Bounds(multiple_of=step)
    if is_multiple:
        assert bounds.check(value) == value
    else:
        with pytest.raises(PydanticCustomError):
            bounds.check(value)

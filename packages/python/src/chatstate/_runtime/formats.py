"""What texts of some formats denote. Documents keep the text; these functions read it."""

from __future__ import annotations

import datetime
import re
import uuid
from typing import TypeAlias

Date: TypeAlias = datetime.date
DateTime: TypeAlias = datetime.datetime
Time: TypeAlias = datetime.time
Uuid: TypeAlias = uuid.UUID

_FRACTION = re.compile(r"(\.[0-9]{1,6})[0-9]*")


def as_date_time(text: str | None) -> DateTime | None:
    """Reads a point in time of RFC 3339, to the microsecond; `ValueError` if it is none."""
    return None if text is None else datetime.datetime.fromisoformat(_readable(text))


def as_date(text: str | None) -> Date | None:
    """Reads a date of RFC 3339; `ValueError` if it is none."""
    return None if text is None else datetime.date.fromisoformat(text)


def as_time(text: str | None) -> Time | None:
    """Reads a time of day of RFC 3339, to the microsecond; `ValueError` if it is none."""
    return None if text is None else datetime.time.fromisoformat(_readable(text))


def as_uuid(text: str | None) -> Uuid | None:
    """Reads a UUID; `ValueError` if it is none."""
    return None if text is None else uuid.UUID(text)


def _readable(text: str) -> str:
    """Spells a time as Python 3.10 reads it: an offset instead of `Z`, and six digits of a second."""
    text = text.upper()
    if text.endswith("Z"):
        text = f"{text[:-1]}+00:00"
    return _FRACTION.sub(lambda fraction: fraction[1].ljust(7, "0"), text, count=1)

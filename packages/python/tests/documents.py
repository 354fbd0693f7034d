"""The documents of the corpus, with the types that read them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import PydanticUserError

import chatstate
from chatstate import Rejection, write

ROOT = Path(__file__).parents[3]

# Pydantic reports a class that it does not know with a class of its own.
REFUSED = (TypeError, ValueError, pickle.PicklingError, PydanticUserError)
"""How calls refuse."""


def parsed(text: str | bytes) -> Any:
    """Reads a text that may hold half a character, with all digits."""
    return json.loads(text, parse_float=Decimal)


def corpus() -> Iterator[tuple[str, Any, str]]:
    """The name, the type and the text of each document that is read."""
    for path in sorted((ROOT / "corpus" / "round-trip").glob("*.json")):
        case = parsed(path.read_text(encoding="utf-8"))
        if "input" not in case:
            continue
        kind = getattr(chatstate, case["type"])
        text = case["input"] if isinstance(case["input"], str) else write(case["input"])
        try:
            kind.from_json(text)
        except Rejection:
            continue
        yield path.stem, kind, text


def meaning(text: str | bytes) -> str:
    """The canonical form of a text."""
    return chatstate.canonical(parsed(text))

"""CBOR: that documents come home from it, and that their bytes depend on nothing but their values."""

from pathlib import Path
from typing import Any

import pytest

from chatstate import Rejection, canonicalize, from_cbor, parse, to_cbor, write

CORPUS = Path(__file__).parents[3] / "corpus"


def inputs() -> list[str]:
    """The inputs of round trips in the corpus, which are JSON."""
    cases: list[dict[str, Any]] = [
        parse(path.read_text()) for path in sorted(CORPUS.glob("round-trip/*.json"))
        if "split-surrogates" not in path.read_text()
    ]
    return [write(case["input"]) for case in cases if "input" in case]


def test_documents_come_home() -> None:
    texts = inputs()
    assert len(texts) > 150
    for text in texts:
        encoded = to_cbor(text)
        assert canonicalize(from_cbor(encoded)) == canonicalize(text)
        assert to_cbor(canonicalize(text)) == encoded


def test_deep_documents_need_no_stack() -> None:
    deepest = "[" * 512 + "]" * 512
    assert from_cbor(to_cbor(deepest)) == deepest
    with pytest.raises(Rejection, match="deeper than 512"):
        from_cbor(b"\x81" * 100_000 + b"\x00")

"""Each name of `docs/names.md` is there; `packages/testdata/names.json` has them."""

from __future__ import annotations

import importlib
import inspect
import json
from typing import Any

import pytest
from pydantic import BaseModel

from documents import ROOT

GROUPS: list[dict[str, Any]] = json.loads((ROOT / "packages/testdata/names.json").read_text(encoding="utf-8"))
NAMES: list[str] = [row["python"] for group in GROUPS for row in group["names"] if row["python"]]
MODULES = ("chats", "sessions", "storage", "streams", "testing")


def fault_of(name: str) -> str | None:
    """What is wrong with a name, such as `chats.Chat.add_agent`."""
    parts = name.split(".")
    module = importlib.import_module("chatstate." + parts.pop(0) if parts[0] in MODULES else "chatstate")
    if parts[0] not in module.__all__:
        return f"`{module.__name__}` does not export `{parts[0]}`"
    value = getattr(module, parts[0])
    if parts[1:] and not has_member(value, parts[1]):
        return f"`{parts[0]}` has no `{parts[1]}`"
    return None


def has_member(kind: type[Any], name: str) -> bool:
    """Whether a class has a member, or its values an attribute."""
    fields = kind.model_fields if issubclass(kind, BaseModel) else getattr(kind, "__match_args__", ())
    return hasattr(kind, name) or name in fields or f"self.{name} = " in inspect.getsource(kind)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_there(name: str) -> None:
    assert fault_of(name) is None


def test_another_name_is_not_there() -> None:
    for name in ("Chats", "chats.Nothing", "Session.nothing", "canonical_text"):
        assert fault_of(name) is not None
    assert len(NAMES) > 50

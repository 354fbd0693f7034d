"""What chatstate writes into the metadata of the event that begins a run."""

from __future__ import annotations

from typing import Any, Final

from .._runtime.json_text import is_array, is_object
from .kinds import JsonEvent

MARK: Final = "chatstate"
"""The member of a run's metadata that holds the mark."""

_WITHOUT: Final = "without"
"""The member of the mark that names the runs which a prelude leaves out."""


def mark_of(start: JsonEvent) -> dict[str, Any]:
    """Gives the members of the mark of a run."""
    metadata: dict[str, Any] = start.get("metadata") or {}
    mark: Any = metadata.get(MARK)
    return mark if is_object(mark) else {}


def marked(start: JsonEvent, members: dict[str, Any]) -> JsonEvent:
    """Gives the beginning of a run with members of its mark, beside those that it has."""
    metadata: dict[str, Any] = start.get("metadata") or {}
    return {**start, "metadata": {**metadata, MARK: {**mark_of(start), **members}}}


def left_out_by(start: JsonEvent) -> list[str]:
    """Gives the ids of the runs that a prelude leaves out which begins so, in their order."""
    run_ids: Any = mark_of(start).get(_WITHOUT)
    return [id for id in run_ids if isinstance(id, str)] if is_array(run_ids) else []


def leaving_out(start: JsonEvent, run_ids: list[str]) -> JsonEvent:
    """Gives the beginning of a prelude that names the runs which it leaves out."""
    return marked(start, {_WITHOUT: run_ids})

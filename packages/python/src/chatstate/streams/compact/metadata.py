"""Metadata, folded name by name."""

from __future__ import annotations

from typing import Any, TypeAlias

Metadata: TypeAlias = dict[str, Any] | None
"""The last value of each name; None where nobody gave any."""


def folded(before: Metadata, metadata: Metadata) -> Metadata:
    """Folds further metadata in."""
    if metadata is None:
        return before
    return dict(metadata) if before is None else {**before, **metadata}

"""An event that is not allowed in its place."""

from __future__ import annotations


class Violation(Exception):
    """A rule of the order of events that is broken; never seen by users of the package."""

    def __init__(
        self, rule: str, message: str, other: int | None = None, place: str = ""
    ) -> None:
        """Names the rule, what is wrong, the index of the other event involved, and the place in the event."""
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.other = other
        self.place = place

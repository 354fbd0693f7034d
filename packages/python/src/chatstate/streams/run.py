"""The runs of a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from .._runtime.whole import Answer, named_by_its_writer

RunStatus: TypeAlias = Literal["running", "finished", "failed", "interrupted", "cancelled"]
"""The status of a run."""


@named_by_its_writer
@dataclass
class Run(Answer):
    """One run of a replay."""

    run_id: str | None
    """Its id; None for an error before any run."""
    parent_run_id: str | None = None
    """The run that it names as its parent."""
    status: RunStatus = "running"
    """Its status."""
    outcome: dict[str, Any] | None = None
    """The outcome that it finished with, as it was sent."""
    result: Any = None
    """The result that it finished with."""
    error: dict[str, str] | None = None
    """Why it failed: the `message` and the `code`, if there is one, of its `RUN_ERROR`."""
    usage: list[dict[str, Any]] | None = None
    """The tokens that it used, as the last event that ended it gave them."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        value: dict[str, Any] = {
            "runId": self.run_id,
            "parentRunId": self.parent_run_id,
            "status": self.status,
            "outcome": self.outcome,
            "result": self.result,
            "error": self.error,
            "usage": self.usage,
        }
        # An error before any run is a run without an id, which is said.
        return {name: of for name, of in value.items() if of is not None or name == "runId"}


OUTCOMES: Final[dict[Any, RunStatus]] = {"interrupt": "interrupted", "cancelled": "cancelled"}
"""The statuses that outcomes mean; all others, and none, mean that the run has finished."""

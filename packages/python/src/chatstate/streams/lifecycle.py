"""Where runs begin and end, and which events may be outside of them."""

from __future__ import annotations

from typing import Literal

from ..generated.events import EVENTS
from .kinds import JsonEvent
from .violation import Violation


class Lifecycle:
    """The place in the life of runs."""

    __slots__ = ("_ended", "_phase", "_run", "_strayed", "_thread")

    def __init__(self) -> None:
        """No run has begun."""
        self._phase: Literal["before", "running", "finished", "failed"] = "before"
        self._strayed = False
        """Whether an event outside of all runs has been reported since the last run ended."""
        self._ended = 0
        """The index of the event that ended the last run."""
        self._run: tuple[str, str, int] | None = None
        """The thread, the id and the index of the run in progress, or of the last one."""
        self._thread: tuple[str, int] | None = None
        """The thread, and the index of the event that named it first."""

    @property
    def is_running(self) -> bool:
        """Whether a run is in progress."""
        return self._phase == "running"

    def begin_inside(self) -> None:
        """A run is in progress whose beginning is elsewhere; nobody knows its id and its thread."""
        self._phase = "running"

    def admit(self, index: int, event: JsonEvent) -> bool:
        """Whether an event belongs to a run.

        The first known one that does not is rejected, those after it are not admitted. Unknown ones
        are not admitted either, and never rejected.
        """
        tag, phase = event["type"], self._phase
        violation: Violation | None = None
        admitted = True
        if phase == "running":
            if tag == "RUN_STARTED":
                message = "a run begins while another one is in progress"
                other = self._run[2] if self._run else None
                violation = Violation("run.already-started", message, other)
        elif tag != "RUN_STARTED" and (tag != "RUN_ERROR" or phase == "failed"):
            admitted = False
            if not self._strayed and tag in EVENTS:
                self._strayed = True
                violation = self._stray(tag)
        if tag == "RUN_STARTED":
            self._phase = "running"
        elif tag == "RUN_FINISHED" and phase == "running":
            self._phase, self._ended = "finished", index
        elif tag == "RUN_ERROR" and admitted:
            self._phase, self._ended = "failed", index
        if violation is not None:
            raise violation
        return admitted

    def check(self, index: int, event: JsonEvent) -> list[Violation]:
        """Checks the ids of an event that begins or finishes a run."""
        if event["type"] == "RUN_STARTED":
            return self._begin(index, event)
        if event["type"] != "RUN_FINISHED":
            return []
        wrong = [] if self._run is None else self._finish(event, *self._run)
        return wrong + _repeated_interrupts(event)

    def unfinished(self) -> tuple[int, Violation] | None:
        """Gives the run that is not over, by the index of its beginning."""
        if not self.is_running or self._run is None:
            return None
        _, run, index = self._run
        message = f"the log ends before the run `{run}` has finished or failed"
        return index, Violation("run.unfinished", message)

    def _stray(self, tag: str) -> Violation:
        if self._phase == "failed":
            message = f"`{tag}` comes after the run has failed"
            return Violation("run.after-error", message, self._ended)
        if self._phase == "finished":
            message = f"`{tag}` comes after the run has finished"
            return Violation("run.after-finish", message, self._ended)
        return Violation("run.first-event", f"`{tag}` comes before any run has begun")

    def _begin(self, index: int, event: JsonEvent) -> list[Violation]:
        self._strayed = False
        thread_id = event["threadId"]
        self._run = thread_id, event["runId"], index
        if self._thread is None:
            self._thread = thread_id, index
        thread, first = self._thread
        if thread == thread_id:
            return []
        message = f"the run is on the thread `{thread_id}`, and the log began on `{thread}`"
        return [Violation("run.wrong-thread", message, first)]

    def _finish(self, event: JsonEvent, thread: str, run: str, begun: int) -> list[Violation]:
        thread_id, run_id = event["threadId"], event["runId"]
        violations: list[Violation] = []
        if run_id != run:
            message = f"the run `{run}` finishes as `{run_id}`"
            violations.append(Violation("run.wrong-run", message, begun))
        if thread_id != thread:
            message = f"the run on the thread `{thread}` finishes on `{thread_id}`"
            violations.append(Violation("run.wrong-thread", message, begun))
        return violations


def _repeated_interrupts(event: JsonEvent) -> list[Violation]:
    """Gives the interrupts that have the id of an earlier one: nobody could answer both."""
    outcome = event.get("outcome")
    if outcome is None or outcome["type"] != "interrupt":
        return []
    ids: set[str] = set()
    violations: list[Violation] = []
    for number, interrupt in enumerate(outcome["interrupts"]):
        id = interrupt["id"]
        if id in ids:
            message = f"two interrupts of the run have the id `{id}`"
            place = f"/outcome/interrupts/{number}/id"
            violations.append(Violation("run.repeated-interrupt", message, None, place))
        ids.add(id)
    return violations

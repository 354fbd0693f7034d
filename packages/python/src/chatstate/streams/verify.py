"""Whether the order of the events of a stream is valid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ..generated.events import EVENTS, ItemKind
from ..generated.models import Event
from .._runtime.rejection import Rejection
from . import marked as marked_runs
from .checkpoints import Checkpoints, frames_run
from .kinds import JsonEvent
from .lifecycle import Lifecycle
from .owners import Owners
from .plain import plain_events
from .remark import Remark
from .runs import LineageProblem, Runs
from .sequence import Beginning, OpenItem, Steps, Tracker
from .unknown import unknown_in
from .violation import Violation


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a stream, or suspicious."""

    rule: str
    """The name of the rule, such as `text.not-open`."""
    index: int
    """The index of the event."""
    message: str
    """What is wrong, for people."""
    other: int | None = None
    """The index of the other event involved, if there is one."""
    place: str = ""
    """The JSON pointer from the event to what this is about; empty for the whole event."""
    category: str = "sequence"
    """The class of the rejection that it means, if it is no warning."""

    @property
    def at(self) -> str:
        """The JSON pointer from the stream to what this is about."""
        return f"/{self.index}{self.place}"

    def rejection(self) -> Rejection:
        """Gives the rejection of the stream for it."""
        return Rejection(self.category, self.rule, self.message, self.at)


@dataclass
class Verification:
    """What verification found, in the order of the events."""

    errors: list[Finding] = field(default_factory=list[Finding])
    """What makes the stream invalid."""
    warnings: list[Finding] = field(default_factory=list[Finding])
    """What does not."""

    @property
    def is_valid(self) -> bool:
        """Whether the stream is valid."""
        return not self.errors


def verify_events(events: Iterable[Event | dict[str, Any]], *, complete: bool = False) -> None:
    """Rejects a stream whose order of events is not valid, at the first event that breaks it.

    The stream may be cut off anywhere, unless it is said to be complete: then its last run has to be over.
    The `Rejection` has the class `sequence`, the rule that is broken, and the place of the event; or the class
    `limit`, if a patch copies too much.
    """
    for finding in VerifiedReplay.of(events, complete=complete).found.errors:
        raise finding.rejection()


def check_events(
    events: Iterable[Event | dict[str, Any]], *, complete: bool = False
) -> Verification:
    """Gives everything that is wrong with a stream, or suspicious.

    After an error the verification continues as well as it can. In a stream that is said to be complete, a last
    run that is not over is an error.
    """
    plain = plain_events(events)
    found = VerifiedReplay.of(plain, complete=complete).found
    unknown = (unknown_in(index, event) for index, event in enumerate(plain))
    found.warnings.extend(map(_warning, chain.from_iterable(unknown)))
    found.warnings.sort(key=lambda finding: finding.index)
    return found


class VerifiedReplay:
    """A log that is verified and replayed as its events come, so that both give one answer."""

    __slots__ = ("_is_lenient", "_marked", "_notes", "_remarks", "_verifier", "checkpoints", "found")

    def __init__(self, *, lenient: bool = False) -> None:
        """No event has been taken. A lenient one passes over the events that break a rule."""
        self._remarks: list[Remark] = []
        self._notes: list[Remark] = []
        """What is to say of runs by their beginnings."""
        self._marked = marked_runs.MarkedRuns()
        self._verifier = Verifier()
        self._is_lenient = lenient
        self.checkpoints = Checkpoints(self._remarks, passes_over_violations=lenient)
        self.found = self._verifier.found

    @classmethod
    def of(
        cls,
        events: Iterable[Event | dict[str, Any]],
        *,
        lenient: bool = False,
        complete: bool = False,
    ) -> VerifiedReplay:
        """Takes all events of a log."""
        log = cls(lenient=lenient)
        for index, event in enumerate(plain_events(events)):
            log.push(index, event)
        log.finish(complete=complete)
        return log

    def push(self, index: int, event: JsonEvent) -> None:
        """Takes the event of this index."""
        before = len(self.found.errors)
        self._note(index, event)
        self._verifier.push(index, event)
        if self._is_lenient and self._is_passed_over(index, event, before):
            return
        self.checkpoints.push(index, event)

    def _note(self, index: int, event: JsonEvent) -> None:
        """Notes what is to say of a run by its beginning."""
        newer = newer_version(event)
        if newer is not None:
            warning = Remark("verify.newer-version", index, "/protocolVersion", newer)
            self._notes.append(warning)
        marked = self._marked.push(index, event)
        if marked is not None:
            self._notes.append(Remark("verify.marked-run", marked, marked_runs.PLACE, marked_runs.MESSAGE))

    def _is_passed_over(self, index: int, event: JsonEvent, before: int) -> bool:
        """Whether an event has no effect.

        Those that begin and end the run in progress have one, since what follows would belong to another
        run without them.
        """
        if not self._verifier.is_in_run:
            return True
        breaks_rule = any(finding.index == index for finding in self.found.errors[before:])
        return breaks_rule and not frames_run(event)

    def finish(self, *, complete: bool = False) -> None:
        """Notes what is found when there are no more events, and brings all into the order of the events."""
        self._verifier.finish(complete=complete)
        found = self.found
        found.errors.extend(map(_limit, self.checkpoints.limits))
        found.warnings.extend(map(_warning, [*self._remarks, *self._notes]))
        found.errors.sort(key=lambda finding: finding.index)
        found.warnings.sort(key=lambda finding: finding.index)


VERSION = (1, 1)
"""The version of AG-UI that the schema describes."""


def newer_version(event: JsonEvent) -> str | None:
    """Says why the version that a run names is not one that is known here, if it is not."""
    version: str | None = event.get("protocolVersion")
    if event["type"] != "RUN_STARTED" or version is None:
        return None
    known = ".".join(map(str, VERSION))
    parts = version.split(".")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        return f"`{version}` is no version of AG-UI such as `{known}`; the run is read as one of it"
    if [_size(part) for part in parts] <= [_size(str(part)) for part in VERSION]:
        return None
    return f"`{version}` is newer than `{known}`, which is known here"


def _size(digits: str) -> tuple[int, str]:
    """Gives a key by which numbers of any length are ordered."""
    digits = digits.lstrip("0")
    return len(digits), digits


def _warning(remark: Remark) -> Finding:
    return Finding(remark.rule, remark.index, remark.message, place=remark.place)


def _limit(limit: tuple[int, Rejection]) -> Finding:
    index, rejection = limit
    return Finding(rejection.rule, index, rejection.message, category=rejection.category)


class Verifier:
    """Verifies events as they come; it is the taker of their steps, and hands them on."""

    __slots__ = ("_index", "_is_finish", "_lifecycle", "_next", "_owners", "found", "is_in_run", "runs", "tracker")

    def __init__(self, next: Steps | None = None) -> None:
        """No event has been taken. The steps are passed on, if something takes them."""
        self._next = next
        self.found = Verification()
        self.tracker = Tracker()
        self.runs = Runs()
        self._lifecycle = Lifecycle()
        self._owners = Owners()
        self._index = 0
        self._is_finish = False
        self.is_in_run = False
        """Whether the last event belongs to a run."""

    def push(self, index: int, event: JsonEvent) -> None:
        """Takes the event of this index. What is found may be about an earlier event."""
        tag = event["type"]
        self._index = index
        if tag not in EVENTS:
            message = f"`{tag}` is no known type of event"
            self.found.warnings.append(Finding("verify.unknown-event", index, message))
        self.is_in_run = False
        try:
            if not self._lifecycle.admit(index, event):
                # What is outside of all runs is reported once and has no further meaning.
                return
        except Violation as violation:
            self._error(violation)
            if tag != "RUN_STARTED":
                return
        self.is_in_run = True
        if tag == "RUN_STARTED":
            self._owners.clear()
            for problem in self.runs.push(index, event):
                self._problem(problem)
        self._is_finish = tag == "RUN_FINISHED"
        try:
            self.tracker.take(index, event, self)
        except Violation as violation:
            self._error(violation)
        for found in self._lifecycle.check(index, event):
            self._error(found)
        try:
            self._owners.event(index, event)
        except Violation as violation:
            self._error(violation)

    def finish(self, *, complete: bool = False) -> None:
        """Notes what is found when there are no more events.

        That is parents that the log does not hold, and a run that is not over, if the log is complete.
        """
        unfinished = self._lifecycle.unfinished() if complete else None
        if unfinished is not None:
            index, violation = unfinished
            self.found.errors.append(Finding(violation.rule, index, violation.message))
        for problem in self.runs.outside():
            self._problem(problem)

    def begin_inside(self) -> None:
        """The stream begins inside of a run."""
        self._lifecycle.begin_inside()

    def may_append(self, kind: ItemKind, id: str) -> bool:
        """Whether texts without an owner may be appended to an item without another look."""
        return self._lifecycle.is_running and self.tracker.is_plain(kind, id)

    def stands_like(self, other: Verifier) -> bool:
        """Whether both reject the same of what may follow within the run in progress."""
        return self.tracker.stands_like(other.tracker) and self._owners.stand_like(other._owners)

    def begun(self, index: int, beginning: Beginning) -> None:
        """An item is begun."""
        if self._next is not None:
            self._next.begun(index, beginning)
        try:
            self._owners.begun(index, beginning)
        except Violation as violation:
            self._error(violation)

    def appended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued."""
        if self._next is not None:
            self._next.appended(kind, id, owner)
        self._continued(kind, id, owner)

    def idle(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued by a chunk that says nothing."""
        if self._next is not None:
            self._next.idle(kind, id, owner)

    def ended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is ended by an event of its own."""
        if self._next is not None:
            self._next.ended(kind, id, owner)
        self._continued(kind, id, owner)

    def closed(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item that chunks kept open is ended by an event that is about something else."""
        if self._next is not None:
            self._next.closed(kind, id, owner)
        self._continued(kind, id, owner)

    def left(self, index: int, item: OpenItem) -> None:
        """An item is left open by the end of its run."""
        if self._next is not None:
            self._next.left(index, item)
        if self._is_finish:
            message = f"the run finishes, but the {item.kind} `{item.id}` is open"
            self._error(Violation("run.open-item", message, index))

    def _continued(self, kind: ItemKind, id: str, owner: str | None) -> None:
        if owner is not None:
            try:
                self._owners.continued(kind, id, owner)
            except Violation as violation:
                self._error(violation)

    def _error(self, violation: Violation) -> None:
        finding = Finding(
            violation.rule, self._index, violation.message, violation.other, violation.place
        )
        self.found.errors.append(finding)

    def _problem(self, problem: LineageProblem) -> None:
        # An error is about the whole event.
        place = "" if problem.is_error else problem.place
        finding = Finding(problem.rule, problem.index, problem.message, problem.other, place)
        (self.found.errors if problem.is_error else self.found.warnings).append(finding)

"""What a log means at the end of each of its runs, computed in one pass."""

from __future__ import annotations

from dataclasses import dataclass, field

from .._runtime.rejection import Rejection
from ..generated.events import EVENTS
from .conversation import Conversation
from .kinds import JsonEvent
from .reducer import Reducer
from .remark import Remark
from .removed import is_removed, left_out_run, removed_run
from .run import Run
from .runs import LineageProblem, Runs
from .sequence import Tracker
from .thread import Thread


class Ends:
    """The conversations at the ends of runs, from which later runs continue.

    The first run that continues another takes the state along; for the others it is computed again.
    All else is shared.
    """

    __slots__ = ("_conversations", "_first", "_predecessors")

    def __init__(self, first: Conversation) -> None:
        """Takes what runs without a predecessor continue."""
        self._first = first
        self._conversations: list[Conversation] = []
        self._predecessors: list[int | None] = []

    def go_on_from(self, predecessor: int | None) -> Conversation:
        """Gives what the next run continues."""
        return (self._first if predecessor is None else self.at(predecessor)).move_on()

    def thread(self, place: int) -> Thread:
        """Gives the messages at the end of a run."""
        return self._conversations[place].thread

    def push(self, predecessor: int | None, conversation: Conversation) -> None:
        """Notes the end of the next run."""
        self._conversations.append(conversation)
        self._predecessors.append(predecessor)

    def at(self, place: int) -> Conversation:
        """Gives what was said at the end of a run."""
        path: list[int] = []
        moved: int | None = place
        while moved is not None and self._conversations[moved].state.has_moved_on:
            path.append(moved)
            says_whole = self._conversations[moved].state.says_whole
            moved = None if says_whole else self._predecessors[moved]
        for moved in reversed(path):
            before = self._predecessors[moved]
            state = None if before is None else self._conversations[before].state
            self._conversations[moved].state.recall(state)
        return self._conversations[place]


@dataclass
class _Checkpoint:
    """The end of a run."""

    tracker: Tracker = field(default_factory=Tracker)
    failed: Rejection | None = None
    """Why its path cannot be replayed."""
    incomplete: Rejection | None = None
    """Why its path needs what compaction removed."""
    is_removed: bool = False
    """Whether compaction kept only its frame."""
    is_followed: bool = False
    runs: list[Run] = field(default_factory=list[Run])
    """The run, and an error that was before it."""


def frames_run(event: JsonEvent) -> bool:
    """Whether an event begins or ends a run."""
    role = EVENTS.get(event["type"])
    return role is not None and role.does in ("start-run", "end-run")


class Checkpoints:
    """A replay of all branches of a log, as its events come."""

    __slots__ = (
        "_current",
        "_ends",
        "_finished",
        "_is_first",
        "_passes_over_violations",
        "_restates",
        "_state",
        "limits",
        "remarks",
        "runs",
    )

    def __init__(
        self, remarks: list[Remark] | None = None, *, passes_over_violations: bool = False
    ) -> None:
        """No event has been taken. What is passed over is added to the remarks, if there are any."""
        self.runs = Runs()
        self.limits: list[tuple[int, Rejection]] = []
        """The events that are beyond a limit, and the limits."""
        self._passes_over_violations = passes_over_violations
        self.remarks = remarks
        self._ends = Ends(Conversation())
        self._finished: list[_Checkpoint] = []
        self._current = Reducer()
        """The run in progress, and what leads to it."""
        self._current.conversation.remarks = remarks
        self._state = _Checkpoint(self._current.tracker)
        self._restates = False
        """Whether the run in progress says all messages again."""
        self._is_first = False
        """Whether it is the first that continues its predecessor."""

    def push(self, index: int, event: JsonEvent) -> list[LineageProblem]:
        """Takes the event of this index, and gives what is wrong with the lineage now.

        A run that cannot be replayed is the matter of those who ask for it.
        """
        role = EVENTS.get(event["type"])
        problems: list[LineageProblem] = []
        if role is not None and role.does == "start-run":
            problems = self._begin_run(index, event)
        elif role is not None and role.item == "messages":
            self._restates = True
        try:
            self._apply(index, event)
        except Rejection as rejection:
            if rejection.category == "limit":
                self.limits.append((index, rejection))
            self._state.failed = self._state.failed or rejection.within(index)
        return problems

    def _apply(self, index: int, event: JsonEvent) -> None:
        try:
            self._current.apply(index, event)
        except Rejection as rejection:
            if not self._passes_over_violations or rejection.category != "sequence":
                raise
            if frames_run(event):
                # What chunks kept open is closed by now.
                self._current.apply(index, event)

    def end(self) -> None:
        """Ends the last run."""
        self._end_run()

    def conversation_at(self, place: int) -> Conversation:
        """Gives what was said at the end of a run; `Rejection` if its path cannot be replayed."""
        end = self._finished[place]
        if end.is_removed and self.runs.rows:
            raise removed_run(self.runs, place, place)
        rejection = end.incomplete or end.failed
        if rejection is not None:
            raise rejection
        return self._ends.at(place)

    def tracker_at(self, place: int) -> Tracker:
        """Gives what is open at the end of a run."""
        return self._finished[place].tracker

    def runs_to(self, place: int) -> list[Run]:
        """Gives the runs that lead to the end of one, the earliest first."""
        path = self.runs.path_to(place) if self.runs.rows else [place]
        return [run for number in path for run in self._finished[number].runs]

    def _begin_run(self, index: int, event: JsonEvent) -> list[LineageProblem]:
        if self.runs.rows:
            self._end_run()
        problems = self.runs.push(index, event)
        predecessor = self.runs.rows[-1].predecessor
        if predecessor is not None:
            self._go_on_from(predecessor)
        self._state.is_removed = is_removed(event)
        if self.runs.rows[-1].continues_left_out:
            self._state.incomplete = left_out_run(self.runs, len(self.runs.rows) - 1)
        return problems

    def _go_on_from(self, place: int) -> None:
        before = self._finished[place]
        self._is_first, before.is_followed = not before.is_followed, True
        self._restates = False
        self._current = Reducer(before.tracker.copy(), self._ends.go_on_from(place))
        self._current.conversation.remarks = self.remarks
        tracker = self._current.tracker
        self._state = _Checkpoint(tracker, before.failed, before.incomplete)

    def _end_run(self) -> None:
        end, conversation = self._state, self._current.conversation
        end.runs, conversation.runs = conversation.runs, []
        predecessor = self.runs.rows[-1].predecessor if self.runs.rows else None
        is_said = self._is_first and (end.is_removed or self._restates)
        is_cut = predecessor is not None and self._finished[predecessor].is_removed
        if predecessor is not None and is_cut and end.incomplete is None and not is_said:
            end.incomplete = removed_run(self.runs, predecessor, len(self._finished))
        self._ends.push(predecessor, conversation)
        self._finished.append(end)

"""What the log means at the ends of its runs."""

from __future__ import annotations

from ..._runtime.rejection import Rejection
from ..kinds import JsonEvent
from ..reducer import Reducer
from ..replay import is_removed
from ..runs import Runs
from ..thread import Message


class Standings:
    """The finished runs, and what the log means at the end of each from which the next may go on.

    A run takes what its predecessor left behind, so that a log without branches is replayed once.
    Where a second run goes on from a run, that end is replayed again and kept.
    """

    __slots__ = ("_ends", "_followed", "events", "runs")

    def __init__(self) -> None:
        """There is no run."""
        self.runs = Runs()
        self.events: list[list[JsonEvent]] = []
        """The events of each run."""
        self._followed: list[bool] = []
        """Whether a run goes on from it."""
        self._ends: dict[int, Reducer | None] = {}
        """The ends of the runs from which none or several go on.

        Nothing is known of a run that goes on from what compaction removed.
        """

    def take(self, run: list[JsonEvent]) -> None:
        """Takes the next run and works out what it leaves behind."""
        before = self.before(run)
        self.put(run, None if before is None else applied(before, run))

    def before(self, run: list[JsonEvent]) -> Reducer | None:
        """Gives what a run goes on from; it is the next to be put."""
        place = len(self.events)
        self.begin(run[0])
        predecessor = self.predecessor(place)
        if predecessor is None:
            return Reducer()
        is_gone = self.is_removed(predecessor)
        if self._followed[predecessor]:
            end = self.end(predecessor)
            return None if is_gone else end
        self._followed[predecessor] = True
        before = self._ends.pop(predecessor, None)
        return None if is_gone and not _restates(run) else before

    def put(self, run: list[JsonEvent], after: Reducer | None) -> None:
        """Puts the events of the run that was asked about, and what it leaves behind."""
        self._ends[len(self.events)] = after
        self._followed.append(False)
        self.events.append(run)

    def messages(self) -> list[Message] | None:
        """Gives the messages at the end of the last run."""
        end = self._ends.get(len(self.events) - 1)
        return None if end is None else end.messages()

    def begin(self, start: JsonEvent) -> None:
        """Notes the beginning of the next run."""
        self.runs.push(len(self.events), start)

    def predecessor(self, place: int) -> int | None:
        """Gives the run before this one on its path."""
        return self.runs.rows[place].predecessor

    def is_removed(self, place: int) -> bool:
        """Whether of a run only the frame is there."""
        return is_removed(self.events[place][0])

    def end(self, place: int) -> Reducer | None:
        """Gives what the log means at the end of a run, which is kept from now on."""
        if place not in self._ends:
            self._ends[place] = self._replayed(place)
        end = self._ends[place]
        return None if end is None else end.copy()

    def _replayed(self, place: int) -> Reducer | None:
        """Replays a run from the latest end on its path that is known."""
        path = [place]
        standing: Reducer | None = Reducer()
        predecessor = self.predecessor(place)
        while predecessor is not None:
            if predecessor in self._ends:
                end = self._ends[predecessor]
                standing = None if end is None else end.copy()
                break
            path.append(predecessor)
            predecessor = self.predecessor(predecessor)
        for run in reversed(path):
            standing = None if standing is None else applied(standing, self.events[run])
        return standing


def _restates(run: list[JsonEvent]) -> bool:
    """Whether a run says all messages anew."""
    return is_removed(run[0]) or any(event["type"] == "MESSAGES_SNAPSHOT" for event in run)


def applied(standing: Reducer, events: list[JsonEvent]) -> Reducer | None:
    """Applies events to what stands before them; None if they cannot be replayed."""
    try:
        for index, event in enumerate(events):
            standing.apply(index, event)
    except Rejection:
        return None
    standing.end_run()
    return standing

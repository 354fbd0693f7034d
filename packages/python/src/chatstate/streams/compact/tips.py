"""Which runs are retained where only the ends of branches are."""

from __future__ import annotations

from ..kinds import JsonEvent
from ..reducer import Reducer
from .forms import Form, removed, retained
from .standings import Standings, applied


def finished_tips(
    standings: Standings, form: Form, unfinished: list[JsonEvent]
) -> list[JsonEvent]:
    """Gives the events of all runs.

    Retained are the last run of every branch, every run where branches part, the run that an unfinished
    one goes on from, and runs with events that the caller keeps. Where snapshots cannot say what a
    retained run holds, it keeps its `stream` form, and the run before it is retained too.
    """
    finished = len(standings.events)
    if unfinished:
        standings.begin(unfinished[0])
    decision = _Decision(standings, form)
    for place in _wanted(standings, form, finished):
        decision.retain(place)
    written = (decision.written(place) for place in range(finished))
    return [event for run in written for event in run] + unfinished


def _wanted(standings: Standings, form: Form, finished: int) -> list[int]:
    """Gives the finished runs that are retained for their own sake. What was removed stays so."""
    rows = standings.runs.rows
    followers = [0] * len(rows)
    for row in rows:
        if row.predecessor is not None:
            followers[row.predecessor] += 1
    unfinished = rows[finished].predecessor if finished < len(rows) else None

    def is_wanted(place: int) -> bool:
        is_end = followers[place] != 1 or unfinished == place
        return not standings.is_removed(place) and (
            form.partial or is_end or any(map(form.keeps, standings.events[place]))
        )

    return list(filter(is_wanted, range(finished)))


class _Decision:
    """Decides about the runs, the earlier ones first, since a later one goes on from them."""

    def __init__(self, standings: Standings, form: Form) -> None:
        self._standings = standings
        self._form = form
        self._kept: dict[int, list[JsonEvent]] = {}
        """What is written of the runs that are not removed."""

    def written(self, place: int) -> list[JsonEvent]:
        """Gives what is written of a run."""
        return self._kept[place] if place in self._kept else removed(self._standings.events[place])

    def retain(self, place: int) -> None:
        """Retains a run, and the runs before it that it needs."""
        chain = self._chain_to(place)
        base, standing = self._base_of(chain), self._standings.end(place)
        if base is None or standing is None:
            self._keep(chain)
            return
        events = self._at_the_end(chain, base.copy(), standing)
        if events is not None:
            self._kept[place] = events
            return
        said = self._before_the_end(chain, base)
        if said is not None:
            position, events = said
            self._kept[chain[position]] = events
            chain = chain[position + 1 :]
        self._keep(chain)

    def _at_the_end(
        self, chain: list[int], frames: Reducer | None, standing: Reducer
    ) -> list[JsonEvent] | None:
        """Gives the last run of the chain in snapshots behind the frames of the others."""
        for place in chain[:-1]:
            if frames is not None:
                frames = applied(frames, removed(self._standings.events[place]))
        if frames is None:
            return None
        return self._snapshots(frames, self._standings.events[chain[-1]], standing)

    def _before_the_end(
        self, chain: list[int], base: Reducer
    ) -> tuple[int, list[JsonEvent]] | None:
        """Gives the last run of the chain that snapshots can say, and its position."""
        frames, standing = base.copy(), base
        said: tuple[int, list[JsonEvent]] | None = None
        for position, place in enumerate(chain):
            run = self._standings.events[place]
            after = applied(standing, run)
            if after is None:
                break
            events = self._snapshots(frames, run, after)
            if events is not None:
                said = position, events
            framed = applied(frames, removed(run))
            if framed is None:
                break
            frames, standing = framed, after
        return said

    def _chain_to(self, place: int) -> list[int]:
        """Gives the run and those before it, up to one that is retained already."""
        chain = [place]
        predecessor = self._standings.predecessor(place)
        while predecessor is not None and predecessor not in self._kept:
            chain.append(predecessor)
            predecessor = self._standings.predecessor(predecessor)
        chain.reverse()
        return chain

    def _base_of(self, chain: list[int]) -> Reducer | None:
        """Gives what the chain goes on from, if that is known."""
        base = self._standings.predecessor(chain[0])
        return Reducer() if base is None else self._standings.end(base)

    def _snapshots(
        self, frames: Reducer, run: list[JsonEvent], standing: Reducer
    ) -> list[JsonEvent] | None:
        """Gives a run in snapshots, if behind frames of the runs before it they mean what it means."""
        if self._form.partial:
            return None
        events = retained(self._form, run, standing)
        if events is None:
            return None
        meant = applied(frames.copy(), events)
        return events if meant is not None and meant.stands_like(standing) else None

    def _keep(self, chain: list[int]) -> None:
        for place in chain:
            if not self._standings.is_removed(place):
                self._kept[place] = self._standings.events[place]

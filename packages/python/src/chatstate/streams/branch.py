"""The events of one branch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from .compact.compactor import EventT
from .plain import given_events, models_of, plain_events
from .replay import replay_events
from .runs import runs_of


def branch_of(events: Iterable[EventT], run: str) -> list[EventT]:
    """Gives the events of a run and of those that lead to it, in the order of the log.

    A replay of them is a replay of the log at that run. Rejected is what `replay_events` rejects for
    the run: also a log that does not verify on another branch, and a run that needs what compaction
    has removed.
    """
    given = given_events(events)
    log = given.events if given.are_models else plain_events(given.events)
    replay_events(log, run=run)
    runs = runs_of(log)
    place = runs.place_of(run)
    path = [] if place is None else runs.path_to(place)
    branch = [log[index] for number in path for index in runs.events_of(number, len(log))]
    return cast(list[EventT], models_of(branch) if given.are_models else branch)

"""Compaction: fewer events that mean the same."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from typing import Any, Generic, Literal, TypeVar, cast

from ...generated.models import AnyEvent, Event
from ..._runtime.rejection import Rejection
from ..._runtime.whole import Whole
from ..kinds import JsonEvent
from ..plain import given_events, models_of, plain_event
from .core import Core, Options

EventT = TypeVar("EventT", AnyEvent, Event, dict[str, Any])
"""An event as a model of this package, or as a dict."""


class EventCompactor(Whole, Generic[EventT]):
    """Compacts events as they arrive.

    `level` says what is kept. `stream` keeps every item of every run, each with one delta where that is
    possible; `snapshot` keeps the results of finished runs, as snapshots where snapshots can express
    it. `retain` says which finished runs level `snapshot` retains: the `tips` of branches (when nothing
    is said), with all the events held back until the end, or all `runs`.

    `keep` names events that stay as they are, where they are: choose by what no event has that compaction
    makes. Chunks stay chunks in an item with a kept one. `partial` says that the stream is the rest of a
    thread whose beginning is elsewhere, so that nothing is folded onto a state that was not seen.
    With `lenient`, a stream that the schema or a verifier rejects is passed through, from the run on in
    which that happens.

    A compactor holds the run in progress and, for each run, the messages at its end, which runs share.
    """

    def __init__(
        self,
        *,
        level: Literal["stream", "snapshot"] = "stream",
        retain: Literal["tips", "runs"] | None = None,
        keep: Callable[[EventT], bool] | None = None,
        partial: bool = False,
        lenient: bool = False,
    ) -> None:
        """Begins with a stream that is yet to come."""
        _check(level, retain)
        self._are_models = False
        options = Options(level, retain or "tips", self._keeper(keep), partial, lenient)
        self._core = Core(options)
        self._taken = 0

    def push(self, event: EventT) -> list[EventT]:
        """Takes the next event and gives the events that are settled by it.

        Those of a run are when its terminal event arrives, and an event outside of runs at once. The
        first event that the schema or a verifier rejects is rejected with the same `Rejection`, and so is
        every later call.
        """
        self._are_models = isinstance(event, Event)
        # A dict is held against the schema where it is taken.
        plain = plain_event(event, self._taken) if isinstance(event, Event) else event
        self._taken += 1
        return self._given(self._core.push(plain, check=not self._are_models))

    def finish(self) -> list[EventT]:
        """Gives the compacted events of a run that is not over."""
        return self._given(self._core.finish())

    @property
    def violation(self) -> Rejection | None:
        """What the schema or a verifier rejected."""
        return self._core.stopped

    def push_all(self, events: Iterable[EventT]) -> list[EventT]:
        """Takes events one after the other and gives what is settled by them."""
        given = given_events(events)
        self._are_models = given.are_models
        self._taken += len(given.events)
        return self._given(self._core.push_all(given.events, check=not given.are_models))

    def _given(self, events: list[JsonEvent]) -> list[EventT]:
        return cast(list[EventT], models_of(events) if self._are_models else events)

    def _keeper(self, keep: Callable[[EventT], bool] | None) -> Callable[[JsonEvent], bool] | None:
        if keep is None:
            return None
        return lambda event: keep(self._given([event])[0])


def _check(level: str, retain: str | None) -> None:
    if level not in ("stream", "snapshot"):
        raise ValueError(f"`{level}` is no level; it is `stream` or `snapshot`")
    if retain not in (None, "tips", "runs"):
        raise ValueError(f"`{retain}` cannot be retained; say `tips` or `runs`")
    if retain is not None and level == "stream":
        raise ValueError("the level `stream` retains everything; leave `retain` out")


def compact_events(
    events: Iterable[EventT],
    *,
    level: Literal["stream", "snapshot"] = "stream",
    retain: Literal["tips", "runs"] | None = None,
    keep: Callable[[EventT], bool] | None = None,
    partial: bool = False,
    lenient: bool = False,
) -> list[EventT]:
    """Compacts a stream, complete or cut off anywhere; see `EventCompactor` for the options.

    The result replays to the same, it is what compacting it again gives, and what follows a cut may be
    appended to it and compacted. The events that are given are not changed; those that stay as they are
    are given back themselves. What the schema or a verifier rejects is rejected with the first finding.
    """
    compactor: EventCompactor[EventT] = EventCompactor(
        level=level, retain=retain, keep=keep, partial=partial, lenient=lenient
    )
    return compactor.push_all(events) + compactor.finish()


async def compact_stream(
    events: AsyncIterable[EventT],
    *,
    level: Literal["stream", "snapshot"] = "stream",
    retain: Literal["tips", "runs"] | None = None,
    keep: Callable[[EventT], bool] | None = None,
    partial: bool = False,
    lenient: bool = False,
) -> AsyncIterator[EventT]:
    """Compacts a live stream: gives the events of each run when it is over."""
    compactor: EventCompactor[EventT] = EventCompactor(
        level=level, retain=retain, keep=keep, partial=partial, lenient=lenient
    )
    async for event in events:
        for settled in compactor.push(event):
            yield settled
    for settled in compactor.finish():
        yield settled

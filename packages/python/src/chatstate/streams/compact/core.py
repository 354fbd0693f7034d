"""The one compactor: events in, settled events out, all of them dicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ..._runtime.json_text import holds_unpaired
from ..._runtime.rejection import Rejection
from ...generated.events import EVENTS
from ..checkpoints import Ends
from ..conversation import Conversation
from ..kinds import DELTAS, TERMINAL, JsonEvent
from ..plain import LATEST, check_event
from ..removed import is_removed
from ..thread import Thread
from ..verify import Verifier
from .compacted_run import Keep, Placed
from .form import FinishedRun
from .input import take_input, with_messages
from .run_buffer import RunBuffer
from .snapshot import RunSnapshots, TipSnapshots


class Options(NamedTuple):
    """What a caller decided about a compaction."""

    level: Literal["stream", "snapshot"] = "stream"
    retain: Literal["tips", "runs"] = "tips"
    keep: Keep | None = None
    partial: bool = False
    lenient: bool = False


@dataclass
class _RunRecord:
    """A run that is over, as far as later ones need to know."""

    is_removed: bool
    """Whether compaction kept only its frame."""
    is_incomplete: bool
    """Whether its path needs what compaction removed."""
    is_followed: bool = False


@dataclass
class _Running:
    """The run in progress."""

    predecessor: int | None
    start: Thread
    """The messages of its path with those of its input, at level `snapshot`."""
    is_removed: bool
    is_first: bool
    """Whether it is the first that continues its predecessor."""
    continues_left_out: bool = False
    """Whether it continues a run that a prelude leaves out."""
    restates: bool = False
    """Whether it says all messages again."""
    is_rest: bool = False
    """Whether it is the rest of a run that began elsewhere."""


_PLAIN: Final = 3
"""So many members has a delta event that has a text and nothing else."""


class Core:
    """A compaction in progress."""

    __slots__ = (
        "_buffer",
        "_ends",
        "_may_begin_inside",
        "_options",
        "_records",
        "_running",
        "_snapshots",
        "_taken",
        "_verbatim",
        "_verifier",
        "stopped",
    )

    def __init__(self, options: Options) -> None:
        """No event has been taken."""
        self._options = options
        self._may_begin_inside = options.partial
        """Whether no known event has come, and the first one may be inside of a run."""
        self._buffer = RunBuffer()
        self._verifier = Verifier(self._buffer)
        self._running: _Running | None = None
        self._records: list[_RunRecord] = []
        # At level `stream` no event says a state that another run made.
        self._ends = Ends(Conversation(without_state=options.level == "stream"))
        self._taken = 0
        self._verbatim: list[JsonEvent] = []
        """The run in progress as it came, for options that are lenient."""
        self.stopped: Rejection | None = None
        """Why events are rejected, or passed through if the options are lenient."""
        self._snapshots: RunSnapshots | TipSnapshots | None = None
        if options.level == "snapshot":
            of_level = RunSnapshots if options.retain == "runs" else TipSnapshots
            self._snapshots = of_level(is_partial=options.partial)

    def push_all(self, events: list[JsonEvent], *, check: bool) -> list[JsonEvent]:
        """Takes the next events, and gives what is settled by them."""
        settled: list[JsonEvent] = []
        at, end = 0, len(events)
        is_usual = self._options.keep is None and not self._options.lenient
        while at < end:
            count = self._push_plain(events, at, settled, check=check) if is_usual else 0
            if not count:
                settled += self.push(events[at], check=check)
                count = 1
            at += count
        return settled

    def push(self, event: JsonEvent, *, check: bool) -> list[JsonEvent]:
        """Takes the next event, and gives what is settled by it.

        With `check`, the event is held against the schema.
        """
        index = self._taken
        self._taken += 1
        if self.stopped is None:
            try:
                return self._take(index, event, check=check)
            except Rejection as rejection:
                settled = self._stop(rejection)
                if not self._options.lenient:
                    raise
                return [*settled, event]
        if not self._options.lenient:
            raise self.stopped
        return [event]

    def finish(self) -> list[JsonEvent]:
        """Gives the events of a run that is not over."""
        if self.stopped is not None and not self._options.lenient:
            raise self.stopped
        running, self._running = self._running, None
        settled: list[JsonEvent] = []
        if self._snapshots is not None:
            retained = None if running is None else running.predecessor
            settled += self._snapshots.finish(self._ends, retained)
        return settled if running is None else settled + self._buffer.finish()

    def _push_plain(
        self, events: list[JsonEvent], at: int, settled: list[JsonEvent], *, check: bool
    ) -> int:
        """Takes deltas of one item that have a text, perhaps a timestamp, and nothing else.

        Most of a log is made of them. Gives how many there are; all others need another look.
        """
        first = events[at]
        tag: str = first.get("type", "") if type(first) is dict else ""
        role = DELTAS.get(tag)
        if role is None or self._running is None:
            return 0
        size, kind, id = len(first), role.item, first.get(role.id)
        if not _PLAIN <= size <= _PLAIN + 1:
            return 0
        if type(id) is not str or not self._verifier.may_append(kind, id):
            return 0
        item = self._buffer.item_of_plain_deltas(kind, id)
        if item is None:
            return 0
        texts = _texts_of(events, at, size, tag, role.id, id)
        if not texts:
            return 0
        text = "".join(texts)
        if not text.isascii() and holds_unpaired(text):
            for event in events[at : at + len(texts)]:
                settled += self.push(event, check=check)
        else:
            self._buffer.join_plain(kind, id, item, first, texts, self._taken)
            self._taken += len(texts)
        return len(texts)

    def _take(self, index: int, event: JsonEvent, *, check: bool) -> list[JsonEvent]:
        if check:
            check_event(event, index)
        keep = self._options.keep
        is_kept = keep is not None and keep(event)
        if self._may_begin_inside and event["type"] in EVENTS:
            self._may_begin_inside = False
            if event["type"] not in ("RUN_STARTED", "RUN_ERROR"):
                self._begin_inside()
        self._buffer.arrive(index, event, is_kept=is_kept)
        self._verifier.push(index, event)
        errors = self._verifier.found.errors
        if errors:
            # It may be about an earlier event.
            raise errors[0].rejection()
        try:
            settled = self._settle(event, is_kept=is_kept)
        except Rejection as rejection:
            raise rejection.within(index) from None
        if self._running is None:
            self._verbatim.clear()
        elif self._options.lenient:
            self._verbatim.append(event)
        return settled

    def _stop(self, rejection: Rejection) -> list[JsonEvent]:
        """Discards the run in progress, or gives it as it came."""
        self.stopped, self._running = rejection, None
        settled = [] if self._snapshots is None else self._snapshots.finish(self._ends, None)
        self._snapshots = None
        verbatim, self._verbatim = self._verbatim, []
        return settled + verbatim

    def _settle(self, event: JsonEvent, *, is_kept: bool) -> list[JsonEvent]:
        tag = event["type"]
        role = EVENTS.get(tag)
        if role is not None and role.does == "start-run":
            self._begin(event, is_kept=is_kept)
            return []
        if self._running is None:
            return self._outside([event])
        if tag in TERMINAL:
            running, self._running = self._running, None
            return self._end(running)
        if role is not None and role.item == "messages":
            self._running.restates = True
        self._buffer.take()
        return []

    def _begin(self, start: JsonEvent, *, is_kept: bool) -> None:
        """Begins a run without the messages that its path holds already."""
        row = self._verifier.runs.rows[-1]
        predecessor = row.predecessor
        conversation = self._ends.go_on_from(predecessor)
        messages = conversation.begin_run(start)
        record = None if predecessor is None else self._records[predecessor]
        is_marked = is_removed(start)
        is_known = not is_marked and not is_kept and not row.continues_left_out
        is_first = True
        if record is not None:
            is_known = is_known and not record.is_removed and not record.is_incomplete
            is_first, record.is_followed = not record.is_followed, True
        staying = take_input(conversation.thread, messages, is_known=is_known)
        # Only snapshots are held against what the run began with.
        path = Thread() if self._snapshots is None else conversation.thread.copy()
        self._running = _Running(predecessor, path, is_marked, is_first, row.continues_left_out)
        self._buffer.begin(with_messages(start, staying), conversation)

    def _begin_inside(self) -> None:
        """Begins with the rest of a run, which belongs to no path that could be looked at."""
        self._verifier.begin_inside()
        self._running = _Running(None, Thread(), is_removed=False, is_first=True, is_rest=True)
        self._buffer.begin_inside(self._ends.go_on_from(None))

    def _end(self, running: _Running) -> list[JsonEvent]:
        if running.is_rest:
            return self._outside(self._buffer.end())
        events, conversation = self._buffer.end(), self._buffer.conversation
        is_incomplete = running.continues_left_out
        if running.predecessor is not None and not is_incomplete:
            before = self._records[running.predecessor]
            is_said = running.is_first and (running.is_removed or running.restates)
            is_incomplete = before.is_incomplete or (before.is_removed and not is_said)
        settled = self._formed(events, running, is_incomplete, conversation)
        self._ends.push(running.predecessor, conversation)
        self._records.append(_RunRecord(running.is_removed, is_incomplete))
        return settled

    def _outside(self, events: list[JsonEvent]) -> list[JsonEvent]:
        """Gives what is settled by events that belong to no run of the stream."""
        if self._snapshots is None:
            return events
        settled: list[JsonEvent] = []
        for event in events:
            settled += self._snapshots.take_outside(event)
        return settled

    def _formed(
        self,
        events: list[JsonEvent],
        running: _Running,
        is_incomplete: bool,
        conversation: Conversation,
    ) -> list[JsonEvent]:
        """Gives what is settled by a finished run in the form of the level."""
        if self._snapshots is None:
            return events
        keep = self._options.keep
        # What the caller keeps may be an event that compaction has made.
        placed = [Placed(event, keep is not None and keep(event)) for event in events]
        run = FinishedRun(
            placed, running.start, running.predecessor, is_incomplete, running.is_removed
        )
        return self._snapshots.take(run, conversation)


def _texts_of(
    events: list[JsonEvent], at: int, size: int, tag: str, named_by: str, id: str
) -> list[str]:
    """Gives the texts of the deltas from here on that are like the first one."""
    texts: list[str] = []
    try:
        for index in range(at, len(events)):
            event = events[index]
            if event["type"] != tag or event[named_by] != id or len(event) != size:
                break
            if size > _PLAIN:
                timestamp = event["timestamp"]
                if type(timestamp) is not int or not 0 <= timestamp <= LATEST:
                    break
            text = event["delta"]
            if type(text) is not str:
                break
            texts.append(text)
    except (LookupError, TypeError, AttributeError):
        # It is another event, or none; the next check says so.
        pass
    return texts

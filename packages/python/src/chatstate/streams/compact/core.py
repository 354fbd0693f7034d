"""The one compactor: events in, settled events out, all of them dicts."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ..._runtime.json_text import has_half
from ..._runtime.rejection import Rejection
from ..kinds import DELTAS, TERMINAL, JsonEvent
from ..plain import LATEST, check_event
from ..thread import Message
from ..verify import Verifier
from .forms import Form, Keep
from .run import RunInProgress
from .snapshots import RunSnapshots, TipSnapshots


class Options(NamedTuple):
    """What a caller decided about a compaction."""

    level: Literal["stream", "snapshot"] = "stream"
    retain: Literal["tips", "runs"] = "tips"
    keep: Keep | None = None
    partial: bool = False
    lenient: bool = False


_PLAIN: Final = 3
"""So many members has a delta event that has a text and nothing else."""


class Core:
    """A compaction in progress."""

    __slots__ = (
        "_is_running",
        "_options",
        "_run",
        "_snapshots",
        "_taken",
        "_verbatim",
        "_verifier",
        "stopped",
    )

    def __init__(self, options: Options) -> None:
        """No event has been taken."""
        self._options = options
        self._verifier = Verifier()
        self._run = RunInProgress()
        self._is_running = False
        self._taken = 0
        self._verbatim: list[JsonEvent] = []
        """The run in progress as it came, for options that are lenient."""
        self.stopped: Rejection | None = None
        """Why events are refused, or passed through if the options are lenient."""
        self._snapshots: RunSnapshots | TipSnapshots | None = None
        if options.level == "snapshot":
            form = Form(options.partial, options.keep)
            self._snapshots = RunSnapshots(form) if options.retain == "runs" else TipSnapshots(form)

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
        unfinished = self._run.finish()
        return unfinished if self._snapshots is None else self._snapshots.finish(unfinished)

    def _push_plain(
        self, events: list[JsonEvent], at: int, settled: list[JsonEvent], *, check: bool
    ) -> int:
        """Takes deltas of one item that have a text, perhaps a timestamp, and nothing else.

        Most of a log is made of them. Gives how many there are; all others need another look.
        """
        first = events[at]
        tag: str = first.get("type", "") if type(first) is dict else ""
        role = DELTAS.get(tag)
        if role is None or not self._is_running:
            return 0
        size, kind, id = len(first), role.item, first.get(role.id)
        if not _PLAIN <= size <= _PLAIN + 1:
            return 0
        if type(id) is not str or not self._verifier.may_append(kind, id):
            return 0
        span = self._run.open_item(kind, id)
        if span is None:
            return 0
        texts = _texts_of(events, at, size, tag, role.id, id)
        if not texts:
            return 0
        joined = "".join(texts)
        if not joined.isascii() and has_half(joined):
            for event in events[at : at + len(texts)]:
                settled += self.push(event, check=check)
        else:
            self._run.join_plain(span, first, texts)
            self._taken += len(texts)
        return len(texts)

    def _take(self, index: int, event: JsonEvent, *, check: bool) -> list[JsonEvent]:
        if check:
            check_event(event, index)
        verifier = self._verifier
        verifier.push(index, event)
        if verifier.found.errors:
            raise verifier.found.errors[0].rejection()
        keep = self._options.keep
        try:
            settled = self._settle(event, is_kept=keep is not None and keep(event))
        except Rejection as rejection:
            raise rejection.within(index) from None
        if self._options.lenient:
            if self._is_running:
                self._verbatim.append(event)
            else:
                self._verbatim.clear()
        return settled

    def _stop(self, rejection: Rejection) -> list[JsonEvent]:
        """Forgets the run in progress, or gives it as it came."""
        self.stopped = rejection
        self._run = RunInProgress()
        settled = [] if self._snapshots is None else self._snapshots.finish([])
        self._snapshots = None
        verbatim, self._verbatim = self._verbatim, []
        return settled + verbatim

    def _settle(self, event: JsonEvent, *, is_kept: bool) -> list[JsonEvent]:
        tag = event["type"]
        if tag == "RUN_STARTED":
            self._begin(event, is_kept=is_kept)
            return []
        if not self._is_running:
            return [event] if self._snapshots is None else self._snapshots.take_outside(event)
        if tag in TERMINAL:
            self._is_running = False
            return self._end(event)
        self._run.push(event, is_kept=is_kept)
        return []

    def _begin(self, event: JsonEvent, *, is_kept: bool) -> None:
        self._is_running = True
        held = self._run.held
        held.begin_run(event["runId"], event.get("parentRunId"))
        messages: list[Message] = event["input"]["messages"] if "input" in event else []
        kept = [message for message in messages if not held.take_input(message) or is_kept]
        if len(kept) < len(messages):
            event = {**event, "input": {**event["input"], "messages": kept}}
        self._run.begin(event)

    def _end(self, terminal: JsonEvent) -> list[JsonEvent]:
        settled = self._run.end(terminal)
        if self._snapshots is not None:
            settled = self._snapshots.take(settled)
            # What a later run did to a message is known here, since snapshots hold all messages.
            messages = self._snapshots.messages()
            if messages is not None:
                self._run.held.learn(messages)
        self._run.held.end_run()
        return settled


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
        # It is another event, or none; whoever looks at it next says so.
        pass
    return texts

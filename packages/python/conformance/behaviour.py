"""The operations on event streams: what the package says that events mean."""

from collections.abc import Callable
from typing import Any

from chatstate import (
    Event,
    EventStream,
    attach_prelude,
    check_events,
    compact_events,
    lineage_of,
    replay_events,
    verify_events,
    write,
)
from restoring import restore
from steps import run_steps

Json = dict[str, Any]
Text = str | bytes


def events_of(text: Text) -> list[Event]:
    """Reads a stream."""
    return EventStream.from_json(text).root


def verify(text: Text, request: Json) -> str:
    """Whether the order of the events is valid."""
    events, complete = events_of(text), request.get("complete", False)
    verify_events(events, complete=complete)
    if not request.get("warnings", False):
        return "true"
    warnings = check_events(events, complete=complete).warnings
    return write({"warnings": [{"rule": found.rule, "at": found.at} for found in warnings]})


def replay(text: Text, request: Json) -> str:
    """What the events mean at the end of a run."""
    return write(replay_events(
        events_of(text), run=request.get("run"), lenient=request.get("lenient", False)
    ).to_value())


def lineage(text: Text, _: Json) -> str:
    """Which run continues which."""
    return write(lineage_of(events_of(text)).to_value())


def compact(text: Text, request: Json) -> str:
    """Fewer events that mean the same."""
    compacted = compact_events(
        events_of(text),
        level=request["level"],
        retain=request.get("retain"),
        partial=request.get("partial", False),
        lenient=request.get("lenient", False),
    )
    return EventStream(compacted).to_json()


def attach(text: Text, _: Json) -> str:
    """What a client needs that joins the thread."""
    return EventStream(attach_prelude(events_of(text))).to_json()


BEHAVIOUR: dict[str, Callable[[Text, Json], str]] = {
    "verify": verify,
    "replay": replay,
    "lineage": lineage,
    "compact": compact,
    "attach": attach,
    "restore": restore,
    "session": run_steps,
}

"""What compaction keeps, leaves out and rejects, where the corpus does not reach: dicts and large logs."""

from __future__ import annotations

from typing import Any

import pytest

from chatstate import (
    EventCompactor,
    Rejection,
    attach_prelude,
    check_events,
    compact_events,
    replay_events,
    verify_events,
)

Event = dict[str, Any]

LEVELS: list[dict[str, Any]] = [
    {"level": "stream"},
    {"level": "snapshot", "retain": "runs"},
    {"level": "snapshot"},
]


def run_of(number: int, *events: Event, **members: Any) -> list[Event]:
    """A finished run."""
    ids = {"threadId": "t", "runId": f"r{number}"}
    start = {"type": "RUN_STARTED", **ids, **members}
    return [start, *events, {"type": "RUN_FINISHED", **ids}]


def text_of(id: str, text: str) -> list[Event]:
    """A message."""
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": id},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text},
        {"type": "TEXT_MESSAGE_END", "messageId": id},
    ]


INVALID: dict[str, list[Event]] = {
    "schema": run_of(1, {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "x", "value": 1}]}),
    "sequence": run_of(1, {"type": "TEXT_MESSAGE_END", "messageId": "m"}),
}


@pytest.mark.parametrize("options", LEVELS, ids=str)
@pytest.mark.parametrize("category", INVALID)
def test_what_is_not_valid_is_rejected_at_every_level(
    category: str, options: dict[str, Any]
) -> None:
    def rejection(function: Any, **arguments: Any) -> tuple[str, str, str]:
        with pytest.raises(Rejection) as rejected:
            function(INVALID[category], **arguments)
        return rejected.value.category, rejected.value.rule, rejected.value.at

    verified = rejection(verify_events)
    assert verified[0] == category
    assert rejection(compact_events, **options) == verified
    assert rejection(attach_prelude) == verified


def test_what_is_not_valid_is_passed_through_if_wanted() -> None:
    before = run_of(0, *text_of("m", "x"))
    for events in INVALID.values():
        compactor: EventCompactor[Event] = EventCompactor(lenient=True)
        assert compactor.push_all(before + events) + compactor.finish() == before + events
        assert compactor.violation is not None


PATCH: list[Event] = [{"op": "merge", "path": "/a"}, {"op": "add", "path": "/b", "value": 1}]


def test_an_unknown_operation_is_left_out_and_its_patch_stays() -> None:
    snapshot: Event = {"type": "STATE_SNAPSHOT", "snapshot": {"a": {}}}
    delta: Event = {"type": "STATE_DELTA", "delta": PATCH}
    events = run_of(1, snapshot, delta, delta)
    assert replay_events(events).state == {"a": {}, "b": 1}
    warnings = [finding.rule for finding in check_events(events).warnings]
    assert warnings == ["verify.unknown-operation"] * 2
    for options in LEVELS:
        assert compact_events(events, **options) == events


def test_an_encrypted_value_of_an_unknown_subtype_has_no_effect_and_stays() -> None:
    value = {"entityId": "m", "encryptedValue": "x"}
    image: Event = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "image", **value}
    events = run_of(1, *text_of("m", "x"), image)
    assert "encryptedValue" not in replay_events(events).messages[0]
    warnings = [(finding.rule, finding.index) for finding in check_events(events).warnings]
    assert warnings == [("verify.unknown-word", events.index(image))]
    for options in LEVELS:
        assert compact_events(events, **options) == events


WARNED: list[tuple[Event, str]] = [
    ({"type": "STATE_DELTA", "delta": [PATCH[1], {"op": "remove", "path": "/x"}]}, "verify.failed-patch@/1/delta/1"),
    (
        {"type": "ACTIVITY_DELTA", "messageId": "n", "activityType": "w", "patch": []},
        "verify.no-target@/1/messageId",
    ),
    (
        {
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": "message",
            "entityId": "n",
            "encryptedValue": "A",
        },
        "verify.no-target@/1/entityId",
    ),
]


@pytest.mark.parametrize(("event", "warning"), WARNED, ids=lambda it: str(it)[:30])
def test_a_warning_says_its_place(event: Event, warning: str) -> None:
    warnings = check_events(run_of(1, event)).warnings
    assert [f"{found.rule}@{found.at}" for found in warnings] == [warning]


@pytest.mark.parametrize("version", ["1.2", "1.10", "2.0", "soon", "1", "\u0661.\u0661"])
def test_a_newer_version_is_warned_of(version: str) -> None:
    start, *others = run_of(1)
    newer = check_events([{**start, "protocolVersion": version}, *others]).warnings
    assert [f"{found.rule}@{found.at}" for found in newer] == [
        "verify.newer-version@/0/protocolVersion"
    ]
    assert check_events([{**start, "protocolVersion": "1.1"}, *others]).warnings == []


def test_a_marked_run_with_events_is_warned_of_once() -> None:
    start, finish = run_of(1)
    marked = {**start, "metadata": {"chatstate": {"compacted": "tips"}}}
    custom = {"type": "CUSTOM", "name": "n", "value": 1}
    given = {"threadId": "t", "runId": start["runId"], "messages": [{"id": "u", "role": "user", "content": "x"}]}
    for events in ([marked, custom, custom, finish], [{**marked, "input": given}, finish]):
        warnings = check_events(events).warnings
        assert [f"{found.rule}@{found.at}" for found in warnings] == [
            "verify.marked-run@/0/metadata/chatstate"
        ]
    assert check_events([marked, finish]).warnings == []


def test_a_complete_stream_ends_with_its_last_run() -> None:
    cut = [*run_of(1), run_of(2)[0]]
    verify_events(run_of(1), complete=True)
    verify_events(cut)
    assert check_events(cut).is_valid
    errors = check_events(cut, complete=True).errors
    assert [f"{found.rule}@{found.at}" for found in errors] == ["run.unfinished@/2"]
    with pytest.raises(Rejection, match="the log ends before the run"):
        verify_events(cut, complete=True)


def test_a_lenient_replay_passes_over_what_breaks_a_rule() -> None:
    end = {"type": "TEXT_MESSAGE_END", "messageId": "none"}
    events = run_of(1, end, *text_of("m", "x"))
    with pytest.raises(Rejection, match="text `none`"):
        replay_events(events)
    assert [message["content"] for message in replay_events(events, lenient=True).messages] == ["x"]


def test_open_chunks_stay_as_they_came() -> None:
    chunk: Event = {"type": "TEXT_MESSAGE_CHUNK", "delta": "x"}
    events = [*run_of(1)[:1], {**chunk, "messageId": "m"}, chunk, chunk]
    assert compact_events(events) == events


@pytest.mark.parametrize("options", LEVELS, ids=str)
def test_paths_of_many_runs_are_no_recursion(options: dict[str, Any]) -> None:
    count = 1200
    events: list[Event] = []
    for number in range(count):
        patch = [{"op": "add", "path": "/n", "value": number}]
        events += run_of(number, {"type": "STATE_DELTA", "delta": patch})
    # A second run that continues each of the last ones needs what moved on.
    for number in range(count, count + 2):
        events += run_of(number, *text_of(f"m{number}", "x"), parentRunId=f"r{number - 10}")
    compacted = compact_events(events, **options)
    tips = [f"r{number}" for number in range(count, count + 2)]
    for tip in tips:
        assert replay_events(compacted, run=tip).state == replay_events(events, run=tip).state


def test_branches_share_what_none_of_them_changes() -> None:
    root = run_of(0, *[event for id in range(50) for event in text_of(f"m{id}", "x")])
    events = root + [
        event
        for number in range(1, 40)
        for event in run_of(number, *text_of(f"b{number}", "y"), parentRunId="r0")
    ]
    for number in range(1, 40):
        messages = replay_events(events, run=f"r{number}").messages
        assert [message["id"] for message in messages[-2:]] == ["m49", f"b{number}"]
        assert len(messages) == 51

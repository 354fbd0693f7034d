"""What lineage and replay answer, for models and for dicts."""

from __future__ import annotations

from typing import Any

import pytest

from chatstate import (
    EventStream,
    Message,
    Rejection,
    UserMessage,
    attach_prelude,
    branch_of,
    lineage_of,
    replay_events,
    write,
)


def turn(run_id: str, parent: str | None = None) -> list[dict[str, Any]]:
    """A run with a question and its answer."""
    run = {"threadId": "t", "runId": run_id}
    question = {"id": f"u{run_id}", "role": "user", "content": "?"}
    return [
        {
            "type": "RUN_STARTED",
            **run,
            **({} if parent is None else {"parentRunId": parent}),
            "input": {**run, "messages": [question]},
        },
        {"type": "TEXT_MESSAGE_START", "messageId": run_id},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": run_id, "delta": "!"},
        {"type": "TEXT_MESSAGE_END", "messageId": run_id},
        {"type": "RUN_FINISHED", **run},
    ]


PLAIN = turn("r1") + turn("r2") + turn("r3", "r1")
MODELS = EventStream.from_json(write(PLAIN)).root


@pytest.mark.parametrize("log", [PLAIN, MODELS, [*MODELS[:7], *PLAIN[7:]]])
def test_a_predecessor_is_the_id_of_a_run(log: list[Any]) -> None:
    lineage = lineage_of(log)
    assert [(run.run_id, run.predecessor, run.index) for run in lineage.runs] == [
        ("r1", None, 0),
        ("r2", "r1", 5),
        ("r3", "r1", 10),
    ]
    assert lineage.to_value()["runs"][2] == {"runId": "r3", "predecessor": "r1", "parentRunId": "r1"}
    assert lineage.tips == ["r2", "r3"]


@pytest.mark.parametrize("log", [PLAIN, MODELS, [*MODELS[:7], *PLAIN[7:]]])
def test_messages_of_a_replay_are_dicts(log: list[Any]) -> None:
    replay = replay_events(log)
    assert replay == replay_events(PLAIN)
    assert [type(message) for message in replay.messages] == [dict] * 4
    assert isinstance(Message.model_validate(replay.messages[0]), UserMessage)


@pytest.mark.parametrize("run", ["r1", "r2", "r3"])
def test_a_branch_replays_as_the_log_at_its_run(run: str) -> None:
    """The events of other branches are not in it, for dicts and for models."""
    branch = branch_of(PLAIN, run)
    assert replay_events(branch) == replay_events(PLAIN, run=run)
    assert [event.to_json() for event in branch_of(MODELS, run)] == [
        write(event) for event in branch
    ]


def test_a_branch_of_no_run_is_rejected() -> None:
    """As its replay is."""
    with pytest.raises(Rejection, match="r4"):
        branch_of(PLAIN, "r4")


def test_an_earlier_run_is_not_continued_after_a_prelude() -> None:
    """It would be replayed after the messages of another branch."""
    prelude = attach_prelude(PLAIN[:10])
    with pytest.raises(Rejection, match="leaves out"):
        replay_events([*prelude, *PLAIN[10:]])

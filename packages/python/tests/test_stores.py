"""The scenarios that all stores of events of all languages play; `packages/testdata/store-scenarios.json` has them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from chatstate import (
    Event,
    EventStore,
    EventStream,
    FileEventStore,
    MemoryEventStore,
    Rejection,
    canonical,
    write,
)
from chatstate._runtime.json_text import parse_with_unpaired
from chatstate._runtime.model import plain
from chatstate.storage import ThreadSnapshot

Step = dict[str, Any]

TEXT = (Path(__file__).parents[2] / "testdata" / "store-scenarios.json").read_bytes()
SCENARIOS: list[Step] = parse_with_unpaired(TEXT)[0]


def events_of(step: Step) -> list[Event]:
    """The events of a step."""
    return EventStream.from_json(write(step["events"])).root


async def read(store: EventStore, step: Step) -> str:
    """What reading gives."""
    found = [plain(event) async for event in store.read(step["thread"], step.get("start", 0))]
    return canonical(found)


async def play(store: EventStore, step: Step) -> None:
    """Does one step."""
    thread: str = step.get("thread", "")
    if step["do"] == "append":
        assert await store.append(thread, events_of(step)) == step["position"]
    elif step["do"] == "read" and "refused" in step:
        with pytest.raises(Rejection) as rejected:
            await read(store, step)
        found = {"class": rejected.value.class_, "at": rejected.value.at}
        assert found == step["refused"]
    elif step["do"] == "read":
        assert await read(store, step) == canonical(step["events"])
    elif step["do"] == "save":
        await store.save_snapshot(thread, ThreadSnapshot.from_value(step["snapshot"]))
    elif step["do"] == "load":
        snapshot = await store.load_snapshot(thread)
        assert (snapshot and snapshot.to_json()) == (step["snapshot"] and write(step["snapshot"]))
    elif step["do"] == "list":
        assert await store.list_threads() == step["threads"]
    else:
        raise AssertionError(step["do"])


async def play_all(folder: Path | None, steps: list[Step]) -> None:
    """Plays a scenario in memory, or in a folder."""
    store: EventStore = MemoryEventStore() if folder is None else FileEventStore(folder)
    for step in steps:
        if folder is not None and step["do"] == "reopen":
            store = FileEventStore(folder)
        elif folder is not None and step["do"] == "tear":
            with (folder / f"{step['thread']}.jsonl").open("ab") as log:
                log.write(step["text"].encode())
        else:
            await play(store, step)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[row["title"] for row in SCENARIOS])
@pytest.mark.parametrize("store", ["memory", "files"])
def test_scenario(scenario: Step, store: str, tmp_path: Path) -> None:
    if store == "memory" and scenario.get("lasting"):
        pytest.skip("memory does not last")
    asyncio.run(play_all(None if store == "memory" else tmp_path / "store", scenario["steps"]))


def test_appends_at_once_follow_each_other(tmp_path: Path) -> None:
    async def append_many() -> list[int]:
        store = FileEventStore(tmp_path)
        events = EventStream.from_json('[{"type":"RAW","event":1},{"type":"RAW","event":2}]').root
        return sorted(await asyncio.gather(*(store.append("t", events) for _ in range(20))))

    assert asyncio.run(append_many()) == list(range(2, 42, 2))


def test_an_id_that_no_file_can_have_is_rejected(tmp_path: Path) -> None:
    for thread in ("", "x" * 201):
        with pytest.raises(ValueError, match="the id of the thread"):
            asyncio.run(FileEventStore(tmp_path).append(thread, []))

"""The scenarios that all stores of events of all languages play; `packages/testdata/store-scenarios.json` has them."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import subprocess
import sys
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
from chatstate._runtime.model import plain
from chatstate.storage import ThreadSnapshot

Step = dict[str, Any]

TEXT = (Path(__file__).parents[2] / "testdata" / "store-scenarios.json").read_bytes()
SCENARIOS: list[Step] = json.loads(TEXT)


def events_of(step: Step) -> list[Event]:
    """The events of a step."""
    return EventStream.from_json(write(step["events"])).root


async def read(store: EventStore, step: Step) -> str:
    """What reading gives."""
    found = [plain(event) async for event in store.read(step["thread"], step.get("start", 0))]
    return canonical(found)


async def do(store: EventStore, step: Step) -> Any:
    """Does one step, and gives what comes of it."""
    thread: str = step.get("thread", "")
    if step["do"] == "append":
        return await store.append(thread, events_of(step))
    if step["do"] == "read":
        return await read(store, step)
    if step["do"] == "save":
        return await store.save_snapshot(thread, ThreadSnapshot.from_value(step["snapshot"]))
    if step["do"] == "load":
        snapshot = await store.load_snapshot(thread)
        return snapshot and snapshot.to_json()
    assert step["do"] == "list"
    return await store.list_threads()


def expected(step: Step) -> Any:
    """What comes of a step that is not refused."""
    if step["do"] == "read":
        return canonical(step["events"])
    if step["do"] == "load":
        return step["snapshot"] and write(step["snapshot"])
    return step.get("position" if step["do"] == "append" else "threads")


async def play(store: EventStore, step: Step) -> None:
    """Does one step with a store."""
    if "refused" not in step:
        assert await do(store, step) == expected(step)
        return
    with pytest.raises(Rejection) as rejected:
        await do(store, step)
    found = {"class": rejected.value.class_, "rule": rejected.value.rule, "at": rejected.value.at}
    assert {name: found[name] for name in step["refused"]} == step["refused"]


def change(folder: Path, step: Step) -> None:
    """Does to a folder what others than its store do, or looks what is in it."""
    if step["do"] == "tear":
        with (folder / f"{step['thread']}.jsonl").open("ab") as log:
            log.write(step["text"].encode())
    elif step["do"] == "write":
        (folder / step["file"]).write_bytes(step["text"].encode())
    elif step["do"] == "die":
        (folder / f"{step['thread']}.lock").write_text(dead_lock(step.get("length")))
    elif step["do"] == "files":
        assert sorted(os.listdir(folder)) == step["names"]
    else:
        assert (folder / step["file"]).read_bytes() == step["text"].encode()


def dead_lock(length: int | None) -> str:
    """The lock of a process of this machine that is not there."""
    namespace = Path("/proc/self/ns/pid")
    host = platform.node() + (f" {namespace.readlink()}" if namespace.is_symlink() else "")
    owner = json.dumps({"host": host, "pid": 2**31 - 1, "started": "1"})
    return f"{owner}\n" if length is None else f'{owner}\n{{"length":{length}}}\n'


async def play_all(folder: Path | None, steps: list[Step]) -> None:
    """Plays a scenario in memory, or in a folder."""
    store: EventStore = MemoryEventStore() if folder is None else FileEventStore(folder)
    for step in steps:
        if step["do"] in ("append", "read", "save", "load", "list"):
            await play(store, step)
        elif folder is not None and step["do"] == "reopen":
            store = FileEventStore(folder)
        else:
            assert folder is not None
            change(folder, step)


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


def test_an_append_that_fails_appends_nothing(tmp_path: Path) -> None:
    """On a disk that is full in the middle of a batch, which a limit of the length of files is too."""
    ran = subprocess.run([sys.executable, "-c", ON_A_FULL_DISK, str(tmp_path)], text=True, capture_output=True)
    assert (ran.stdout, ran.returncode) == ("refused\n['t.jsonl']\n", 0), ran.stderr
    lines = (tmp_path / "t.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["a", "b"]


ON_A_FULL_DISK = """
import asyncio, os, resource, sys
from chatstate import FileEventStore, EventStream

def events(*texts):
    return EventStream([{"type": "RAW", "event": text} for text in texts]).root

async def act():
    store = FileEventStore(sys.argv[1])
    await store.append("t", events("a"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
    for thread in "t", "u":
        try:
            await store.append(thread, events(*["x" * 400] * 100))
            print("appended", thread)
        except OSError:
            pass
    print("refused")
    await store.append("t", events("b"))
    print(sorted(os.listdir(sys.argv[1])))

asyncio.run(act())
"""

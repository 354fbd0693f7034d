"""Uses stores in files as other processes and languages do: one step a line on stdin, what comes of it a line on stdout.

`tests/tests/stores.rs` says what the steps are.
"""

import asyncio
import json
import sys
from typing import Any

from chatstate import Event, EventStream, FileEventStore, Rejection
from chatstate.storage import ThreadSnapshot

STORES: dict[str, FileEventStore] = {}


def events(text: str, count: int) -> list[Event]:
    """Events with a text."""
    return EventStream.from_json(json.dumps([{"type": "RAW", "event": text}] * count)).root


def texts(stored: Any) -> list[str]:
    """The texts of events."""
    return [json.loads(event.to_json())["event"] for event in stored]


async def do(step: dict[str, Any]) -> Any:
    """Does one step."""
    store = STORES.setdefault(step["folder"], FileEventStore(step["folder"]))
    thread = step.get("thread", "")
    if step["do"] == "append":
        for _ in range(step["times"]):
            position = await store.append(thread, events(step["text"], step["batch"]))
        return position
    if step["do"] == "read":
        return texts([event async for event in store.read(thread)])
    if step["do"] == "save":
        return await store.save_snapshot(thread, ThreadSnapshot(1, events(step["text"], 1)))
    if step["do"] == "load":
        snapshot = await store.load_snapshot(thread)
        return snapshot and [snapshot.position, *texts(snapshot.events)]
    return await store.list_threads()


for line in sys.stdin:
    try:
        answer = asyncio.run(do(json.loads(line)))
    except Rejection as rejection:
        answer = {"refused": rejection.rule, "message": str(rejection)}
    print(json.dumps(answer), flush=True)

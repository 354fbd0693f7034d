"""Reads and writes the events of a file of JSON Lines: python round_trip.py FILE.

The package for Python, which is on the path, takes turns with the models of ag-ui-protocol. Of several passes the
fastest counts.
"""

import json
import sys
import time

from ag_ui.core import Event as PeerEvent
from pydantic import TypeAdapter

from chatstate import Event

PASSES = 4

ADAPTER = TypeAdapter(PeerEvent)


def peer(lines):
    """What a user of ag-ui-protocol does with an event."""
    return sum(len(ADAPTER.validate_json(line).model_dump_json(by_alias=True, exclude_none=True)) for line in lines)


def ours(lines):
    """The same with the package that is generated here."""
    return sum(len(Event.from_json(line).to_json()) for line in lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line]
    seconds = {}
    for _ in range(PASSES):
        for name, work in (("peer", peer), ("ours", ours)):
            begin = time.perf_counter()
            work(lines)
            seconds[name] = min(seconds.get(name, float("inf")), time.perf_counter() - begin)
    print(json.dumps({"seconds": seconds, "events": len(lines)}))


main()

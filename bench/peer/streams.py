"""Compacts the parsed events of a file of JSON Lines: python streams.py FILE.

The package for Python, which is on the path, takes turns with `json.loads` of the same lines. Of several passes the
fastest counts.
"""

import json
import sys
import time

from chatstate import compact_events

PASSES = 5


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line]
    seconds = {}
    results = {}

    def note(name, begin, result):
        seconds[name] = min(seconds.get(name, float("inf")), time.perf_counter() - begin)
        results[name] = len(result)

    for _ in range(PASSES):
        begin = time.perf_counter()
        events = [json.loads(line) for line in lines]
        note("parsing", begin, events)
        begin = time.perf_counter()
        compacted = compact_events(events)
        note("compaction", begin, compacted)
    print(json.dumps({"seconds": seconds, "results": results}))


main()

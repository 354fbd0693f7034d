"""How long the package takes for a log, beside `json.loads` of the same text: `speed.py LOG`.

The log is JSON Lines. Prints one line of JSON: the seconds of the best of three times for each.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chatstate import compact_events, replay_events, verify_events


def seconds(work: Callable[[], Any]) -> float:
    """The best of three times."""
    times: list[float] = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(path: str) -> None:
    """Measures with one log."""
    text = "[" + ",".join(Path(path).read_text(encoding="utf-8").splitlines()) + "]"
    events: list[dict[str, Any]] = json.loads(text)
    measured = {
        "json.loads": seconds(lambda: json.loads(text)),
        "compact": seconds(lambda: compact_events(events)),
        "replay": seconds(lambda: replay_events(events)),
        "verify": seconds(lambda: verify_events(events)),
    }
    print(json.dumps({"events": len(events), "seconds": measured}))


if __name__ == "__main__":
    main(sys.argv[1])

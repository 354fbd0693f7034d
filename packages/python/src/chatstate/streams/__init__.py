"""Event streams: verification, replay, lineage and compaction.

Events are models of this package or dicts as `json.loads` gives them; events that come out are of the
kind that went in.
"""

from .attach import attach_prelude
from .branch import branch_of
from .compact import EventCompactor, compact_events, compact_stream
from .lineage import Lineage, LineageRun, lineage_of
from .replay import Replay, replay_events
from .run import Run, RunStatus
from .runs import LineageProblem
from .sequence import OpenItem
from .verify import Finding, Verification, check_events, verify_events

__all__ = [
    "EventCompactor",
    "Finding",
    "Lineage",
    "LineageProblem",
    "LineageRun",
    "OpenItem",
    "Replay",
    "Run",
    "RunStatus",
    "Verification",
    "attach_prelude",
    "branch_of",
    "check_events",
    "compact_events",
    "compact_stream",
    "lineage_of",
    "replay_events",
    "verify_events",
]

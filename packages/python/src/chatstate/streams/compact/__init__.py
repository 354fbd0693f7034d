"""Compaction of event streams."""

from .compactor import EventCompactor, EventT, compact_events, compact_stream

__all__ = ["EventCompactor", "EventT", "compact_events", "compact_stream"]

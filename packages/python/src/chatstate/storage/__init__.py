"""Stores of events: an interface, and stores in memory and in files."""

from .files import FileEventStore
from .memory import MemoryEventStore
from .store import EventStore, ThreadSnapshot

__all__ = ["EventStore", "FileEventStore", "MemoryEventStore", "ThreadSnapshot"]

"""What tests of programs that save chats need."""

from .differences import Difference, differences
from .snapshots import ChatSnapshot, assert_same

__all__ = ["ChatSnapshot", "Difference", "assert_same", "differences"]

"""Messages that the events of the run in progress build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..halves import meet
from ..thread import Message
from .metadata import Metadata


@dataclass
class CallDraft:
    """A tool call of a message that this run builds."""

    id: str
    name: str
    arguments: list[str] = field(default_factory=list[str])
    metadata: Metadata = None
    encrypted: dict[str, Any] = field(default_factory=dict[str, Any])

    def value(self) -> dict[str, Any]:
        """Gives the call as replay builds it."""
        function = {"name": self.name, "arguments": meet("".join(self.arguments))}
        call: dict[str, Any] = {"id": self.id, "type": "function", "function": function}
        return _with_metadata(call, self.metadata, self.encrypted)


@dataclass
class Draft:
    """A message that an item of this run made and only this run has written to."""

    id: str
    role: str
    name: str | None = None
    owner: str | None = None
    content: list[str] | None = None
    """The text in pieces; a message that only makes calls has none."""
    metadata: Metadata = None
    encrypted: dict[str, Any] = field(default_factory=dict[str, Any])
    calls: list[CallDraft] = field(default_factory=list[CallDraft])

    def value(self) -> Message:
        """Gives the message as replay builds it."""
        message: Message = {"id": self.id, "role": self.role}
        if self.content is not None:
            message["content"] = meet("".join(self.content))
        if self.name is not None:
            message["name"] = self.name
        if self.owner is not None:
            message["subagentRunId"] = self.owner
        if self.calls:
            message["toolCalls"] = [call.value() for call in self.calls]
        return _with_metadata(message, self.metadata, self.encrypted)


def _with_metadata(
    holder: dict[str, Any], metadata: Metadata, encrypted: dict[str, Any]
) -> dict[str, Any]:
    holder.update(encrypted)
    if metadata is not None:
        holder["metadata"] = metadata
    return holder

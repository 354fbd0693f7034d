"""What a replay passes over, for callers that ask for it."""

from __future__ import annotations

from dataclasses import dataclass

from .patch import PatchFailure


@dataclass(frozen=True)
class Remark:
    """Something that a replay passed over."""

    rule: str
    index: int
    """The index of the event."""
    place: str
    """The JSON pointer from the event to what was passed over."""
    message: str

    @classmethod
    def of_failed_patch(cls, index: int, member: str, failure: PatchFailure) -> Remark:
        """A patch that did not apply."""
        message = f"{failure}; replay skips the whole patch"
        return cls("verify.failed-patch", index, f"/{member}/{failure.index}", message)

    @classmethod
    def of_unknown_operation(cls, index: int, member: str, number: int, op: str) -> Remark:
        """An operation of a patch that is left out, since it is unknown."""
        message = (
            f"`{op}` is no known operation; replay leaves it out and applies the rest of the patch"
        )
        return cls("verify.unknown-operation", index, f"/{member}/{number}", message)

    @classmethod
    def of_unknown_word(cls, index: int, member: str, word: str) -> Remark:
        """A word of an open set that is unknown, so that its event has no effect."""
        message = f"`{word}` is no known `{member}`; replay ignores the event"
        return cls("verify.unknown-word", index, f"/{member}", message)

    @classmethod
    def of_no_target(cls, index: int, member: str, id: str, what: str) -> Remark:
        """An event about something that is not there, which has no effect; `member` names it."""
        message = f"there is no {what} `{id}`, so replay ignores the event"
        return cls("verify.no-target", index, f"/{member}", message)

    @classmethod
    def of_conflict(cls, index: int, number: int, id: str) -> Remark:
        """A message of an input whose id is known with another value."""
        message = f"the run already holds another message `{id}`, which replay keeps"
        return cls("lineage.conflict", index, f"/input/messages/{number}", message)

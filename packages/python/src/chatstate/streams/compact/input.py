"""The messages of a run's input that its path holds already.

A chat sends its history again with every run, so most of a log's inputs is repeated.
"""

from __future__ import annotations

from ..kinds import JsonEvent
from ..thread import Message, Thread
from ..values import same


def take_input(thread: Thread, messages: list[Message], *, is_known: bool) -> list[Message]:
    """Takes the messages of an input into a thread, and gives those that stay in the input.

    One does not if the thread holds it. AG-UI assigns owners again in each run, so a message with one
    stays. So do all where it is not known what the path holds.
    """
    staying: list[Message] = []
    for message in messages:
        held = thread.settled(message.get("id"))
        if held is None:
            thread.push(message)
            staying.append(message)
        elif not is_known or "subagentRunId" in message or not same(held, message):
            staying.append(message)
    return staying


def with_messages(start: JsonEvent, messages: list[Message]) -> JsonEvent:
    """Gives the beginning of a run with only these messages of its input."""
    if "input" not in start or len(messages) == len(start["input"]["messages"]):
        return start
    return {**start, "input": {**start["input"], "messages": messages}}

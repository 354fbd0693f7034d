"""The reference, through its adapter: `CHATSTATE` names the program."""

from __future__ import annotations

import json
import os
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any, cast

from chatstate import write

Answer = dict[str, Any]


class Reference:
    """A process that answers as the reference does."""

    def __init__(self) -> None:
        """Starts the process."""
        command = [os.environ.get("CHATSTATE", "chatstate"), "adapter"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._seq = 0
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        # A reader of answers must not wait for a reader of requests.
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self._send({"cmd": "start", "protocol": 1})
        self._most_waiting: int = self._receive()["maxInFlight"]

    def run(self, op: str, inputs: Iterable[Any], **arguments: Any) -> Iterator[Answer]:
        """Gives the answers to requests in their order, documents read.

        Many requests wait at once, since a process that waits for each answer does little else.
        """
        waiting: deque[int] = deque()
        arrived: dict[int, Answer] = {}
        for input in inputs:
            self._seq += 1
            text = write(input)
            self._send({"cmd": "run", "seq": self._seq, "op": op, "input": text, **arguments})
            waiting.append(self._seq)
            if len(waiting) == self._most_waiting:
                yield self._answer(waiting.popleft(), arrived)
        while waiting:
            yield self._answer(waiting.popleft(), arrived)

    def _answer(self, seq: int, arrived: dict[int, Answer]) -> Answer:
        while seq not in arrived:
            answer = self._receive()
            arrived[answer["seq"]] = answer
        answer = arrived.pop(seq)
        return {"ok": json.loads(answer["ok"])} if "ok" in answer else answer

    def stop(self) -> None:
        """Ends the process."""
        self._send({"cmd": "stop"})
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(60)
        self._reader.join(60)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _send(self, request: Any) -> None:
        if self._process.stdin is None:
            raise RuntimeError("the reference has no pipes")
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def _receive(self) -> Answer:
        return cast(Answer, json.loads(self._answers.get(timeout=60)))

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._answers.put(line)

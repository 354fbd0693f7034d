"""The reference, through its adapter: `CHATSTATE` names the program."""

from __future__ import annotations

import json
import os
import subprocess
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
        self._ask({"cmd": "start", "protocol": 1})

    def run(self, op: str, input: Any, **arguments: Any) -> Answer:
        """Gives the answer to one request, its document read."""
        self._seq += 1
        request = {"cmd": "run", "seq": self._seq, "op": op, "input": write(input), **arguments}
        answer = self._ask(request)
        return {"ok": json.loads(answer["ok"])} if "ok" in answer else answer

    def stop(self) -> None:
        """Ends the process."""
        if self._process.stdin is not None and self._process.stdout is not None:
            self._process.stdin.write(b'{"cmd":"stop"}\n')
            self._process.stdin.close()
            self._process.stdout.close()
        self._process.wait(10)

    def _ask(self, request: Any) -> Answer:
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the reference has no pipes")
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return cast(Answer, json.loads(self._process.stdout.readline()))

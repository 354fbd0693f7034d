"""Keeps what a producer's own encoder emits: one event per line, in `runs/` or `threads/` beside this folder."""

from pathlib import Path
from typing import Any

from ag_ui.core import RunAgentInput

FOLDER = Path(__file__).resolve().parents[1]
PREFIX = "data: "


def run_input(thread: str, run: int, messages: list[dict[str, Any]], **more: Any) -> RunAgentInput:
    """Gives the input of one run as a client sends it; members that it must send and has no value for are empty."""
    members = {"state": {}, "tools": [], "context": [], "forwardedProps": {}, **more}
    return RunAgentInput.model_validate(
        {"threadId": thread, "runId": f"{thread}-run-{run}", "messages": messages, **members}
    )


def user(number: int, text: str) -> dict[str, Any]:
    """Gives one message of the user."""
    return {"id": f"user-{number}", "role": "user", "content": text}


def keep(name: str, frames: list[str]) -> None:
    """Writes the events of server-sent frames, each as the text it had on the wire."""
    lines = [line.removeprefix(PREFIX) for frame in frames for line in frame.split("\n") if line.startswith(PREFIX)]
    path = FOLDER / ("threads" if name.endswith(".thread") else "runs") / f"{name}.jsonl"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    print(f"{path.relative_to(FOLDER)}: {len(lines)} events")

"""The plugin for pytest: the fixture `chat_snapshot`.

Its files are in a folder `chat_snapshots` beside the test; `--update-chat-snapshots` writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .testing import ChatSnapshot


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that writes the files."""
    parser.getgroup("chatstate").addoption(
        "--update-chat-snapshots",
        action="store_true",
        help="write what `chat_snapshot` is given instead of comparing it",
    )


@pytest.fixture
def chat_snapshot(request: pytest.FixtureRequest) -> ChatSnapshot:
    """Compares models and JSON values with files, by what they mean."""
    from .testing import ChatSnapshot

    test: str = request.node.name
    update = bool(request.config.getoption("--update-chat-snapshots"))
    module = request.path
    return ChatSnapshot(module.parent / "chat_snapshots" / module.stem, test, update=update)

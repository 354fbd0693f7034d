"""Carries an `AgentSession` over chatstate's Python package.

    run restore.py      prints what came of it, one line of JSON

The state of a session is a dict that providers share; in a `Session` of chatstate it is the bag, so that a program
that knows nothing of the framework reads and changes an entry, and the framework continues with it.
"""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3] / "packages" / "python" / "src"))

from agent_framework import AgentSession, Content, InMemoryHistoryProvider, Message

from chatstate import ProviderState, Session


@dataclass
class Profile:
    """What another provider keeps in the session."""

    name: str
    visits: int


def to_chatstate(session: AgentSession) -> Session:
    """A session of the framework as one of chatstate."""
    saved = session.to_dict()
    carried = Session()
    carried.id, carried.kind = saved["session_id"], saved["type"]
    carried.bag.update(saved["state"])
    return carried


def from_chatstate(carried: Session) -> AgentSession:
    """A session of chatstate as one of the framework."""
    carried.expect_kind("session")
    return AgentSession.from_dict({"session_id": carried.id, "state": dict(carried.bag)})


async def messages_of(provider: InMemoryHistoryProvider, session: AgentSession) -> list[Any]:
    """The texts that a provider of the framework finds."""
    state = session.state[provider.source_id]
    return [message.text for message in await provider.get_messages(session.session_id, state=state)]


async def main() -> None:
    """Saves a session, changes it outside of the framework, and restores it."""
    session, provider = AgentSession(session_id="s-1"), InMemoryHistoryProvider()
    said = [Message(role="user", contents=[Content.from_text(text="hello")])]
    state = session.state.setdefault(provider.source_id, {})
    await provider.save_messages(session.session_id, said, state=state)
    session.state["profile"] = {"name": "Ann", "visits": 1, "theme": {"dark": None}}

    text = to_chatstate(session).to_json()
    carried = Session.from_json(text)
    ProviderState("profile", Profile, lambda _: Profile("", 0)).get(carried).visits += 1
    restored = from_chatstate(Session.from_json(carried.to_json()))
    result = {
        "id": restored.session_id,
        "profile": restored.state["profile"],
        "messages": await messages_of(provider, restored),
        "same": from_chatstate(Session.from_json(text)).to_dict() == session.to_dict(),
    }
    print(json.dumps(result))


asyncio.run(main())

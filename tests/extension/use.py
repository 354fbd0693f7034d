"""Uses a generated package for an extension of the schema: a log of events on each line, an answer for each."""

import asyncio
import json
import sys

import extension
from extension.testing import assert_same


async def stored(events):
    """A log that comes back from a store."""
    store = extension.MemoryEventStore()
    await store.append("thread", [extension.Event.from_json(json.dumps(event)) for event in events])
    return [json.loads(event.to_json()) async for event in store.read("thread")]


for line in sys.stdin:
    events = json.loads(line)
    verification = extension.check_events(events)
    answer = {
        "errors": [[finding.rule, finding.index] for finding in verification.errors],
        "warnings": [[finding.rule, finding.index] for finding in verification.warnings],
    }
    if verification.is_valid:
        kept = asyncio.run(stored(events))
        assert_same(json.dumps(kept), json.dumps(events))
        answer["messages"] = extension.replay_events(events).messages
        answer["stream"] = extension.compact_events(events)
        answer["snapshot"] = extension.compact_events(events, level="snapshot")
    print(json.dumps(answer))

session = extension.Session.from_json('{"id": "s", "stateBag": {}}')
chat = extension.ChatState.from_json('{"history": [], "channels": []}')
print(json.dumps({"chat": json.loads(chat.to_json()), "session": json.loads(session.to_json())}))

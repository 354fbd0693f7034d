"""Records agent-framework: a help desk with a scripted chat client, wrapped by `agent_framework_ag_ui`."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponseUpdate, Content, FunctionInvocationLayer, tool
from agent_framework_ag_ui import AgentFrameworkAgent, add_agent_framework_fastapi_endpoint, state_update
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from recording import keep, run_input, user


class ScriptedClient(FunctionInvocationLayer, BaseChatClient):
    """Streams prepared replies: text, contents, or a failure."""

    def __init__(self, *replies: list[Any]) -> None:
        super().__init__()
        self.replies = list(replies)

    def _inner_get_response(self, *, stream: bool, **_options: Any) -> Any:
        if not stream:
            raise NotImplementedError("only streaming is scripted")
        return self._build_response_stream(self._updates(self.replies.pop(0)))

    async def _updates(self, reply: list[Any]) -> AsyncIterator[ChatResponseUpdate]:
        for part in reply:
            if isinstance(part, Exception):
                raise part
            content = Content.from_text(part) if isinstance(part, str) else part
            yield ChatResponseUpdate(role="assistant", contents=[content])


def call(identifier: str, name: str, *arguments: str) -> list[Content]:
    """Gives one call whose arguments arrive in pieces."""
    return [Content.from_function_call(identifier, name, arguments=piece) for piece in arguments]


@tool(approval_mode="never_require")
def look_up(ticket: int) -> dict[str, Any]:
    """Finds a ticket."""
    if ticket > 100:
        raise ValueError(f"no ticket {ticket}")
    return {"ticket": ticket, "open": True, "owner": None}


@tool(approval_mode="never_require")
def assign(owner: str) -> Content:
    """Gives the ticket to somebody, and says so in the shared state."""
    return state_update(text=f"assigned to {owner}", state={"owner": owner})


@tool(approval_mode="always_require")
def close(ticket: int) -> str:
    """Closes a ticket, if a person agrees."""
    return f"closed {ticket}"


def desk(*replies: list[Any], **options: Any) -> AgentFrameworkAgent:
    agent = Agent(client=ScriptedClient(*replies), name="desk", tools=[look_up, assign, close])
    return AgentFrameworkAgent(agent=agent, name="desk", **options)


async def frames(agent: AgentFrameworkAgent, request: Any) -> list[str]:
    """Posts one request to the package's own endpoint, in this process, and gives the frames of its answer."""
    app = FastAPI()
    add_agent_framework_fastapi_endpoint(app, agent, single_user=True, keepalive_seconds=None)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://desk") as client:
        response = await client.post("/", json=request.model_dump(mode="json", by_alias=True, exclude_none=True))
    response.raise_for_status()
    return [response.text]


async def tools() -> None:
    agent = desk(
        [
            "Two tickets. ",
            *call("call-1", "look_up", '{"ticket"', ": 7}"),
            *call("call-2", "look_up", '{"ticket": 700}'),
            *call("call-3", "assign", '{"owner": "Åsa"}'),
        ],
        ["Ticket 7 is ", "Åsa’s; there is no 700."],
        state_schema={"owner": {"type": "string"}},
    )
    request = run_input("desk-tools", 1, [user(1, "7 and 700?")], state={"owner": "nobody"})
    keep("agent-framework-tools", await frames(agent, request))


async def predicted_state() -> None:
    agent = desk(
        [*call("call-1", "assign", '{"owner":', ' "Li', 'v"}')],
        ["Liv has it."],
        state_schema={"owner": {"type": "string"}},
        predict_state_config={"owner": {"tool": "assign", "tool_argument": "owner"}},
    )
    request = run_input("desk-predicted", 1, [user(1, "Give it to Liv.")], state={"owner": "nobody"})
    keep("agent-framework-predicted-state", await frames(agent, request))


async def approval() -> None:
    agent = desk(["Closing. ", *call("call-1", "close", '{"ticket": 7}')], require_confirmation=False)
    keep("agent-framework-approval", await frames(agent, run_input("desk-approval", 1, [user(1, "Close 7.")])))


async def turns() -> None:
    agent = desk(
        [Content.from_text_reasoning(text="An easy one.", protected_data="c2VhbGVk"), "Yes, ", "it is open."],
        ["Let me ", RuntimeError("the desk is closed")],
        call("call-1", "look_up", '{"ticket": 7}'),
        ["Still open."],
    )
    history: list[dict[str, Any]] = [user(1, "Is 7 open?")]
    events = await frames(agent, run_input("desk-turns", 1, history))
    history += [{"id": "assistant-1", "role": "assistant", "content": "Yes, it is open."}, user(2, "Sure?")]
    events += await frames(agent, run_input("desk-turns", 2, history))
    history += [user(3, "Look again.")]
    events += await frames(agent, run_input("desk-turns", 3, history))
    keep("agent-framework-turns.thread", events)


async def main() -> None:
    for scenario in (tools, predicted_state, approval, turns):
        await scenario()


if __name__ == "__main__":
    asyncio.run(main())

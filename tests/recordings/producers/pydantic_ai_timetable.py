"""Records pydantic-ai: a timetable assistant whose model is a function, through the AG-UI adapter."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from ag_ui.core import CustomEvent, EventType, StateDeltaEvent, StateSnapshotEvent
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, RunContext, ToolReturn
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter

from recording import keep, run_input, user


class Journey(BaseModel):
    """The shared state: a journey under way."""

    stops: list[str] = []
    notes: dict[str, Any] = {}


def turns(*replies: list[Any]) -> FunctionModel:
    """Gives a model that answers its calls with these replies, in order."""
    remaining = iter(replies)

    async def answer(_messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Any]:
        for part in next(remaining):
            if isinstance(part, Exception):
                raise part
            yield part

    return FunctionModel(stream_function=answer)


def call(index: int, name: str, identifier: str, *arguments: str) -> list[dict[int, DeltaToolCall]]:
    """Gives one tool call whose arguments arrive in pieces."""
    opening = {index: DeltaToolCall(name=name, tool_call_id=identifier)}
    return [opening, *({index: DeltaToolCall(json_args=piece)} for piece in arguments)]


async def frames(agent: Agent[Any, Any], request: Any, **options: Any) -> list[str]:
    """Runs the agent once and gives the frames that its encoder wrote."""
    adapter = AGUIAdapter(agent=agent, run_input=request, accept=None, include_usage=True)
    return [frame async for frame in adapter.encode_stream(adapter.run_stream(**options))]


async def text() -> None:
    model = turns(["The next tram ", "to Zürich-Örlikon 🚋", " leaves at 08:05.\u2028Platform\t4 — “hurry”."])
    keep("pydantic-ai-text", await frames(Agent(model), run_input("timetable-text", 1, [user(1, "Next tram?")])))


async def tools() -> None:
    model = turns(
        [
            {0: DeltaThinkingPart(content="Two stops, ")},
            {0: DeltaThinkingPart(content="so two lookups.")},
            {0: DeltaThinkingPart(signature="c2lnbmVk")},
            *call(1, "departures", "call-a", '{"stop":', '"Central"}'),
            *call(2, "departures", "call-b", '{"stop":"Harbour"}'),
        ],
        ["From Central at 08:05, ", "from Harbour at 08:11."],
    )
    agent = Agent(model)

    @agent.tool_plain
    def departures(stop: str) -> dict[str, Any]:
        return {"stop": stop, "trams": [{"line": 7, "at": "08:05", "load": 0.5}], "next": None}

    keep("pydantic-ai-tools", await frames(agent, run_input("timetable-tools", 1, [user(1, "Central or Harbour?")])))


async def state() -> None:
    patches = [
        {"op": "add", "path": "/stops/-", "value": "Harbour"},
        {"op": "test", "path": "/stops/0", "value": "Central"},
        {"op": "replace", "path": "/stops/0", "value": "Central Station"},
        {"op": "copy", "from": "/stops/0", "path": "/notes/a~1b"},
        {"op": "move", "from": "/notes/a~1b", "path": "/notes/c~0d"},
        {"op": "add", "path": "/notes/ticket", "value": {"number": 9007199254740993, "seat": None}},
        {"op": "remove", "path": "/notes/c~0d"},
    ]
    model = turns(call(0, "plan", "call-plan", "{}"), call(0, "amend", "call-amend", "{}"), ["Planned."])
    agent = Agent(model, deps_type=StateDeps[Journey])

    @agent.tool
    def plan(context: RunContext[StateDeps[Journey]]) -> ToolReturn:
        context.deps.state.stops.append("Central")
        return ToolReturn(return_value="planned", metadata=[StateSnapshotEvent(snapshot=context.deps.state)])

    @agent.tool_plain
    def amend() -> ToolReturn:
        changes = [StateDeltaEvent(delta=[patch]) for patch in patches[:3]] + [StateDeltaEvent(delta=patches[3:])]
        done = CustomEvent(type=EventType.CUSTOM, name="journey.amended", value={"patches": len(patches)})
        return ToolReturn(return_value="amended", metadata=[*changes, done])

    request = run_input("timetable-state", 1, [user(1, "Plan it.")], state={"stops": [], "notes": {}})
    keep("pydantic-ai-state", await frames(agent, request, deps=StateDeps(Journey())))


async def failure() -> None:
    model = turns(["The tram is ", RuntimeError("the timetable service does not answer")])
    keep("pydantic-ai-error", await frames(Agent(model), run_input("timetable-error", 1, [user(1, "Where is it?")])))


async def interrupt() -> None:
    model = turns(
        ["I need your consent to pay. ", *call(1, "pay", "call-pay", '{"cents":', "420}")],
        ["Paid; your ticket is valid."],
        ["Until noon."],
    )
    agent = Agent(model, output_type=[str, DeferredToolRequests])

    @agent.tool_plain(requires_approval=True)
    def pay(cents: int) -> str:
        return f"paid {cents} cents"

    thread = "timetable-interrupt"
    called = {"id": "call-pay", "type": "function", "function": {"name": "pay", "arguments": '{"cents":420}'}}
    history: list[dict[str, Any]] = [user(1, "Buy a ticket.")]
    events = await frames(agent, run_input(thread, 1, history))
    history += [{"id": "assistant-1", "role": "assistant", "content": "I need your consent to pay. ", "toolCalls": [called]}]
    resume = [{"interruptId": interrupt_id(events), "status": "resolved", "payload": {"approved": True}}]
    events += await frames(agent, run_input(thread, 2, history, resume=resume))
    history += [
        {"id": "tool-1", "role": "tool", "toolCallId": "call-pay", "content": "paid 420 cents"},
        {"id": "assistant-2", "role": "assistant", "content": "Paid; your ticket is valid."},
        user(2, "Until when?"),
    ]
    events += await frames(agent, run_input(thread, 3, history))
    keep("pydantic-ai-interrupt.thread", events)


def interrupt_id(events: list[str]) -> str:
    """Gives the id of the one interrupt that the last frame reports."""
    return json.loads(events[-1].removeprefix("data: "))["outcome"]["interrupts"][0]["id"]


async def main() -> None:
    for scenario in (text, tools, state, failure, interrupt):
        await scenario()


if __name__ == "__main__":
    asyncio.run(main())

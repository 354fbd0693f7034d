"""Records strands: a garden assistant with a scripted model, wrapped by `ag_ui_strands`."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from ag_ui.encoder import EventEncoder
from ag_ui_strands import StrandsAgent, StrandsAgentConfig, ToolBehavior
from strands import Agent, tool
from strands.models import Model

from recording import keep, run_input, user


class ScriptedModel(Model):
    """Streams prepared replies: lists of text pieces and of tool calls, or a failure."""

    def __init__(self, *replies: list[Any]) -> None:
        self.replies = list(replies)

    def update_config(self, **_options: Any) -> None:
        """Takes no configuration."""

    def get_config(self) -> dict[str, Any]:
        return {"model_id": "scripted"}

    def structured_output(self, *_args: Any, **_options: Any) -> Any:
        raise NotImplementedError("only streaming is scripted")

    async def stream(self, *_args: Any, **_options: Any) -> AsyncIterator[Any]:
        reply = self.replies.pop(0)
        yield {"messageStart": {"role": "assistant"}}
        for block in reply:
            if isinstance(block, Exception):
                raise block
            start, deltas = block
            yield {"contentBlockStart": {"start": start}}
            for delta in deltas:
                yield {"contentBlockDelta": {"delta": delta}}
            yield {"contentBlockStop": {}}
        used = any(isinstance(block, tuple) and block[0] for block in reply)
        yield {"messageStop": {"stopReason": "tool_use" if used else "end_turn"}}
        yield {"metadata": {"usage": {"inputTokens": 12, "outputTokens": 5, "totalTokens": 17}, "metrics": {"latencyMs": 1}}}


def text(*pieces: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return {}, [{"text": piece} for piece in pieces]


def call(identifier: str, name: str, *arguments: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return {"toolUse": {"toolUseId": identifier, "name": name}}, [{"toolUse": {"input": piece}} for piece in arguments]


@tool
def water(bed: str, litres: float) -> dict[str, Any]:
    """Waters a bed.

    Args:
        bed: which bed
        litres: how much
    """
    if litres > 10:
        raise ValueError("the butt holds ten litres")
    return {"status": "success", "content": [{"json": {"bed": bed, "litres": litres, "rain": None}}]}


def assistant(*replies: list[Any], config: StrandsAgentConfig | None = None) -> StrandsAgent:
    agent = Agent(model=ScriptedModel(*replies), tools=[water], callback_handler=None)
    return StrandsAgent(agent=agent, name="garden", config=config)


async def frames(agent: StrandsAgent, request: Any) -> list[str]:
    return [EventEncoder().encode(event) async for event in agent.run(request)]


async def tools() -> None:
    async def watered(context: Any) -> dict[str, Any]:
        return {"watered": [context.tool_input]}

    config = StrandsAgentConfig(tool_behaviors={"water": ToolBehavior(state_from_args=watered)})
    agent = assistant(
        [
            text("Roses first; ", "then herbs."),
            call("call-1", "water", '{"bed": "roses",', ' "litres": 2.5}'),
            call("call-2", "water", '{"bed": "herbs", "litres": 99}'),
        ],
        [text("The roses are watered, ", "the herbs not.")],
        config=config,
    )
    request = run_input("garden-tools", 1, [user(1, "Water them.")], state={"watered": []})
    keep("strands-tools", await frames(agent, request))


async def failed_run() -> None:
    agent = assistant([text("All green. 🌱")], [text("Now "), RuntimeError("the sensor is dry")], [text("Better.")])
    history: list[dict[str, Any]] = [user(1, "How is it?")]
    events = await frames(agent, run_input("garden-failure", 1, history))
    history += [{"id": "assistant-1", "role": "assistant", "content": "All green. 🌱"}, user(2, "And now?")]
    events += await frames(agent, run_input("garden-failure", 2, history))
    history += [user(3, "Try again.")]
    events += await frames(agent, run_input("garden-failure", 3, history))
    keep("strands-failed-run.thread", events)


async def main() -> None:
    await tools()
    await failed_run()


if __name__ == "__main__":
    asyncio.run(main())

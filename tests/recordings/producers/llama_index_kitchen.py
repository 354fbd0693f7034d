"""Records llama-index: a kitchen assistant with a scripted model, through the package's own AG-UI router."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.workflow import Context
from llama_index.protocols.ag_ui.router import AGUIWorkflowRouter, get_default_workflow_factory

from recording import keep, run_input, user

Reply = list[str | ToolSelection | Exception]


class ScriptedModel(FunctionCallingLLM):
    """Streams prepared replies: text pieces, tool calls at the end, or a failure."""

    replies: list[Reply]

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, model_name="scripted")

    async def astream_chat_with_tools(self, *_args: Any, **_options: Any) -> AsyncIterator[ChatResponse]:
        return self._stream(self.replies.pop(0))

    async def _stream(self, reply: Reply) -> AsyncIterator[ChatResponse]:
        text, calls = "", [part for part in reply if isinstance(part, ToolSelection)]
        for part in reply:
            if isinstance(part, Exception):
                raise part
            piece = part if isinstance(part, str) else ""
            text += piece
            known = {"tool_calls": calls} if not piece else {}
            yield ChatResponse(message=ChatMessage(role="assistant", content=text, additional_kwargs=known), delta=piece)

    def get_tool_calls_from_response(self, response: ChatResponse, **_options: Any) -> list[ToolSelection]:
        return response.message.additional_kwargs.get("tool_calls", [])

    def _prepare_chat_with_tools(self, *_args: Any, **_options: Any) -> dict[str, Any]:
        raise NotImplementedError("only streaming is scripted")

    def _unused(self, *_args: Any, **_options: Any) -> Any:
        raise NotImplementedError("only streaming is scripted")

    chat = stream_chat = complete = stream_complete = _unused
    achat = astream_chat = acomplete = astream_complete = _unused


def call(identifier: str, name: str, **arguments: Any) -> ToolSelection:
    return ToolSelection(tool_id=identifier, tool_name=name, tool_kwargs=arguments)


async def weigh(context: Context, ingredient: str) -> str:
    """Weighs an ingredient and notes it in the shared state."""
    state = await context.store.get("state", default={})
    state.setdefault("weighed", []).append(ingredient)
    await context.store.set("state", state)
    return f"{ingredient}: 0.25 kg"


def boil(litres: float) -> str:
    """Boils water, which this kitchen cannot."""
    raise RuntimeError(f"no pot for {litres} litres")


async def frames(model: ScriptedModel, request: Any) -> list[str]:
    """Sends one request to the package's router and gives the frames of its answer."""
    factory = get_default_workflow_factory(llm=model, backend_tools=[weigh, boil], initial_state={"weighed": []})
    response = await AGUIWorkflowRouter(factory).run(request)
    kept: list[str] = []
    try:
        async for frame in response.body_iterator:
            kept.append(str(frame))
    except RuntimeError as error:  # the router reports a failure as RUN_ERROR and then raises it too
        print(f"  the run failed, as scripted: {error}")
    return kept


async def tools() -> None:
    replies: list[Reply] = [
        ["Let me ", "weigh.", call("call-1", "weigh", ingredient="flour"), call("call-2", "boil", litres=2.5)],
        ["Flour weighs 0.25 kg; ", "the water must wait."],
    ]
    request = run_input("kitchen-tools", 1, [user(1, "Flour and water?")], state=None)
    keep("llama-index-tools", await frames(ScriptedModel(replies=replies), request))


async def failed_run() -> None:
    model = ScriptedModel(
        replies=[
            ["Salt, ", "or sugar?"],
            ["Then I ", RuntimeError("the stove is off")],
            [call("call-3", "weigh", ingredient="salt")],
            ["Weighed: ½ of it."],
        ]
    )
    history: list[dict[str, Any]] = [user(1, "What next?")]
    events = await frames(model, run_input("kitchen-failure", 1, history, state={"weighed": []}))
    history += [{"id": "assistant-1", "role": "assistant", "content": "Salt, or sugar?"}, user(2, "Salt.")]
    events += await frames(model, run_input("kitchen-failure", 2, history, state={"weighed": []}))
    history += [user(3, "Once more: salt.")]
    events += await frames(model, run_input("kitchen-failure", 3, history, state={"weighed": []}))
    keep("llama-index-failed-run.thread", events)


async def main() -> None:
    await tools()
    await failed_run()


if __name__ == "__main__":
    asyncio.run(main())

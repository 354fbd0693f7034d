"""Records LangGraph: graphs with scripted chat models, wrapped by `ag_ui_langgraph`."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from ag_ui.encoder import EventEncoder
from ag_ui_langgraph import LangGraphAgent
from langchain.agents import create_agent
from langchain_core.callbacks.manager import adispatch_custom_event
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, AnyMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from typing_extensions import TypedDict

from recording import keep, run_input, user


class ScriptedModel(BaseChatModel):
    """Streams prepared replies: text, content blocks, tool call pieces, or a failure."""

    replies: list[list[Any]]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, *_args: Any, **_options: Any) -> "ScriptedModel":
        return self

    def _generate(self, *_args: Any, **_options: Any) -> ChatResult:
        raise NotImplementedError("only streaming is scripted")

    async def _astream(self, *_args: Any, **_options: Any) -> AsyncIterator[ChatGenerationChunk]:
        for part in self.replies.pop(0):
            if isinstance(part, Exception):
                raise part
            is_call = isinstance(part, dict)
            chunk = AIMessageChunk(content="", tool_call_chunks=[part]) if is_call else AIMessageChunk(content=part)
            yield ChatGenerationChunk(message=chunk)


def call(index: int, identifier: str, name: str, *arguments: str) -> list[dict[str, Any]]:
    """Gives one tool call whose arguments arrive in pieces, after its name."""
    opening = {"index": index, "id": identifier, "name": name, "args": ""}
    return [opening, *({"index": index, "id": None, "name": None, "args": piece} for piece in arguments)]


class Picture(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    layers: list[str]
    progress: float


async def frames(agent: LangGraphAgent, request: Any) -> list[str]:
    kept = []
    try:
        async for event in agent.clone().run(request):
            kept.append(EventEncoder().encode(event))
    except RuntimeError as error:  # the package reports a failure as RUN_ERROR and may raise it too
        print(f"  the run failed, as scripted: {error}")
    return kept


async def steps() -> None:
    model = ScriptedModel(
        replies=[[[{"type": "thinking", "thinking": "Sky "}], [{"type": "thinking", "thinking": "first."}], "Painting ", "the sky."]]
    )

    async def sketch(_state: Picture) -> dict[str, Any]:
        await adispatch_custom_event("studio.opened", {"easel": 3, "light": None})
        return {"layers": ["sketch"], "progress": 0.25}

    async def paint(state: Picture) -> dict[str, Any]:
        await adispatch_custom_event("manually_emit_state", {**state, "progress": 0.5})
        return {"messages": [await model.ainvoke(state["messages"])], "layers": [*state["layers"], "sky"]}

    async def frame(state: Picture) -> dict[str, Any]:
        await adispatch_custom_event("manually_emit_message", {"message_id": "framed", "message": "Framed.", "role": "assistant"})
        return {"layers": [*state["layers"], "frame"], "progress": 1.0}

    graph = StateGraph(Picture).add_sequence([sketch, paint, frame])
    graph = graph.add_edge(START, "sketch").add_edge("frame", END).compile(checkpointer=MemorySaver())
    agent = LangGraphAgent(name="studio", graph=graph, emit_raw_events=False)
    keep("langgraph-steps", await frames(agent, run_input("studio-steps", 1, [user(1, "Paint!")])))


@tool
def mix(colour: str) -> str:
    """Mixes a colour."""
    return f"{colour}, mixed"


async def subagents() -> None:
    painter = create_agent(
        ScriptedModel(replies=[["I mix. ", *call(0, "call-mix", "mix", '{"colour":', '"teal"}')], ["Teal ", "is ready."]]),
        tools=[mix],
        name="painter",
    )

    @tool
    async def task(description: str, subagent_type: str) -> str:
        """Hands a piece of work to a subagent."""
        result = await painter.ainvoke({"messages": [{"role": "user", "content": description}]})
        return result["messages"][-1].text

    director = create_agent(
        ScriptedModel(
            replies=[
                ["The painter ", "shall.", *call(0, "call-task", "task", '{"description":"teal",', '"subagent_type":"painter"}')],
                ["We have teal."],
            ]
        ),
        tools=[task],
        name="director",
        checkpointer=MemorySaver(),
    )
    agent = LangGraphAgent(name="studio", graph=director, emit_raw_events=False, subagent_visibility="attributed")
    keep("langgraph-subagents", await frames(agent, run_input("studio-subagents", 1, [user(1, "I need teal.")])))


async def interrupts() -> None:
    model = ScriptedModel(replies=[["Which ", "frame?"], ["Oak it is."], ["Wait, ", RuntimeError("out of oak")], ["Ash, then."]])

    async def answer(state: Picture) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    async def choose(state: Picture) -> dict[str, Any]:
        if "frame" in state.get("layers", []):
            return {}
        chosen = interrupt({"question": "Which frame?", "choices": ["oak", "ash"]})
        return {"layers": ["frame", str(chosen)]}

    graph = StateGraph(Picture).add_node(answer).add_node(choose).add_edge(START, "answer")
    graph.add_conditional_edges("answer", lambda state: END if state.get("layers") else "choose", ["choose", END])
    graph.add_edge("choose", "answer")
    compiled = graph.compile(checkpointer=MemorySaver())
    agent = LangGraphAgent(name="studio", graph=compiled, emit_raw_events=False, emit_interrupt_outcome=True)

    thread, history = "studio-interrupts", [user(1, "Frame it.")]
    events = await frames(agent, run_input(thread, 1, history))
    snapshot = await compiled.aget_state({"configurable": {"thread_id": thread}})
    resume = [{"interruptId": snapshot.tasks[0].interrupts[0].id, "status": "resolved", "payload": "oak"}]
    events += await frames(agent, run_input(thread, 2, history, resume=resume))
    for number, text in ((3, "Start."), (4, "And now?")):
        snapshot = await compiled.aget_state({"configurable": {"thread_id": thread}})
        known = [as_sent(message) for message in snapshot.values["messages"]]
        events += await frames(agent, run_input(thread, number, [*known, user(number, text)]))
    keep("langgraph-interrupts.thread", events)


def as_sent(message: AnyMessage) -> dict[str, Any]:
    """Gives a message of the graph as a client would send it back."""
    role = "user" if message.type == "human" else "assistant"
    return {"id": message.id, "role": role, "content": message.text}


async def main() -> None:
    for scenario in (steps, subagents, interrupts):
        await scenario()


if __name__ == "__main__":
    asyncio.run(main())

"""Makes the samples of `tests/samples/agent-framework-python/` with the package, and says what a saved session says.

    run samples.py write FOLDER     writes one file per sample, as the package saves it
    run samples.py tell <SESSIONS   restores sessions with the package, and prints what they say as plain data
    run samples.py again <SESSIONS  restores sessions with the package, and saves them again

Each line of the input is a JSON string that holds a session, and so is each line that `again` prints.
"""

import asyncio
import json
import sys
import warnings
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

warnings.simplefilter("ignore")  # the package warns of what it calls experimental

from agent_framework import (  # noqa: E402
    AgentSession,
    Content,
    FileSessionStore,
    InMemoryHistoryProvider,
    Message,
    register_state_type,
)

PICTURE = bytes.fromhex("89504e470d0a1a0a")


class Cart:
    """A state type of an application, which the package writes with its `type`."""

    def __init__(self, items: list[dict[str, Any]]) -> None:
        self.items = items

    def to_dict(self) -> dict[str, Any]:
        return {"items": self.items}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> "Cart":
        return cls(value["items"])


register_state_type(Cart, type_id="shop.cart")


def say(role: str, *contents: Any, **members: Any) -> Message:
    return Message(role, list(contents), **members)


def plain() -> list[Message]:
    return [
        say("system", Content.from_text("You help with travel.")),
        say("user", Content.from_text("Where is it warm in March?"), author_name="ana", message_id="message-1"),
        say("assistant", Content.from_text("In Seville."), author_name="Guide", additional_properties={"rating": None}),
        say("user"),
        say("moderator", Content.from_text("")),
    ]


def unicode() -> list[Message]:
    text = "<b>&\"quotes\"</b> + café 你好 🎉 \u2028 \u0000 \x7f e\u0301"
    return [say("user", Content.from_text(text), author_name="Zoë"), say("assistant", Content.from_text("🏳️‍🌈"))]


def tools() -> list[Message]:
    call, result = Content.from_function_call, Content.from_function_result
    return [
        say(
            "assistant",
            call("call-1", "forecast", arguments='{"city": "Seville"}'),
            call("call-2", "forecast", arguments={"city": "Oslo", "days": [1, 2.5, None]}, id="fc-2", status="completed"),
            call("call-3", "clock", arguments='{"unfinished": ', exception="ValueError: no JSON"),
            call("call-4", "hosted", hosted=True, server_name="tools", informational_only=True),
        ),
        say("tool", result("call-1", result="sunny")),
        say("tool", result("call-2", result={"sky": "clear", "snow": None}, id="fc-2")),
        say("tool", result("call-3", exception="ValueError: no JSON"), result("call-4", result=None)),
        say(
            "tool",
            result("call-5", result=[Content.from_text("a"), Content.from_data(PICTURE, "image/png")]),
        ),
    ]


def media() -> list[Message]:
    return [
        say(
            "user",
            Content.from_text("what is this?", additional_properties={"lang": "en"}),
            Content.from_data(PICTURE, "image/png"),
            Content.from_data(b"words", "text/plain"),
            Content.from_uri("https://example.org/a.png", media_type="image/png"),
            Content.from_hosted_file("file-1", media_type="application/pdf", name="a.pdf"),
            Content.from_hosted_vector_store("store-1"),
        )
    ]


def contents() -> list[Message]:
    """What no other sample has, so that every type of content is in one."""
    region = {"type": "text_span", "start_index": 4, "end_index": 7}
    citation = {"type": "citation", "title": "Report", "url": "https://example.org", "annotated_regions": [region]}
    check = {"id": "check-1", "code": "url", "message": "unknown site"}
    return [
        say(
            "assistant",
            Content.from_text_reasoning(text="First the season.", protected_data="c2ln", id="reasoning-1"),
            Content.from_text_reasoning(protected_data="c2ln"),
            Content.from_text("See [1].", annotations=[citation, {**citation, "file_id": "file-1", "snippet": "warm"}]),
            Content.from_error(message="partial", error_code="E1", error_details="cut off"),
            Content.from_usage({"input_token_count": 2**53 + 1, "output_token_count": 0, "vendor.x": 3}),
            Content.from_code_interpreter_tool_call(call_id="call-1", inputs=[Content.from_text("print('hi')")]),
            Content.from_code_interpreter_tool_result(call_id="call-1", outputs=[Content.from_text("hi")]),
            Content.from_image_generation_tool_call(image_id="image-1"),
            Content.from_image_generation_tool_result(image_id="image-1", outputs=Content.from_data(PICTURE, "image/png")),
            Content.from_mcp_server_tool_call("call-2", "find", server_name="web", arguments={"q": "x"}),
            Content.from_mcp_server_tool_result("call-2", output=[Content.from_text("found")]),
            Content.from_search_tool_call("call-3", tool_name="search", arguments='{"q": "x"}', status="completed"),
            Content.from_search_tool_result("call-3", tool_name="search", result={"hits": 1}, items=[Content.from_text("hit")]),
            Content.from_shell_tool_call(call_id="call-4", commands=["ls"], timeout_ms=1000, max_output_length=10),
            Content.from_shell_tool_result(
                call_id="call-4", outputs=[Content.from_shell_command_output(stdout="a", stderr="", exit_code=0, timed_out=False)]
            ),
            Content.from_computer_tool_call(
                id="use-1", call_id="call-5", actions=[{"type": "click", "x": 1, "y": 2}], pending_safety_checks=[check]
            ),
            Content.from_computer_tool_result(call_id="call-5", screenshot=Content.from_data(PICTURE, "image/png")),
            Content.from_oauth_consent_request("https://example.org/consent"),
        )
    ]


def approval() -> list[Message]:
    call = Content.from_function_call("call-1", "remove", arguments='{"path":"/x"}', id="fc-1")
    old = Content.from_function_call("call-0", "remove", arguments={"path": "/y"}, id="fc-0")
    return [
        say("user", Content.from_function_approval_response(False, "fc-0", old)),
        say("assistant", Content.from_text("May I? "), call, Content.from_function_approval_request("fc-1", call)),
    ]


async def holding(session: AgentSession, messages: list[Message]) -> AgentSession:
    """Has the package's own provider keep a history in a session."""
    provider = InMemoryHistoryProvider()
    state = session.state.setdefault(provider.source_id, {})
    await provider.save_messages(session.session_id, messages, state=state)
    return session


async def sessions() -> dict[str, AgentSession]:
    histories = {sample.__name__: sample() for sample in (plain, unicode, tools, media, contents, approval)}
    made = {f"session-{name}": await holding(AgentSession(session_id=name), messages) for name, messages in histories.items()}
    made["session-empty"] = AgentSession(session_id="empty")
    made["session-of-service"] = AgentSession(session_id="service", service_session_id="conversation-1")
    parts = {"id": "thread-1", "agent": "guide"}
    made["session-of-service-in-parts"] = AgentSession(session_id="parts", service_session_id=parts)
    own = AgentSession(session_id="own")
    own.state["cart"] = Cart([{"sku": "S1", "qty": 1}])
    own.state["numbers"] = [2**53 + 1, 10**30, 1.0, 0.1, 5e-324, 1e308, -0.0]
    own.state.update({"nothing": None, "flag": True, "text": "ü", "$type": "dollar"})
    made["session-of-application"] = await holding(own, [Message("user", [Content.from_text("x")])])
    return made


def save(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")


async def write(folder: Path) -> None:
    """Writes each sample as the package makes it, one as its file store saves it, and lists."""
    folder.mkdir(parents=True, exist_ok=True)
    made = await sessions()
    for name, session in made.items():
        save(folder / f"{name}.json", session.to_dict())
    with TemporaryDirectory() as store:
        await FileSessionStore(store).set("plain", made["session-plain"])
        (saved,) = Path(store).rglob("*.json")
        (folder / "session-from-store.json").write_bytes(saved.read_bytes() + b"\n")
    save(folder / "sessions.json", [made[name].to_dict() for name in ("session-empty", "session-of-service")])
    save(folder / "messages.json", [message.to_dict() for message in plain()])


def tell(text: str) -> list[Any]:
    """What each message of a session says: its role, its author and, for each content, its kind and what it holds."""
    session = AgentSession.from_dict(json.loads(text))
    messages = session.state[InMemoryHistoryProvider().source_id]["messages"]
    return [[message.role, message.author_name, [told(content) for content in message.contents]] for message in messages]


def again(text: str) -> str:
    return json.dumps(AgentSession.from_dict(json.loads(text)).to_dict())


def told(content: Content) -> list[Any]:
    match content.type:
        case "text":
            return ["text", content.text]
        case "text_reasoning":
            return ["reasoning", content.text]
        case "function_call":
            return ["call", content.call_id, content.name, content.arguments]
        case "function_result":
            return ["result", content.call_id, content.result]
        case "data":
            return ["media", None, b64decode(content.uri.partition(",")[2]).hex()]
        case "uri":
            return ["media", content.uri, ""]
        case "hosted_file":
            return ["file", content.file_id]
        case kind:
            return [kind]


def main() -> None:
    match sys.argv[1:]:
        case ["write", folder]:
            asyncio.run(write(Path(folder)))
        case ["tell" | "again" as verb]:
            for line in sys.stdin:
                print(json.dumps(tell(json.loads(line)) if verb == "tell" else again(json.loads(line))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()

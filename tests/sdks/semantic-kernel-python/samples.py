"""Makes the samples of `tests/samples/semantic-kernel-python/` with the package, and says what a saved chat says.

    run samples.py write FOLDER     writes one file per sample, as the package saves it
    run samples.py tell <CHATS      restores chats with the package, and prints what they say as plain data
    run samples.py again <CHATS     restores chats with the package, and saves them again

Each line of the input is a JSON string that holds a chat, and so is each line that `again` prints.
"""

import json
import sys
from pathlib import Path
from typing import Any

from semantic_kernel.contents import (
    AnnotationContent,
    AudioContent,
    ChatHistory,
    ChatMessageContent,
    FileReferenceContent,
    FunctionCallContent,
    FunctionResultContent,
    ImageContent,
    ReasoningContent,
    StreamingAnnotationContent,
    StreamingFileReferenceContent,
    TextContent,
)
from semantic_kernel.contents.binary_content import BinaryContent

PICTURE = bytes.fromhex("89504e470d0a1a0a")


def say(role: str, *items: Any, **members: Any) -> ChatMessageContent:
    return ChatMessageContent(role=role, items=list(items), **members)


def plain() -> list[ChatMessageContent]:
    return [
        say("system", TextContent(text="You help with travel.")),
        say("user", TextContent(text="Where is it warm in March?"), name="ana"),
        say("assistant", TextContent(text="In Seville."), name="Guide", ai_model_id="model-1"),
        say("user"),
        say("developer", TextContent(text="")),
    ]


def unicode() -> list[ChatMessageContent]:
    text = "<b>&\"quotes\"</b> + café 你好 🎉 \u2028 \u0000 \x7f e\u0301"
    return [say("user", TextContent(text=text), name="Zoë"), say("assistant", TextContent(text="🏳️‍🌈"))]


def media() -> list[ChatMessageContent]:
    encoded = {"data": PICTURE, "data_format": "base64"}
    return [
        say(
            "user",
            ImageContent(uri="https://example.org/a.png"),
            ImageContent(mime_type="image/png", **encoded),
            ImageContent(uri="https://example.org/b.png", mime_type="image/png", **encoded),
            ImageContent(data_uri="data:image/png;name=picture;base64,iVBORw0KGgo="),
            AudioContent(mime_type="audio/wav", **encoded),
            BinaryContent(mime_type="application/octet-stream", **encoded),
            BinaryContent(data="words", mime_type="text/plain"),
            TextContent(text="what is this?", encoding="utf-8"),
            encoding="utf-8",
        )
    ]


def tools() -> list[ChatMessageContent]:
    forecast = {"plugin_name": "weather", "function_name": "forecast"}
    return [
        say(
            "assistant",
            FunctionCallContent(id="call-1", index=0, arguments='{"city": "Seville"}', **forecast),
            FunctionCallContent(id="call-2", call_id="fc-2", arguments={"city": "Oslo", "days": [1, 2.5, None]}, **forecast),
            FunctionCallContent(id="call-3", name="clock", arguments='{"unfinished": '),
            finish_reason="tool_calls",
            status="completed",
        ),
        say("tool", FunctionResultContent(id="call-1", result="sunny", **forecast)),
        say("tool", FunctionResultContent(id="call-2", call_id="fc-2", result={"sky": "clear", "snow": None}, **forecast)),
        say("tool", FunctionResultContent(id="call-3", function_name="clock", encoding="utf-8")),
        say("assistant", TextContent(text="Sunny."), finish_reason="stop"),
    ]


def references() -> list[ChatMessageContent]:
    return [
        say("user", FileReferenceContent(file_id="file-1", tools=["search", {"type": "code"}], data_source={"kind": "upload"})),
        say(
            "assistant",
            TextContent(text="See [1] and [2]."),
            AnnotationContent(
                citation_type="file_citation", file_id="file-1", quote="[1]", start_index=4, end_index=7, title="Report"
            ),
            AnnotationContent(citation_type="url_citation", url="https://example.org", start_index=12, end_index=15),
            AnnotationContent(
                citation_type="container_file_citation", file_id="file-2", container_id="box-1", filename="plot.png"
            ),
            AnnotationContent(quote="[2]"),
            StreamingAnnotationContent(citation_type="file_path", file_id="file-3"),
            StreamingFileReferenceContent(file_id="file-4"),
        ),
    ]


def reasoning() -> list[ChatMessageContent]:
    return [
        say(
            "assistant",
            ReasoningContent(text="First the season, then the place.", metadata={"signature": "c2ln"}),
            ReasoningContent(),
            TextContent(text="Go in spring."),
            status="incomplete",
            finish_reason="length",
        )
    ]


def numbers() -> list[ChatMessageContent]:
    values = {"big": 2**53 + 1, "bigger": 10**30, "one": 1.0, "small": 5e-324, "large": 1e308, "minus": -0.0, "none": None}
    return [
        say(
            "assistant",
            FunctionCallContent(id="call-1", name="add", arguments=values),
            metadata={"usage": {"total": 18446744073709551616}, "rates": [0.1, 1e21]},
        )
    ]


SAMPLES = [plain, unicode, media, tools, references, reasoning, numbers]


def write(folder: Path) -> None:
    """Writes each sample as the package saves it; one too as it dumps its models, with every null."""
    folder.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        chat = ChatHistory(messages=sample())
        (folder / f"{sample.__name__}.json").write_text(chat.serialize() + "\n", encoding="utf-8")
    dumped = ChatHistory(messages=references()).model_dump_json()
    (folder / "references-with-nulls.json").write_text(dumped + "\n", encoding="utf-8")


def tell(text: str) -> list[Any]:
    """What each message says: its role, its author and, for each item, its kind and what it holds."""
    chat = ChatHistory.restore_chat_history(text)
    return [[message.role.value, message.name, [told(item) for item in message.items]] for message in chat.messages]


def again(text: str) -> str:
    return ChatHistory.restore_chat_history(text).serialize()


def told(item: Any) -> list[Any]:
    match item:
        case TextContent():
            return ["text", item.text]
        case ReasoningContent():
            return ["reasoning", item.text]
        case FunctionCallContent():
            return ["call", item.id, item.name, item.arguments]
        case FunctionResultContent():
            return ["result", item.id, item.result]
        case BinaryContent():
            return ["media", str(item.uri) if item.uri else None, item.data.hex()]
        case FileReferenceContent():
            return ["file", item.file_id]
        case _:
            return [type(item).__name__]


def main() -> None:
    match sys.argv[1:]:
        case ["write", folder]:
            write(Path(folder))
        case ["tell" | "again" as verb]:
            for line in sys.stdin:
                print(json.dumps(tell(json.loads(line)) if verb == "tell" else again(json.loads(line))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()

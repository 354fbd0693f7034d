"""What a program does with the models, beside reading and writing."""

import copy
import pickle
import threading
import unittest
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from chatstate import (
    AssistantMessage,
    ChatMessage,
    ChatState,
    Event,
    EventStream,
    Rejection,
    RunStartedEvent,
    StateSnapshotEvent,
    StepStartedEvent,
    TextContent,
    TextMessageContentEvent,
    UnknownEvent,
    canonicalize,
)
from chatstate._runtime.model import Readable
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError


def nested(levels: int) -> list[Any]:
    """Gives an array within an array, and so on."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def rejection_of(call: Callable[[], object]) -> tuple[str, str, str] | None:
    """Gives the class, the rule and the place of a rejection, or nothing."""
    try:
        call()
    except Rejection as rejected:
        return rejected.category, rejected.rule, rejected.at
    return None


class Making(unittest.TestCase):
    """Models that a program makes."""

    def test_constants_are_filled_in(self) -> None:
        """A tag need not be given, and no other one is taken."""
        event = StepStartedEvent(step_name="plan")
        self.assertEqual(event.to_json(), '{"type":"STEP_STARTED","stepName":"plan"}')
        with self.assertRaises(ValidationError):
            StepStartedEvent.model_validate({"type": "STEP_FINISHED", "stepName": "plan"})

    def test_constants_are_not_filled_in_for_documents(self) -> None:
        """A document without its tag is rejected."""
        with self.assertRaises(Rejection) as rejected:
            StepStartedEvent.from_json('{"stepName":"plan"}')
        self.assertEqual(rejected.exception.at, "/type")

    def test_none_is_absent(self) -> None:
        """None takes a member away that is never null."""
        event = StepStartedEvent(step_name="plan", timestamp=None)
        self.assertNotIn("timestamp", event.to_json())
        event.timestamp = 3
        self.assertIn('"timestamp":3', event.to_json())
        event.timestamp = None
        self.assertNotIn("timestamp", event.to_json())
        copied = event.model_copy(update={"timestamp": None})
        self.assertNotIn("timestamp", copied.to_json())

    def test_null_is_written_where_it_is_a_value(self) -> None:
        """The text of a content item may be null."""
        self.assertEqual(TextContent(text=None).to_json(), '{"type":"text","text":null}')
        snapshot = StateSnapshotEvent(snapshot=None)
        self.assertEqual(snapshot.to_json(), '{"type":"STATE_SNAPSHOT","snapshot":null}')

    def test_nothing_is_converted(self) -> None:
        """A text is no integer."""
        with self.assertRaises(ValidationError):
            StepStartedEvent.model_validate({"stepName": "plan", "timestamp": "3"})

    def test_a_union_is_not_made(self) -> None:
        """The message names the variants."""
        with self.assertRaisesRegex(TypeError, "RunStartedEvent"):
            Event()

    def test_an_unknown_arm_has_no_known_tag(self) -> None:
        """It would be read as another type."""
        with self.assertRaises(ValidationError):
            UnknownEvent(type="STEP_STARTED")

    def test_further_members(self) -> None:
        """They come after those that the schema names."""
        event = UnknownEvent.model_validate({"type": "NEW", "from": [1]})
        self.assertEqual(event.to_json(), '{"type":"NEW","from":[1]}')
        self.assertEqual(event.model_extra, {"from": [1]})

    def test_models_within_open_data(self) -> None:
        """A state may be a model of the program."""
        snapshot = StateSnapshotEvent(snapshot={"last": StepStartedEvent(step_name="plan")})
        self.assertIn('{"last":{"type":"STEP_STARTED"', snapshot.to_json())

    def test_what_is_no_json_is_rejected(self) -> None:
        """Nothing is written instead."""
        for value in (object(), float("nan"), Decimal("NaN"), {1, 2}):
            with self.subTest(repr(value)), self.assertRaises((TypeError, ValueError)):
                StateSnapshotEvent(snapshot=[value]).to_json()

    def test_half_a_character_stays_at_an_end_of_a_delta(self) -> None:
        """It is written as its escape, and rejected elsewhere."""
        event = TextMessageContentEvent(message_id="m", delta="\ud83d")
        self.assertIn('"delta":"\\ud83d"', event.to_json())
        for wrong in (
            TextMessageContentEvent(message_id="\ud83d", delta="a"),
            TextMessageContentEvent(message_id="m", delta="a\ud83db"),
        ):
            with self.assertRaises(Rejection):
                wrong.to_json()


class Changing(unittest.TestCase):
    """Models that a program changes."""

    def test_assignments_are_checked(self) -> None:
        """What does not fit is rejected with its place, and changes nothing."""
        started = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}'
        cases: list[tuple[type[BaseModel], str, str, object, str]] = [
            (RunStartedEvent, started, "run_id", 1, "run_id"),
            (RunStartedEvent, started, "run_id", None, "run_id"),
            (RunStartedEvent, started, "type", "RUN_FINISHED", "type"),
            (RunStartedEvent, started, "timestamp", 0.5, "timestamp.[plain]"),
            (RunStartedEvent, started, "input", {"threadId": "t"}, "input.runId"),
            (ChatState, '{"history":[],"channels":[]}', "history", [3], "history.0"),
            (UnknownEvent, '{"type":"NEW"}', "type", "RUN_STARTED", "type"),
            (EventStream, "[]", "root", {}, ""),
        ]
        for kind, text, name, value, place in cases:
            with self.subTest(f"{kind.__name__}.{name} = {value!r}"):
                model = kind.from_json(text)  # type: ignore[attr-defined]
                with self.assertRaises(ValidationError) as rejected:
                    setattr(model, name, value)
                found = ".".join(map(str, rejected.exception.errors()[0]["loc"]))
                self.assertEqual((found, model.to_json()), (place, text))

    def test_what_a_program_has_frozen_is_not_assigned(self) -> None:
        """Of a class of its own, a program may forbid all assignments."""

        class Kept(ChatMessage):
            """A message that stays as it is."""

            model_config = ConfigDict(frozen=True)

        message = Kept.from_json('{"role":"user","items":[]}')
        for name in ("role", "colour"):
            with self.assertRaises(ValidationError):
                setattr(message, name, "tool")

    def test_what_is_assigned_is_written(self) -> None:
        """A value such as `parse` gives becomes a model, and further members are kept."""
        message = ChatMessage(role="user", items=[])
        setattr(message, "items", [{"type": "text", "text": None}])
        setattr(message, "colour", ["red"])
        self.assertIsInstance(message.items[0], TextContent)
        written = '{"role":"user","items":[{"type":"text","text":null}],"colour":["red"]}'
        self.assertEqual(message.to_json(), written)

    def test_a_made_value_is_validated_as_its_document_is_read(self) -> None:
        """A change inside of a list or dict is found, and so is what a rule beside the schema says."""
        unchanged = ChatMessage(role="user", items=[TextContent(text="a")])
        changed = unchanged.model_copy(deep=True)
        changed.items.append(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        past_the_checks = unchanged.model_copy(deep=True)
        vars(past_the_checks.items[0])["text"] = 7
        state = ChatState(history=[changed], channels=[])
        other_version = ChatState(history=[], channels=[])
        other_version.schema_version = "9"
        further = UnknownEvent.model_validate({"type": "NEW", "validate": 1})
        tag_alone = StepStartedEvent.model_construct(type="STEP_STARTED")
        halved = TextMessageContentEvent(message_id="\ud83d", delta="a")
        alike = StateSnapshotEvent(snapshot={1: 1, "1": 1})
        circle = StateSnapshotEvent(snapshot={})
        circle.snapshot["inside"] = circle
        exact = StateSnapshotEvent(snapshot=[Decimal("1.5"), nested(5000)])
        far = StateSnapshotEvent(snapshot=[nested(5000), "\ud83d"])
        cases: list[tuple[str, Readable, tuple[str, str, str] | None]] = [
            ("an unchanged value", unchanged, None),
            ("a list that was added to", changed, ("schema", "type", "/items/1")),
            ("the same, further out", state, ("schema", "type", "/history/0/items/1")),
            ("a member past the checks", past_the_checks, ("schema", "type", "/items/0/text")),
            ("a version", other_version, ("version", "version.unspoken", "/schemaVersion")),
            ("an unknown variant", further, None),
            ("a known variant as unknown", UnknownEvent.model_construct(type="RAW"), ("schema", "not", "/type")),
            ("nothing", StepStartedEvent.model_construct(), ("schema", "required", "/type")),
            ("a tag alone", EventStream([tag_alone]), ("schema", "required", "/0/stepName")),
            ("half a character", halved, ("syntax", "unpaired-surrogate", "/messageId")),
            ("names that are written alike", alike, ("syntax", "duplicate-member", "/snapshot/1")),
            ("512 levels", StateSnapshotEvent(snapshot=nested(511)), None),
            ("513 levels", StateSnapshotEvent(snapshot=nested(512)), ("limit", "depth", "")),
            ("more than Python calls", StateSnapshotEvent(snapshot=nested(5000)), ("limit", "depth", "")),
            ("a value within itself", circle, ("limit", "depth", "")),
            ("exact numbers far inside", exact, ("limit", "depth", "")),
            ("half a character far inside", far, ("limit", "depth", "")),
        ]
        for name, value, expected in cases:
            with self.subTest(name):
                self.check(value, expected)

    def check(self, value: Readable, expected: tuple[str, str, str] | None) -> None:
        """Holds what `validate` and the writers say against what is expected, more than once."""
        for call in (value.validate, value.to_json, value.model_dump_json, value.to_json):
            self.assertEqual(rejection_of(call), expected)

    def test_what_was_written_is_validated_when_it_has_changed(self) -> None:
        """A document is read again where its text is another one, however it has become so."""
        text = '{"role":"user","items":[{"type":"text","text":"a"}]}'
        for message in (ChatMessage.from_json(text), ChatMessage.from_json(text.encode())):
            for copied in (message, copy.copy(message), pickle.loads(pickle.dumps(message))):
                self.assertEqual(copied.to_json(), text)
                vars(copied)["items"] = [3]
                self.assertEqual(rejection_of(copied.to_json), ("schema", "type", "/items/0"))
                vars(copied)["items"] = [TextContent(text="a")]
                self.assertEqual(copied.to_json(), text)

    def test_what_is_no_json_is_not_validated(self) -> None:
        """It has no document; the error is that of the writer."""
        for wrong in (object(), float("nan"), Decimal("NaN"), {1, 2}, {(): 1}):
            value = StateSnapshotEvent(snapshot=[wrong])
            with self.subTest(repr(wrong)):
                with self.assertRaises((TypeError, ValueError)) as of_writer:
                    value.to_json()
                with self.assertRaises(type(of_writer.exception)) as of_validate:
                    value.validate()
                self.assertEqual(str(of_validate.exception), str(of_writer.exception))

    def test_what_is_not_there_yet_is_not_validated(self) -> None:
        """Pydantic has a method of this name that reads."""
        with self.assertRaisesRegex(TypeError, "model_validate"):
            ChatMessage.validate({"role": "user", "items": []})  # type: ignore[arg-type]  # pyright: ignore


class Reading(unittest.TestCase):
    """Models that come from documents."""

    def test_numbers_keep_their_value(self) -> None:
        """Decimals and long integers come back digit for digit."""
        text = '{"type":"STATE_SNAPSHOT","snapshot":[0.1,1e400,9007199254740993,0.12345678901234567890]}'
        event = StateSnapshotEvent.from_json(text)
        self.assertEqual(event.snapshot[0], 0.1)
        self.assertIsInstance(event.snapshot[3], Decimal)
        self.assertTrue(canonicalize(event.to_json()) == canonicalize(text))

    def test_other_classes_of_the_same_name(self) -> None:
        """A program may have a class `ChatMessage` of its own."""

        class ChatMessage:  # pyright: ignore[reportUnusedClass]
            """A class of the program."""

        state = ChatState.from_json('{"history":[{"role":"user","items":[]}],"channels":[]}')
        self.assertEqual(type(state.history[0]).__module__, "chatstate.generated.models")

    def test_subclasses_of_a_program(self) -> None:
        """A program may add members and methods to a class."""

        class Shown(RunStartedEvent):
            """An event with a colour."""

            colour: str = "red"

        shown = Shown.from_json('{"type":"RUN_STARTED","threadId":"t","runId":"r","colour":"blue"}')
        self.assertEqual((shown.colour, shown.run_id), ("blue", "r"))
        self.assertIn('"colour":"blue"', EventStream([shown]).to_json())

    def test_a_list_is_the_root_of_its_document(self) -> None:
        """A stream can be gone through and added to."""
        stream = EventStream.from_json('[{"type":"NEW"},{"type":"STEP_STARTED","stepName":"a"}]')
        names = [type(event).__name__ for event in stream.root]
        self.assertEqual(names, ["UnknownEvent", "StepStartedEvent"])
        stream.root.append(StepStartedEvent(step_name="b"))
        self.assertTrue(stream.to_json().endswith('{"type":"STEP_STARTED","stepName":"b"}]'))

    def test_pydantic_reads_models_too(self) -> None:
        """Adapters and JSON schemas of pydantic work."""
        events = TypeAdapter(list[Event]).validate_python([{"type": "NEW"}])
        self.assertIsInstance(events[0], UnknownEvent)
        self.assertIn("$defs", EventStream.model_json_schema())
        message = AssistantMessage.model_validate_json('{"id":"m","role":"assistant"}')
        self.assertEqual(message.id, "m")

    def test_deep_documents(self) -> None:
        """Messages within messages are read as deep as any document, and no deeper."""
        for levels, rejected in ((42, ""), (170, ""), (171, "limit")):
            text = '{"role":"user","items":[]}'
            for _ in range(levels):
                text = f'{{"role":"user","items":[{{"type":"message","message":{text}}}]}}'
            with self.subTest(str(levels)):
                try:
                    self.assertTrue(canonicalize(ChatMessage.from_json(text).to_json()) == canonicalize(text))
                except Rejection as rejection:
                    self.assertEqual(rejection.category, rejected)
                else:
                    self.assertEqual(rejected, "")

    def test_threads(self) -> None:
        """The first use of a class may be in several threads at once."""
        read: list[str] = []

        def work() -> None:
            text = '{"type":"CUSTOM","name":"n","value":1}'
            read.append(Event.from_json(text).to_json())

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(read)), 1)
        self.assertEqual(len(read), 8)

"""Runs, and everything in them that is no item."""

from __future__ import annotations

import random
from typing import Any

from chatstate import replay_events
from streams import HIGH, Builder, Event


def stream_of(seed: object) -> list[Event]:
    """Makes a valid stream; equal seeds give equal streams."""
    return make_stream(random.Random(str(seed)))


def make_stream(source: random.Random) -> list[Event]:
    """Makes a valid stream, complete or open at its end, of decisions at random."""
    builder = RunBuilder(source)
    if builder.wants("error-first", 50):
        builder.emit({"type": "RUN_ERROR", "message": "no run"})
    runs = 2 + builder.below(3) if builder.wants("several-runs", 100) else 1
    for run in range(runs):
        builder.run(is_last=run + 1 == runs)
    return builder.events


class RunBuilder(Builder):
    """Builds runs one after the other."""

    def run(self, *, is_last: bool) -> None:
        """Makes a run."""
        run_id = self.fresh("r")
        self.start(run_id)
        for _ in range(self.below(3)):
            self.subagent()
        for _ in range(self.below(26)):
            self.action()
        if is_last and self.wants("open-at-end", 100):
            return
        if self.wants("run-error", 60):
            self.emit({"type": "RUN_ERROR", "message": "broken"})
        else:
            self.finish(run_id)
        self.broken |= {item.id for item in self.items if item.half}
        self.items, self.steps, self.spans, self.subagents = [], [], [], []

    def start(self, run_id: str) -> None:
        """Begins a run."""
        event: Event = {"type": "RUN_STARTED", "threadId": "t", "runId": run_id}
        if self.runs and self.wants("branches", 60):
            event["parentRunId"] = self.one_of(self.runs)
        if self.wants("parent-outside", 40):
            event["parentRunId"] = f"outside-{run_id}"
        self.runs.append(run_id)
        messages, state = self.wants("input-messages", 80), self.wants("input-state", 50)
        if messages or state:
            input: Event = {"threadId": "t", "runId": run_id, "messages": []}
            if messages:
                input["messages"] = self.input_messages()
            if state:
                input["state"] = {"n": self.count, "list": [], "text": "é"}
            event["input"] = input
        self.emit(event)

    def messages(self) -> list[Event]:
        """The whole messages of the stream so far."""
        messages = replay_events(self.events).messages
        return [dict(message) for message in messages if HIGH not in repr_of(message)]

    def input_messages(self) -> list[Event]:
        """Messages as a client sends them: those it knows, some of them edited, and new ones."""
        messages: list[Event] = []
        for message in self.messages():
            if self.chance(70):
                if self.chance(15):
                    message["metadata"] = {"edited": True}
                elif self.wants("kept-numbers", 30) and "metadata" in message:
                    message["metadata"] = {k: other_spelling(v) for k, v in message["metadata"].items()}
                messages.append(message)
        messages += [self.user_message() for _ in range(self.below(3))]
        if self.wants("input-without-ids", 50):
            messages.append({"role": "later", "content": "hi"})
        if self.wants("input-owners", 70):
            id, owner = self.fresh("m"), self.fresh("s")
            self.owners[id] = owner
            self.expected_subagents.append(owner)
            messages.append({"id": id, "role": "assistant", "content": "", "subagentRunId": owner})
        return messages

    def user_message(self) -> Event:
        """A new message of the user."""
        id = self.fresh("u")
        self.owners[id] = None
        return {"id": id, "role": "user", "content": "hi"}

    def finish(self, run_id: str) -> None:
        """Ends everything that is open, and the run."""
        self.settle_all()
        while any(not item.chunks for item in self.items):
            self.end(next(item for item in self.items if not item.chunks))
        while self.steps:
            name, owner = self.steps.pop()
            self.emit(self.tagged({"type": "STEP_FINISHED", "stepName": name}, owner))
        while self.spans:
            id, owner = self.spans.pop()
            self.emit(self.tagged({"type": "REASONING_END", "messageId": id}, owner))
        while self.subagents:
            id = self.subagents.pop()
            self.emit({"type": "SUBAGENT_FINISHED", "subagentRunId": id})
        event: Event = {"type": "RUN_FINISHED", "threadId": "t", "runId": run_id}
        if self.wants("interrupt", 60):
            interrupts = [{"id": run_id, "reason": "ask"}]
            event["outcome"] = {"type": "interrupt", "interrupts": interrupts}
        elif self.chance(20):
            event["result"] = {"ok": 1}
        self.emit(event)
        if self.wants("error-after-finish", 50):
            self.emit({"type": "RUN_ERROR", "message": "late"})

    def action(self) -> None:
        """One thing that happens in a run."""
        number = self.below(23)
        if number <= 3:
            self.begin()
        elif number <= 10:
            self.continue_one()
        elif number <= 12:
            self.end(self.one_of(item for item in self.items if not item.chunks))
        elif number == 13:
            self.state()
        elif number in (14, 20):
            self.messages_snapshot()
        elif number == 15:
            self.activity()
        elif number == 16:
            self.encrypted_value()
        elif number == 17:
            self.subagent()
        elif number in (18, 21, 22):
            self.span()
        else:
            self.other()

    def state(self) -> None:
        """A snapshot or a patch of the state."""
        if self.wants("state-snapshot", 40):
            event: Event = {"type": "STATE_SNAPSHOT", "snapshot": {"n": self.count, "list": [1]}}
        else:
            patch: list[Event] = [{"op": "add", "path": "/list/-", "value": len(self.events)}]
            if self.wants("copying-patch", 50):
                patch.append({"op": "copy", "from": "/list", "path": "/copied"})
                patch.append({"op": "move", "from": "/n", "path": "/list/0"})
            if self.wants("unknown-operation", 30):
                patch.insert(self.below(2), {"op": "merge", "path": "/list", "with": [1]})
            if self.wants("failing-patch", 50):
                patch.append({"op": "test", "path": "/list", "value": []})
            event = {"type": "STATE_DELTA", "delta": patch}
        self.tagged(event, self.owner() if self.chance(30) else None)
        if self.wants("unknown-members", 10):
            event["later"] = True
        self.emit(event)

    def messages_snapshot(self) -> None:
        """A snapshot of some of the messages."""
        if not self.wants("messages-snapshot", 60):
            return
        self.settle_all()
        messages: list[Event] = []
        for message in self.messages():
            if self.chance(75):
                if self.chance(20):
                    message["metadata"] = {"restated": 1}
                messages.append(message)
        if self.chance(30):
            messages.append(self.user_message())
        self.emit({"type": "MESSAGES_SNAPSHOT", "messages": messages})

    def known_id(self, prefix: str) -> str:
        """An id whose item another kind may write to: one that is known, or a new one."""
        ids = [id for id, owner in self.owners.items() if self.is_active(owner)]
        open_ids = {item.id for item in self.items}
        if open_ids.intersection(ids) and self.chance(60):
            ids = [id for id in ids if id in open_ids]
        if ids and (prefix == "e" or self.wants("shared-ids", 50)):
            return str(self.one_of(ids))
        id = self.fresh(prefix)
        self.owners[id] = None
        return id

    def activity(self) -> None:
        """A snapshot or a patch of an activity."""
        if not self.wants("activities", 90):
            return
        id = self.known_id("a")
        self.settle_id(id)
        event: Event = {"messageId": id, "activityType": "plan"}
        if self.chance(60):
            event.update(type="ACTIVITY_SNAPSHOT", content={"steps": [len(self.events)]})
            if self.chance(30):
                event["replace"] = False
        else:
            patch: list[Event] = [{"op": "add", "path": "/steps/-", "value": 2}]
            if self.wants("unknown-operation", 30):
                patch.append({"op": "merge", "path": ""})
            event.update(type="ACTIVITY_DELTA", patch=patch)
        self.emit(self.tagged(event, self.owners.get(id)))

    def encrypted_value(self) -> None:
        """An encrypted value of a message or a tool call."""
        if not self.wants("encrypted-values", 90):
            return
        id = self.known_id("e")
        self.settle_id(id)
        event: Event = {"type": "REASONING_ENCRYPTED_VALUE", "entityId": id}
        event["subtype"] = self.one_of(["message", "tool-call", "image"])
        event["encryptedValue"] = f"v{len(self.events)}"
        if self.chance(30):
            event["encryptedValueType"] = "k"
        self.emit(event)

    def subagent(self) -> None:
        """A subagent begins or ends."""
        if not self.wants("subagents", 95):
            return
        busy = {item.owner for item in self.items} | {of for _, of in self.steps + self.spans}
        idle = [id for id in self.subagents if id not in busy]
        if idle and len(self.subagents) > 1:
            self.subagents.remove(idle[0])
            event: Event = {"type": "SUBAGENT_FINISHED", "subagentRunId": idle[0]}
            if self.chance(50):
                event.update(type="SUBAGENT_ERROR", message="no")
            self.emit(event)
            return
        id = self.expected_subagents.pop() if self.expected_subagents else self.fresh("s")
        event = {"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "helper"}
        if self.subagents and self.chance(40):
            event["parentSubagentRunId"] = self.one_of(self.subagents)
        self.emit(event)
        self.subagents.append(id)

    def span(self) -> None:
        """A step or a span of reasoning: begun or ended."""
        number, owner = self.below(4), self.owner()
        if number == 0:
            name = self.fresh("step")
            self.emit(self.tagged({"type": "STEP_STARTED", "stepName": name}, owner))
            self.steps.append((name, owner))
        elif number == 1 and self.steps:
            name, owner = self.steps.pop()
            self.emit(self.tagged({"type": "STEP_FINISHED", "stepName": name}, owner))
        elif number == 2:
            id = self.known_id("m")
            if all(id != open for open, _ in self.spans):
                owner = self.owners.get(id)
                self.emit(self.tagged({"type": "REASONING_START", "messageId": id}, owner))
                self.spans.append((id, owner))
        elif number == 3 and self.spans:
            id, owner = self.spans.pop()
            self.settle_id(id)
            self.emit(self.tagged({"type": "REASONING_END", "messageId": id}, owner))

    def other(self) -> None:
        """A tool's result, or an event that means nothing to the chat."""
        number = self.below(4)
        if number == 0:
            self.result()
        elif number == 1 and self.wants("unknown-events", 100):
            self.emit({"type": "FUTURE_EVENT", "messageId": "m1", "x": [1]})
        elif number == 2:
            self.emit({"type": "RAW", "event": {"p": 1}})
        else:
            self.emit(self.tagged({"type": "CUSTOM", "name": "mark", "value": None}, self.owner()))

    def result(self) -> None:
        """The result of a tool call."""
        calls = [
            id for id, owner in self.owners.items() if id.startswith("c") and self.is_active(owner)
        ]
        if not calls:
            return
        call = self.one_of(calls)
        owner = self.owners[call]
        open_ids = [item.id for item in self.items if item.owner == owner and item.kind != "call"]
        id = self.fresh("t")
        if open_ids and self.wants("shared-ids", 40):
            id = self.one_of(open_ids)
            self.settle_id(id)
        self.owners[id] = owner
        event: Event = {"type": "TOOL_CALL_RESULT", "messageId": id, "toolCallId": call}
        self.emit(self.tagged({**event, "content": "done"}, owner))


def repr_of(message: Event) -> str:
    """The texts of a message that may end in an unpaired surrogate."""
    calls: list[Any] = message.get("toolCalls", [])
    arguments = "".join(call["function"]["arguments"] for call in calls)
    content = message.get("content", "")
    return (content if isinstance(content, str) else "") + arguments


def other_spelling(value: Any) -> Any:
    """The same number, spelled in another way."""
    return float(value) if type(value) is int else value

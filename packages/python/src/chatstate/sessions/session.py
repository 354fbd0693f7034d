"""One session in use: the document, and its state bag with what has been read of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from .._runtime.annotations import JsonObject
from ..generated.models import AgentSession, SessionList
from .._runtime.json_text import write
from .._runtime.model import plain
from .._runtime.pydantic_calls import exact_schema, schema_of_values
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from ..chats.seal import reject_unverified
from .bag import StateBag
from .spans import items_of, members_of


class Session(Whole):
    """A session in use.

    It holds data alone. An agent attaches its behavior when it uses the session, so that one agent can
    serve any number of sessions, and a session read from a document is complete.
    """

    saved_by = "use `to_json()`"

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        """Copies and pickles the document; an attribute that a program has added is no part of it."""
        if type(self) is not Session:
            return super().__reduce_ex__(protocol)
        return Session.from_json, (self.to_json(),)

    def __init__(self) -> None:
        """Begins without state."""
        self._document = AgentSession(state_bag={})
        self.bag = StateBag()
        """The state of each provider."""

    @classmethod
    def from_json(cls, text: str | bytes) -> Session:
        """Reads an `AgentSession`; the entries of its bag stay text until they are asked for.

        `Rejection` of a sealed one, whose seal nothing has verified: `unseal` does.
        """
        session = cls()
        session._document = AgentSession.from_json(text)
        reject_unverified(session._document.seal is not None)
        text = text if isinstance(text, str) else bytes(text).decode()
        session.bag = StateBag.from_json(members_of(text)["stateBag"])
        return session

    @classmethod
    def list_from_json(cls, text: str | bytes) -> list[Session]:
        """Reads a `SessionList`, whose sessions may be of different kinds."""
        SessionList.from_json(text)
        text = text if isinstance(text, str) else bytes(text).decode()
        return [cls._item_from_json(item, index) for index, item in enumerate(items_of(text))]

    @classmethod
    def _item_from_json(cls, text: str, index: int) -> Session:
        try:
            return cls.from_json(text)
        except Rejection as rejection:
            raise rejection.within(index) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Gives the schema with which pydantic reads and writes sessions, as it does their documents."""

        def read(value: Any, inner: Callable[[Any], Any]) -> Any:
            return value if isinstance(value, cls) else of_document(inner(value))

        def of_value(value: Any) -> Session:
            return cls.from_json(write(value))

        def of_document(document: AgentSession) -> Session:
            return cls.from_json(document.to_json())

        document = handler.generate_schema(AgentSession)
        schema = core_schema.no_info_wrap_validator_function(read, document)
        return exact_schema(cls.__name__, schema, of_value, cls.to_json)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        """Gives the JSON schema, which is that of the document."""
        return handler(schema_of_values(schema))

    def to_json(self) -> str:
        """Writes the session. Entries that were not changed are in it as they were."""
        members: JsonObject = plain(self._document)
        texts = {name: write(value) for name, value in members.items() if name != "stateBag"}
        texts["stateBag"] = self.bag.to_json()
        return "{" + ",".join(f"{write(name)}:{texts[name]}" for name in members) + "}"

    @staticmethod
    def list_to_json(sessions: list[Session]) -> str:
        """Writes sessions as a `SessionList`."""
        return "[" + ",".join(session.to_json() for session in sessions) + "]"

    @property
    def id(self) -> str | None:
        """The identity of the session, if it has one."""
        return self._document.session_id

    @id.setter
    def id(self, id: str) -> None:
        self._document.session_id = id

    @property
    def kind(self) -> str | None:
        """The kind of session, if the document says it."""
        return self._document.session_type

    @kind.setter
    def kind(self, kind: str) -> None:
        self._document.session_type = kind

    @property
    def conversation_id(self) -> Any:
        """The identity of the conversation at the service that keeps it: text or an object."""
        return plain(self._document.conversation_id)

    @conversation_id.setter
    def conversation_id(self, id: str | JsonObject) -> None:
        """Blank text is rejected, since a service would begin a new conversation for it."""
        if isinstance(id, str) and not id.strip():
            message = "the identity of the conversation is blank; leave it out if there is none"
            rejection = Rejection("semantic", "session.conversation-id", message)
            raise rejection.within("conversationId")
        members: JsonObject = {**plain(self._document), "conversationId": id, "stateBag": {}}
        self._document = AgentSession.from_json(write(members))

    def expect_kind(self, expected: str) -> None:
        """Rejects a session of another kind than an agent takes; one that does not say it is taken."""
        if self.kind is not None and self.kind != expected:
            message = (
                f"the session is a `{self.kind}`, and the agent takes `{expected}`; give it to the agent "
                "that made it"
            )
            raise Rejection("restore", "session.kind", message).within("sessionType")

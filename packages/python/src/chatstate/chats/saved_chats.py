"""What the schema does not say of saved chats and sessions: versions, and keys that cannot be read."""

from __future__ import annotations

import re
from typing import Any

from ..generated.models import AgentSession, ChatState, EncodedChatState, SessionList
from .._runtime.json_text import is_array, is_object
from .._runtime.model import DocumentRules
from .._runtime.rejection import Rejection

_SPOKEN = re.compile(r"1(\.[0-9]+)?", re.ASCII)


def register() -> None:
    """Makes the types ask these questions of their documents."""
    ChatState.document_rules = DocumentRules(_check_version, _nothing)
    EncodedChatState.document_rules = DocumentRules(_check_version, _nothing)
    AgentSession.document_rules = DocumentRules(_check_version, _check_keys)
    SessionList.document_rules = DocumentRules(_check_versions, _check_all_keys)


def _check_version(document: Any) -> None:
    version = document.get("schemaVersion") if is_object(document) else None
    if isinstance(version, str) and not _SPOKEN.fullmatch(version):
        message = f"the version `{version}` is not supported; the supported versions are `1` and `1.x`"
        raise Rejection("version", "version.unspoken", message, "/schemaVersion")


def _check_versions(documents: Any) -> None:
    if is_array(documents):
        for index, document in enumerate(documents):
            try:
                _check_version(document)
            except Rejection as rejection:
                raise rejection.within(index) from None


def _check_keys(document: Any) -> None:
    for key in document["stateBag"]:
        if not key.strip():
            message = "the key of an entry is blank, so that no provider can read the entry"
            rejection = Rejection("semantic", "session.blank-key", message)
            raise rejection.within("stateBag", key)


def _check_all_keys(documents: Any) -> None:
    for index, document in enumerate(documents):
        try:
            _check_keys(document)
        except Rejection as rejection:
            raise rejection.within(index) from None


def _nothing(_: Any) -> None:
    """The schema says all."""

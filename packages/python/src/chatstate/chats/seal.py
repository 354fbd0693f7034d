"""Seals: a proof that no one without the key has changed a document.

A seal is an HMAC-SHA256 over the canonical form of the document, with its member `seal` and all that is in it
but `mac`. So the spelling of a document may change under its seal, and its values may not. A seal hides nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Any

from .._runtime.canonical import canonical
from .._runtime.json_text import is_object, parse, write
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole

_ALGORITHM = "HMAC-SHA256"
_LEAST_BYTES = 16


class SealKey(Whole):
    """A secret that seals documents, and the name that documents give it. Nothing shows the secret."""

    saved_by = "a key is a secret, and no document holds it"

    def __init__(self, secret: bytes, id: str | None = None) -> None:
        """Takes the bytes of the key, all of which count, and its name.

        The name is written into what the key seals. A document that was sealed with a key of another name is
        rejected without a look at its code. `Rejection` for a key of fewer than 16 bytes, which can be guessed,
        and for one of zero bytes alone: HMAC fills a key up with them. 32 bytes of `secrets.token_bytes` are right.
        """
        self._secret = bytes(secret)
        self.id = id
        """The name, if the key has one."""
        if len(self._secret) < _LEAST_BYTES:
            raise _unusable(f"has {len(self._secret)} bytes, fewer than {_LEAST_BYTES}")
        if not any(self._secret):
            raise _unusable("is nothing but zero bytes")

    def code(self, document: Any) -> bytes:
        """Gives the code of a document whose seal has no `mac`."""
        return hmac.digest(self._secret, canonical(document).encode(), hashlib.sha256)


def seal(text: str | bytes, key: SealKey) -> str:
    """Gives a document with a seal, as text.

    A sealed document is rejected: sealing again would confirm changes that were never checked.
    """
    document = _object_of(text)
    if "seal" in document:
        message = "the document is sealed; take the seal off first, which verifies it"
        raise Rejection("semantic", "seal.present", message).within("seal")
    mark = {"algorithm": _ALGORITHM} | ({} if key.id is None else {"keyId": key.id})
    code = key.code({**document, "seal": mark})
    return write({**document, "seal": {**mark, "mac": base64.b64encode(code).decode()}})


def unseal(text: str | bytes, key: SealKey) -> str:
    """Gives a document without its seal, which is verified first, as text.

    `Rejection` if it was changed, was sealed with another key, or has no seal.
    """
    document = _object_of(text)
    if "seal" not in document:
        message = "the document is not sealed, so nothing shows whether it was changed"
        raise Rejection("semantic", "seal.missing", message).within("seal")
    mark = document["seal"]
    try:
        mac = _mac_of(mark, key)
    except Rejection as rejection:
        raise rejection.within("seal") from None
    without_mac = {name: value for name, value in mark.items() if name != "mac"}
    if not hmac.compare_digest(key.code({**document, "seal": without_mac}), mac):
        message = (
            "the seal does not fit: the document was changed after it was sealed, or it was sealed with another key"
        )
        raise Rejection("semantic", "seal.mismatch", message).within("seal", "mac")
    del document["seal"]
    return write(document)


def reject_unverified(is_sealed: bool) -> None:
    """Rejects the use of a document that still has its seal, since nothing has verified it."""
    if is_sealed:
        message = (
            "the document is sealed, and its seal was not verified; unseal it with its key, or take off the "
            "member `seal`"
        )
        raise Rejection("semantic", "seal.unverified", message).within("seal")


def _mac_of(mark: Any, key: SealKey) -> bytes:
    """Gives the code of a seal that can be verified."""
    if not is_object(mark):
        raise Rejection("schema", "type", "must be of type object")
    if _text_in(mark, "algorithm") != _ALGORITHM:
        raise Rejection("schema", "const", f"must be the text `{_ALGORITHM}`").within("algorithm")
    mac = _bytes_of(_text_in(mark, "mac"))
    if "keyId" in mark:
        named = _text_in(mark, "keyId")
        if key.id is not None and named != key.id:
            message = f"was sealed with the key `{named}`, not with `{key.id}`"
            raise Rejection("semantic", "seal.other-key", message).within("keyId")
    return mac


def _bytes_of(text: str) -> bytes:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        decoded = None
    # Python takes bits that are left over for nothing; written again, they would be other bits.
    if decoded is None or base64.b64encode(decoded).decode() != text:
        message = "must be Base64 of RFC 4648 section 4, with padding"
        raise Rejection("schema", "pattern", message).within("mac")
    return decoded


def _text_in(mark: dict[str, Any], name: str) -> str:
    if name not in mark:
        raise Rejection("schema", "required", f"the member `{name}` is missing").within(name)
    text = mark[name]
    if isinstance(text, str):
        return text
    raise Rejection("schema", "type", "must be of type string").within(name)


def _object_of(text: str | bytes) -> dict[str, Any]:
    document: dict[str, Any] = parse(text)
    if not is_object(document):
        message = "only an object can be sealed, and this is none; seal the elements of a list one by one"
        raise Rejection("schema", "type", message)
    return document


def _unusable(what: str) -> Rejection:
    message = f"the key {what}; use at least 32 bytes from a random source"
    return Rejection("semantic", "seal.key", message)

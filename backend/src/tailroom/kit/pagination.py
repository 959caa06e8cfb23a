"""Keyset pagination: a page begins after the last row of the page before, so that new rows shift nothing."""

import base64
import binascii
import json
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tailroom.kit.clock import from_unix_ns, unix_ns
from tailroom.kit.outside_types import read_json

_CURSOR_BYTES = 24


class TimeCursor(NamedTuple):
    """Time and id of a row, after which the next page of a list ordered by time, then id, begins."""

    moment: datetime
    identifier: UUID

    def encode(self) -> str:
        """Return the cursor as text for a URL; the time is rounded down to microseconds."""
        microseconds = unix_ns(self.moment) // 1_000
        packed = microseconds.to_bytes(8, "big", signed=True) + self.identifier.bytes
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str) -> "TimeCursor":
        """Return the cursor of a text that `encode` made. Raise ValueError for any other text."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise ValueError(f"not base64: {error}") from None
        if len(packed) != _CURSOR_BYTES:
            raise ValueError(f"{len(packed)} bytes instead of {_CURSOR_BYTES}")
        try:
            moment = from_unix_ns(int.from_bytes(packed[:8], "big", signed=True) * 1_000)
        except OverflowError as error:
            raise ValueError(str(error)) from None
        return cls(moment, UUID(bytes=packed[8:]))


class KeyCursor(NamedTuple):
    """Key and id of a row, after which the next page of a list ordered by that key, then id, begins."""

    key: str | int
    identifier: UUID

    def encode(self) -> str:
        """Return the cursor as text for a URL."""
        packed = json.dumps([self.key, self.identifier.hex], ensure_ascii=False).encode()
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str, kind: type[str] | type[int]) -> "KeyCursor":
        """Return the cursor that `encode` made this text of. Raise ValueError for others, and other kinds."""
        try:
            key, identifier = read_json(base64.b64decode(text, altchars=b"-_", validate=True))
            cursor = cls(key, UUID(hex=identifier))
        except (binascii.Error, ValueError, TypeError, AttributeError) as error:
            raise ValueError(f"not a place in this order: {error}") from None
        if isinstance(cursor.key, int) and not -(2**63) <= cursor.key < 2**63:
            raise ValueError("not a place in this order: the number does not fit into 64 bits")
        if type(cursor.key) is not kind:
            raise ValueError("it belongs to a list in another order")
        return cursor

"""A column for what agents write freely: what was stored before is read through today's schema."""

from typing import Any

from sqlalchemy import Dialect, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB

from tailroom.kit.free_documents import readable


class FreeDocument(TypeDecorator[dict[str, Any]]):
    """JSONB that is always an object nobody stumbles over; an unreadable one is `{"unreadable": why}`."""

    impl = JSONB
    cache_ok = True

    def __init__(self, kind: str) -> None:
        """`kind` names the schema: `plan` or `host`."""
        super().__init__()
        self.kind = kind

    def process_result_value(self, value: Any | None, dialect: Dialect) -> dict[str, Any] | None:  # noqa: ARG002
        """What a row holds, made safe."""
        return None if value is None else readable(self.kind, value)

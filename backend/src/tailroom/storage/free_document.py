"""A column for free documents of agents, which are checked by the current schema when read."""

from typing import Any

from sqlalchemy import Dialect, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB

from tailroom.kit.free_documents import readable


class FreeDocument(TypeDecorator[dict[str, Any]]):
    """JSONB column; a document that cannot be shown is read as `{"unreadable": reason}` and stays stored."""

    impl = JSONB
    cache_ok = True

    def __init__(self, kind: str) -> None:
        """Create a column type for documents of a schema; `kind`: `plan` or `host`."""
        super().__init__()
        self.kind = kind

    def process_result_value(self, value: Any | None, dialect: Dialect) -> dict[str, Any] | None:  # noqa: ARG002
        """Return the document of a row, or `{"unreadable": reason}`; None for NULL."""
        return None if value is None else readable(self.kind, value)

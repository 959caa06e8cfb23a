"""Identifiers: UUIDv7, made by the application, ordered by time.

Time-ordered run ids let the interval table be partitioned by run id (docs/architecture.md).
"""

from datetime import UTC, datetime
from uuid import UUID

import uuid_utils.compat


def new_id() -> UUID:
    """Return a fresh UUIDv7."""
    return uuid_utils.compat.uuid7()


def first_id_at(moment: datetime) -> UUID:
    """Return the smallest UUID of this millisecond: a bound of UUIDv7 made then or later, no identifier."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=milliseconds << 80)


def time_of(identifier: UUID) -> datetime:
    """Return when a UUIDv7 was made, to the millisecond, in UTC."""
    return datetime.fromtimestamp((identifier.int >> 80) / 1000, tz=UTC)

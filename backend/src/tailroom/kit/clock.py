"""The current time, from one function, so that tests can replace it."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time, timezone-aware, in UTC."""
    return datetime.now(tz=UTC)

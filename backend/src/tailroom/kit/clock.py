"""The one place that asks what time it is, so that tests can hand over another answer."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(tz=UTC)

"""The current time, from one function, so that tests can replace it, and times as nanoseconds since 1970."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def utc_now() -> datetime:
    """Return the current time, timezone-aware, in UTC."""
    return datetime.now(tz=UTC)


def unix_ns(moment: datetime) -> int:
    """Return a moment, which must have a time zone, in nanoseconds since 1970, cut to microseconds."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1_000


def from_unix_ns(unix_ns: int) -> datetime:
    """Return the moment in UTC of a number of nanoseconds since 1970, cut to microseconds."""
    return _EPOCH + timedelta(microseconds=unix_ns // 1_000)

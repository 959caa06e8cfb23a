"""Decoding of bodies to messages, with type and range checks of every field.

The decoder stops at the first broken field. The parts of a small batch are then decoded one by one, to name
all broken parts; for a large batch that would cost too much memory.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from tailroom.domain.latency.interval import Interval
from tailroom.domain.units import is_whole
from tailroom.ingest.body import JSON, Body, unpack
from tailroom.ingest.errors import BatchInvalid, BodyTooLarge, BodyUnreadable
from tailroom.ingest.wire import Announcement, Batch, Finish, SeriesDefinition
from tailroom.kit.errors import LocatedProblem
from tailroom.kit.limits import ANNOUNCEMENT_BYTES, PROBLEM_SEARCH_BYTES, PROBLEMS_NAMED

Message = TypeVar("Message", Announcement, Batch, Finish)
_DECODERS: dict[tuple[str, type], Callable[[bytes], Any]] = {
    (format_name, message): decoder(message).decode
    for format_name, decoder in (
        (JSON, msgspec.json.Decoder),
        ("application/msgpack", msgspec.msgpack.Decoder),
    )
    for message in (Announcement, Batch, Finish, Any)
}


def decode(body: Body, message: type[Message], unpacked_limit_bytes: int) -> Message:
    """Return the message of this type in a body. A batch may have `unpacked_limit_bytes`, other messages at
    most `ANNOUNCEMENT_BYTES` as well. Raise BodyUnreadable for a damaged body, BodyTooLarge beyond the limit,
    and BatchInvalid with the broken parts.
    """
    limit_bytes = unpacked_limit_bytes if message is Batch else min(unpacked_limit_bytes, ANNOUNCEMENT_BYTES)
    content = unpack(body, limit_bytes)
    if len(content) > limit_bytes:
        raise BodyTooLarge(f"The message is larger than {limit_bytes} bytes, the most that one may have.")
    try:
        decoded: Message = _DECODERS[body.format, message](content)
    except msgspec.ValidationError as error:
        problems = _find_problems(content, body.format, message, str(error))
        raise batch_invalid(problems) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BodyUnreadable(
            f"The body is not valid {body.format.partition('/')[2]}: {error or 'it is nested too deeply'}."
        ) from None
    return decoded


def batch_invalid(problems: Sequence[LocatedProblem]) -> BatchInvalid:
    """Return the error for these problems, which the caller raises; its text states their number. Beyond
    `PROBLEMS_NAMED` it states only that there are more.
    """
    count = len(problems)
    rules = "1 rule is" if count == 1 else f"{count} rules are"
    more = ""
    if count > PROBLEMS_NAMED:
        rules, more = f"More than {PROBLEMS_NAMED} rules are", f" (the first {PROBLEMS_NAMED} are named)"
    return BatchInvalid(
        f"{rules} broken{more}; nothing of this message was stored. See `problems`; correct the named fields"
        " and send it again.",
        problems,
    )


def _find_problems(content: bytes, format_name: str, message: type[Any], first: str) -> list[LocatedProblem]:
    """Return the broken parts of a message, or `first`, the error of the whole message, if none is
    identified. Only the parts of a batch of at most `PROBLEM_SEARCH_BYTES` are searched.
    """
    problems: list[LocatedProblem] = []
    if message is Batch and len(content) <= PROBLEM_SEARCH_BYTES:
        try:
            raw = _DECODERS[format_name, Any](content)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raw = None
        if isinstance(raw, dict):
            problems += _part_problems(raw.get("series"), "series", SeriesDefinition, ("series_no", None))
            problems += _part_problems(raw.get("intervals"), "intervals", Interval, ("series", "seq"))
    return problems or [_problem(first, "", None, None)]


def _part_problems(
    parts: Any, name: str, message: type[Any], keys: tuple[str, str | None]
) -> list[LocatedProblem]:
    """Return the problem of each broken part of a list, at most `PROBLEMS_NAMED` + 1; empty for no list.
    `keys` are the names of the fields of a part that have its series and its sequence number.
    """
    if not isinstance(parts, list):
        return []
    problems: list[LocatedProblem] = []
    for position, part in enumerate(parts):
        if len(problems) > PROBLEMS_NAMED:
            break
        try:
            msgspec.convert(part, message)
        except msgspec.ValidationError as error:
            problems.append(
                _problem(str(error), f"{name}[{position}]", _number(part, keys[0]), _number(part, keys[1]))
            )
    return problems


def _problem(text: str, place: str, series: int | None, seq: int | None) -> LocatedProblem:
    """Return the problem in an error of msgspec, whose text has the form `reason - at `$.path``. `place` is
    that of the part in the message, empty for the whole; `series` and `seq` are the part's numbers.
    """
    reason, _, path = text.partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    where = f"{place}.{field}" if place and field else place or field
    shown = field if series is not None and field else where
    return LocatedProblem(series=series, seq=seq, field=shown or None, reason=reason)


def _number(part: Any, key: str | None) -> int | None:
    """Return the integer in a field of a part; None if it has none."""
    value = part.get(key) if isinstance(part, dict) and key is not None else None
    return value if is_whole(value) else None

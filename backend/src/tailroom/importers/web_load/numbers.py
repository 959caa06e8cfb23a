"""What importers of load generators share: JSON with exact numbers, claims, and answers that are no
success."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import Printed, printed, printed_decimal, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import Time

MAX_JSON_BYTES = 128 << 20
MAX_DURATION_NS = 10**18
_GOOD_FROM, _BAD_FROM = 200, 400
_MAX_ENTRIES = 10_000


def json_document(source: Source, tool: str) -> dict[str, Any]:
    """Return the object of a file, with decimals as Decimal. Raise ContentUnreadable where it is no whole
    JSON object; `tool` is named in the message.
    """
    data = source.whole(MAX_JSON_BYTES)
    try:
        document = json.loads(
            data.decode("utf-8", "replace"),
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=lambda _: None,
        )
    except RecursionError:
        raise ContentUnreadable(f"{source.name} is nested deeper than any report of {tool}") from None
    except ValueError as error:
        raise ContentUnreadable(f"{source.name} is no whole JSON document: {error}") from None
    if not isinstance(document, dict):
        raise ContentUnreadable(f"{source.name} is JSON, but no report of {tool}")
    return document


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if printed(text) is not None else None


def _integer(text: str) -> int | None:
    """Return a printed whole number; None if it has more than 19 digits."""
    return int(text) if len(text) <= 19 else None


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def number(value: Any) -> Printed | None:
    """Return a number of a document that is not negative; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int):
        return None
    decimal = printed_decimal(value)
    return decimal if decimal is not None and decimal.digits >= 0 else None


def count(value: Any) -> int | None:
    """Return a count of a document; None for any other value."""
    return whole(str(value)) if isinstance(value, int) and not isinstance(value, bool) else None


def exact_time(value: Any, unit_ns: int, unit: str) -> Time | None:
    """Return the bounds of a time printed as a double, which is exact to a nanosecond; None for any other
    value. `unit`: the name of `unit_ns`.
    """
    decimal = number(value)
    if decimal is None or decimal.value * unit_ns >= MAX_TIME_NS:
        return None
    at_ns = decimal.value * unit_ns
    low, high = int(at_ns), -int(-at_ns // 1)
    if decimal.ulp * unit_ns > 1 or at_ns.denominator != 1:
        low, high = max(0, low - 1), high + 1
    return Time(f"{decimal.text} {unit}", low, high)


def cut_ns(value: Any) -> Time | None:
    """Return the bounds of a mean that was cut to whole nanoseconds; None for any other value."""
    time = exact_time(value, 1, "ns")
    return None if time is None else Time(time.text, time.lower_ns, time.upper_ns + 1)


def counts_of(value: Any) -> dict[str, int]:
    """Return the counts of an object by key; values that are no counts are left out."""
    counts = {str(key)[:200]: count(held) for key, held in list(mapping(value).items())[:_MAX_ENTRIES]}
    return {key: held for key, held in counts.items() if held is not None}


def bad_answers(statuses: Mapping[str, int]) -> int:
    """Return the number of answers without an HTTP status of success (200 to 399); `statuses`: numbers by
    status.
    """
    return sum(
        held for code, held in statuses.items() if code.isdigit() and not _GOOD_FROM <= int(code) < _BAD_FROM
    )


def status_claims(
    statuses: Mapping[str, int], problems: Problems, line: int | None, *, bad: int, words: str
) -> list[Claim]:
    """Return the number of answers by status as claims; report the number that are no success (`bad`), named
    by `words`.
    """
    if bad:
        problems.add("status", f"{bad} {words}: their times are among the others", line)
    return [
        Claim(f"status {code}", "operation_count", str(held), held, held, line=line)
        for code, held in statuses.items()
    ]


def duration_ends(time: Time | None) -> int | None:
    """Return the middle of the bounds of a printed running time in nanoseconds; None for None."""
    return None if time is None else (time.lower_ns + time.upper_ns) // 2


def claim(
    operation: str, quantity: str, quantity_printed: Printed | None, unit: int | Fraction = 1
) -> list[Claim]:
    """Return a list with a printed number as a claim, multiplied by `unit`; empty without a number."""
    if quantity_printed is None:
        return []
    low, high = float(max(Fraction(0), quantity_printed.lower) * unit), float(quantity_printed.upper * unit)
    return [Claim(operation, quantity, quantity_printed.text, low, high)]


def rfc3339(value: Any) -> datetime | None:
    """Return the moment `2020-01-15T09:30:12.123456789-04:00` in UTC, cut to microseconds; None for any other
    value.
    """
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)",
        value if isinstance(value, str) else "",
    )
    if match is None:
        return None
    try:
        at = datetime.fromisoformat(
            f"{match[1]}{(match[2] or '.0')[:7]:0<7}{match[3].replace('Z', '+00:00')}"
        )
        at = at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if 1970 <= at.year <= 2200 else None

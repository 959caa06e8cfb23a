"""JSON reports of tools, with numbers as they are printed."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Value
from tailroom.importers.printed import Printed, amount, printed, whole
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import Time

_MAX_BYTES = 128 << 20
_MAX_ENTRIES = 10_000
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)")


def json_document(source: Source, tool: str) -> dict[str, Any]:
    """Return a report with Decimals. Raise ContentUnreadable for other content, SourceTooLarge at 128 MiB."""
    data = source.whole(_MAX_BYTES)
    try:
        document = load_exact(data.decode("utf-8", "replace"))
    except RecursionError:
        raise ContentUnreadable(f"{source.name} is nested deeper than any report of {tool}") from None
    except ValueError as error:
        raise ContentUnreadable(f"{source.name} is no whole JSON document: {error}") from None
    if not isinstance(document, dict):
        raise ContentUnreadable(f"{source.name} is JSON, but no report of {tool}")
    return document


def load_exact(text: str, object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return a JSON document with decimals as Decimal, and None for NaN, infinity and too long numbers.

    Raise ValueError for other text, RecursionError for deep nesting. The hook is passed to `json.loads`.
    """
    return json.loads(
        text,
        parse_float=lambda number: Decimal(number) if printed(number) is not None else None,
        parse_int=lambda number: int(number) if len(number) <= 19 else None,
        parse_constant=lambda _: None,
        object_pairs_hook=object_pairs_hook,
    )


def json_object(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def json_objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; empty for any other value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def json_settings(
    document: Mapping[str, Any], names: Mapping[str, str], longest: int = 300
) -> dict[str, Value]:
    """Return texts, whole numbers and truth values of a document as parameters.

    `names` are their names by key. Other values and missing keys are left out; texts are cut to `longest`.
    """
    values = {name: document.get(key) for key, name in names.items()}
    return {
        name: value[:longest] if isinstance(value, str) else value
        for name, value in values.items()
        if isinstance(value, str | int)
    }


def json_number(value: Any) -> Printed | None:
    """Return a number of a document as printed; None for other values and negative numbers."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int):
        return None
    return amount(str(value))


def json_count(value: Any) -> int | None:
    """Return a whole number of a document that is not negative; None for any other value."""
    return whole(str(value)) if isinstance(value, int) and not isinstance(value, bool) else None


def exact_time(value: Any, unit_ns: int, unit: str) -> Time | None:
    """Return the bounds in ns of a time in units of `unit_ns`; None for other and impossible values.

    A time printed to the ns has equal bounds, any other is widened by 1 ns. `unit` is the name of `unit_ns`.
    """
    decimal = json_number(value)
    if decimal is None or decimal.value * unit_ns >= MAX_TIME_NS:
        return None
    at_ns = decimal.value * unit_ns
    low, high = int(at_ns), -int(-at_ns // 1)
    if decimal.ulp * unit_ns > 1 or at_ns.denominator != 1:
        low, high = max(0, low - 1), high + 1
    return Time(f"{decimal.text} {unit}", low, high)


def cut_ns(value: Any) -> Time | None:
    """Return the bounds of a mean cut to ns, up to 1 ns above it; None for other and impossible values."""
    time = exact_time(value, 1, "ns")
    return None if time is None else Time(time.text, time.lower_ns, time.upper_ns + 1)


def counts_of(value: Any) -> dict[str, int]:
    """Return counts by key (200 characters) of the first 10,000 entries of an object; else empty."""
    entries = list(json_object(value).items())[:_MAX_ENTRIES]
    return {str(key)[:200]: count for key, entry in entries if (count := json_count(entry)) is not None}


def rfc3339(value: Any) -> datetime | None:
    """Return the time in UTC, cut to 1 µs; None if it is no RFC 3339 time of the years 1970 to 2200."""
    if not isinstance(value, str) or _RFC3339.fullmatch(value) is None:
        return None
    try:
        at = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if 1970 <= at.year <= 2200 else None

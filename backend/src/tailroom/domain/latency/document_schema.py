"""The JSON schema of distribution documents, for other programs and for forms. Reading is in `document`.

A schema cannot say everything: that counts add up to `n`, or that statements do not contradict each other, is
checked on reading.

The functions below check a value of a document by its rule. `what` names the value in the error message;
`key` is its key in the document, and its name there.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.published import NOT_ROUNDED, Rounding, RoundingMode, exact

_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_TIME: dict[str, Any] = {"type": "integer", "minimum": 0, "description": "whole nanoseconds"}
_RATIO: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 2000}


def _object_schema(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return the schema of an object with no other keys; `more` are further keywords of the schema."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def _array_schema(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the schema of an array of exactly these items in order; `more` are further keywords."""
    return {"type": "array", "prefixItems": list(items), "minItems": len(items), "items": False, **more}


_LAYOUT: dict[str, Any] = {
    "oneOf": [
        _object_schema(
            {
                "t": {"const": "hdr"},
                "unit_ns": {"type": "integer", "minimum": 1, "default": 1000},
                "sig": {"type": "integer", "minimum": 0, "maximum": 5, "default": 3},
            },
            ("t",),
            description="HdrHistogram: log-linear buckets of whole units",
        ),
        _object_schema(
            {"t": {"const": "pow2"}, "unit_ns": {"type": "integer", "minimum": 1}},
            ("t", "unit_ns"),
            description="bucket 0 is [0, unit), bucket k [2^(k-1), 2^k) units",
        ),
        _object_schema(
            {
                "t": {"const": "explicit"},
                "edges_ns": {
                    "type": "array",
                    "items": {"anyOf": [_TIME, {"type": "null"}, {"const": "inf"}]},
                    "minItems": 2,
                    "description": "ascending; null or inf at the end is an open bucket",
                },
                "edge_tolerance_ns": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1,
                    "description": "each edge may in truth lie up to this much later (<= in place of <)",
                },
            },
            ("t", "edges_ns"),
        ),
        _object_schema(
            {"t": {"const": "knots"}}, ("t",), description="statements only: knots or percentiles"
        ),
    ]
}
_COUNTS: dict[str, Any] = {
    "description": "count of each bucket from the first, pairs of bucket and count, or base64 HdrHistogram",
    "oneOf": [
        {"type": "array", "items": _COUNT},
        {"type": "array", "items": _array_schema(_COUNT, _COUNT), "minItems": 1},
        {"type": "object", "patternProperties": {"^[0-9]{1,12}$": _COUNT}, "additionalProperties": False},
        {"type": "string", "contentEncoding": "base64"},
    ],
}
_PINS: dict[str, Any] = {
    "type": "array",
    "items": _array_schema(_TIME, _COUNT),
    "maxItems": 16,
    "description": "[time, exact number of latencies at or over it]",
}
_MISSES = _object_schema(
    {"timeouts": _COUNT, "timeout_ns": _TIME, "errors": _COUNT, "unfinished": _COUNT},
    description="operations without an answer in time; not among the counts",
)
_INTERVAL = _object_schema(
    {
        "start_ns": _TIME,
        "duration_ns": {"type": "integer", "minimum": 1},
        "counts": _COUNTS,
        "n": _COUNT,
        "sum_ns": _COUNT,
        "min_ns": _TIME,
        "max_ns": _TIME,
        "pins": _PINS,
        "misses": _MISSES,
    },
    ("start_ns", "duration_ns", "counts"),
)

DISTRIBUTION_SCHEMA: dict[str, Any] = _object_schema(
    {
        "v": {"const": 1},
        "op": {**_TEXT, "default": "read", "description": "operation"},
        "clock": {
            "enum": ["response", "service", "queue", "operation", "total", "device", "op"],
            "default": "operation",
            "description": "time measured; op is operation (unknown which), total response, device service",
        },
        "device": _TEXT,
        "n": {**_COUNT, "description": "operations with a latency"},
        "sum_ns": {**_COUNT, "description": "exact sum of the latencies"},
        "min_ns": _TIME,
        "max_ns": _TIME,
        "mean_ns": {
            "oneOf": [
                {"type": "number", "minimum": 0},
                _array_schema({"type": "number"}, {"type": "number"}),
            ],
            "description": "in ns; or [lower, upper], bounds of a rounded mean",
        },
        "layout": _LAYOUT,
        "counts": _COUNTS,
        "shares": {
            "type": "array",
            "items": {"oneOf": [_RATIO, {"type": "string"}]},
            "description": "share of the operations in each bucket, from the first on",
        },
        "knots": {
            "type": "array",
            "items": _array_schema(_TIME, _RATIO, _RATIO),
            "description": "[time, least, largest share strictly below it]",
        },
        "percentiles": {
            "type": "array",
            "items": _array_schema({"oneOf": [_RATIO, {"type": "string"}]}, _TIME),
            "description": "[share, time at or below which it ends]",
        },
        "quantiles": {
            "type": "array",
            "items": _array_schema(_RATIO, _TIME),
            "description": "[share, time]: the quantile of this share is not before the time",
        },
        "pins": _PINS,
        "misses": _MISSES,
        "rounding": _object_schema(
            {
                "ulp": {"type": "number", "minimum": 0, "description": "worth of the last digit"},
                "mode": {"enum": ["half", "truncate", "up"], "default": "half"},
            },
            ("ulp",),
            description="how shares were rounded, or the times of percentiles (ulp in ns)",
        ),
        "semantics": _TEXT,
        "source": _TEXT,
        "intervals": {"type": "array", "items": _INTERVAL, "minItems": 1},
        "parts": {
            "type": "array",
            "items": {"$ref": "#"},
            "minItems": 1,
            "description": "records of unequal layouts side by side, each with its number of operations",
        },
    },
    title="Distribution",
)

DISTRIBUTION_KEYS = frozenset(DISTRIBUTION_SCHEMA["properties"])
INTERVAL_KEYS = frozenset(_INTERVAL["properties"])
MISSES_KEYS = frozenset(_MISSES["properties"])


_FARTHEST = 1e30
_TEXT_AT_MOST = 2_000


class DocumentInvalid(DomainError):
    """A distribution document breaks a rule; the message states the place, the rule and the value."""


class NothingStated(DocumentInvalid):
    """A distribution document states nothing about the latencies."""

    WORDS = "there are no counts, shares, knots, percentiles or intervals: nothing is stated"

    def __init__(self, words: str = WORDS) -> None:
        super().__init__(words)


class KeyUnknown(DocumentInvalid):
    """The document has an unknown key, or a key twice: a typing error must not become an unknown value."""


class CountsContradict(DocumentInvalid):
    """Two numbers of one document cannot both be true."""


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return the value if it is a JSON object; raise DocumentInvalid otherwise."""
    if not isinstance(value, Mapping):
        raise DocumentInvalid(f"{what} must be an object, not {_short_text(value)}")
    return value


def sequence(value: Any, what: str) -> list[Any]:
    """Return the value if it is a JSON array; raise DocumentInvalid otherwise."""
    if not isinstance(value, list):
        raise DocumentInvalid(f"{what} must be an array, not {_short_text(value)}")
    return value


def row(value: Any, length: int, what: str) -> list[Any]:
    """Return a JSON array of this length, described by `what`; raise DocumentInvalid for another value."""
    items = sequence(value, what)
    if len(items) != length:
        raise DocumentInvalid(f"{what}, not {_short_text(value)}")
    return items


def only(document: Mapping[str, Any], keys: frozenset[str], what: str) -> None:
    """Raise KeyUnknown for any key other than `keys`; `what` names the object."""
    unknown = sorted(str(key) for key in document if key not in keys)
    if unknown:
        raise KeyUnknown(f"{what} has no {unknown[0]!r}; it may have {', '.join(sorted(keys))}")


def text(document: Mapping[str, Any], key: str, default: str) -> str:
    """Return the text of 1 to 2,000 characters at a key, or the default if it is missing or null. Raise
    DocumentInvalid for other values.
    """
    value = document.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or not value or len(value) > _TEXT_AT_MOST:
        raise DocumentInvalid(
            f"{key} must be text of 1 to {_TEXT_AT_MOST} characters, not {_short_text(value)}"
        )
    return value


def number(value: Any, what: str, limit: int = 1 << 62) -> int:
    """Return the value if it is a whole number from 0 to below `limit`; raise DocumentInvalid otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise DocumentInvalid(f"{what} is {_short_text(value)}: it must be a whole number")
    if not 0 <= value < limit:
        raise DocumentInvalid(f"{what} is {_short_text(value)}: it must lie between 0 and {limit}")
    return value


def count(value: Any, what: str) -> int:
    """Return a whole number from 0 to below 2**53, so that sums stay exact; else raise DocumentInvalid."""
    return number(value, what, 1 << 53)


def whole(document: Mapping[str, Any], key: str) -> int:
    """Return the whole number below 2**62 at a key. Raise DocumentInvalid for another value or none."""
    if document.get(key) is None:
        raise DocumentInvalid(f"{key} is missing")
    return number(document[key], key)


def optional_whole(document: Mapping[str, Any], key: str) -> int | None:
    """Return the whole number below 2**62 at a key, or None. Raise DocumentInvalid for another value."""
    return None if document.get(key) is None else number(document[key], key)


def optional_count(document: Mapping[str, Any], key: str) -> int | None:
    """Return the number of operations at a key, or None. Raise DocumentInvalid for another value."""
    return None if document.get(key) is None else count(document[key], key)


def finite(value: Any, what: str) -> float:
    """Return a number between −1e30 and 1e30 as a float; raise DocumentInvalid for others and for NaN."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not abs(value) <= _FARTHEST:
        raise DocumentInvalid(f"{what} is {_short_text(value)}: it must be a finite number")
    return float(value)


def ends(document: Mapping[str, Any], key: str) -> tuple[float, float] | None:
    """Return lower and upper bound at a key that holds a number or `[lower, upper]`, or None. Raise
    DocumentInvalid for other values and unless 0 ≤ lower ≤ upper.
    """
    value = document.get(key)
    if value is None:
        return None
    pair = [value, value] if not isinstance(value, list) else value
    lower, upper = (finite(end, key) for end in row(pair, 2, f"{key} is a number or [lower, upper]"))
    if not 0.0 <= lower <= upper:
        raise DocumentInvalid(f"{key} is {_short_text(value)}: 0 <= lower <= upper is broken")
    return lower, upper


def rounding(document: Mapping[str, Any]) -> Rounding:
    """Return the rounding that the key `rounding` states as `{"ulp", "mode"}`; `NOT_ROUNDED` if it is missing
    or null. Raise DocumentInvalid for other keys or values, KnotsInvalid for a negative `ulp`.
    """
    value = document.get("rounding")
    if value is None:
        return NOT_ROUNDED
    part = mapping(value, "rounding")
    only(part, frozenset({"ulp", "mode"}), "rounding")
    mode = text(part, "mode", RoundingMode.HALF.value)
    if mode not in list(RoundingMode):
        raise DocumentInvalid(f"rounding.mode is {mode!r}; it is one of {', '.join(RoundingMode)}")
    finite(part.get("ulp"), "rounding.ulp")
    ulp: Fraction = exact(part["ulp"])
    return Rounding(ulp, RoundingMode(mode))


def _short_text(value: Any) -> str:
    """Return the value as Python writes it, for a message; cut to 57 characters and `…` if over 60."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"

"""The JSON schema of distribution documents, for other programs and for forms. Reading is in `document`.

A schema cannot say everything: that counts add up to `n`, or that statements do not contradict each other, is
checked on reading.
"""

from typing import Any

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
    """Return the schema of an array with exactly these items, in this order; `more` are further keywords of
    the schema.
    """
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

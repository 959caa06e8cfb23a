"""Distributions as JSON documents: read strictly, and written so that reading gives the same record.

One document is one operation on one clock: counts in a layout, rounded shares, percentiles, or statements
about the distribution function, with misses, exact counters and, if there are any, consecutive pieces. A
document that breaks a rule is refused with the rule, the place and the value; unknown keys by their names.
Facts that are not stated stay unknown: without a clock it is `operation`, without an operation it is `read`.
The schema for other programs is in `document_schema`. Source: docs/method.md 5.1.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from tailroom.domain.latency import document_schema as fields
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.document_reading import misses_of, pairs_of, placed, record_of
from tailroom.domain.latency.document_schema import DISTRIBUTION_KEYS, DocumentInvalid, KeyUnknown
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import layout_document
from tailroom.domain.latency.merged_record import MergedRecord

CLOCK_NAMES = {
    "response": "response",
    "service": "service",
    "queue": "queue",
    "operation": "operation",
    "total": "response",
    "device": "service",
    "op": "operation",
}
"""Clock (which time was measured) by its name or alias in documents; `operation`: not known which."""

_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """A distribution document after parsing. `clock` is a value of `CLOCK_NAMES`, and `intervals` has the
    slices over time. `semantics` states in words what is measured, `source` where it comes from; both are
    empty if not stated. `intervals`, `device` and `timeout_ns` are None if not stated.
    """

    operation: str
    clock: str
    record: LatencyRecord
    intervals: IntervalRecords | None = None
    device: str | None = None
    semantics: str = ""
    source: str = ""
    timeout_ns: int | None = None


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raise DocumentInvalid if it is none, also for NaN, Infinity, deep
    nesting and numbers of thousands of digits. Raise KeyUnknown for a repeated key.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object_of_pairs)
    except json.JSONDecodeError as error:
        raise DocumentInvalid(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise DocumentInvalid("the document is nested too deeply") from None
    except UnicodeDecodeError:
        raise DocumentInvalid("the document is not UTF-8 text") from None
    except DocumentInvalid:
        raise
    except ValueError:
        raise DocumentInvalid("the document holds a number of thousands of digits") from None


def distributions_of(document: Any) -> tuple[Distribution, ...]:
    """Return the distributions of a JSON object, a list of objects, or `{"series": […]}`, whose `v` and
    `source` are not read. Raise DocumentInvalid or another DomainError on a broken rule, also for an empty
    list.
    """
    if isinstance(document, Mapping) and "series" in document:
        fields.only(document, frozenset({"v", "series", "source"}), "the document")
        document = document["series"]
    if not isinstance(document, list):
        return (distribution_of(document),)
    if not document:
        raise DocumentInvalid("the document holds no distribution")
    return tuple(
        placed(f"series[{position}]", distribution_of, entry) for position, entry in enumerate(document)
    )


def distribution_of(document: Any) -> Distribution:
    """Return the distribution of a JSON object; the operation is `read` and the clock `operation` if not
    stated. Raise `DocumentInvalid` or another DomainError that names the broken rule.
    """
    document = fields.mapping(document, "a distribution")
    fields.only(document, DISTRIBUTION_KEYS, "a distribution")
    version = fields.optional_whole(document, "v")
    if version not in {None, _VERSION}:
        raise DocumentInvalid(f"v is {version}; this version reads v {_VERSION}")
    clock = fields.text(document, "clock", "operation")
    if clock not in CLOCK_NAMES:
        raise DocumentInvalid(f"clock is {clock!r}; it is one of {', '.join(CLOCK_NAMES)}")
    misses, timeout_ns = misses_of(document)
    intervals, record = (
        (None, _merged_parts(document)) if "parts" in document else record_of(document, misses)
    )
    return Distribution(
        operation=fields.text(document, "op", "read"),
        clock=CLOCK_NAMES[clock],
        record=record,
        intervals=intervals,
        device=fields.text(document, "device", "") or None,
        semantics=fields.text(document, "semantics", ""),
        source=fields.text(document, "source", ""),
        timeout_ns=timeout_ns,
    )


def document_of(distribution: Distribution) -> dict[str, Any]:
    """Return the document from which the same distribution is read. Left out are unknown values and optional
    columns of intervals (lateness, busy time). Raise DocumentInvalid for another kind of record.
    """
    document: dict[str, Any] = {
        "v": _VERSION,
        "op": distribution.operation,
        "clock": distribution.clock,
        "device": distribution.device,
        "semantics": distribution.semantics or None,
        "source": distribution.source or None,
        **_record_document(distribution.record),
    }
    if distribution.timeout_ns is not None:
        document.setdefault("misses", {})["timeout_ns"] = distribution.timeout_ns
    if distribution.intervals is not None:
        pieces = distribution.intervals
        document["intervals"] = [
            {
                "start_ns": int(pieces.start_ns[row]),
                "duration_ns": int(pieces.duration_ns[row]),
                **{
                    key: value
                    for key, value in _counts_document(pieces.distribution(row)).items()
                    if key != "layout"
                },
            }
            for row in range(pieces.size)
        ]
    return _drop_none(document)


def _merged_parts(document: Mapping[str, Any]) -> MergedRecord:
    """Return the merged record of the distributions in `parts`, whose names, clocks and intervals are
    dropped. Raise a DomainError as `MergedRecord.of`, and for other keys beside `parts`.
    """
    fields.only(
        document, frozenset({"v", "op", "clock", "device", "semantics", "source", "parts"}), "side by side"
    )
    parts = fields.sequence(document["parts"], "parts")
    records = [
        placed(f"parts[{position}]", distribution_of, entry).record for position, entry in enumerate(parts)
    ]
    return MergedRecord.of(records)


def _record_document(record: LatencyRecord) -> dict[str, Any]:
    """Return the keys of a document that hold a record; unknown values are None or left out."""
    if isinstance(record, LatencyDist):
        return _counts_document(record)
    if isinstance(record, MergedRecord):
        return {"parts": [_drop_none(_record_document(part)) for part in record.parts]}
    if isinstance(record, KnotsRecord):
        return {
            "layout": {"t": "knots"},
            "n": record.count,
            "mean_ns": None if record.mean_limits_ns is None else list(record.mean_limits_ns),
            "min_ns": record.min_ns,
            "max_ns": record.max_ns,
            "knots": [[time_ns, low, high] for time_ns, low, high in record.knots],
            "quantiles": [list(pair) for pair in record.quantiles] or None,
            "misses": _misses_document(record.misses),
        }
    raise DocumentInvalid(f"{type(record).__name__} cannot be written as a document")


def _counts_document(dist: LatencyDist) -> dict[str, Any]:
    """Return the keys of a document that hold counts in buckets, without unknown values."""
    return _drop_none(
        {
            "layout": layout_document(dist.layout),
            "n": dist.count,
            "sum_ns": dist.sum_ns,
            "min_ns": dist.min_ns,
            "max_ns": dist.max_ns,
            "counts": pairs_of(dist.counts),
            "pins": [list(pair) for pair in sorted(dist.pins.items())] or None,
            "misses": _misses_document(dist.misses),
        }
    )


def _misses_document(misses: Misses) -> dict[str, int] | None:
    """Return the kinds of misses with a count over 0; None if there are none."""
    part = {"errors": misses.errors, "timeouts": misses.timeouts, "unfinished": misses.unfinished}
    return {key: value for key, value in part.items() if value} or None


def _drop_none(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without keys whose value is None."""
    return {key: value for key, value in document.items() if value is not None}


def _refuse_constant(text: str) -> NoReturn:
    """Raise `DocumentInvalid` for NaN and infinity, which Python's parser would accept."""
    raise DocumentInvalid(f"{text} is not a number in JSON")


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its pairs. Raise `KeyUnknown` for a repeated key."""
    by_key = dict(pairs)
    if len(by_key) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise KeyUnknown(f"the key {twice!r} stands twice")
    return by_key

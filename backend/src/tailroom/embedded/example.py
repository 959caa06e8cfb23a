"""A simulated day as the example for a first visit: latencies of the null engine, slower from hour 18 on.

No drive was measured. Latencies are drawn minute by minute with a fixed seed from the distribution of the
null engine, which reads no device, and written as a result file of the agent. Its plan names the engine, so
every page shows that the run is simulated. Over the whole day it stays inside ACT's limits; hour by hour it
does not. Source: `KNOTS` in agent/crates/device/src/engine/null.rs.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tailroom.domain import act
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, NS_PER_S

FILE_NAME = "simulated-day.ndjson"
TITLE = "Simulated day: a drive that slows down in hour 18"
CLIFF_NS = 17 * NS_PER_HOUR + 20 * NS_PER_MINUTE
"""Time in the run from which reads are slow (the cliff)."""
_STARTED_AT_UNIX_NS = 1_767_225_600 * NS_PER_S
_SEED = 250
_LAYOUT = HdrLayout()
_FINEST_NS = 1_000
"""Unit of the histogram in nanoseconds."""
_SERIES = 1
"""Number of the only series."""

Knots = Sequence[tuple[float, int]]
"""Inverse of a distribution function: pairs of a share of reads and nanoseconds, linear in between."""

USUAL: Knots = (
    (0.0, 60_000),
    (0.5, 95_000),
    (0.9, 180_000),
    (0.99, 420_000),
    (0.999, 2_200_000),
    (0.9999, 9_000_000),
    (1.0, 30_000_000),
)
"""Latencies before the cliff."""
SLOW: Knots = (
    (0.0, 60_000),
    (0.5, 110_000),
    (0.85, 400_000),
    (0.91, 1_000_000),
    (0.98, 8_000_000),
    (0.9998, 48_000_000),
    (1.0, 90_000_000),
)
"""Latencies after the cliff: 9 of 100 reads take over 1 ms, 2 of 100 over 8 ms."""


@dataclass(frozen=True, slots=True)
class _Distribution:
    """Distribution of latencies over buckets."""

    indices: Int64s
    """Numbers of the buckets in the layout, ascending."""
    shares: np.ndarray[tuple[int], np.dtype[np.float64]]
    """Share of the reads in each of these buckets; their sum is 1."""

    @classmethod
    def of(cls, knots: Knots) -> "_Distribution":
        """Return the distribution of `knots` over the buckets from its smallest to its largest latency."""
        shares, times_ns = (np.array(column) for column in zip(*knots, strict=True))
        first, last = _LAYOUT.index_of(np.array([times_ns[0], times_ns[-1]]) // _FINEST_NS)
        indices = np.arange(first, last + 1)
        lower, upper = _LAYOUT.edges_ns(indices)
        inside = np.interp(upper, times_ns, shares) - np.interp(lower, times_ns, shares)
        return cls(indices, inside / inside.sum())


def result_file() -> bytes:
    """Return the simulated day as the agent would have written it: the same bytes each time."""
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in _lines())


def _lines() -> Iterator[dict[str, Any]]:
    """Yield the lines of the result file as objects: announcement, series, an interval a minute, finish."""
    yield {"tailroom_agent_result": 1, "announce": _announcement()}
    yield {"series": [_series()]}
    rng = np.random.default_rng(_SEED)
    usual, slow = _Distribution.of(USUAL), _Distribution.of(SLOW)
    minutes = act.LENGTH_NS // NS_PER_MINUTE
    for seq in range(minutes):
        distribution = usual if seq * NS_PER_MINUTE < CLIFF_NS else slow
        yield {"intervals": [_interval(seq, distribution, rng)]}
    finish = {"outcome": "completed", "reason": None, "duration_ns": act.LENGTH_NS}
    yield {"finish": {**finish, "last_seq": {str(_SERIES): minutes - 1}}}


def _interval(seq: int, distribution: _Distribution, rng: np.random.Generator) -> dict[str, Any]:
    reads = act.READS_PER_S * (NS_PER_MINUTE // NS_PER_S)
    drawn = rng.multinomial(reads, distribution.shares)
    filled = drawn > 0
    indices, counts = distribution.indices[filled], drawn[filled]
    # Each read has the lower edge of its bucket: whole microseconds, as the agent rounds them down.
    at_ns, _ = _LAYOUT.edges_ns(indices)
    return {
        "series": _SERIES,
        "seq": seq,
        "start_ns": seq * NS_PER_MINUTE,
        "duration_ns": NS_PER_MINUTE,
        "count": reads,
        "errors": 0,
        "timeouts": 0,
        "unfinished": 0,
        "sum_ns": int((at_ns * counts).sum()),
        "min_ns": int(at_ns[0]),
        "max_ns": int(at_ns[-1]),
        "pins": [int(counts[at_ns >= limit_ns].sum()) for limit_ns in act.LIMITS_NS],
        "target_count": reads,
        "lateness_max_ns": 0,
        "histogram": base64.b64encode(encode(Counts(indices, counts), _LAYOUT)).decode(),
    }


def _series() -> dict[str, Any]:
    return {
        "series_no": _SERIES,
        "operation": "read",
        "clock": "response",
        "kind": "histogram",
        "phase": "main",
        "host": "simulated",
        "device": "null engine",
        "layout": {"t": "hdr", "unit_ns": _LAYOUT.unit_ns, "significant_digits": _LAYOUT.significant_digits},
        "pin_thresholds_ns": list(act.LIMITS_NS),
        "target_rate_per_s": float(act.READS_PER_S),
    }


def _announcement() -> dict[str, Any]:
    length_s = act.LENGTH_NS // NS_PER_S
    return {
        "title": TITLE,
        "workload": "act-storage",
        "started_at_unix_ns": _STARTED_AT_UNIX_NS,
        "planned_duration_ns": act.LENGTH_NS,
        "agent": {"version": "simulated", "commit": None},
        "host": {"hostname": "simulated"},
        "plan": {
            "title": TITLE,
            "workload": "act-storage",
            "duration_s": length_s,
            "histogram_every_s": NS_PER_MINUTE // NS_PER_S,
            "act_storage": {"engine": "null", "load_multiple": 1.0, "record_bytes": 1536, "seed": _SEED},
        },
    }

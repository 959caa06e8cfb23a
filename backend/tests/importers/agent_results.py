"""Result files of the agent with one series and one interval, whose numbers a test chooses."""

import base64
import json

import numpy as np
from backend.tests.importers.reading import SAMPLES

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout


def agent_result(*latencies_ns: int, count: int | None = None, unit_ns: int = 1_000) -> str:
    """What a whole run of reads writes; `count` is what the interval says, if not what it holds."""
    layout = HdrLayout(unit_ns, 3)
    units = np.array(sorted(latencies_ns), np.int64) // unit_ns
    indices, counts = np.unique(layout.index_of(units), return_counts=True)
    payload = encode(Counts(indices, counts.astype(np.int64)), layout)
    announced = (SAMPLES / "agent/act-null-4s.ndjson").read_text().splitlines()[0]
    series = {
        "series_no": 0,
        "operation": "read",
        "clock": "response",
        "kind": "histogram",
        "phase": "main",
        "host": "bench-01",
        "device": "act.dat",
        "layout": {"t": "hdr", "unit_ns": unit_ns, "significant_digits": 3},
        "pin_thresholds_ns": [],
        "target_rate_per_s": None,
    }
    interval = {
        "series": 0,
        "seq": 0,
        "start_ns": 0,
        "duration_ns": 1_000_000_000,
        "count": len(latencies_ns) if count is None else count,
        "errors": 0,
        "timeouts": 0,
        "unfinished": 0,
        "sum_ns": sum(latencies_ns),
        "min_ns": min(latencies_ns),
        "max_ns": max(latencies_ns),
        "pins": [],
        "target_count": None,
        "lateness_max_ns": 0,
        "histogram": base64.b64encode(payload).decode(),
    }
    finish = {"outcome": "completed", "reason": None, "duration_ns": 1_000_000_000, "last_seq": {"0": 0}}
    lines = [{"series": [series]}, {"intervals": [interval]}, {"finish": finish}]
    return "\n".join([announced, *map(json.dumps, lines)]) + "\n"

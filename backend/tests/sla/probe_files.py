"""Result files of probes of a search, as an agent writes them: one interval a second of one operation."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.kit.identifiers import new_id

_LAYOUT = HdrLayout()
_NS_PER_S = 1_000_000_000
_SECONDS = 6
_LIMIT_NS = 1_000_000


def write_search(
    folder: Path, name: str, knee_per_s: float, loads: list[float], *, objective: str = "p99 get < 1ms"
) -> list[str]:
    """Write the probes of a search on a server that is fast up to `knee_per_s`; return their names."""
    search_id = str(new_id())
    names = []
    for step, load in enumerate(loads, 1):
        ladder = {"id": search_id, "step": step, "kind": "probe", "load_per_s": load, "objective": objective}
        path = folder / f"{name}-{step:02}.ndjson"
        _write_probe(path, ladder, _LIMIT_NS // 2 if load <= knee_per_s else 2 * _LIMIT_NS)
        names.append(str(path))
    return names


def _write_probe(path: Path, ladder: dict[str, Any], latency_ns: int) -> None:
    step, load = ladder["step"], ladder["load_per_s"]
    announce = {
        "run_id": str(new_id()),
        "title": f"search · probe {step}",
        "workload": "keyvalue",
        "started_at_unix_ns": 1_790_000_000_000_000_000 + step * 10 * _NS_PER_S,
        "planned_duration_ns": _SECONDS * _NS_PER_S,
        "agent": {"version": "0.1.0", "commit": None},
        "host": {"hostname": "bench"},
        "plan": {"title": "search", "workload": "keyvalue", "ladder": ladder, "phase": {"loop": "open"}},
    }
    series = {
        "series_no": 0,
        "operation": "get",
        "clock": "response",
        "kind": "histogram",
        "phase": "run",
        "host": "bench",
        "device": None,
        "layout": {"t": "hdr", "unit_ns": 1_000, "significant_digits": 3},
        "pin_thresholds_ns": [_LIMIT_NS],
        "target_rate_per_s": load,
    }
    lines: list[dict[str, Any]] = [
        {"tailroom_agent_result": 1, "announce": announce},
        {"series": [series]},
        {"intervals": [_interval(second, round(load), latency_ns) for second in range(_SECONDS)]},
        {
            "finish": {
                "outcome": "completed",
                "reason": None,
                "duration_ns": _SECONDS * _NS_PER_S,
                "last_seq": {"0": _SECONDS - 1},
            }
        },
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _interval(seq: int, count: int, latency_ns: int) -> dict[str, Any]:
    index = _LAYOUT.index_of(np.array([latency_ns // _LAYOUT.unit_ns], np.int64))
    counts = Counts(index, np.array([count], np.int64))
    return {
        "series": 0,
        "seq": seq,
        "start_ns": seq * _NS_PER_S,
        "duration_ns": _NS_PER_S,
        "count": count,
        "errors": 0,
        "timeouts": 0,
        "unfinished": 0,
        "sum_ns": count * latency_ns,
        "min_ns": latency_ns,
        "max_ns": latency_ns,
        "pins": [count if latency_ns >= _LIMIT_NS else 0],
        "target_count": count,
        "lateness_max_ns": 0,
        "histogram": base64.b64encode(encode(counts, _LAYOUT)).decode(),
    }

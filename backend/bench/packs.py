"""Measure the time to create and verify the evidence pack of a day-long run, and to print its report.

Goals: pack at most 20 s, verification at most 10 s, PDF at most 10 s, in elapsed time. The input is the
agent's result file of a day without live ticks: a histogram every ten seconds of six series (`--every 1
--series 2`: every second of two series).

`python -m backend.bench.packs`
"""

import argparse
import base64
import io
import json
import zipfile
from time import perf_counter

import numpy as np

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.kit.clock import utc_now
from tailroom.reports.packing import REPORT, pack
from tailroom.reports.printing import pdf_of
from tailroom.reports.verification import verify

_DAY_S = 86_400
_LEVELS = 40
_NS_PER_S = 1_000_000_000
_LIMITS_NS = (1_000_000, 8_000_000, 64_000_000)
_LAYOUT = HdrLayout()
_SERIES = (
    ("read", "response", 2_000),
    ("read", "service", 2_000),
    ("large-block-read", "response", 24),
    ("large-block-read", "service", 24),
    ("large-block-write", "response", 24),
    ("large-block-write", "service", 24),
)


def day_of_act(every_s: int, series_count: int, seed: int = 1) -> bytes:
    """Return a result file of the agent: lognormal reads around 120 µs, from a few repeated histograms."""
    rng = np.random.default_rng(seed)
    chosen = _SERIES[:series_count]
    kinds = [[_interval(rng, rate * every_s) for _ in range(_LEVELS)] for _, _, rate in chosen]
    series = [_series(number, *options_of_series) for number, options_of_series in enumerate(chosen)]
    lines = [_announcement(), json.dumps({"series": series})]
    pieces = _DAY_S // every_s
    for seq in range(pieces):
        when = {"seq": seq, "start_ns": seq * every_s * _NS_PER_S, "duration_ns": every_s * _NS_PER_S}
        levels = rng.integers(_LEVELS, size=len(chosen))
        intervals = [{"series": at} | when | kinds[at][level] for at, level in enumerate(levels)]
        lines.append(json.dumps({"intervals": intervals}))
    last = {str(number): pieces - 1 for number in range(len(chosen))}
    finish = {"outcome": "completed", "reason": None, "duration_ns": _DAY_S * _NS_PER_S, "last_seq": last}
    return "\n".join([*lines, json.dumps({"finish": finish}), ""]).encode()


def _interval(rng: np.random.Generator, operations: int) -> dict[str, object]:
    """Return the fields of an interval of random latencies, without its series, number and time."""
    latencies = np.sort(np.maximum(20_000, rng.lognormal(np.log(120_000), 0.6, operations)).astype(np.int64))
    indices, counts = np.unique(_LAYOUT.index_of(latencies // _LAYOUT.unit_ns), return_counts=True)
    payload = encode(Counts(indices, counts), _LAYOUT)
    return {
        "count": operations,
        "errors": 0,
        "timeouts": 0,
        "unfinished": 0,
        "sum_ns": int(latencies.sum()),
        "min_ns": int(latencies[0]),
        "max_ns": int(latencies[-1]),
        "pins": [int((latencies >= limit).sum()) for limit in _LIMITS_NS],
        "target_count": operations,
        "lateness_max_ns": 0,
        "histogram": base64.b64encode(payload).decode(),
    }


def _series(number: int, operation: str, clock: str, rate: int) -> dict[str, object]:
    """Return the definition of a series."""
    return {
        "series_no": number,
        "operation": operation,
        "clock": clock,
        "kind": "histogram",
        "phase": "main",
        "host": "bench-01",
        "device": "act.dat",
        "layout": {"t": "hdr", "unit_ns": 1000, "significant_digits": 3},
        "pin_thresholds_ns": list(_LIMITS_NS),
        "target_rate_per_s": float(rate),
    }


def _announcement() -> str:
    """Return the first line of the result file: the announcement of the run."""
    load = {"load_multiple": 1.0, "record_bytes": 1536}
    plan = {"act_storage": load, "duration_s": _DAY_S, "workload": "act-storage"}
    announce = {
        "run_id": "01a1feb2-77f5-7387-9fb3-f68a1439ad4a",
        "title": "a day of ACT",
        "workload": "act-storage",
        "started_at_unix_ns": 1_795_274_471_414_101_771,
        "planned_duration_ns": _DAY_S * _NS_PER_S,
        "agent": {"version": "0.1.0", "commit": None},
        "host": {"hostname": "bench-01"},
        "plan": plan,
    }
    return json.dumps({"tailroom_agent_result": 1, "announce": announce})


def main() -> None:
    """Measure and print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--every", type=int, default=10, help="seconds of an interval")
    arguments.add_argument("--series", type=int, default=len(_SERIES))
    options = arguments.parse_args()
    content = day_of_act(options.every, options.series)
    print(f"  file: {len(content):,} bytes")
    began = perf_counter()
    made, verdicts = pack({"day.ndjson": content}, utc_now())
    print(f"  pack: {perf_counter() - began:.1f} s (goal 20), {len(verdicts)} verdicts, {len(made):,} bytes")
    began = perf_counter()
    verification = verify(made)
    result = "as it says" if verification.ok else "DIFFERS"
    print(f"  verify: {perf_counter() - began:.1f} s (goal 10), {result}")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        page = archive.read(REPORT).decode()
    began = perf_counter()
    printed = pdf_of(page)
    print(f"  PDF of its report: {perf_counter() - began:.1f} s (goal 10), {len(printed):,} bytes")


if __name__ == "__main__":
    main()

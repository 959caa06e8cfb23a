"""Many periods with mean and deviation together say the same as each by itself, and long logs stay small."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.moments import MomentPeriods
from tailroom.importers.parsed_run import ClaimsOnDemand
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes


def _line(second: int, latencies_us: list[int], skipped: int) -> str:
    sums = (len(latencies_us), sum(latencies_us), sum(one * one for one in latencies_us)) + (
        (min(latencies_us), max(latencies_us)) if latencies_us else (0, 0)
    )
    return f"{1_795_000_000 + second} " + " ".join(map(str, sums)) + f" 0 0 0 0 {skipped} 0 0 0 0 0"


def _periods(lines: list[str]) -> MomentPeriods:
    (run,) = read(from_bytes("pgbench_log.1", ("\n".join(lines) + "\n").encode())).runs
    (series,) = run.series
    assert isinstance(series.periods, MomentPeriods)
    return series.periods


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(0, 40), st.sampled_from([1, 7, 900, 200_000]))
def test_rows_say_what_their_records_say(seed: int, most: int, scale: int) -> None:
    source = random.Random(seed)  # noqa: S311 - examples
    lines = []
    for second in range(8):
        size = source.randint(0, most)
        latencies = [source.randint(1, 50 * scale) if source.random() < 0.9 else scale for _ in range(size)]
        lines.append(_line(second, latencies, source.randint(0, 2)))
    if not any(line.split()[1] != "0" for line in lines):
        lines.append(_line(8, [scale], 0))
    periods = _periods(lines)
    at = sorted({1, NS_PER_MS, 8 * NS_PER_MS, *(source.randint(1, 60 * scale) * NS_PER_US for _ in range(6))})
    for threshold_ns in at:
        least, most_over = periods.over(threshold_ns)
        each = [one.record.at_or_over(threshold_ns) for one in periods]
        assert least.tolist() == [one.lower for one in each]
        assert most_over.tolist() == [one.upper for one in each]
    assert periods.operations.tolist() == [one.record.total for one in periods]


def test_claims_on_demand_are_a_sequence() -> None:
    head = "sysbench 1.0.20 (using system LuaJIT 2.1.0)\n\nThreads started!\n\n"
    lines = [
        f"[ {at}s ] thds: 4 tps: {at}.50 qps: 20.12 (r/w/o: 10.11/9.30/4.71) lat (ms,95%): 2.14 err/s: 0.00 "
        "reconn/s: 0.00\n"
        for at in range(1, 2_102)
    ]
    (run,) = read(from_bytes("out.txt", (head + "".join(lines)).encode())).runs
    claims = run.claims
    assert isinstance(claims, ClaimsOnDemand)
    made = list(claims)
    assert len(claims) == len(made) == 2_101 * 8
    assert [one.printed for one in made if one.quantity == "latency_quantile_ns"] == ["2.14"] * 2_101
    assert claims[:3] == tuple(made[:3])
    assert claims[5::700] == tuple(made[5::700])
    assert claims[-2:] == tuple(made[-2:])
    assert claims[-1] == made[-1]
    assert claims[8].line == 6
    assert not list(claims.about_whole_run())
    with pytest.raises(IndexError):
        _ = claims[16_808]


def test_a_single_interval_has_no_course() -> None:
    """Its length is not known: nothing is said of slices, and the whole is."""
    source = from_bytes("pgbench_log.1", (_line(0, [90, 900, 9_000], 0) + "\n").encode())
    (found,) = inspect_sources([source], 60, (NS_PER_MS,))
    (series,) = found.document["series"]
    assert series["count"] == 3
    assert [one["slices"] for one in series["exceedance"]] == [[]]

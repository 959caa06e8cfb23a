"""fio's output for people. Its samples hold the same results as json+, whose bins are the truth."""

import re
from pathlib import Path

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, run_of_text, runs_of_text, series

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.parsed_run import EndState, ParsedRun

BOTH = ("normal_mix", "normal_nul", "normal_par", "normal_two")


def _text(sample: str) -> str:
    """The output for people alone."""
    text = Path(SAMPLES / f"fio/{sample}.txt").read_text()
    begin, end = text.index("\n{\n"), text.index("\n}\n") + 3
    return text[:begin] + "\n" + text[end:]


def _truth(sample: str) -> ParsedRun:
    text = Path(SAMPLES / f"fio/{sample}.txt").read_text()
    return run_of_text(text[text.index("\n{\n") + 1 : text.index("\n}\n") + 3])


@pytest.mark.parametrize("sample", BOTH)
def test_its_ends_hold_what_the_bins_count(sample: str) -> None:
    truth, found = _truth(sample), run_of_text(_text(sample))
    assert found.format == "fio-normal"
    assert (found.tool_version, found.duration_ns) == (truth.tool_version, truth.duration_ns)
    compared = 0
    for exact in truth.series:
        if not exact.record.total or not isinstance(exact.record, LatencyDist):
            continue
        (one,) = [
            other
            for other in found.series
            if (other.operation, other.clock) == (exact.operation, exact.clock)
            and exact.phase in (None, other.phase)
        ]
        assert one.record.total == exact.record.total
        edges = exact.record.edges_ns()
        for at_ns in (edges if edges.size < 300 else edges[:: edges.size // 300]).tolist():
            (low, high), (least, most) = exact.record.cdf_bounds(at_ns), one.record.cdf_bounds(at_ns)
            assert least <= high + 1e-9
            assert low <= most + 1e-9
        compared += 1
    assert compared


@pytest.mark.parametrize("sample", BOTH)
def test_what_is_printed_stands_beside_the_ends(sample: str) -> None:
    text = _text(sample)
    (one, *_) = [one for one in run_of_text(text).series if one.source_name == "clat"]
    quantiles = [claim for claim in one.printed if claim.quantity == "latency_quantile_ns"]
    assert len(quantiles) == 17
    for claim in quantiles:
        bounds = one.record.quantile_bounds(claim.quantile or 0)
        assert bounds.lower_ns <= claim.upper
        assert bounds.upper_ns is None or bounds.upper_ns >= claim.lower
        assert re.search(rf"\[ *{claim.printed.split()[0]}\]", text)


def test_buckets_of_one_direction_sharpen_its_percentiles() -> None:
    text = _text("normal_nul")
    with_buckets, without = (
        series(run_of_text(one), "read").record
        for one in (text, re.sub(r"(?m)^  lat \([nu]sec\)   : .*\n", "", text))
    )
    widths = []
    for record in (with_buckets, without):
        low, high = np.array([record.cdf_bounds(at) for at in (100, 250, 500, 1_000)]).T
        widths.append(float((high - low).sum()))
    assert widths[0] < widths[1]


def test_buckets_of_several_directions_are_a_series_of_their_own() -> None:
    run = run_of_text(_text("normal_mix"))
    together = series(run, "all")
    counts = [series(run, name).record.total or 0 for name in ("read", "write")]
    assert together.record.total == sum(counts)


OLD = """fio 2.0.8
randread: (groupid=0, jobs=1): err= 0: pid=4711
  read : io=40960KB, bw=8192.0KB/s, iops=2048 , runt=  5000msec
    clat (usec): min=101 , max=20480 , avg=480.25, stdev=12.50
     lat (usec): min=102 , max=20481 , avg=481.30, stdev=12.50
    clat percentiles (usec):
     |  1.00th=[  106], 50.00th=[  478], 99.00th=[  620], 99.99th=[12736]
    bw (KB/s)  : min= 7000, max= 9000, per=99.90%, avg=8190.00, stdev=10.00
    lat (usec) : 250=5.10%, 500=60.20%, 750=34.68%
    lat (msec) : 20=0.02%, 50=0.01%
  cpu          : usr=1.00%, sys=2.00%, ctx=10240, majf=0, minf=25
  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
     issued    : total=r=10241/w=0/d=0, short=r=0/w=0/d=0

Run status group 0 (all jobs):
   READ: io=40960KB, aggrb=8192KB/s, minb=8192KB/s, maxb=8192KB/s, mint=5000msec, maxt=5000msec
"""


def test_versions_before_3_count_in_microseconds() -> None:
    run = run_of_text(OLD)
    assert (run.tool_version, run.state) == ("2.0.8", EndState.FINISHED)
    record = series(run, "read").record
    assert record.total == 10_241
    bounds = record.quantile_bounds(0.5)
    assert (bounds.lower_ns, bounds.upper_ns) == (476_000, 480_000)
    (mean,) = [one for one in run.claims if one.quantity == "latency_mean_ns"]
    assert mean.printed == "480.25 µs"


def test_a_job_that_failed_keeps_its_percentiles_without_a_count() -> None:
    run = run_of_text(OLD.replace("err= 0", "err= 5 (file:io_u.c:1: Input/output error)"))
    assert run.state is EndState.FAILED
    record = series(run, "read").record
    assert record.total is None
    assert record.quantile_bounds(0.499).upper_ns == 480_000


def test_a_later_state_of_the_same_run_takes_the_place_of_the_one_before() -> None:
    later = OLD.replace("fio 2.0.8\n", "").replace("10241/w", "20481/w").replace("5000msec", "9000msec")
    run = run_of_text(OLD + later)
    assert series(run, "read").record.total == 20_481
    assert any("2 states" in problem.reason for problem in run.problems)
    runs = runs_of_text(OLD + later.replace("4711", "4712"))
    assert [series(one, "read").record.total for one in runs] == [10_241, 20_481]


@pytest.mark.parametrize("name", ["read", "clat", "total"])
def test_nothing_comes_of_nothing(name: str) -> None:
    """No operation, or no latency, is never a quick one."""
    nothing = OLD
    if name == "total":
        nothing = OLD.replace("r=10241", "r=0")
    elif name == "clat":
        nothing = re.sub(r"(?m)^ +(?:c?lat|\|).*\n", "", OLD)
    else:
        nothing = OLD[: OLD.index("  read :")]
        with pytest.raises(Exception, match="no result of a job"):
            run_of_text(nothing)
        return
    assert run_of_text(nothing).series == ()


def test_buckets_that_do_not_add_up_are_left_out() -> None:
    run = run_of_text(OLD.replace("500=60.20%", "500=20.20%"))
    assert any("add up" in problem.reason for problem in run.problems)
    assert series(run, "read").record.quantile_bounds(0.5).upper_ns == 480_000


SYNC = """fio-3.38
Starting 1 process

log: (groupid=0, jobs=1): err= 0: pid=77: Fri Nov 20 12:30:04 2026
  write: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10001msec); 0 zone resets
    clat (usec): min=20, max=900, avg=55.25, stdev=3.10
    clat percentiles (usec):
     |  1.00th=[   21], 50.00th=[   50], 99.00th=[  210]
  fsync/fdatasync/sync_file_range:
    sync (usec): min=31, max=2573, avg=53.15, stdev=33.80
    sync percentiles (usec):
     |  1.00th=[   37], 50.00th=[   50], 99.00th=[   99]
     issued rwts: total=0,1000,0,0 short=999,0,0,0 dropped=0,0,0,0

Run status group 0 (all jobs):
  WRITE: bw=400KiB/s (410kB/s), 400KiB/s-400KiB/s (410kB/s-410kB/s), io=4000KiB (4096kB), run=10001-10001msec

Summary of all
  write: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10001msec); 0 zone resets
"""


def test_lines_that_a_script_repeats_behind_a_run_are_no_other_result() -> None:
    run = run_of_text(SYNC)
    write = series(run, "write")
    assert write.record.total == 1_000
    assert write.record.quantile_bounds(0.5).upper_ns == 50_176


def test_syncs_that_fio_counts_nowhere_keep_their_latencies() -> None:
    """fdatasync since 3.3x: latencies, and 0 as their number."""
    sync = series(run_of_text(SYNC), "sync", "operation")
    assert sync.record.total is None
    assert sync.record.quantile_bounds(0.49).upper_ns == 50_176
    assert not [
        one for one in run_of_text(SYNC).claims if one.quantity == "operation_count" and not one.upper
    ]

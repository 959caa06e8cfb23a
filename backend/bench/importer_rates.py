"""Measure the rate at which `tailroom inspect` reads every text format that grows with the test's duration.

The files are generated: a mebibyte of lines repeated with advancing times, so that every machine reads equal
files. The rate is megabytes per processor second, including the start of Python; elapsed time and peak memory
are printed too. That start lowers the rates of small files: the goal is for 1 GB (`--megabytes 1000`).

    python -m backend.bench.importer_rates [--megabytes 100] [--only ycsb-raw]... [--json]
"""

# ruff: noqa: E501 - lines are as long as the tools print them

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from backend.bench.importers import measured, write_log

GOAL_MB_PER_S = 150
_START_S = 1_795_178_090
_LINES = 30_000
_STATEMENT_MB = 10
_SECOND, _COUNTER, _PASSED = b"@@@@@@@@@@", b"%%%%%%%%", b"&&&&&&"
"""Placeholders in a template: seconds since 1970, a number of operations, seconds since the beginning."""
_CLOCK = b"####-##-## ##:##:##"


@dataclass(frozen=True)
class Form:
    """A file to generate: its name, its beginning and end, and the generator of a second's lines."""

    file: str
    lines: Callable[[np.random.Generator], Iterator[str]]
    before: str = ""
    after: str = ""
    line_by_line: bool = False
    """A line summarises many operations: a week of lines is a few megabytes, so the file is not larger."""


@dataclass(frozen=True)
class Rate:
    """Figures of one format."""

    form: str
    megabytes: float
    processor_s: float
    megabytes_per_s: float
    elapsed_s: float
    peak_mb: float


def _latencies(rng: np.random.Generator, size: int = _LINES) -> list[int]:
    latencies: list[int] = np.minimum(rng.lognormal(6.2, 0.7, size), 900_000).astype(int).tolist()
    return latencies


def _ycsb(names: tuple[str, ...]) -> Callable[[np.random.Generator], Iterator[str]]:
    def lines(rng: np.random.Generator) -> Iterator[str]:
        for number, latency in enumerate(_latencies(rng)):
            at_ms = number * 1000 // _LINES
            yield f"{names[int(rng.integers(len(names)))]},@@@@@@@@@@{at_ms:03d},{latency}"

    return lines


def _go_ycsb(names: tuple[str, ...]) -> Callable[[np.random.Generator], Iterator[str]]:
    def lines(rng: np.random.Generator) -> Iterator[str]:
        for number, latency in enumerate(_latencies(rng)):
            at_us = number * 1_000_000 // _LINES
            yield f"{names[int(rng.integers(len(names)))]},@@@@@@@@@@{at_us:06d},{latency}"

    return lines


def _pgbench(rng: np.random.Generator) -> Iterator[str]:
    for number, latency in enumerate(_latencies(rng)):
        at_us = number * 1_000_000 // _LINES
        yield f"{number % 16} {number + 1000} {latency} 0 @@@@@@@@@@ {at_us}"


def _pgbench_rate(rng: np.random.Generator) -> Iterator[str]:
    return (f"{line} {lag}" for line, lag in zip(_pgbench(rng), _latencies(rng), strict=True))


def _fio(rng: np.random.Generator) -> Iterator[str]:
    for number, latency in enumerate(_latencies(rng)):
        offset = int(rng.integers(1 << 24)) << 12
        yield f"&&&&&&{number * 1000 // _LINES:03d}, {latency * 100}, {number % 3 // 2}, 4096, {offset}, 0"


def _fio_histogram(rng: np.random.Generator) -> Iterator[str]:
    for direction in (0, 1):
        counts = np.zeros(1856, int)
        counts[600:760] = rng.poisson(20, 160)
        yield f"&&&&&&000, {direction}, 4096, " + ", ".join(map(str, counts))


def _iostat(rng: np.random.Generator) -> Iterator[str]:
    yield "11/20/2026 12:34:50 PM"
    yield "avg-cpu:  %user   %nice %system %iowait  %steal   %idle"
    yield "           1.49    0.00    1.67   10.94    0.00   85.90"
    yield ""
    yield (
        "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm "
        "w_await wareq-sz  aqu-sz  %util"
    )
    for number in range(12):
        wait = rng.random()
        yield (
            f"nvme{number}n1     8130.00  12195.00     0.00   0.00 {wait:7.2f}     1.50 4065.00  24390.00     "
            f"0.00   0.00    0.10     6.00    4.15  95.65"
        )
    yield ""


def _sar(rng: np.random.Generator) -> Iterator[str]:
    for number in range(12):
        yield (
            f"23:59:59      nvme{number}n1   8123.45  12185.18   6092.59      0.00      2.25      3.90 "
            f"{rng.random():9.2f}     95.57"
        )


def _ycsb_status(rng: np.random.Generator) -> Iterator[str]:
    part = "Count=22512, Max=20015, Min=201, Avg=801.12, 90=1099, 99=2401, 99.9=9007, 99.99=18015"
    mean = rng.random()
    yield (
        f"####-##-## ##:##:##:123 &&&&&& sec: %%%%%%%% operations; 45023.{int(mean * 9)} current ops/sec; est "
        f"completion in 1 hour [READ: {part}] [UPDATE: {part}]"
    )


def _go_status(rng: np.random.Generator) -> Iterator[str]:
    for name in ("READ  ", "UPDATE"):
        yield (
            f"{name} - Takes(s): &&&&&&.0, Count: %%%%%%%%, OPS: {rng.random() * 1e4:.1f}, Avg(us): 801, "
            "Min(us): 201, Max(us): 20015, 50th(us): 745, 90th(us): 1099, 95th(us): 1303, 99th(us): 2401, "
            "99.9th(us): 9007, 99.99th(us): 18015"
        )


def _cpp_status(rng: np.random.Generator) -> Iterator[str]:
    yield (
        f"2026-11-20 12:30:02 &&&&&& sec: %%%%%%%% operations; [READ: Count=%%%%%%%% Max=812.54 Min=1.20 "
        f"Avg={rng.random() * 9:.2f} 90=9.10 99=22.35 99.9=101.25 99.99=420.86]"
    )


def _sysbench(rng: np.random.Generator) -> Iterator[str]:
    yield (
        f"[ &&&&&&s ] thds: 4 tps: {rng.random() * 1e4:.2f} qps: 45021.12 (r/w/o: 31510.11/9001.30/4509.71) "
        "lat (ms,95%): 2.14 err/s: 0.00 reconn/s: 0.00"
    )


def _cassandra(rng: np.random.Generator) -> Iterator[str]:
    yield (
        f"total,       %%%%%%%%,    5000,    5000,    5000,     1.1,     0.9,     2.1,     5.2,    12.1,    "
        f"{rng.random() * 90:.1f}, &&&&&&.0,  0.00000,      0,      0,       0,       0,       0,       0"
    )


def _pgbench_progress(rng: np.random.Generator) -> Iterator[str]:
    yield f"progress: &&&&&&.0 s, 1316.9 tps, lat {rng.random() * 9:.3f} ms stddev 2.581, 0 failed"


def _pgbench_aggregated(rng: np.random.Generator) -> Iterator[str]:
    yield f"@@@@@@@@@@ 225 {rng.integers(10**6, 2 * 10**6)} 31880663293 359 103159 0 0 0 0 0 0 0 0 0"


def _nosqlbench(rng: np.random.Generator) -> Iterator[str]:
    yield (
        f"Tag=keyvalue_main.cycles.servicetime,&&&&&&.000,1.000,{rng.integers(900, 1100)},133256,635584,885156,"
        "1231664,1717176,2019771,2628196,3084621,3685981,3687100,3687100"
    )


def _vdbench(rng: np.random.Generator) -> Iterator[str]:
    yield (
        "10:15:02.021  11/22/2026-10:15:02-UTC        rd1          &&&&&&     999999 11842.0000    46.2578  "
        f"4096.0000    70.1089     {rng.random():.4f}     0.7120     0.5414    18.4410    18.4410     9.1220     "
        "0.5521     0.5931     0.4114       4096          8    70.0000     0.0000     0.0000   100.0000     "
        "9.3132 vdbench50407        n/a        n/a     7.8299    12.1000     4.0000     8.1000     0.0000    "
        "87.9000 "
    )


def _java(rng: np.random.Generator) -> Iterator[str]:
    share = int(rng.integers(90, 99))
    yield "2026-11-20 12:30:01.123 write(tps=4012 timeouts=0 errors=0) read(tps=16012 timeouts=0 errors=0)"
    yield "      <=1ms >1ms >2ms >4ms >8ms >16ms >32ms"
    yield f"write   {share}%   {100 - share}%   1%   0%   0%    0%    0%"
    yield f"read    {share}%   {100 - share}%   1%   0%   0%    0%    0%"


_SAMPLES = Path(__file__).parents[1] / "tests/importers/samples"


def _read(sample: str) -> str:
    return (_SAMPLES / sample).read_text("utf-8")


def _first(sample: str, lines: int) -> str:
    return "".join(_read(sample).splitlines(keepends=True)[:lines])


def _histogram_rows(_rng: np.random.Generator) -> Iterator[str]:
    row = (_SAMPLES / "hdr_log/memtier_FULL_RUN_1.hgrm").read_text("utf-8").splitlines()[4]
    yield "&&&&&&.000,1.000,52.479," + row.split(",")[3]


_GO_HEAD = "operation,timestamp_us,latency_us\n"
_HDR_HEAD = (
    "#[Histogram log format version 1.2]\n#[StartTime: 1795177205.724 (seconds since epoch)]\n"
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'
)
_SYSSTAT = "Linux 6.1.0-18-amd64 (bench-1) \t11/20/2026 \t_x86_64_\t(8 CPU)\n\n"
_SAR = (
    "23:58:59          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n"
)

FORMS = {
    "ycsb-raw": Form("raw.txt", _ycsb(("READ",)), "READ latency raw data: op, timestamp(ms), latency(us)\n"),
    "ycsb-raw-mixed": Form("raw.txt", _ycsb(("READ", "UPDATE"))),
    "go-ycsb-raw": Form("raw.csv", _go_ycsb(("READ",)), _GO_HEAD),
    "go-ycsb-raw-mixed": Form("raw.csv", _go_ycsb(("READ", "UPDATE", "TOTAL")), _GO_HEAD),
    "pgbench-log": Form("pgbench_log.1", _pgbench),
    "pgbench-log-rate": Form("pgbench_log.1", _pgbench_rate),
    "fio-latency-log": Form("x_clat.1.log", _fio),
    "fio-histogram-log": Form("x_clat_hist.1.log", _fio_histogram),
    "hdr-log": Form("x.hlog", _histogram_rows, _HDR_HEAD, line_by_line=True),
    "ycsb-status": Form("status.txt", _ycsb_status, line_by_line=True),
    "go-ycsb-status": Form("status.txt", _go_status, line_by_line=True),
    "ycsb-cpp-status": Form("status.txt", _cpp_status, line_by_line=True),
    "sysbench-intermediate": Form(
        "sysbench.txt", _sysbench, _first("sysbench/s3_oltp_read_write_pgsql.txt", 13), line_by_line=True
    ),
    "cassandra-stress": Form(
        "stress.txt",
        _cassandra,
        _first("stress/cassandra4.txt", 4),
        "\n" + _read("stress/cassandra4.txt").partition("\n\n")[2],
        line_by_line=True,
    ),
    "pgbench-progress": Form("progress.txt", _pgbench_progress, line_by_line=True),
    "pgbench-aggregated": Form("pgbench_log.1", _pgbench_aggregated, line_by_line=True),
    "nosqlbench-histostats": Form(
        "stats.csv", _nosqlbench, _first("nosqlbench/histostats.csv", 5), line_by_line=True
    ),
    "iostat": Form("iostat.txt", _iostat, _SYSSTAT, line_by_line=True),
    "sar": Form("sar.txt", _sar, _SYSSTAT + _SAR, line_by_line=True),
    "vdbench-flat": Form("flatfile.html", _vdbench, _first("vdbench/flatfile.html", 11), line_by_line=True),
    "aerospike-java": Form("java.txt", _java, line_by_line=True),
}


def write_form(form: Form, path: Path, size: int) -> None:
    """Write a file of at least `size` bytes."""
    rng = np.random.default_rng(1)
    once = ("\n".join(form.lines(rng)) + "\n").encode()
    further = [once] + [
        ("\n".join(form.lines(rng)) + "\n").encode() for _ in range(15 if len(once) < 20_000 else 0)
    ]
    written = second = 0
    with path.open("wb") as out:
        out.write(form.before.encode())
        while written < size:
            data = further[second % len(further)]
            data = data.replace(_SECOND, b"%010d" % (_START_S + second)).replace(
                _PASSED, b"%d" % (second + 1)
            )
            if _CLOCK in data:
                clock = datetime.fromtimestamp(_START_S + second, UTC)
                data = data.replace(_CLOCK, f"{clock:%Y-%m-%d %H:%M:%S}".encode())
            written += out.write(data.replace(_COUNTER, b"%d" % (45_000 * (second + 1))))
            second += 1
        out.write(form.after.encode())


def rate_of(name: str, megabytes: float) -> Rate:
    """Generate the file of a format and read it once."""
    with tempfile.TemporaryDirectory() as folder:
        form = FORMS.get(name)
        path = Path(folder) / ("act.log" if form is None else form.file)
        if form is None:
            write_log(path, int(megabytes * 1e6 / 770))
        else:
            most = _STATEMENT_MB if form.line_by_line else megabytes
            write_form(form, path, int(min(megabytes, most) * 1e6))
        words = [sys.executable, "-m", "tailroom.cli.main", "inspect", str(path), "--json", "--slice", "3600"]
        elapsed_s, processor_s, peak_mb = measured(words)
        size = path.stat().st_size / 1e6
    return Rate(name, size, processor_s, size / processor_s, elapsed_s, peak_mb)


def main() -> int:
    """Print the rates of the chosen formats."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=100.0)
    parser.add_argument("--only", action="append", choices=["act", *FORMS])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for name in options.only or ["act", *FORMS]:
        rate = rate_of(name, options.megabytes)
        if options.json:
            print(json.dumps(asdict(rate)), flush=True)
        else:
            print(
                f"{name:24} {rate.megabytes:7.1f} MB in {rate.processor_s:6.2f} s of processor: "
                f"{rate.megabytes_per_s:6.1f} MB/s (goal {GOAL_MB_PER_S}); {rate.elapsed_s:.2f} s passed, "
                f"{rate.megabytes / rate.elapsed_s:.1f} MB/s; peak {rate.peak_mb:4.0f} MB",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure the time of `tailroom inspect` for an ACT log of 24 hours (86,400 blocks of 4 histograms).

The log is generated, so that every machine measures the same file; its counts resemble those of a drive under
load. With a copy of ACT's own `act_latency.py`, measure that script too. Print the machine and the figures;
with `--json`, one JSON object.

    python backend/bench/importers.py [--hours 24] [--repeat 5] [--script act_latency.py] [--json]
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

GOAL_S, GOAL_MB = 1.4, 200
NAMES = ("reads", "/dev/nvme0n1-reads", "large-block-reads", "large-block-writes")
_RATES = (2000, 2000, 24, 24)
_BUCKETS = 9
_HEAD = """
ACT version 6.6
Storage device IO test
Copyright 2020 by Aerospike. All rights reserved.

detected 2 CPUs

ACT-STORAGE CONFIGURATION
device-names: /dev/nvme0n1
num-devices: 1
service-threads: 10
test-duration-sec: {seconds}
report-interval-sec: 1
microsecond-histograms: no
read-reqs-per-sec: 2000
write-reqs-per-sec: 1000
record-bytes: 1536
record-bytes-range-max: 0
large-block-op-kbytes: 128
replication-factor: 1
update-pct: 0
defrag-lwm-pct: 50
no-defrag-reads: no
compress-pct: 100
disable-odsync: no
commit-to-device: no
tomb-raider: no
tomb-raider-sleep-usec: 0
max-lag-sec: 10

DERIVED CONFIGURATION
record-stored-bytes: 1536 ... 1536
internal-read-reqs-per-sec: 2000
internal-write-reqs-per-sec: 0
large-block-reads-per-sec: 23.53
large-block-writes-per-sec: 23.53

/dev/nvme0n1 size = 1920383410176 bytes, 14651363 large blocks, minimum IO size = 512 bytes

HISTOGRAM NAMES
{names}

"""


@dataclass(frozen=True)
class Figures:
    """Results of the measurement; times are medians, the peak memory is the largest."""

    log_bytes: int
    inspect_s: float
    inspect_cpu_s: float
    inspect_peak_mb: float
    script_s: float | None
    machine: str


def write_log(path: Path, seconds: int) -> None:
    """Write a log with `seconds` blocks of one second each.

    Blocks are written as they are generated, because the peak memory of a child process includes its
    parent's.
    """
    rng = np.random.default_rng(1)
    shares = 0.35 ** np.arange(_BUCKETS)
    totals: list[npt.NDArray[np.int64]] = [np.zeros(_BUCKETS, np.int64) for _ in _RATES]
    with path.open("w", encoding="ascii") as out:
        out.write(_HEAD.format(seconds=seconds, names="\n".join(NAMES)))
        for second in range(seconds):
            counted = [rng.multinomial(rate, shares / shares.sum()) for rate in _RATES]
            counted[1] = counted[0]
            totals = [total + more for total, more in zip(totals, counted, strict=True)]
            lines = [f"after {second + 1} sec:"]
            for name, total in zip(NAMES, totals, strict=True):
                row = total.tolist()
                lines.append(f"{name} ({sum(row)} total)")
                filled = [f" ({bucket:02d}: {count:010d})" for bucket, count in enumerate(row) if count]
                lines += ["".join(filled[at : at + 4]) for at in range(0, len(filled), 4)]
            out.write("\n".join(lines) + "\n\n")


def measured(command: Sequence[str]) -> tuple[float, float, float]:
    """Run a command; return elapsed seconds, processor seconds and peak memory in MiB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - a fixed command
    _, status, usage = os.wait4(process.pid, 0)
    took_s = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return took_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(hours: float, repeat: int, script: Path | None) -> Figures:
    """Generate the log and read it `repeat` times; return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "act_24h.log"
        write_log(log, int(hours * 3600))
        inspect = [sys.executable, "-m", "tailroom.cli.main", "inspect", str(log), "--json"]
        runs = [measured(inspect) for _ in range(repeat)]
        by_script = None
        if script is not None:
            words = [sys.executable, "-W", "ignore", str(script), "-l", str(log)]
            by_script = statistics.median(measured(words)[0] for _ in range(repeat))
        return Figures(
            log_bytes=log.stat().st_size,
            inspect_s=statistics.median(run[0] for run in runs),
            inspect_cpu_s=statistics.median(run[1] for run in runs),
            inspect_peak_mb=max(run[2] for run in runs),
            script_s=by_script,
            machine=f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
            f"Python {platform.python_version()}",
        )


def main() -> int:
    """Measure, and print the figures beside the goals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--script", type=Path, default=None, help="a copy of act_latency.py of ACT 6")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.hours, options.repeat, options.script)
    if options.json:
        print(json.dumps(asdict(figures)))
        return 0
    print(figures.machine)
    print(f"log: {figures.log_bytes / 1e6:.1f} MB, {options.hours:g} h")
    processor = f"{figures.inspect_cpu_s:.2f} s of processor"
    print(f"tailroom inspect: {figures.inspect_s:.2f} s ({processor}), goal {GOAL_S} s")
    print(f"peak memory: {figures.inspect_peak_mb:.0f} MB, goal {GOAL_MB} MB")
    if figures.script_s is not None:
        print(f"act_latency.py: {figures.script_s:.2f} s for one histogram")
    return 0


if __name__ == "__main__":
    sys.exit(main())

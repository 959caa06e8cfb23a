"""Measure the time to start the product on existing data, and to stop it.

Call the function behind `make up MEASURE=no` several times on a new data folder; the first call creates the
database and is reported separately. Everything must be built beforehand. Print the machine and the figures;
with `--json`, one JSON object.
"""

import argparse
import json
import os
import platform
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOTSTRAP = ROOT / "backend" / "tooling" / "bootstrap.py"
READY = re.compile(r"Tailroom runs at \S+ \(([\d.]+) s after the start\)")
ENDED = re.compile(r"stopped in ([\d.]+) s")
ADMISSIBLE_START_S = 10.0
ADMISSIBLE_END_S = 5.0


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder:
        first_s, _ = start_once(Path(folder))
        later = [start_once(Path(folder)) for _ in range(options.repetitions)]
    figures = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Linux {platform.release()}",
        "first_start_s": first_s,
        "second_start_median_s": statistics.median(start for start, _ in later),
        "second_start_max_s": max(start for start, _ in later),
        "end_median_s": statistics.median(end for _, end in later),
        "end_max_s": max(end for _, end in later),
    }
    if options.json:
        print(json.dumps(figures))
        return
    print(figures["machine"])
    print(f"first start, database made:  {first_s:.1f} s")
    print(
        f"second start, median (max):  {figures['second_start_median_s']:.1f} s "
        f"({figures['second_start_max_s']:.1f} s), at most {ADMISSIBLE_START_S:.0f} s wanted"
    )
    print(
        f"end, median (max):           {figures['end_median_s']:.1f} s "
        f"({figures['end_max_s']:.1f} s), at most {ADMISSIBLE_END_S:.0f} s wanted"
    )


def start_once(home: Path) -> tuple[float, float]:
    """Start and stop the product; return the seconds until it is ready, and the seconds of stopping."""
    started = time.monotonic()
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(BOOTSTRAP), "up", "--measure", "no", "--exit-after-measure"],
        cwd=ROOT,
        env={**os.environ, "TAILROOM_HOME": str(home / "home"), "TAILROOM_PORT": str(_free_port())},
        capture_output=True,
        text=True,
        check=False,
    )
    ready, ended = READY.search(result.stdout), ENDED.search(result.stdout)
    if result.returncode != 0 or ready is None or ended is None:
        raise SystemExit(f"the product did not start:\n{result.stdout}{result.stderr}")
    if float(ready[1]) > time.monotonic() - started:
        raise SystemExit("the product tells a start that is longer than the whole call")
    return float(ready[1]), float(ended[1])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    main()

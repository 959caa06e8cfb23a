"""Measure the rate of false alarms of comparisons on real runs of fio and redis-benchmark on this machine.

Repeat the same measurement many times: fio reads a file of 256 MiB at random, redis-benchmark gets and sets
at a temporary Valkey. Compare pairs of single runs, and random groups of five runs a side. Goal: at most 1 %
reported as different. On Debian: `apt-get install fio redis-tools`; missing tools are reported and skipped.

`python -m backend.bench.real_pairs --runs 60`, or `--folder FOLDER` with existing results.
"""

import argparse
import random
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

from backend.bench.comparison import DIFFERENT

from tailroom.cli.result_files import runs_of
from tailroom.comparison.subjects import Subject
from tailroom.domain.comparison.comparison import Measured, compare_measured, measured
from tailroom.domain.comparison.repeats import compare_repeats
from tailroom.embedded.valkey import EmbeddedValkey

PAIRS = 200
TOOLS = {"fio": ("fio", "read"), "redis": ("redis-benchmark", "get")}
FIO = (
    "--name=pairs --size=256m --rw=randread --bs=4k --iodepth=4 --ioengine=libaio --direct=1 --runtime=3 "
    "--time_based --output-format=json+"
)


def measure(folder: Path, runs: int) -> None:
    """Write the results of `runs` runs of each installed tool."""
    if shutil.which("fio"):
        for number in range(runs):
            target, file = folder / f"fio-{number:03}.json", folder / "pairs.dat"
            command = ["fio", *FIO.split(), f"--filename={file}", f"--output={target}"]
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a tool of the machine
    if shutil.which("redis-benchmark"):
        with EmbeddedValkey.start_throw_away() as server:
            address = urlsplit(server.url)
            command = ["redis-benchmark", "-p", str(address.port), "-a", str(address.password)]
            command += ["-t", "get,set", "-n", "100000", "-c", "20"]
            for number in range(runs):
                done = subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - as above
                (folder / f"redis-{number:03}.txt").write_bytes(done.stdout)


def figures_of(files: Sequence[Path], operation: str) -> list[Measured]:
    """Return the figures of each file."""
    return [measured(Subject(str(file), tuple(runs_of(str(file), None))).side(operation)) for file in files]


def main() -> None:
    """Print a line for each tool."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=60)
    arguments.add_argument("--folder", type=Path)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if options.folder is None:
            measure(folder, options.runs)
        for kind, (tool, operation) in TOOLS.items():
            runs = figures_of(sorted(folder.glob(f"{kind}-*")), operation)
            if len(runs) < 10:
                print(f"  {tool}: not on this machine, nothing was measured")
                continue
            print(f"  {tool}: {line(runs)}")


def line(runs: Sequence[Measured]) -> str:
    """Return the outcomes of pairs of single runs and of groups of five, as text."""
    rng = random.Random(1)  # noqa: S311 - which pairs are compared is no secret
    pairs = list(combinations(runs, 2))
    singles = Counter(compare_measured(*pair).outcome for pair in rng.sample(pairs, min(PAIRS, len(pairs))))
    groups: Counter[str] = Counter()
    for _ in range(PAIRS):
        drawn = rng.sample(list(runs), 10)
        groups[compare_repeats(drawn[:5], drawn[5:]).outcome] += 1
    of_pairs, of_groups = (sum(counts[outcome] for outcome in DIFFERENT) for counts in (singles, groups))
    return (
        f"{len(runs)} runs; {of_pairs} of {sum(singles.values())} pairs and {of_groups} of {PAIRS} groups "
        f"of five a side different (goal 1 %); {dict(groups)}"
    )


if __name__ == "__main__":
    main()

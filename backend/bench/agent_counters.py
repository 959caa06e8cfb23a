"""What reading a drive's own counters costs the measurement: ACT 10x with and without, alternating."""

import json
import math
import statistics
import subprocess
from pathlib import Path

from backend.bench.agent_act import LOAD, place

GOAL_RATIO = 0.02
"""The p99.9 of the reads may differ by so much."""
_EVERY_S = 1
"""A run reads them each minute; here each second, so that a short run shows it."""


def show_counters(agent: Path, folder: Path, device: Path | None, pairs: int, seconds: int) -> None:
    """Prints the p99.9 of the reads of each run, and the ratio of neighbours."""
    title = "a loop device" if device else "a file"
    print(f"\nACT {LOAD}x on {title}: p99.9 of reads, counters read every {_EVERY_S} s and not at all")
    ratios = []
    for number in range(pairs):
        # Each of the two is first equally often.
        order = (_EVERY_S, 0) if number % 2 else (0, _EVERY_S)
        p999_ns = {every_s: _p999_ns(agent, folder, device, seconds, every_s) for every_s in order}
        ratios.append(p999_ns[_EVERY_S] / p999_ns[0])
        print(
            f"  with {p999_ns[_EVERY_S] / 1e6:9.3f} ms   without {p999_ns[0] / 1e6:9.3f} ms"
            f"   ratio {ratios[-1]:.3f}"
        )
    lower, upper = median_interval(ratios)
    print(
        f"  median ratio {statistics.median(ratios):.3f}, with 95 % confidence {lower:.3f} to {upper:.3f}"
        f" (single pairs {min(ratios):.3f} to {max(ratios):.3f}): {_verdict(lower, upper)}"
    )


def median_interval(values: list[float]) -> tuple[float, float]:
    """Return the limits of the median with 95 % confidence, by the binomial distribution of ranks.

    Fewer than six values have none: their smallest and largest are returned.
    """
    ordered, rank, below = sorted(values), 0, 0.5 ** len(values)
    while below <= 0.025:
        rank += 1
        below += math.comb(len(values), rank) * 0.5 ** len(values)
    rank = max(rank - 1, 0)
    return ordered[rank], ordered[-1 - rank]


def _verdict(lower: float, upper: float) -> str:
    """Say whether the median is within the goal, or its limits are too far apart to say so."""
    goal = f"{100 * GOAL_RATIO:.0f} %"
    if lower >= 1 - GOAL_RATIO and upper <= 1 + GOAL_RATIO:
        return f"within {goal}"
    if upper < 1 - GOAL_RATIO or lower > 1 + GOAL_RATIO:
        return f"not within {goal}"
    return f"not decided to {goal}: more pairs, or a quieter machine, would decide it"


def _p999_ns(agent: Path, folder: Path, device: Path | None, seconds: int, every_s: int) -> float:
    """Middle of the bucket in which the p99.9 of the reads lies, on the response clock."""
    command = [str(agent), "act", "--load", f"{LOAD}x", *place(folder, device), "--json"]
    command += ["--duration-s", str(seconds), "--spool", str(folder / "spool")]
    command += ["--drive-counters-every-s", str(every_s)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    summary = next(event for event in reversed(events) if "operations" in event)
    reads = next(each for each in summary["operations"] if each["operation"] == "read")
    latencies = next(each for each in reads["latencies"] if each["clock"] == "response")
    quantile = next(each for each in latencies["quantiles"] if each["quantile"] == 0.999)
    return float(quantile["lower_ns"] + quantile["upper_ns"]) / 2

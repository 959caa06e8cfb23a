"""What reading a drive's own counters costs the measurement: ACT 10x with and without, alternating."""

import json
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
    middle = statistics.median(ratios)
    print(f"  median ratio {middle:.3f}, from {min(ratios):.3f} to {max(ratios):.3f}: {_verdict(ratios)}")


def _verdict(ratios: list[float]) -> str:
    """Say whether the ratios are within the goal, or too far apart to say so."""
    within = [abs(ratio - 1) <= GOAL_RATIO for ratio in ratios]
    goal = f"{100 * GOAL_RATIO:.0f} %"
    if all(within):
        return f"within {goal}"
    if min(ratios) - 1 <= GOAL_RATIO and 1 - max(ratios) <= GOAL_RATIO:
        return f"not decided to {goal}, because runs of the same kind differ by more"
    return f"not within {goal}"


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

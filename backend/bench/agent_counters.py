"""What reading a drive's counters costs: seconds of a run with a reading beside those without."""

import itertools
import json
import subprocess
from pathlib import Path

import numpy as np
from backend.bench.agent_act import LOAD, place

from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.importers.agent_result.importer import AGENT_RESULT
from tailroom.importers.opening import open_path

GOAL_RATIO = 0.02
"""The p99.9 of the reads may be higher by so much."""
_EVERY_S = 3
"""A run reads them each minute; here every third second has a reading, and its neighbours have none."""
_QUANTILE = 0.999
_RESAMPLES = 4_000


def show_counters(agent: Path, folder: Path, device: Path | None, seconds: int) -> None:
    """Print the p99.9 of the reads of both kinds of seconds, their ratio, and what is certain of it."""
    title = "a loop device" if device else "a file"
    print(f"\nACT {LOAD}x on {title}, {seconds} s: p99.9 of reads in seconds with and without a reading")
    result = _run(agent, folder, device, seconds)
    counts, edges_ns = _counts_by_second(result)
    # The first seconds hold the reading at the start; neighbours see the same machine.
    counts = counts[_EVERY_S : len(counts) - len(counts) % _EVERY_S]
    with_reading, without = counts[::3], counts[1::3] + counts[2::3]
    ratio, lower, upper = ratio_of_quantiles(with_reading, without, edges_ns)
    print(
        f"  with {_quantile_ns(with_reading.sum(0), edges_ns) / 1e6:.3f} ms"
        f"   without {_quantile_ns(without.sum(0), edges_ns) / 1e6:.3f} ms"
        f"   ratio {ratio:.3f}, with 95 % confidence {lower:.3f} to {upper:.3f}: {_verdict(lower, upper)}"
    )
    durations_s = _reading_durations_s(result)
    # Those that arrive during a reading, and those that were under way when it began.
    counted, middles_ns = counts.sum(0), (edges_ns[1:] + edges_ns[:-1]) / 2
    touched_s = sum(durations_s) + len(durations_s) * float(counted @ middles_ns) / float(counted.sum()) / 1e9
    share = touched_s / seconds * _EVERY_S / 60
    less, more = (_quantile_ns(counted, edges_ns, _QUANTILE + each) / 1e6 for each in (-share, share))
    print(
        f"  a reading took {1e3 * sum(durations_s) / len(durations_s):.2f} ms: one a minute can touch"
        f" {1e6 * share:.0f} of 1,000,000 reads, and with them p99.9 between {less:.3f} and {more:.3f} ms"
    )


def ratio_of_quantiles(
    some: np.ndarray, others: np.ndarray, edges_ns: np.ndarray
) -> tuple[float, float, float]:
    """Return the ratio of the quantiles, and its limits with 95 % confidence by resampling pairs.

    Rows are seconds, columns buckets.
    """
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(len(some), np.full(len(some), 1 / len(some)), size=_RESAMPLES)
    ratios = [
        _quantile_ns(times @ some, edges_ns) / _quantile_ns(times @ others, edges_ns) for times in drawn
    ]
    lower, upper = np.quantile(ratios, (0.025, 0.975))
    middle = _quantile_ns(some.sum(0), edges_ns) / _quantile_ns(others.sum(0), edges_ns)
    return middle, float(lower), float(upper)


def _quantile_ns(counts: np.ndarray, edges_ns: np.ndarray, quantile: float = _QUANTILE) -> float:
    """Return the quantile, linear inside its bucket."""
    cumulated = np.concatenate(([0], np.cumsum(counts)))
    return float(np.interp(quantile * cumulated[-1], cumulated, edges_ns))


def _verdict(lower: float, upper: float) -> str:
    """Return in words whether a reading costs less than the goal, or that the limits do not decide it."""
    goal = f"{100 * GOAL_RATIO:.0f} %"
    if upper <= 1 + GOAL_RATIO:
        return f"a reading costs less than {goal}"
    if lower > 1 + GOAL_RATIO:
        return f"a reading costs more than {goal}"
    return f"not decided to {goal}: a longer run, or a quieter machine, would decide it"


def _run(agent: Path, folder: Path, device: Path | None, seconds: int) -> Path:
    """Measure, and return the result file."""
    result = folder / "counters.jsonl"
    command = [str(agent), "act", "--load", f"{LOAD}x", *place(folder, device), "--quiet"]
    command += ["--duration-s", str(seconds), "--spool", str(folder / "spool"), "--result", str(result)]
    command += ["--drive-counters-every-s", str(_EVERY_S)]
    subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - an unmet budget has an exit code of its own
    return result


def _counts_by_second(result: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the reads of each second by bucket, and the edges of the buckets in nanoseconds."""
    (run,) = AGENT_RESULT.parse(open_path(result)[0], ())
    reads = next(series for series in run.series if (series.operation, series.clock) == ("read", "response"))
    intervals = reads.intervals
    if intervals is None:
        raise SystemExit(f"{result} holds no seconds")
    return _dense(intervals)


def _dense(intervals: IntervalRecords) -> tuple[np.ndarray, np.ndarray]:
    buckets = np.arange(int(intervals.indices.max()) + 1)
    counts = np.zeros((intervals.size, len(buckets)), np.int64)
    for second, (begin, end) in enumerate(itertools.pairwise(intervals.offsets)):
        counts[second, intervals.indices[begin:end]] = intervals.counts[begin:end]
    lower_ns, upper_ns = intervals.layout.edges_ns(buckets)
    return counts, np.append(lower_ns, upper_ns[-1])


def _reading_durations_s(result: Path) -> list[float]:
    """Return how long each reading of the run took."""
    lines = map(json.loads, result.read_text().splitlines())
    counters = next(line["finish"]["drive_counters"] for line in lines if "finish" in line)
    return [reading["took_ns"] / 1e9 for drive in counters["drives"] for reading in drive["readings"]]

"""Measure how much reading a drive's counters slows the reads of a run.

Compare the seconds of a run in which counters are read with the seconds between.
"""

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
"""Largest acceptable increase of the reads' p99.9."""
_EVERY_S = 3
"""Seconds between readings, far less than the agent's default of a minute, to compare many pairs."""
_QUANTILE = 0.999
_RESAMPLES = 4_000


def show_counters(agent: Path, folder: Path, device: Path | None, seconds: int) -> None:
    """Print the reads' p99.9 during seconds with a counter reading and without, and the ratio."""
    title = "a loop device" if device else "a file"
    print(f"\nACT {LOAD}x on {title}, {seconds} s: p99.9 of reads in seconds with and without a reading")
    result = _run(agent, folder, device, seconds)
    counts, edges_ns = _counts_by_second(result)
    # Drop the first seconds, which include the reading at the start. Comparing neighbouring seconds excludes
    # slow changes of the machine.
    counts = counts[_EVERY_S : len(counts) - len(counts) % _EVERY_S]
    with_reading, without = counts[::3], counts[1::3] + counts[2::3]
    ratio, lower, upper = ratio_of_quantiles(with_reading, without, edges_ns)
    print(
        f"  with {_quantile_ns(with_reading.sum(0), edges_ns) / 1e6:.3f} ms"
        f"   without {_quantile_ns(without.sum(0), edges_ns) / 1e6:.3f} ms"
        f"   ratio {ratio:.3f}, with 95 % confidence {lower:.3f} to {upper:.3f}: {_verdict(lower, upper)}"
    )
    durations_s = _reading_durations_s(result)
    # A reading can affect reads that arrive during it and reads in flight when it begins.
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
    """Return the ratio of the p99.9 of two histograms, and its 95 % bootstrap limits.

    Rows are seconds, columns are buckets. Row i of both is resampled together, because neighbouring seconds
    see the same machine.
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
    """Return the quantile in nanoseconds, interpolated linearly inside its bucket."""
    cumulated = np.concatenate(([0], np.cumsum(counts)))
    return float(np.interp(quantile * cumulated[-1], cumulated, edges_ns))


def _verdict(lower: float, upper: float) -> str:
    """Return a sentence: a reading costs less than the goal, more, or the limits do not decide it."""
    goal = f"{100 * GOAL_RATIO:.0f} %"
    if upper <= 1 + GOAL_RATIO:
        return f"a reading costs less than {goal}"
    if lower > 1 + GOAL_RATIO:
        return f"a reading costs more than {goal}"
    return f"not decided to {goal}: a longer run, or a quieter machine, would decide it"


def _run(agent: Path, folder: Path, device: Path | None, seconds: int) -> Path:
    """Run the agent with frequent counter readings; return the path of its result file."""
    result = folder / "counters.jsonl"
    command = [str(agent), "act", "--load", f"{LOAD}x", *place(folder, device), "--quiet"]
    command += ["--duration-s", str(seconds), "--spool", str(folder / "spool"), "--result", str(result)]
    command += ["--drive-counters-every-s", str(_EVERY_S)]
    subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - exit code of a missed budget
    return result


def _counts_by_second(result: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the reads as counts (seconds × buckets), and the bucket edges in nanoseconds."""
    (run,) = AGENT_RESULT.parse(open_path(result)[0], ())
    reads = next(series for series in run.series if (series.operation, series.clock) == ("read", "response"))
    intervals = reads.intervals
    if intervals is None:
        raise SystemExit(f"{result} holds no seconds")
    return _dense(intervals)


def _dense(intervals: IntervalRecords) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts of all intervals as one array (intervals × buckets), and the bucket edges in ns."""
    buckets = np.arange(int(intervals.indices.max()) + 1)
    counts = np.zeros((intervals.size, len(buckets)), np.int64)
    for second, (begin, end) in enumerate(itertools.pairwise(intervals.offsets)):
        counts[second, intervals.indices[begin:end]] = intervals.counts[begin:end]
    lower_ns, upper_ns = intervals.layout.edges_ns(buckets)
    return counts, np.append(lower_ns, upper_ns[-1])


def _reading_durations_s(result: Path) -> list[float]:
    """Return the duration in seconds of each counter reading of the run."""
    lines = map(json.loads, result.read_text().splitlines())
    counters = next(line["finish"]["drive_counters"] for line in lines if "finish" in line)
    return [reading["took_ns"] / 1e9 for drive in counters["drives"] for reading in drive["readings"]]

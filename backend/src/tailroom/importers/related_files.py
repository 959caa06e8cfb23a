"""Notes on files of an upload that may be of the same run, and on the missing proof.

A summary and the logs beside it stay separate runs, because joining two measurements would lose one. The
proof would be equal operations, tool, version and time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tailroom.domain.units import NS_PER_S, count_text
from tailroom.importers.parsed_run import ParsedRun, Problem, Severity

_SUMMARIES = {
    *("memtier-json", "memtier-text", "ycsb-text", "ycsb-json", "ycsb-status"),
    *("pgbench-summary", "pgbench-progress", "asbench-log", "fio-json", "fio-terse"),
}
_LOGS = {
    "hdr-log",
    "hdr-percentiles",
    "ycsb-raw",
    "pgbench-log",
    "pgbench-aggregated-log",
    "asbench-histogram",
}
_DEVICE_FIGURES = "sysstat"
"""iostat, sar, mpstat and vmstat: the machine during the run."""
_ANY_TOOL = "hdrhistogram"
"""The tool of a percentile table, which does not name it."""
_WITH_HDR = {"memtier_benchmark", "ycsb", "asbench"}
_TOTAL = "total"
_NO_REQUESTS = {"cleanup"}
_MOST_NOTES = 4
_MOST_RUNS = 500
_CLOCKS_AGREE = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Outline:
    """Facts by which a run is compared with runs of other files."""

    file: str
    format: str
    tool: str
    version: str | None
    started_at: datetime | None
    duration_ns: int | None
    counts: Mapping[str, int]
    """Answered operations by name, if the file states them unambiguously."""

    @property
    def is_summary(self) -> bool:
        """Whether the file is a summary of a run, by its format."""
        return self.format in _SUMMARIES

    @property
    def is_log(self) -> bool:
        """Whether the file is a log that tools write beside a summary, by its format."""
        return self.format in _LOGS or (self.format.startswith("fio-") and self.format.endswith("-log"))


def outline(file: str, run: ParsedRun) -> Outline:
    """Return the facts by which a run of a file is compared with others.

    An operation has no count if it is unknown, or unequal between series of different times (`clock`).
    """
    by_clock: dict[tuple[str, str], int | None] = {}
    for series in run.series:
        key = (series.operation, series.clock)
        counted, total = by_clock.get(key, 0), series.record.total
        answered = None if total is None else total - series.record.misses.total
        by_clock[key] = None if counted is None or answered is None else counted + answered
    of_operation: dict[str, set[int | None]] = {}
    for (operation, _), count in by_clock.items():
        of_operation.setdefault(operation, set()).add(count)
    counts = {
        operation: count
        for operation, totals in of_operation.items()
        if len(totals) == 1 and (count := next(iter(totals))) is not None
    }
    return Outline(file, run.format, run.tool, run.tool_version, run.started_at, run.duration_ns, counts)


def notes(runs: Sequence[Outline]) -> list[list[Problem]]:
    """Return for each run notes on other files: which may be of the same run, and why they were not joined.

    There are no notes on more than 500 runs, which are an archive and no run with its logs.
    """
    if len(runs) > _MOST_RUNS:
        return [[] for _ in runs]
    all_notes: list[list[Problem]] = []
    for run in runs:
        others = [
            candidate for candidate in runs if candidate.file != run.file and _may_be_one(run, candidate)
        ]
        shared = [(candidate, _shared_counts(run, candidate)) for candidate in others]
        same = [
            _equal_counts_note(run, other, both)
            for other, both in shared
            if both and all(count == theirs for count, theirs in both.values())
        ]
        reasons = same or [_different_counts_note(run, other, both) for other, both in shared]
        reasons += [_device_note(run, candidate) for candidate in runs if _is_beside(run, candidate)]
        shown = reasons[:_MOST_NOTES]
        if len(reasons) > len(shown):
            shown.append(f"the same holds of {len(reasons) - len(shown)} more files that came with it")
        all_notes.append([Problem(reason, None, Severity.NOTE) for reason in shown])
    return all_notes


def _is_beside(first: Outline, other: Outline) -> bool:
    """Return whether the other file holds figures of the machine, and the first is a run beside them."""
    return other.tool == _DEVICE_FIGURES != first.tool and other.file != first.file


def _device_note(first: Outline, other: Outline) -> str:
    """Return a sentence on the part of a run's time that the machine's figures cover, or why unknown."""
    begun = f"{other.file} came with it and says how busy the devices were"
    if first.started_at is None or other.started_at is None:
        silent = [each.file for each in (first, other) if each.started_at is None]
        why = f"{' and '.join(silent)} has no date or no zone"
        return f"{begun}; at which time of the run is not known, because {why}"
    if first.duration_ns is None or other.duration_ns is None:
        return f"{begun}; how long both lasted is not known"
    apart_s = (other.started_at - first.started_at).total_seconds()
    lasted_s = first.duration_ns / NS_PER_S
    shared_s = min(lasted_s, apart_s + other.duration_ns / NS_PER_S) - max(0.0, apart_s)
    if shared_s <= 0:
        return f"{begun}, but not during the run"
    side = "after" if apart_s > 0 else "before"
    return f"{begun} in {shared_s:.0f} of its {lasted_s:.0f} s; it begins {abs(apart_s):.0f} s {side} it"


def _may_be_one(first: Outline, other: Outline) -> bool:
    """Return whether either is a summary, and the other a log that the same tool may have written with it."""
    pair = {first.tool, other.tool}
    tools_fit = len(pair) == 1 or (_ANY_TOOL in pair and bool(pair & _WITH_HDR))
    return tools_fit and ((first.is_summary and other.is_log) or (first.is_log and other.is_summary))


def _shared_counts(first: Outline, other: Outline) -> dict[str, tuple[int, int]]:
    """Return, for each operation that both state, the counts of `first` and of `other`.

    If only one of them has `total`, it is compared with the sum of the other's operations.
    """
    first_counts, theirs = dict(first.counts), dict(other.counts)
    for has, lacks in ((first_counts, theirs), (theirs, first_counts)):
        parts = [count for operation, count in lacks.items() if operation not in _NO_REQUESTS]
        if _TOTAL in has and _TOTAL not in lacks and parts:
            lacks[_TOTAL] = sum(parts)
    return {
        operation: (first_counts[operation], theirs[operation])
        for operation in first_counts
        if operation in theirs
    }


def _equal_counts_note(first: Outline, other: Outline, both: Mapping[str, tuple[int, int]]) -> str:
    """Return the sentence about a file with the same counts, with the missing proof that both are one run."""
    counts = ", ".join(f"{operation} {count_text(count)}" for operation, (count, _) in both.items())
    lacking = _missing_proof(first, other)
    why = f"that is not proven, because {'; '.join(lacking)}" if lacking else "nothing contradicts it"
    return (
        f"{other.file} came with it and counts the same ({counts}), so that both may be of one run; {why}. "
        "Files of these kinds are not joined: each stays a run of its own"
    )


def _different_counts_note(first: Outline, other: Outline, both: Mapping[str, tuple[int, int]]) -> str:
    """Return the reason why a file was not joined: unequal counts, no counts or no common operation."""
    differing = [
        f"{count_text(count)} of {operation} here and {count_text(theirs)} there"
        for operation, (count, theirs) in both.items()
        if count != theirs
    ]
    if differing:
        return f"not joined with {other.file}, which came with it: {', '.join(differing)}"
    silent = next((each.file for each in (first, other) if not each.counts), None)
    if silent is not None:
        why = f"{silent} does not say how many operations it counts"
    else:
        why = "they have no operation in common"
    return f"not joined with {other.file}, which came with it: {why}"


def _missing_proof(first: Outline, other: Outline) -> list[str]:
    """Return why both may be different runs: unknown or unequal versions and starts, unequal lengths."""
    names = []
    if first.version is None or other.version is None:
        silent = [each.file for each in (first, other) if each.version is None]
        names.append(f"the version of the tool is not stated in {' and '.join(silent)}")
    elif first.version != other.version:
        names.append(f"the versions are {first.version} and {other.version}")
    if first.started_at is None or other.started_at is None:
        silent = [each.file for each in (first, other) if each.started_at is None]
        names.append(f"when the run was is not stated in {' and '.join(silent)}")
    elif abs(first.started_at - other.started_at) > _CLOCKS_AGREE:
        names.append(f"they began at {first.started_at.isoformat()} and {other.started_at.isoformat()}")
    if None not in (first.duration_ns, other.duration_ns) and first.duration_ns != other.duration_ns:
        lasted = [f"{(each.duration_ns or 0) / NS_PER_S:g} s" for each in (first, other)]
        names.append(f"they lasted {' and '.join(lasted)}")
    return names

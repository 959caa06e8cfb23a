"""States of a run in the JSON documents of fio; `--status-interval` writes several."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tailroom.importers.fio.documents import Document
from tailroom.importers.fio.latency import MeasuredLatency, read_latency
from tailroom.importers.fio.semantics import LATENCIES
from tailroom.importers.json_documents import json_count, json_number
from tailroom.importers.problems import Problems

DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
_MAX_RUNTIME_MS = 10**12
_CLOCK_SLACK_MS = 2_000

Key = tuple[str, int, str, str]
"""Name of the job, its group, direction, and which latency."""


@dataclass(slots=True)
class FioSnapshot:
    """State of a run in one document: latencies, numbers of failed operations and running times."""

    document: Document
    measured: dict[Key, list[MeasuredLatency]] = field(default_factory=dict)
    """Latencies of the copies of a job; a latency without operations has no entry."""
    misses: dict[tuple[str, int, str], int] = field(default_factory=dict)
    """Number of failed operations by job name, group and direction; jobs without errors have no entry."""
    runtime_ms: dict[tuple[str, int, str], int] = field(default_factory=dict)
    """Longest running time of the copies in ms by job name, group and direction; none of 0 ms."""
    written_ms: int | None = None
    """Time of writing in ms since 1970; None if not stated."""

    @property
    def longest_ms(self) -> int:
        """The longest running time in ms; 0 without any."""
        return max(self.runtime_ms.values(), default=0)

    @property
    def names(self) -> list[str]:
        """Names of the jobs in order."""
        return [str(job.get("jobname")) for job in self.document.jobs]


def continues(before: FioSnapshot, after: FioSnapshot) -> bool:
    """Return whether a document is a later state of the same run.

    Jobs are the same, no running time or count falls, and times of writing, if stated, fit within 2 s.
    """
    if before.names != after.names or set(before.runtime_ms) - set(after.runtime_ms):
        return False
    if any(after.runtime_ms[key] < ran for key, ran in before.runtime_ms.items()):
        return False
    for key, parts in before.measured.items():
        later = after.measured.get(key)
        if later is None or sum(part.count or 0 for part in later) < sum(part.count or 0 for part in parts):
            return False
    if before.written_ms is None or after.written_ms is None:
        return True
    passed_ms = after.written_ms - before.written_ms
    return passed_ms < after.longest_ms + _CLOCK_SLACK_MS and (
        passed_ms <= after.longest_ms - before.longest_ms + _CLOCK_SLACK_MS or before.longest_ms == 0
    )


def read_snapshot(document: Document, problems: Problems) -> FioSnapshot:
    """Return the state of the run in a document; report wrong, missing and unmeasured numbers."""
    snapshot = FioSnapshot(document)
    written = json_count(document.content.get("timestamp_ms"))
    seconds = json_count(document.content.get("timestamp"))
    snapshot.written_ms = written if written is not None else seconds * 1000 if seconds is not None else None
    for number, job in enumerate(document.jobs):
        name = str(job.get("jobname") or f"job {number + 1}")[:200]
        group = json_count(job.get("groupid")) or 0
        failed = job.get("error") not in (0, None) or bool(json_count(job.get("total_err")))
        for direction in DIRECTIONS:
            data = job.get(direction)
            if isinstance(data, dict):
                _add_direction(snapshot, (number, (name, group, direction)), data, failed, problems)
    return snapshot


def _add_direction(
    snapshot: FioSnapshot,
    where: tuple[int, tuple[str, int, str]],
    data: Mapping[str, Any],
    failed: bool,
    problems: Problems,
) -> None:
    """Add latencies, failed operations and running time of a job in one direction to a snapshot.

    Report wrong and missing numbers. `where`: index of the job, then its name, group and direction.
    """
    document, (number, key) = snapshot.document, where
    name, _, direction = key
    total = json_count(data.get("total_ios"))
    if total is None and data.get("total_ios") is not None:
        problems.error(
            "count",
            f"{direction}: total_ios is {data['total_ios']!r}, which is no count",
            document.line_of(number, direction, "total_ios"),
        )
    run_ms = runtime_ms(data)
    if run_ms:
        snapshot.runtime_ms[key] = max(snapshot.runtime_ms.get(key, 0), run_ms)
    answered = 0
    for clock in LATENCIES:
        label = next((label for label in (f"{clock}_ns", clock) if isinstance(data.get(label), dict)), None)
        if label is None:
            continue
        count = None if failed else total
        latency = read_latency(
            document, (number, direction, label), data[label], count, problems, runtime_ms=run_ms
        )
        if latency is not None and latency.some:
            answered = max(answered, latency.count or 0)
            snapshot.measured.setdefault((*key, clock), []).append(latency)
    line = document.line_of(number, direction)
    if not answered and any((*key, clock) in snapshot.measured for clock in LATENCIES):
        why = "the job failed" if failed else "this version of fio does not print it"
        report = problems.add if failed else problems.note
        report(
            "uncounted",
            f"{name}: how many operations ({direction}) were timed is not in the file, because {why}; their "
            "percentiles were read",
            line,
        )
    elif total and not answered and direction != "sync":
        problems.add(
            "unmeasured",
            f"{name}: {total} operations ({direction}) without a latency: fio was set not to measure it, or "
            "none succeeded",
            line,
        )
    if failed and total is not None and answered:
        short = json_count(data.get("short_ios")) or 0
        snapshot.misses[key] = snapshot.misses.get(key, 0) + max(0, total - answered - short)
    for count_name, what in (("short_ios", "were cut short and sent again"), ("drop_ios", "were dropped")):
        if times := json_count(data.get(count_name)):
            problems.add(count_name, f"{name}: {times} operations ({direction}) {what}", line)


def runtime_ms(data: Mapping[str, Any]) -> int:
    """Return the running time of a direction in ms; 0 if it is missing or impossible."""
    runtime = json_number(data.get("runtime"))
    return int(runtime.value) if runtime is not None and runtime.value <= _MAX_RUNTIME_MS else 0

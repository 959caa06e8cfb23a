"""The stored intervals of a run as the file that its agent would have written (docs/contracts/wire.md).

Importers read it like any result file, so what is concluded from a run on a server can be concluded again
without one. Lines are made some intervals at a time, each time in a transaction of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from tailroom.analysis.reading import Reading
from tailroom.importers.agent_result.importer import VERSION
from tailroom.kit.errors import Problem
from tailroom.records import repository
from tailroom.records.interval_rows import next_intervals
from tailroom.storage.run import FINISHED, UPLOAD, Run
from tailroom.storage.series import Series

INTERVALS_AT_ONCE = 250


class RunFromFile(Problem):
    """The intervals of a run were asked for that was read from a file of another tool."""

    status = 409
    code = "run-from-file"
    title = "The run was read from a file"


class IntervalsExpired(Problem):
    """Retention has taken intervals of the run; what is left holds longer stretches."""

    status = 410
    code = "intervals-expired"
    title = "Intervals of the run have been removed"


@dataclass(frozen=True, slots=True)
class Export:
    """A run as it stood when it was asked for: intervals that come later are not in it."""

    reading: Reading
    run: Run
    series: Sequence[Series]

    @classmethod
    def of(cls, reading: Reading) -> "Export":
        """Raises RunFromFile, IntervalsExpired."""
        if reading.run.source == UPLOAD:
            raise RunFromFile(
                f"Run {reading.run_id} was read from a file and has no intervals of an agent. Use the file:"
                " the page of the run has it for download, and `tailroom compare` and `pack` fetch it by the"
                " address of the run."
            )
        with reading.transactions() as session:
            series = [one for one, _ in repository.histogram_series(session, reading.run_id)]
            for one in series:
                _refuse_gaps(session, reading.run, one)
            session.expunge_all()
        return cls(reading, reading.run, series)

    def lines(self) -> Iterator[bytes]:
        """Announcement, series, intervals series by series, and how the run ended where it has."""
        yield _line({"tailroom_agent_result": VERSION, "announce": self._announcement()})
        yield _line({"series": [_definition(one) for one in self.series]})
        for one in self.series:
            yield from self._intervals(one)
        finish = self.run.finish
        if finish is not None and self.run.state == FINISHED:
            numbers = {str(one.series_no) for one in self.series}
            last = {number: seq for number, seq in finish["last_seq"].items() if number in numbers}
            ended: dict[str, Any] = {"outcome": self.run.outcome, "reason": self.run.outcome_reason}
            ended["duration_ns"] = self.run.measured_duration_ns or self.run.data_through_ns
            yield _line({"finish": ended | {"last_seq": last}})

    def _announcement(self) -> dict[str, Any]:
        run = self.run
        return {
            "run_id": str(run.run_id),
            "title": run.title,
            "workload": run.workload,
            "started_at_unix_ns": run.started_at_unix_ns,
            "planned_duration_ns": run.planned_duration_ns,
            "agent": run.agent,
            "host": run.host,
            "plan": run.plan,
        }

    def _intervals(self, series: Series) -> Iterator[bytes]:
        after_seq, size = -1, INTERVALS_AT_ONCE
        while size == INTERVALS_AT_ONCE:
            with self.reading.transactions() as session:
                found = next_intervals(session, series, after_seq, INTERVALS_AT_ONCE)
            size = len(found)
            if found:
                after_seq = found[-1].seq
                yield _line({"intervals": found})


def _refuse_gaps(session: Session, run: Run, series: Series) -> None:
    found = repository.interval_span(session, series, 0, None)
    if found.stored < series.received:
        gone = series.received - found.stored
        raise IntervalsExpired(
            f"Retention has removed {gone:,} of {series.received:,} intervals of series {series.series_no}"
            f" of run {run.run_id}. Its page and its verdicts rest on the minutes that stay; an export"
            " would prove less than they do."
        )


def _definition(series: Series) -> dict[str, Any]:
    return {
        "series_no": series.series_no,
        "operation": series.operation,
        "clock": series.clock,
        "kind": series.kind,
        "phase": series.phase,
        "host": series.host,
        "device": series.device,
        "layout": series.layout,
        "pin_thresholds_ns": list(series.pin_thresholds_ns),
        "target_rate_per_s": series.target_rate_per_s,
    }


def _line(content: object) -> bytes:
    return msgspec.json.encode(content) + b"\n"

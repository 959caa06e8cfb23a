"""Export of the stored intervals of a run as the result file of its agent (docs/contracts/wire.md).

Importers read it like any result file, so that verdicts can be computed again without the server. Intervals
are read in batches, each in a transaction of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from tailroom.analysis.run_reader import RunReader
from tailroom.importers.agent_result.importer import VERSION
from tailroom.judging.drive_counters import read_drive_counters
from tailroom.kit.errors import HttpProblem
from tailroom.records import repository
from tailroom.records.interval_rows import next_intervals
from tailroom.storage.run import FINISHED, UPLOAD, Run
from tailroom.storage.series import HISTOGRAM, Series

INTERVALS_AT_ONCE = 250
"""Most intervals that are read in one transaction and written as one line."""
_ANNOUNCED = (
    *("title", "workload", "started_at_unix_ns", "planned_duration_ns"),
    *("agent", "host", "plan"),
)
_DEFINITION = (
    *("series_no", "operation", "clock", "kind", "phase", "host", "device", "layout"),
    *("pin_thresholds_ns", "target_rate_per_s"),
)


class RunFromFile(HttpProblem, status=409, title="The run was read from a file"):
    """The run was read from a file of another tool, so it has no intervals to export."""


class IntervalsExpired(HttpProblem, status=410, title="Intervals of the run have been removed"):
    """Retention has removed intervals of the run; only longer slices are left."""


@dataclass(frozen=True, slots=True)
class IntervalExport:
    """A run and its series at the time of the request: later intervals are not exported."""

    reader: RunReader
    run: Run
    series: Sequence[Series]

    @classmethod
    def of(cls, reader: RunReader) -> "IntervalExport":
        """Return the export of a run. Raise RunFromFile, or IntervalsExpired if any interval was removed."""
        if reader.run.source == UPLOAD:
            raise RunFromFile(
                f"Run {reader.run_id} was read from a file and has no intervals of an agent. Use the file:"
                " the page of the run has it for download, and `tailroom compare` and `pack` fetch it by the"
                " address of the run."
            )
        with reader.transactions() as session:
            series = repository.series_of_kind(session, reader.run_id, HISTOGRAM)
            for row in series:
                _refuse_gaps(session, reader.run, row)
            session.expunge_all()
        return cls(reader, reader.run, series)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file in UTF-8: announcement, series, intervals by series, and finish if it
        is finished. Intervals are read while the lines are taken.
        """
        # The announcement as stored: the clock is a fact of the host, hidden names are neutral.
        announced = {"run_id": str(self.run.run_id)} | {name: getattr(self.run, name) for name in _ANNOUNCED}
        yield _line({"tailroom_agent_result": VERSION, "announce": announced})
        definitions = [{name: getattr(series, name) for name in _DEFINITION} for series in self.series]
        yield _line({"series": definitions})
        for series in self.series:
            yield from self._intervals(series)
        finish = self.run.finish
        if finish is not None and self.run.state == FINISHED:
            numbers = {str(series.series_no) for series in self.series}
            last = {number: seq for number, seq in finish["last_seq"].items() if number in numbers}
            ended: dict[str, Any] = {"outcome": self.run.outcome, "reason": self.run.outcome_reason}
            ended["duration_ns"] = self.run.measured_duration_ns or self.run.data_through_ns
            ended["last_seq"] = last
            with self.reader.transactions() as session:
                counters = read_drive_counters(session, self.run)
            if counters is not None:
                ended["drive_counters"] = counters
            yield _line({"finish": ended})

    def _intervals(self, series: Series) -> Iterator[bytes]:
        """Yield lines of up to `INTERVALS_AT_ONCE` intervals of a series."""
        after_seq, size = -1, INTERVALS_AT_ONCE
        while size == INTERVALS_AT_ONCE:
            with self.reader.transactions() as session:
                intervals = next_intervals(session, series, after_seq, INTERVALS_AT_ONCE)
            size = len(intervals)
            if intervals:
                after_seq = intervals[-1].seq
                yield _line({"intervals": intervals})


def _refuse_gaps(session: Session, run: Run, series: Series) -> None:
    """Raise IntervalsExpired if fewer intervals of a series are stored than were received."""
    span = repository.interval_span(session, series, 0, None)
    if span.stored < series.received:
        removed = series.received - span.stored
        raise IntervalsExpired(
            f"Retention has removed {removed:,} of {series.received:,} intervals of series {series.series_no}"
            f" of run {run.run_id}. Its page and its verdicts rest on the minutes that stay; an export"
            " would prove less than they do."
        )


def _line(content: object) -> bytes:
    """Return the content as a line of JSON."""
    return msgspec.json.encode(content) + b"\n"

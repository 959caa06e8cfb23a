"""The results of one timespan of diskspd, whether from its text or its XML."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import moment, whole
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, finished_if

_START = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) UTC")
_NINES = re.compile(r"(\d)-nines")
_LONGEST_SETTING = 200
_SEMANTICS = "from issuing an operation to its completion, on the performance counter of Windows"
NAMES = ("read", "write", "total")


@dataclass(slots=True)
class Timespan(PrintedRun):
    """Results of one timespan. `section` is the current table, in XML the current percentile.

    `ended` states that the results are complete.
    """

    summaries: dict[str, Summary] = field(default_factory=dict)
    """By operation: `read`, `write` or `total`."""
    targets: dict[tuple[str, str], Summary] = field(default_factory=dict)
    """Percentiles by target and operation; operations of single targets are not counted."""
    bytes: dict[str, int] = field(default_factory=dict)
    """Bytes read and written, by operation; only the XML states them."""
    started_at: datetime | None = None
    section: str | None = None
    ended: bool = False

    def summary(self, name: str, line_no: int) -> Summary:
        """Return the summary of `read`, `write` or `total`; add an empty summary if there is none."""
        return self.summaries.setdefault(name, Summary(name, line_no, name=name))

    def quantile(self, name: str, share: str, text: str, line_no: int, target: str | None = None) -> None:
        """Add a percentile, smallest or largest latency to the summary of `name`, or of it at `target`.

        `share` is as printed (`min`, `3-nines`, `99th`), `text` in ms; a text that is no time is ignored.
        """
        time = rounded(text, NS_PER_MS, "ms")
        if time is None:
            return
        if target is None:
            summary = self.summary(name, line_no)
        else:
            words = f"{name} {target}"
            summary = self.targets.setdefault((target, name), Summary(name, line_no, name=words))
        if (nines := _NINES.fullmatch(share)) is not None:
            summary.quantiles.append((1 - Fraction(1, 10 ** int(nines[1])), _widen_bounds(time)))
        else:
            summary.set_time(share, time if share in ("min", "max") else _widen_bounds(time))

    def finish(self) -> ParsedRun:
        """Return the run of the timespan, without operations that were not measured. To be called once."""
        summaries = [self.summaries[name] for name in NAMES if name in self.summaries]
        counted = any(summary.count is not None for summary in summaries)
        for operation, size in self.bytes.items() if any(self.bytes.values()) else ():
            self.add_count(operation, "transferred_bytes", size, self.line)
        single = [summary for summary in summaries if summary.operation != "total"]
        single = [summary for summary in single if (summary.count if counted else summary.quantiles)]
        if len(single) == 1:
            summaries = single
        for summary in summaries:
            # A table beside no operation of its kind is `N/A`, and a zero in it was not measured.
            if summary.count == 0 or (summary.count is None and counted):
                summary.drop_times()
        series = [
            *all_series(summaries, self.problems, _SEMANTICS),
            *self._target_series({summary.operation for summary in summaries}),
        ]
        if not any(summary.quantiles or summary.mean for summary in summaries):
            self.problems.add("none", "no latencies: diskspd measures them with -L", self.line)
        return self.parsed(
            "diskspd",
            "diskspd",
            [summary for summary in summaries if summary.count is not None or summary.quantiles],
            series,
            finished_if(self.ended, "the results were printed", "the results are cut"),
            started_at=self.started_at,
        )

    def _target_series(self, operations: set[str]) -> Iterator[ParsedSeries]:
        """Yield a series for each target and operation that is in `operations`, if it has latencies."""
        for (target, name), summary in self.targets.items():
            if name in operations:
                parsed = summary.series(self.problems, _SEMANTICS, device=target)
                yield from () if parsed is None else (parsed,)


def finish_all(
    spans: Sequence[Timespan],
    parameters: Mapping[str, Value],
    started_at: datetime | None,
    version: str | None = None,
) -> Iterator[ParsedRun]:
    """Yield the run of each timespan with a result, with the facts of the whole file."""
    for span in spans:
        if span.summaries:
            span.parameters, span.started_at, span.version = dict(parameters), started_at, version
            yield span.finish()


def _widen_bounds(time: Time) -> Time:
    """Return a time with bounds widened on both sides by 1 µs and 2^−22 of it, the precision of a float."""
    slack = 1_000 + time.upper_ns // (1 << 22)
    return Time(time.text, max(0, time.lower_ns - slack), time.upper_ns + slack)


def add_setting(parameters: dict[str, Value], name: str, text: str) -> None:
    """Add a setting to `parameters`, as a whole number if it is one.

    A second value of the same name is joined to the first by a comma. It is dropped without a problem if it
    is equal to one before, or if the joined text has 200 characters already.
    """
    stated = parameters.get(name)
    if stated is None:
        number = whole(text)
        parameters[name] = text if number is None else number
    elif text not in str(stated).split(", ") and len(str(stated)) < _LONGEST_SETTING:
        parameters[name] = f"{stated}, {text}"


def start_time(text: str) -> datetime | None:
    """Return the time of a text such as `2026/11/20 12:30:45 UTC`; None for any other text."""
    match = _START.fullmatch(text)
    at = None if match is None else moment(f"{match[1]}-{match[2]}-{match[3]} {match[4]}")
    return None if at is None else at.replace(tzinfo=UTC)

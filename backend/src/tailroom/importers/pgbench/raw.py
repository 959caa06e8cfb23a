"""pgbench's log of transactions (`--log`): a line for each, one file for each thread.

`client transaction latency script epoch_s epoch_µs [schedule lag] [retries]`, the latency in microseconds or
a word: `skipped` (too late to be started under --latency-limit), `failed`, and with --failures-detailed
`serialization`, `deadlock`, `other`. The time is that of the end. With --rate the latency begins at the
schedule, and the seventh column is the lag; without it and with --max-tries it is the number of retries, and
only the values separate the two: a lag is never longer than its latency. Source: pgbench.c (`doLog`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.number_rows import NumberRows, rows_of
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.pgbench import semantics
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.source import Source
from tailroom.importers.text_runs import PrintedRun

LINE = re.compile(
    r"(\d{1,9}) (\d{1,18}) (\d{1,18}|skipped|failed|serialization|deadlock|other) (\d{1,4}) "
    r"(\d{9,10}) (\d{1,6})((?: \d{1,18}){0,2})"
)
_LAYOUT = HdrLayout(NS_PER_US, 5)
_CLIENT, _NUMBER, _LATENCY, _SCRIPT, _SECOND, _MICROSECOND, _SEVENTH, _EIGHTH = range(8)
_FIRST_SECOND, _LAST_SECOND = 100_000_000, 4_000_000_000
_MICROSECONDS = 1_000_000
_MAX_SCRIPTS = 128
_TAIL_ROWS = 1_024
_MAX_CLIENTS = 100_000
_COMPLETE = 0.99
_SURELY_LAG_US = 1_000


@dataclass(slots=True)
class _Script:
    """Latencies of a script's transactions, the seventh column, and latencies less it (`rest`), all in µs."""

    group: list[Samples]
    """The samples of all scripts, which share a limit of memory."""
    latency: Samples = field(init=False)
    rest: Samples = field(init=False)
    seventh: Samples = field(init=False)

    def __post_init__(self) -> None:
        self.latency, self.rest, self.seventh = (Samples(_LAYOUT, NS_PER_US, self.group) for _ in range(3))


@dataclass(slots=True)
class _SeventhColumn:
    """Statistics of the column that may be lag or retries."""

    rows: int = 0
    positive: int = 0
    """Number of rows with a value over 0."""
    most: int = 0
    over_latency: int = 0
    """Number of rows with a value over the latency, which a lag never has."""

    @property
    def is_lag(self) -> bool | None:
        """Whether the column is the lag (True) or the retries (False); None if its values allow both."""
        if self.over_latency:
            return False
        if self.rows and 2 * self.positive >= self.rows and self.most >= _SURELY_LAG_US:
            return True
        return None


class PgbenchRawReader:
    """Parser of the files of a run; `columns` is the number of columns of their lines."""

    def __init__(self, columns: int) -> None:
        self._problems, self._columns = Problems(), columns
        self._scripts: dict[int, _Script] = {}
        self._group: list[Samples] = []
        self._seventh = _SeventhColumn()
        self._last_number: dict[int, int] = {}
        self._first_us, self._last_us = _LAST_SECOND * _MICROSECONDS, 0
        self._transactions = 0
        self._outcomes: dict[str, int] = {}
        self._retries = 0

    def read(self, source: Source) -> None:
        """Add the transactions of one file; report lines that are none."""
        self._problems.file = source.name
        for block in source.blocks():
            rows, odd = rows_of(block, self._columns)
            if rows.size:
                self._add_rows(rows, block.first_line)
            for line_no, line in odd:
                self._read_other_line(line_no, line)

    def _add_rows(self, rows: NumberRows, first_line: int) -> None:
        """Add transactions with a latency; report and leave out lines that pgbench does not write."""
        names = (_SECOND, _MICROSECOND, _LATENCY, _SCRIPT, *range(_SEVENTH, self._columns))
        columns = {name: rows.column(name) for name in names}
        tail = slice(-_TAIL_ROWS, None)
        last = np.column_stack((rows.column(_CLIENT, tail), rows.column(_NUMBER, tail)))
        good = _valid_rows(columns)
        if good is not None:
            self._problems.add(
                "impossible",
                f"{int((~good).sum())} lines with a time, a latency or a script that pgbench does not write",
                first_line + int(rows.positions[~good][0]),
            )
            columns = {name: column[good] for name, column in columns.items()}
            last = last[good[tail]]
        second, latency, scripts = columns[_SECOND], columns[_LATENCY], columns[_SCRIPT]
        if not second.size:
            return
        self._transactions += second.size
        ended = second * _MICROSECONDS
        ended += columns[_MICROSECOND]
        self._first_us = min(self._first_us, int((ended - latency).min()))
        self._last_us = max(self._last_us, int(ended.max()))
        for client, number in last.tolist():
            if client in self._last_number or len(self._last_number) < _MAX_CLIENTS:
                self._last_number[client] = max(self._last_number.get(client, 0), number)
        if int(scripts.min()) == int(scripts.max()):
            self._add_script(int(scripts[0]), columns)
            return
        for number in np.unique(scripts).tolist():
            chosen = scripts == number
            self._add_script(number, {name: column[chosen] for name, column in columns.items()})

    def _add_script(self, number: int, columns: Mapping[int, Int64s]) -> None:
        """Add transactions of a script; `columns` are arrays by number of the column."""
        script = self._scripts.setdefault(number, _Script(self._group))
        second, latency = columns[_SECOND], columns[_LATENCY]
        script.latency.add(second, latency)
        if self._columns > _EIGHTH:
            self._retries += int(np.minimum(columns[_EIGHTH], MAX_VALUE).sum())
        if self._columns > _SEVENTH:
            seventh = np.minimum(columns[_SEVENTH], MAX_VALUE - 1)
            statistics = self._seventh
            statistics.rows += seventh.size
            statistics.positive += int((seventh > 0).sum())
            statistics.most = max(statistics.most, int(seventh.max()))
            statistics.over_latency += int((seventh > latency).sum())
            script.rest.add(second, np.maximum(latency - seventh, 0))
            script.seventh.add(second, seventh)

    def _read_other_line(self, line_no: int, line: bytes) -> None:
        """Add a transaction that failed or was skipped (a word instead of a latency); report other lines."""
        text = line.decode("utf-8", "replace")
        match = LINE.fullmatch(text)
        if match is None:
            self._problems.add("line", f"no line of a transaction: {text[:80]!r}", line_no)
            return
        if match[3].isdigit():
            self._problems.add(
                "columns", f"{len(text.split())} columns, others have {self._columns}", line_no
            )
            return
        second, number = int(match[5]), int(match[4])
        if not _FIRST_SECOND <= second < _LAST_SECOND or number >= _MAX_SCRIPTS:
            self._problems.add("impossible", "a time or a script that pgbench does not write", line_no)
            return
        self._outcomes[match[3]] = self._outcomes.get(match[3], 0) + 1
        skipped = match[3] == "skipped"
        script = self._scripts.setdefault(number, _Script(self._group))
        for samples in (script.latency, script.rest, script.seventh):
            samples.miss(second, errors=int(not skipped), timeouts=int(skipped))
        ended = second * _MICROSECONDS + min(int(match[6]), _MICROSECONDS - 1)
        self._first_us, self._last_us = min(self._first_us, ended), max(self._last_us, ended)
        self._transactions += 1

    def finish(self, name: str, files: int) -> ParsedRun:
        """Return the run of `files` files, `name` first. Raise ContentUnreadable without a transaction."""
        if not self._scripts:
            raise ContentUnreadable(f"{name} has no line of a transaction that can be read")
        is_lag = self._decide_lag()
        series: list[ParsedSeries] = []
        for number in sorted(self._scripts):
            series += self._series(number, is_lag)
        self._report_sampling()
        run = PrintedRun(1, claims=self._claims(is_lag), problems=self._problems)
        run.parameters = {
            "clients_seen": len(self._last_number),
            "files": files,
            "logged_transactions": self._transactions,
            **{f"transactions_{word}": count for word, count in sorted(self._outcomes.items())},
        }
        run.duration_ns = (self._last_us - self._first_us) * NS_PER_US
        return run.parsed(
            "pgbench-log",
            "pgbench",
            [],
            series,
            (EndState.UNKNOWN, "a log of transactions has no end mark"),
            started_at=datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self._first_us),
            closed_loop=is_lag is not True,
            stated=["connections"],
        )

    def _claims(self, is_lag: bool | None) -> list[Claim]:
        claims: list[Claim] = []
        if self._retries:
            claims.append(Claim.of_count(semantics.TRANSACTION, "retry_count", self._retries))
        for number, script in sorted(self._scripts.items()) if not is_lag else ():
            if script.latency.count:
                operation = semantics.script_name(number, only=len(self._scripts) == 1)
                total, count = script.latency.sum_values, script.latency.count
                mean_ns = total * NS_PER_US / count
                claims.append(Claim(operation, "latency_mean_ns", f"{total} / {count} µs", mean_ns, mean_ns))
        return claims

    def _decide_lag(self) -> bool | None:
        """Return whether the seventh column is the lag, None if it may be either, and report it."""
        if self._columns == _SEVENTH:
            return False
        if self._columns > _EIGHTH:
            return True
        is_lag = self._seventh.is_lag
        if is_lag is None:
            self._problems.add(
                "seventh",
                "the seventh column may be the schedule lag (--rate) or the number of retries (--max-tries): "
                "its values allow both, so it is not known whether latencies begin at a schedule",
                1,
            )
        else:
            self._problems.note(
                "seventh",
                "the seventh column is the schedule lag (--rate): never longer than the latency"
                if is_lag
                else "the seventh column is the number of retries: sometimes larger than the latency",
                1,
            )
            if not is_lag:
                self._retries = sum(script.seventh.sum_values for script in self._scripts.values())
        return is_lag

    def _series(self, number: int, is_lag: bool | None) -> list[ParsedSeries]:
        """Return the series of a script, with a lag as `response`, `service` and `queue`."""
        script = self._scripts[number]
        operation = semantics.script_name(number, only=len(self._scripts) == 1)
        if is_lag is None:
            clocks = [("operation", script.latency, semantics.UNKNOWN, "latency")]
        elif is_lag:
            clocks = [
                ("response", script.latency, semantics.RESPONSE, "latency"),
                ("service", script.rest, semantics.SERVICE_OF_RATE, "latency - lag"),
                ("queue", script.seventh, semantics.LAG, "lag"),
            ]
        else:
            clocks = [("service", script.latency, semantics.SERVICE, "latency")]
        begin_ns, end_ns = self._first_us * NS_PER_US, (self._last_us + 1) * NS_PER_US
        return [
            samples.series(operation, clock, begin_ns, end_ns, semantics=meaning, source_name=name)
            for clock, samples, meaning, name in clocks
        ]

    def _report_sampling(self) -> None:
        expected = sum(self._last_number.values())
        if self._transactions < _COMPLETE * expected:
            self._problems.note(
                "sampled",
                f"the log holds {self._transactions} of at least {expected} transactions, by the numbers in "
                "its second column: it was sampled (--sampling-rate), or parts are missing. Counts are of "
                "the log",
            )


def _valid_rows(columns: Mapping[int, Int64s]) -> npt.NDArray[np.bool_] | None:
    """Return a mask of the rows that pgbench can have written, None for all; `columns` must not be empty."""
    limits = {
        _SECOND: (_FIRST_SECOND, _LAST_SECOND),
        _MICROSECOND: (0, _MICROSECONDS),
        _LATENCY: (0, MAX_VALUE),
        _SCRIPT: (0, _MAX_SCRIPTS),
    }
    if all(
        least <= int(columns[name].min()) and int(columns[name].max()) < end
        for name, (least, end) in limits.items()
    ):
        return None
    good = np.ones(columns[_SECOND].size, bool)
    for name, (least, end) in limits.items():
        good &= (columns[name] >= least) & (columns[name] < end)
    return good


def columns_of(lines: Sequence[str]) -> int | None:
    """Return the usual columns of transactions in the first lines; None if fewer than half of them are."""
    columns = [line.count(" ") + 1 for line in lines if LINE.fullmatch(line)]
    if not columns or 2 * len(columns) < len(lines):
        return None
    return max(set(columns), key=columns.count)

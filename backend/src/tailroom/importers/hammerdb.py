"""The importer of HammerDB: test results of its log, and the time profile of all virtual users (`xtprof`).

A procedure has the number of calls, and smallest, mean and largest time in ms with three decimals. How
percentiles of several users are combined depends on the version, so that they are only shown. A virtual user
waits for each answer. Source: HammerDB `modules/xtprof`, `src/*/`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import amount, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if, text_lines

_RESULT = re.compile(r".*TEST RESULT : System achieved (\d{1,12}) NOPM from (\d{1,12}) ?(.{0,40}?) ?TPM.*")
_USERS = re.compile(r".*Vuser 1:(\d{1,6}) Active Virtual Users.*")
_ALL = re.compile(r">>>>> (?:SUMMARY OF (\d{1,6}) ACTIVE VIRTUAL USERS|COMBINED METRICS ACROSS ALL USERS).*")
_SINGLE = re.compile(r">>>>> VIRTUAL USER \d+.*")
_PROC = re.compile(r">>>>> PROC: (\w{1,60})")
_CELL = re.compile(r"\b(CALLS|MIN|AVG|MAX|P\d{2}|SD): ([\d.]{1,30})(ms)?")
_FIELDS = {"MIN": "least", "AVG": "mean", "MAX": "most", "SD": "deviation"}
_SEMANTICS = "one call of a stored procedure by a virtual user"


@dataclass(slots=True)
class _HammerRun(PrintedRun):
    """Printed results of one test; `procedures` are summaries by name, `current` is the last of them."""

    procedures: dict[str, Summary] = field(default_factory=dict)
    current: Summary | None = None
    is_of_all: bool = False
    """Whether the last heading is about all virtual users together, not a single user."""

    def read_line(self, line_no: int, text: str) -> None:
        """Store a line of the profile of all users; ignore others, and a repeated procedure (reported)."""
        if _ALL.fullmatch(text) is not None:
            self.is_of_all = True
        elif _SINGLE.fullmatch(text) is not None:
            self.is_of_all, self.current = False, None
        elif (procedure := _PROC.fullmatch(text)) is not None and self.is_of_all:
            name = procedure[1].lower()
            self.current = Summary(name, line_no, name=procedure[1])
            if self.procedures.setdefault(name, self.current) is not self.current:
                self.problems.add("twice", f"{procedure[1]} stands there twice; the first was read", line_no)
        elif self.current is not None and self.is_of_all:
            for name, number, unit in _CELL.findall(text):
                self._store_cell(self.current, name, number, line_no, has_unit=bool(unit))

    def _store_cell(self, summary: Summary, name: str, text: str, line_no: int, *, has_unit: bool) -> None:
        """Store a cell of a procedure, percentiles (`P95`) as claims; ignore times without a unit."""
        time = rounded(text, NS_PER_MS, "ms")
        if name == "CALLS":
            summary.count = whole(text)
        elif time is None or not has_unit:
            # Up to 4.x the deviation has another unit, which is not printed.
            return
        elif name in _FIELDS:
            setattr(summary, _FIELDS[name], time)
        else:
            claim = time.claim(summary.operation, "latency_quantile_ns", line_no, int(name[1:]) / 100)
            self.claims.append(claim)

    def read_result(self, line_no: int, match: re.Match[str]) -> None:
        """Store the rates of the test per minute as claims, and the name of its database if stated."""
        for text, quantity in ((match[1], "new_orders_per_minute"), (match[2], "transactions_per_minute")):
            self.add_number("transaction", quantity, amount(text), 1, line_no)
        if match[3]:
            self.parameters["database"] = match[3]

    def finish(self) -> ParsedRun:
        """Return the test as a run; percentiles of several users together are claims only."""
        summaries = list(self.procedures.values())
        for summary in summaries:
            if summary.count == 0:
                summary.drop_times()
        series = all_series(summaries, self.problems, _SEMANTICS)
        if any(claim.quantity == "latency_quantile_ns" for claim in self.claims):
            self.problems.note(
                "percentiles", "percentiles of several users together are only shown", self.line
            )
        is_ended = any(claim.quantity == "new_orders_per_minute" for claim in self.claims)
        return self.parsed(
            "hammerdb",
            "hammerdb",
            summaries,
            series,
            finished_if(is_ended, "the result was printed", "the result of the test is not in the file"),
            without_series="no latencies: HammerDB measures them with its time profile",
            stated=["connections"] if "virtual_users" in self.parameters else [],
        )


def _detect(head: Head) -> Detection | None:
    if any(_RESULT.fullmatch(line) or _PROC.fullmatch(line.strip()) for line in head.lines):
        return Detection("hammerdb", "hammerdb", None, "`System achieved … NOPM`, or `>>>>> PROC: …`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    return (test.finish() for test in _tests(source) if test.claims or test.procedures)


def _tests(source: Source) -> Iterator[_HammerRun]:
    """Yield each test of the log; the last may be empty."""
    run = _HammerRun(1)
    for line_no, raw in text_lines(source):
        text = raw.strip()
        users, result = _USERS.fullmatch(text), _RESULT.fullmatch(text)
        has_result = any(claim.quantity == "new_orders_per_minute" for claim in run.claims)
        # The profile of a test stands before or behind its result; another test begins with its users.
        if has_result and (users is not None or result is not None):
            yield run
            run = _HammerRun(line_no)
        if users is not None:
            run.parameters["virtual_users"] = whole(users[1])
        elif result is not None:
            run.read_result(line_no, result)
        else:
            run.read_line(line_no, text)
    yield run


HAMMERDB = ToolImporter("hammerdb", "HammerDB", _detect, _runs)

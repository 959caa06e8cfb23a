"""Table of ACT's `act_latency.py`: a row for each slice of a test, their unweighted mean, and the largest.

A share of the whole test is between its smallest and largest slice; if rows are left out, it is at most that
of the row `max`. With `-x` each histogram also has a column of operations a second; up to ACT 4.0 a row then
ends with those of reads, large-block reads and large-block writes in brackets, of which the first are read.
Source: ACT `analysis/act_latency.py`, `latency_calc/act_latency.py`.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from tailroom.importers.act.generations import TAGS_5, TAGS_6, Tag
from tailroom.importers.latency_tables.table import (
    MAX_ROWS,
    LatencyTable,
    record_of,
    share_bounds,
    share_claims,
    shares_of,
)
from tailroom.importers.parsed_run import Claim, ParsedSeries
from tailroom.importers.printed import amount
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.summaries import UNITS_NS
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, text_lines

ACT_UNIT = re.compile(r"%>\((ms|us)\)")
ACT_HEAD = re.compile(r"slice((?:\s+\d{1,12}|\s+rate)+)")
_ROW = re.compile(
    r"(\d{1,9}|avg|max)((?:\s+\d{1,15}\.\d{1,2})+)(?:\s+\[(\d{1,15}\.\d)(?:, \d{1,15}\.\d){2}\])?"
)
_TAGS = {**TAGS_5, **TAGS_6, "trans": TAGS_5["trans-reads"], "device": TAGS_5["device-reads"]}
_SHOWN_SLICES = 100
"""Most slices of a table with claims of their own; further slices only count for the record's bounds."""
_SEMANTICS = (
    "share of operations that took at least each limit, rounded, as act_latency.py prints it for a slice"
)


def act_tables(source: Source) -> Iterator[LatencyTable]:
    """Yield a table for each histogram of a head line; its rows are added while the iterator advances."""
    names: list[str] = []
    units: list[str] = []
    tables: list[LatencyTable] = []
    has_rates = False
    for line_no, raw in text_lines(source):
        text = raw.strip()
        if (unit_names := ACT_UNIT.findall(text)) and not text.replace("%>", "").strip("() msu\t"):
            units = unit_names
        elif (head := ACT_HEAD.fullmatch(text)) is not None and units:
            tables = _empty_tables(head[1].split(), names, units, line_no)
            yield from tables
            has_rates = "rate" in head[1]
        elif (row := _ROW.fullmatch(text)) is not None and tables:
            _read_row(tables, row[1], row[2].split(), has_rates=has_rates)
            rate = amount(row[3] or "")
            if rate is not None and len(tables[0].rates) < len(tables[0].rows):
                tables[0].rates.append(rate)
        elif text and not text.startswith("-"):
            names, units, tables = re.split(r"\s{2,}", text), [], []


def _empty_tables(columns: list[str], names: list[str], units: list[str], line_no: int) -> list[LatencyTable]:
    """Return a table without rows for each group of ascending limits; none for more than MAX_RUNS groups."""
    groups: list[list[int]] = []
    for column in columns:
        if column == "rate":
            continue
        limit = int(column)
        if not groups or limit <= groups[-1][-1]:
            groups.append([])
        groups[-1].append(limit)
    tables = []
    for position, group in enumerate(groups):
        name = names[position] if len(names) == len(groups) else f"histogram {position + 1}"
        unit_ns = UNITS_NS[units[min(position, len(units) - 1)]]
        tables.append(LatencyTable(name[:120], tuple(limit * unit_ns for limit in group), line_no))
    return tables if len(tables) <= MAX_RUNS else []


def _read_row(tables: list[LatencyTable], name: str, cells: list[str], *, has_rates: bool) -> None:
    """Add the cells of a line to tables side by side; `name` is the number of a slice, `avg` or `max`.

    A line with another number of cells is ignored. At an invalid share, this table and those to the right of
    it get nothing. Slices over MAX_ROWS are dropped.
    """
    sizes = [len(table.limits_ns) + has_rates for table in tables]
    if len(cells) != sum(sizes):
        return
    for table, size in zip(tables, sizes, strict=True):
        own, cells = cells[:size], cells[size:]
        rate = amount(own.pop()) if has_rates else None
        shares = shares_of(" ".join(own))
        if len(shares) != len(table.limits_ns):
            return
        if name == "avg":
            table.average, table.average_rate = shares, rate
        elif name == "max":
            table.largest, table.largest_rate = shares, rate
        elif len(table.rows) < MAX_ROWS:
            table.rows.append((name, shares))
            table.rates += [rate] if rate is not None else []


def add_act_results(run: PrintedRun, tables: list[LatencyTable]) -> list[ParsedSeries]:
    """Return the series of all tables; add their claims and the parameter `slices` to the run.

    A table without rows, or whose bounds contradict each other, has claims but no series.
    """
    series: list[ParsedSeries] = []
    bases = {_split_name(table.name)[0] for table in tables}
    for table in tables:
        base, device = _split_name(table.name)
        tag = _TAGS.get(base, Tag("all", "operation"))
        operation, clock = tag.operation, tag.clock
        if base == "reads" and device is None and "device-reads" in bases:
            # Logs of 5.x: beside the device's own times these begin at the queue.
            clock = "response"
        run.claims += share_claims(operation, table, "mean", table.average)
        run.claims += share_claims(operation, table, "worst", table.largest)
        for number, shares in table.rows[:_SHOWN_SLICES]:
            run.claims += share_claims(operation, table, f"slice_{number}", shares)
        run.claims += _rate_claims(operation, table)
        record = record_of(table, list(_test_bounds(table, run.problems)), run.problems)
        if record is None or not (table.rows or table.largest):
            continue
        series.append(
            ParsedSeries(
                operation, clock, record, device=device, semantics=_SEMANTICS, source_name=table.name
            )
        )
    run.parameters["slices"] = max((len(table.rows) for table in tables), default=0)
    return series


def _rate_claims(operation: str, table: LatencyTable) -> Iterator[Claim]:
    """Yield claims of the printed operations a second: mean, largest, and of the first 100 slices."""
    named = [("throughput_ops_per_s", table.average_rate), ("throughput_max_ops_per_s", table.largest_rate)]
    named += [
        (f"throughput_slice_{number}_ops_per_s", rate)
        for (number, _), rate in zip(table.rows[:_SHOWN_SLICES], table.rates, strict=False)
    ]
    for quantity, rate in named:
        if rate is not None:
            yield Claim.of_number(operation, quantity, rate, line=table.line)


def _split_name(name: str) -> tuple[str, str | None]:
    if name in _TAGS or "-" not in name:
        return name, None
    device, _, base = name.rpartition("-")
    return (base, device) if base in _TAGS else (name, None)


def _test_bounds(table: LatencyTable, problems: Problems) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield lower and upper bound of the share (a ratio) at or over each limit in the whole test.

    The lower bound is 0 if slices may be missing, the upper 1 without a row `max`; both become problems.
    """
    numbers = [int(number) for number, _ in table.rows]
    is_complete = bool(numbers) and numbers == list(range(1, len(numbers) + 1))
    columns = zip(*(shares for _, shares in table.rows), strict=True)
    shown = [max(column, key=lambda share: share.value) for column in columns]
    if table.largest is None:
        is_complete = False
        problems.add("end", f"{table.name}: the row max is missing, and slices may be as well", table.line)
    elif [each.text for each in shown] != [each.text for each in table.largest]:
        is_complete = False
        reason = f"{table.name}: rows are left out, because none of them is the row max"
        problems.add("rows", reason, table.line)
    for position in range(len(table.limits_ns)):
        ends = [share_bounds(shares[position]) for _, shares in table.rows]
        low = min((end[0] for end in ends), default=Fraction(0)) if is_complete else Fraction(0)
        high = Fraction(1) if table.largest is None else share_bounds(table.largest[position])[1]
        yield low, high

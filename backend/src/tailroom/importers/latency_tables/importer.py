"""The importer of Aerospike's tables of shares over limits: `act_latency.py`, `asloglatency` and `asadm`.

asloglatency prints a row for each interval of a server's log, with its length and rate; asadm a row for each
node at one time, and below them the sum over all nodes, which is left out. Source: aerospike-admin
`lib/log_analyzer`, `lib/view/templates.py`.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.latency_tables.act_table import ACT_HEAD, ACT_UNIT, act_tables, add_act_results
from tailroom.importers.latency_tables.table import (
    MAX_ROWS,
    LatencyTable,
    record_of,
    share_bounds,
    share_claims,
    shares_of,
)
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Period
from tailroom.importers.printed import amount
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import UNITS_NS
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, text_lines

LOG_HEAD = re.compile(r"slice-to \(sec\)((?:\s+\d{1,12})+)\s+ops/sec")
_LOG_UNIT = re.compile(r"% > \((ms|us)\)")
_LOG_ROW = re.compile(r"(\d\d:\d\d:\d\d)\s+(\d{1,9})((?:\s+\d{1,3}\.\d\d)+)\s+(\d{1,15}\.\d)")
_LOG_ALL = re.compile(r"(avg|max)((?:\s+\d{1,3}\.\d\d)+)\s+(\d{1,15}\.\d)")
_LOG_NAME = re.compile(r"\{([^}\s]{1,64})\}-([\w-]{1,40})")
ASADM_HEAD = re.compile(r"\s*Namespace\|\s*Histogram\|\s*Node\|\s*ops/sec\|(.{1,400})", re.IGNORECASE)
ASADM_LIMIT = re.compile(r">\s*(\d{1,9})\s*(ms|us)")
_SEMANTICS = "inside the server, from reading the request to sending the answer; the network is not in it"


def log_tables(source: Source) -> Iterator[LatencyTable]:
    """Yield a table for each head of asloglatency whose limits ascend.

    Rows are added while the iterator advances; rows with invalid numbers, and over MAX_ROWS, are left out.
    """
    name, unit_ns, table = "", NS_PER_MS, None
    for line_no, raw in text_lines(source):
        text = raw.strip()
        if (named := _LOG_NAME.fullmatch(text)) is not None:
            name = named[2]
        elif (unit := _LOG_UNIT.fullmatch(text)) is not None:
            unit_ns = UNITS_NS[unit[1]]
        elif (head := LOG_HEAD.fullmatch(text)) is not None:
            limits = tuple(int(each) * unit_ns for each in head[1].split())
            table = LatencyTable(name, limits, line_no) if sorted(set(limits)) == list(limits) else None
            if table is not None:
                yield table
        elif table is not None and (row := _LOG_ROW.fullmatch(text)) is not None:
            shares, rate = shares_of(row[3]), amount(row[4])
            if len(shares) == len(table.limits_ns) and rate is not None and len(table.rows) < MAX_ROWS:
                table.rows.append((row[1], shares))
                table.length_s.append(int(row[2]))
                table.rates.append(rate)
        elif table is not None and (total_match := _LOG_ALL.fullmatch(text)) is not None:
            shares = shares_of(total_match[2])
            if len(shares) == len(table.limits_ns) and total_match[1] == "avg":
                table.average, table.average_rate = shares, amount(total_match[3])
            elif len(shares) == len(table.limits_ns):
                table.largest, table.largest_rate = shares, amount(total_match[3])


def asadm_tables(source: Source) -> Iterator[LatencyTable]:
    """Yield a table for each valid line of asadm (no sum over nodes), named by namespace, histogram, node."""
    limits: list[int] = []
    for line_no, raw in text_lines(source):
        if (head := ASADM_HEAD.fullmatch(raw)) is not None:
            limits = [int(limit) * UNITS_NS[unit] for limit, unit in ASADM_LIMIT.findall(head[1])]
            continue
        cells = [cell.strip() for cell in raw.split("|")]
        if not limits or len(cells) < 4 + len(limits) or not (cells[1] and cells[2]):
            continue
        shares, rate = shares_of(" ".join(cells[4 : 4 + len(limits)])), amount(cells[3])
        if len(shares) == len(limits) and rate is not None and limits == sorted(set(limits)):
            table = LatencyTable(f"{cells[0]} {cells[1]} {cells[2]}"[:200], tuple(limits), line_no)
            table.rows, table.rates = [("", shares)], [rate]
            yield table


def add_server_results(run: PrintedRun, tables: list[LatencyTable]) -> list[ParsedSeries]:
    """Return the series of the first MAX_RUNS tables, and add their claims to the run."""
    series: list[ParsedSeries] = []
    for table in tables[:MAX_RUNS]:
        words = table.name.split()
        name = words[1] if len(words) == 3 else table.name
        operation = name if name in ("read", "write", "query", "udf") else name or "all"
        node = words[2] if len(words) == 3 else None
        periods, ends = _periods_and_bounds(table, run.problems)
        record = record_of(table, ends, run.problems)
        for _, shares in table.rows[:1] if not periods else ():
            run.claims += share_claims(operation, table, "whole", shares)
        run.claims += share_claims(operation, table, "mean", table.average)
        run.claims += share_claims(operation, table, "worst", table.largest)
        run.claims += _rate_claims(operation, table)
        if record is not None and table.rows:
            series.append(
                ParsedSeries(
                    operation,
                    "service",
                    record,
                    device=node,
                    semantics=_SEMANTICS,
                    source_name=table.name,
                    periods=periods,
                )
            )
    return series


def _rate_claims(operation: str, table: LatencyTable) -> Iterator[Claim]:
    """Yield claims of printed operations a second: of each period of a log, their mean, and the largest.

    A table of asadm has no periods; the rate of its only row is the mean.
    """
    begin_s = 0
    for rate, length_s in zip(table.rates, table.length_s, strict=False):
        span = begin_s * NS_PER_S, length_s * NS_PER_S
        yield Claim.of_number(operation, "throughput_ops_per_s", rate, line=table.line, span=span)
        begin_s += length_s
    average = table.average_rate if table.length_s else next(iter(table.rates), None)
    for quantity, of_all in (
        ("throughput_ops_per_s", average),
        ("throughput_max_ops_per_s", table.largest_rate),
    ):
        if of_all is not None:
            yield Claim.of_number(operation, quantity, of_all, line=table.line)


def _periods_and_bounds(
    table: LatencyTable, problems: Problems
) -> tuple[tuple[Period, ...], list[tuple[Fraction, Fraction]]]:
    """Return a period for each row with a length, and for each limit the bounds of the share in all rows.

    The share is that of operations at or over the limit. Rows are weighted by their length times their rate.
    Rates are rounded by up to half a digit, which moves the mean by at most twice that part of the distance
    between the smallest and the largest share.
    """
    rows = [[share_bounds(share) for share in shares] for _, shares in table.rows]
    weights = [
        rate.value * length
        for rate, length in zip(table.rates, table.length_s or [1] * len(rows), strict=True)
    ]
    periods: list[Period] = []
    begin = 0
    for ends, length in zip(rows, table.length_s, strict=False):
        record = record_of(table, ends, problems)
        if record is not None and length:
            periods.append(Period(begin * NS_PER_S, length * NS_PER_S, record))
        begin += length
    total = sum(weights, Fraction(0))
    error = max((rate.ulp / 2 / rate.value for rate in table.rates if rate.value), default=Fraction(1))
    bounds: list[tuple[Fraction, Fraction]] = []
    for position in range(len(table.limits_ns)):
        lows, highs = [row[position][0] for row in rows], [row[position][1] for row in rows]
        if not total or error >= 1:
            bounds.append((min(lows, default=Fraction(0)), max(highs, default=Fraction(1))))
            continue
        slack = 2 * error * (max(highs) - min(lows))
        low = sum((w * bound for w, bound in zip(weights, lows, strict=True)), Fraction(0)) / total - slack
        high = sum((w * bound for w, bound in zip(weights, highs, strict=True)), Fraction(0)) / total + slack
        bounds.append((max(low, min(lows)), min(high, max(highs))))
    return tuple(periods), bounds


def _detect(head: Head) -> Detection | None:
    for line in head.lines:
        text = line.strip()
        if LOG_HEAD.fullmatch(text):
            return Detection("asloglatency", "aerospike-server", None, "`slice-to (sec)` and `ops/sec`")
        if (match := ASADM_HEAD.fullmatch(line)) is not None and ASADM_LIMIT.search(match[1]):
            reason = "`Namespace|Histogram|Node|ops/sec`"
            return Detection("asadm-latency", "aerospike-server", None, reason)
        if ACT_HEAD.fullmatch(text) and ACT_UNIT.search(head.text):
            version = re.search(r"(?:ACT|act) version (\d{1,3}(?:\.\d{1,3}){1,3})", head.text)
            reason = "a table of act_latency.py: `slice` and `%>(ms)`"
            return Detection("act-latency", "act", version[1] if version else None, reason)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return one run of all tables. Raise ContentUnreadable if no table has a usable row."""
    detection = _detect(source.head)
    form = "" if detection is None else detection.format
    run = PrintedRun(1, version=None if detection is None else detection.version)
    if form == "act-latency":
        tables = list(act_tables(source))
        series = add_act_results(run, tables)
    else:
        tables = list(log_tables(source) if form == "asloglatency" else asadm_tables(source))
        series = add_server_results(run, tables)
    if not series:
        why = ": act_latency.py prints none of a log that is shorter than a slice (-t)"
        raise ContentUnreadable(
            f"{source.name} has the head of a latency table, but no row that can be read"
            f"{why if form == 'act-latency' else ''}"
        )
    reason = "shares are rounded to two decimals; the log that the table was made of has the counts"
    run.problems.note("rounded", reason, tables[0].line)
    run.duration_ns = max(sum(table.length_s) for table in tables) * NS_PER_S or None
    tool = "act" if form == "act-latency" else "aerospike-server"
    ending = EndState.UNKNOWN, "a table does not say how its run ended"
    return [run.parsed(form, tool, [], series, ending, closed_loop=False)]


LATENCY_TABLE = ToolImporter("latency-table", "Aerospike's tools", _detect, _runs)

"""The importer of tables that say which share of operations took longer than some limits.

Three tools of Aerospike print them, with two decimals of a per cent: ACT's `act_latency.py` (a row for each
slice of a test, then their unweighted mean and the largest), `asloglatency` (a row for each stretch of a
server's log, with its length and rate) and `asadm` (a row for each node, at one moment). A share covers all
values that are printed like it. Of an ACT table the whole test lies between its smallest and largest
slice, where every slice is there; of a table with rows left out only the row `max` holds. Source: ACT
`analysis/act_latency.py`; aerospike-admin `lib/utils/log_util`, `lib/view`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Period
from tailroom.importers.printed import Printed, amount
from tailroom.importers.problems import Problems
from tailroom.importers.server_disclosure import not_stated
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import Statements
from tailroom.importers.text_runs import MAX_RUNS, text_lines

_ACT_UNIT = re.compile(r"%>\((ms|us)\)")
_ACT_HEAD = re.compile(r"slice((?:\s+\d{1,12})+)(\s+rate)?")
_ACT_ROW = re.compile(r"(\d{1,9}|avg|max)((?:\s+\d{1,3}\.\d\d)+)(\s+\d{1,15}\.\d)?")
_LOG_UNIT = re.compile(r"% > \((ms|us)\)")
_LOG_HEAD = re.compile(r"slice-to \(sec\)((?:\s+\d{1,12})+)\s+ops/sec")
_LOG_ROW = re.compile(r"(\d\d:\d\d:\d\d)\s+(\d{1,9})((?:\s+\d{1,3}\.\d\d)+)\s+(\d{1,15}\.\d)")
_LOG_ALL = re.compile(r"(avg|max)((?:\s+\d{1,3}\.\d\d)+)\s+(\d{1,15}\.\d)")
_LOG_NAME = re.compile(r"\{([^}\s]{1,64})\}-([\w-]{1,40})")
_ADM_HEAD = re.compile(r"\s*Namespace\|\s*Histogram\|\s*Node\|\s*ops/sec\|(.{1,400})", re.IGNORECASE)
_ADM_LIMIT = re.compile(r">\s*(\d{1,9})\s*(ms|us)")
_UNIT_NS = {"ms": NS_PER_MS, "us": NS_PER_US}
_NAMES = {
    "reads": ("read", "service"),
    "writes": ("write", "service"),
    "trans": ("read", "response"),
    "trans-reads": ("read", "response"),
    "device": ("read", "service"),
    "device-reads": ("read", "service"),
    "device-writes": ("write", "service"),
    "large-block-reads": ("large-block-read", "service"),
    "large-block-writes": ("large-block-write", "service"),
}
_MAX_ROWS = 100_000
_SHOWN_SLICES = 100
"""Further rows are in the record alone."""
_ACT_WORDS = (
    "share of operations that took at least each limit, rounded, as act_latency.py prints it for a slice"
)
_SERVER_WORDS = "inside the server, from reading the request to sending the answer; the network is not in it"
Shares = tuple[Printed, ...]


@dataclass(slots=True)
class _Table:
    """One histogram of a table."""

    name: str
    limits_ns: tuple[int, ...]
    line: int
    rows: list[tuple[str, Shares]] = field(default_factory=list)
    length_s: list[int] = field(default_factory=list)
    rates: list[Printed] = field(default_factory=list)
    average: Shares | None = None
    largest: Shares | None = None
    average_rate: Printed | None = None


def _shares(text: str) -> Shares:
    shares = tuple(amount(each) for each in text.split())
    return tuple(share for share in shares if share is not None and share.value <= 100)


def _ends(share: Printed) -> tuple[Fraction, Fraction]:
    return max(Fraction(0), share.lower) / 100, min(Fraction(100), share.upper) / 100


def _statements(
    limits_ns: Sequence[int], ends: Sequence[tuple[Fraction, Fraction]], count: int | None
) -> Statements:
    """Return shares over the limits as statements about what lies below them."""
    made = Statements(count)
    for at_ns, (low, high) in zip(limits_ns, ends, strict=True):
        made.at_least(at_ns, 1 - high)
        made.at_most(at_ns, 1 - low)
    return made


def _record(statements: Statements, table: _Table, problems: Problems) -> KnotsRecord | None:
    try:
        return statements.record()
    except DomainError as error:
        problems.add("table", f"{table.name}: {error}", table.line, error=True)
        return None


def _share_claims(operation: str, table: _Table, word: str, shares: Shares | None) -> Iterator[Claim]:
    for at_ns, share in zip(table.limits_ns, shares or (), strict=False):
        low, high = _ends(share)
        yield Claim(
            operation,
            f"share_over_{at_ns}_ns_{word}_ratio",
            f"{share.text} %",
            float(low),
            float(high),
            line=table.line,
        )


def _rate_claims(operation: str, table: _Table) -> Iterator[Claim]:
    """Yield operations a second: of each period of a log, and their mean as it is printed."""
    begin_s = 0
    for rate, length_s in zip(table.rates, table.length_s, strict=False):
        yield _rate_claim(operation, table, rate, (begin_s * NS_PER_S, length_s * NS_PER_S))
        begin_s += length_s
    average = table.average_rate if table.length_s else next(iter(table.rates), None)
    if average is not None:
        yield _rate_claim(operation, table, average, (None, None))


def _rate_claim(
    operation: str, table: _Table, rate: Printed, span: tuple[int, int] | tuple[None, None]
) -> Claim:
    low, high = rate.ends()
    return Claim(operation, "throughput_ops_per_s", rate.text, low, high, None, table.line, *span)


@dataclass(frozen=True, slots=True)
class LatencyTableImporter:
    """Importer of tables with the share of operations over several limits."""

    name: str = "latency-table"
    looks_for: str = (
        "tables of ACT's act_latency.py (`slice`, `%>(ms)`), asloglatency (`slice-to (sec)`) or asadm"
    )

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the head of the table."""
        for line in head.lines:
            text = line.strip()
            if _LOG_HEAD.fullmatch(text):
                return Detection("asloglatency", "aerospike-server", None, "`slice-to (sec)` and `ops/sec`")
            if (match := _ADM_HEAD.fullmatch(line)) is not None and _ADM_LIMIT.search(match[1]):
                return Detection(
                    "asadm-latency", "aerospike-server", None, "`Namespace|Histogram|Node|ops/sec`"
                )
            if _ACT_HEAD.fullmatch(text) and _ACT_UNIT.search(head.text):
                version = re.search(r"ACT version (\d{1,3}(?:\.\d{1,3}){1,3})", head.text)
                reason = "a table of act_latency.py: `slice` and `%>(ms)`"
                return Detection("act-latency", "act", version[1] if version else None, reason)
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return one run of all tables; of asadm one of each moment that it printed."""
        detection = self.detect(source.head)
        form = "" if detection is None else detection.format
        problems = Problems()
        if form == "act-latency":
            tables = list(_act_tables(source))
            series, claims, parameters = _of_act(tables, problems)
            tool, version = "act", None if detection is None else detection.version
        else:
            tables = list(_log_tables(source) if form == "asloglatency" else _adm_tables(source))
            series, claims, parameters = _of_server(tables, problems)
            tool, version = "aerospike-server", None
        if not series:
            raise ContentUnreadable(
                f"{source.name} has the head of a latency table, but no row that can be read"
            )
        problems.add(
            "rounded",
            "shares are rounded to two decimals; the log that the table was made of has the counts",
            tables[0].line,
            note=True,
        )
        facts = ["started_at", "address", "connections", "keys", "value_bytes"]
        facts += ["tool_version"] if version is None else []
        lengths = [sum(table.length_s) for table in tables]
        return [
            ParsedRun(
                format=form,
                tool=tool,
                tool_version=version,
                series=tuple(series),
                state=EndState.UNKNOWN,
                state_text="a table does not say how its run ended",
                claims=tuple(claims),
                problems=problems.all(),
                missing=not_stated(*facts),
                parameters=parameters,
                duration_ns=max(lengths) * NS_PER_S or None,
            )
        ]


def _act_tables(source: Source) -> Iterator[_Table]:
    """Yield the tables of histograms, which may stand side by side: the limits then begin anew."""
    names: list[str] = []
    units: list[str] = []
    tables: list[_Table] = []
    for line_no, raw in text_lines(source):
        text = raw.strip()
        if (unit_names := _ACT_UNIT.findall(text)) and not text.replace("%>", "").strip("() msu\t"):
            units = unit_names
        elif (head := _ACT_HEAD.fullmatch(text)) is not None and units:
            tables = _side_by_side([int(each) for each in head[1].split()], names, units, line_no)
            yield from tables
        elif (row := _ACT_ROW.fullmatch(text)) is not None and tables:
            _act_row(tables, row)
        elif text and not text.startswith("-"):
            names, units, tables = re.split(r"\s{2,}", text), [], []


def _side_by_side(limits: list[int], names: list[str], units: list[str], line_no: int) -> list[_Table]:
    groups: list[list[int]] = []
    for limit in limits:
        if not groups or limit <= groups[-1][-1]:
            groups.append([])
        groups[-1].append(limit)
    made = []
    for position, group in enumerate(groups):
        name = names[position] if len(names) == len(groups) else f"histogram {position + 1}"
        unit_ns = _UNIT_NS[units[min(position, len(units) - 1)]]
        made.append(_Table(name[:120], tuple(limit * unit_ns for limit in group), line_no))
    return made if len(made) <= MAX_RUNS else []


def _act_row(tables: list[_Table], row: re.Match[str]) -> None:
    shares = _shares(row[2])
    if len(shares) != sum(len(table.limits_ns) for table in tables):
        return
    at = 0
    for table in tables:
        own = shares[at : at + len(table.limits_ns)]
        at += len(own)
        if row[1] == "avg":
            table.average = own
        elif row[1] == "max":
            table.largest = own
        elif len(table.rows) < _MAX_ROWS:
            table.rows.append((row[1], own))


def _of_act(
    tables: list[_Table], problems: Problems
) -> tuple[list[ParsedSeries], list[Claim], dict[str, str | int | float | bool | None]]:
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    bases = {_device_of(table.name)[0] for table in tables}
    for table in tables:
        base, _, device = _device_of(table.name)
        operation, clock = _NAMES.get(base, ("all", "operation"))
        if base == "reads" and device is None and "device-reads" in bases:
            # Logs of 5.x: beside the device's own times these begin at the queue.
            clock = "response"
        claims += [*_share_claims(operation, table, "mean", table.average)]
        claims += [*_share_claims(operation, table, "worst", table.largest)]
        for number, shares in table.rows[:_SHOWN_SLICES]:
            claims += [*_share_claims(operation, table, f"slice_{number}", shares)]
        record = _record(
            _statements(table.limits_ns, list(_whole_ends(table, problems)), None), table, problems
        )
        if record is None or not (table.rows or table.largest):
            continue
        series.append(
            ParsedSeries(
                operation, clock, record, device=device, semantics=_ACT_WORDS, source_name=table.name
            )
        )
    slices = max((len(table.rows) for table in tables), default=0)
    return series, claims, {"slices": slices}


def _device_of(name: str) -> tuple[str, str, str | None]:
    """Return the device of a name: `/dev/vdb-reads` is `reads` of `/dev/vdb`."""
    if name in _NAMES or "-" not in name:
        return name, "", None
    device, _, base = name.rpartition("-")
    return (base, "-", device) if base in _NAMES else (name, "", None)


def _whole_ends(table: _Table, problems: Problems) -> Iterator[tuple[Fraction, Fraction]]:
    numbers = [int(number) for number, _ in table.rows]
    is_whole = bool(numbers) and numbers == list(range(1, len(numbers) + 1))
    shown = _largest_of([shares for _, shares in table.rows])
    if table.largest is None:
        is_whole = False
        problems.add("end", f"{table.name}: the row max is missing, and slices may be as well", table.line)
    elif [each.text for each in shown] != [each.text for each in table.largest]:
        is_whole = False
        problems.add(
            "rows", f"{table.name}: rows are left out, because none of them is the row max", table.line
        )
    for position in range(len(table.limits_ns)):
        ends = [_ends(shares[position]) for _, shares in table.rows]
        low = min((end[0] for end in ends), default=Fraction(0)) if is_whole else Fraction(0)
        high = Fraction(1) if table.largest is None else _ends(table.largest[position])[1]
        yield low, high


def _largest_of(rows: Sequence[Shares]) -> Shares:
    return (
        tuple(max(column, key=lambda each: each.value) for column in zip(*rows, strict=True)) if rows else ()
    )


def _log_tables(source: Source) -> Iterator[_Table]:
    name, unit_ns, table = "", NS_PER_MS, None
    for line_no, raw in text_lines(source):
        text = raw.strip()
        if (named := _LOG_NAME.fullmatch(text)) is not None:
            name = named[2]
        elif (unit := _LOG_UNIT.fullmatch(text)) is not None:
            unit_ns = _UNIT_NS[unit[1]]
        elif (head := _LOG_HEAD.fullmatch(text)) is not None:
            limits = tuple(int(each) * unit_ns for each in head[1].split())
            table = _Table(name, limits, line_no) if sorted(set(limits)) == list(limits) else None
            if table is not None:
                yield table
        elif table is not None and (row := _LOG_ROW.fullmatch(text)) is not None:
            shares, rate = _shares(row[3]), amount(row[4])
            if len(shares) == len(table.limits_ns) and rate is not None and len(table.rows) < _MAX_ROWS:
                table.rows.append((row[1], shares))
                table.length_s.append(int(row[2]))
                table.rates.append(rate)
        elif table is not None and (total_match := _LOG_ALL.fullmatch(text)) is not None:
            shares = _shares(total_match[2])
            if len(shares) == len(table.limits_ns) and total_match[1] == "avg":
                table.average, table.average_rate = shares, amount(total_match[3])
            elif len(shares) == len(table.limits_ns):
                table.largest = shares


def _adm_tables(source: Source) -> Iterator[_Table]:
    limits: list[int] = []
    for line_no, raw in text_lines(source):
        if (head := _ADM_HEAD.fullmatch(raw)) is not None:
            limits = [int(limit) * _UNIT_NS[unit] for limit, unit in _ADM_LIMIT.findall(head[1])]
            continue
        cells = [cell.strip() for cell in raw.split("|")]
        if not limits or len(cells) < 4 + len(limits) or not cells[1]:
            continue
        shares, rate = _shares(" ".join(cells[4 : 4 + len(limits)])), amount(cells[3])
        if len(shares) == len(limits) and rate is not None and limits == sorted(set(limits)):
            table = _Table(f"{cells[0]} {cells[1]} {cells[2]}"[:200], tuple(limits), line_no)
            table.rows, table.rates = [("", shares)], [rate]
            yield table


def _of_server(
    tables: list[_Table], problems: Problems
) -> tuple[list[ParsedSeries], list[Claim], dict[str, str | int | float | bool | None]]:
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    for table in tables[:MAX_RUNS]:
        words = table.name.split()
        name = words[1] if len(words) == 3 else table.name
        operation = name if name in ("read", "write", "query", "udf") else name or "all"
        node = words[2] if len(words) == 3 else None
        periods, ends = _server_periods(table, problems)
        record = _record(_statements(table.limits_ns, ends, None), table, problems)
        for _, shares in table.rows[:1] if not periods else ():
            claims += _share_claims(operation, table, "whole", shares)
        claims += [*_share_claims(operation, table, "mean", table.average)]
        claims += [*_share_claims(operation, table, "worst", table.largest)]
        claims += [*_rate_claims(operation, table)]
        if record is not None and table.rows:
            series.append(
                ParsedSeries(
                    operation,
                    "service",
                    record,
                    device=node,
                    semantics=_SERVER_WORDS,
                    source_name=table.name,
                    periods=periods,
                )
            )
    return series, claims, {}


def _server_periods(
    table: _Table, problems: Problems
) -> tuple[tuple[Period, ...], list[tuple[Fraction, Fraction]]]:
    """Return each row, and the sum of all by the number of operations that their lengths and rates give.

    Rates are rounded, so that each weight may be off by its share of half a digit; shares lie between the
    smallest and the largest, and the mean moves by no more than twice that part of their distance.
    """
    rows = [[_ends(share) for share in shares] for _, shares in table.rows]
    weights = [
        rate.value * length
        for rate, length in zip(table.rates, table.length_s or [1] * len(rows), strict=True)
    ]
    periods: list[Period] = []
    begin = 0
    for ends, length in zip(rows, table.length_s, strict=False):
        record = _record(_statements(table.limits_ns, ends, None), table, problems)
        if record is not None and length:
            periods.append(Period(begin * NS_PER_S, length * NS_PER_S, record))
        begin += length
    total = sum(weights, Fraction(0))
    error = max((rate.ulp / 2 / rate.value for rate in table.rates if rate.value), default=Fraction(1))
    server_periods: list[tuple[Fraction, Fraction]] = []
    for position in range(len(table.limits_ns)):
        lows, highs = [row[position][0] for row in rows], [row[position][1] for row in rows]
        if not total or error >= 1:
            server_periods.append((min(lows, default=Fraction(0)), max(highs, default=Fraction(1))))
            continue
        slack = 2 * error * (max(highs) - min(lows))
        low = sum((w * bound for w, bound in zip(weights, lows, strict=True)), Fraction(0)) / total - slack
        high = sum((w * bound for w, bound in zip(weights, highs, strict=True)), Fraction(0)) / total + slack
        server_periods.append((max(low, min(lows)), min(high, max(highs))))
    return tuple(periods), server_periods


LATENCY_TABLE = LatencyTableImporter()

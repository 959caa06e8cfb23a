"""The percentile table of HdrHistogram: cumulative counts at the upper ends of buckets.

`52.48  1.000000  882331  inf` states that 882,331 values are at most 52.48 in the unit of the table. Counts
between values that are printed to the microsecond are exact; with fewer digits each count holds somewhere
within the rounding. The unit is not stated: every known tool (memtier_benchmark, asbench, wrk2) prints
fractions of milliseconds, or whole microseconds. Source: `hdr_percentiles_print`.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.disclosure import not_stated
from tailroom.importers.exact_counts import cumulative_distribution
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS, Statements, time_ns

_TITLE = re.compile(r'\s*"?Value"?[\s,]+"?Percentile"?[\s,]+"?TotalCount"?[\s,]+"?1/\(1-Percentile\)"?\s*')
_ROW = re.compile(r"\s*([\d.]{1,30})[\s,]+([\d.]{1,30})[\s,]+(\d{1,20})(?:[\s,]+(?:[\d.]+|inf|Infinity))?\s*")
_MEAN = re.compile(r"\s*#\[Mean\s+=\s+([\d.]{1,30}), StdDeviation\s+=\s+([\d.]{1,30}|[na-]{1,30})\]\s*")
_MOST = re.compile(r"\s*#\[Max\s+=\s+([\d.]{1,30}), Total count\s+=\s+(\d{1,20})\]\s*")
_BUCKETS = re.compile(r"\s*#\[Buckets\s+=\s+\d{1,9}, SubBuckets\s+=\s+(\d{1,9})\]\s*")
_NAMES = ("read", "write", "udf", "get", "set", "wait")
_MAX_ROWS = 1_000_000
UNIT_NAMES = {1: "ns", NS_PER_US: "µs", NS_PER_MS: "ms", NS_PER_S: "s"}

SEMANTICS = "cumulative counts at the upper ends of HdrHistogram buckets, as they are printed"


def looks_like_table(head: Head) -> bool:
    """Return whether the title of the columns and a row are among the first 50 lines."""
    lines = head.lines[:50]
    return any(_TITLE.fullmatch(line) for line in lines) and any(_ROW.fullmatch(line) for line in lines)


@dataclass(slots=True)
class PercentileTable:
    """Rows (value in the table's unknown unit, cumulative count), numbers of the foot, and problems."""

    rows: list[tuple[Printed, int]] = field(default_factory=list)
    problems: ProblemList = field(default_factory=ProblemList)
    mean: Printed | None = None
    deviation: Printed | None = None
    most: Printed | None = None
    """Mean, standard deviation and largest value; None if not printed."""
    foot_total: int | None = None
    """Number of operations in the foot; None without it."""
    sub_buckets: int | None = None
    """Number of sub-buckets in the foot; None without it."""

    def line(self, line_no: int, text: str) -> bool:
        """Store a line, or report it if unknown; return False if value or count falls: the table ends."""
        if (row := _ROW.fullmatch(text)) is not None:
            return self._add_row(line_no, printed(row[1]), whole(row[3]))
        if (match := _MEAN.fullmatch(text)) is not None:
            self.mean, self.deviation = printed(match[1]), printed(match[2])
        elif (match := _MOST.fullmatch(text)) is not None:
            self.most, self.foot_total = printed(match[1]), whole(match[2])
        elif (match := _BUCKETS.fullmatch(text)) is not None:
            self.sub_buckets = int(match[1])
        elif text.strip() and not _TITLE.fullmatch(text):
            self.problems.add(f"not a line of the table: {text[:80]!r}", line_no)
        return True

    def _add_row(self, line_no: int, value: Printed | None, count: int | None) -> bool:
        """Store a row, up to a million; report an invalid row; return False if value or count falls."""
        if value is None or count is None:
            self.problems.error("a number of the row is impossible", line_no)
        elif self.rows and (count < self.rows[-1][1] or value.value < self.rows[-1][0].value):
            self.problems.error("the count or the value falls: the table ends here", line_no)
            return False
        elif len(self.rows) < _MAX_ROWS:
            self.rows.append((value, count))
        return True


def read_table(source: Source) -> ParsedRun:
    """Return the run of the only table of the file; report an unknown unit and a cut table.

    Raise ContentUnreadable without counts, or if its numbers contradict each other.
    """
    table = PercentileTable()
    for line_no, raw in source.lines():
        if not table.line(line_no, raw.decode("utf-8", "replace")):
            break
    rows = table.rows
    if not rows or rows[-1][1] == 0:
        raise ContentUnreadable(f"{source.name} has the head of a percentile table, but no counts follow")
    usual_unit_ns = NS_PER_US if all(value.value.denominator == 1 for value, _ in rows) else NS_PER_MS
    unit_ns = source.stated_unit_ns or usual_unit_ns
    operation = _operation(source)
    facts = ["loop", *(["operation"] if operation == "all" else [])]
    unit = UNIT_NAMES.get(unit_ns, f"{unit_ns} ns")
    if source.stated_unit_ns is None:
        facts.append("latency_unit")
        table.problems.add(
            f"the table does not say in which unit its values are; {unit} were taken, as known tools print "
            "them"
        )
    total, foot = rows[-1][1], table.foot_total
    if foot is not None and foot != total:
        reason = f"the table ends at {total}, its foot says {foot}: it was cut"
        table.problems.error(reason)
        total = max(total, foot)
    try:
        record = record_of(rows, total, unit_ns)
    except DomainError as error:
        raise ContentUnreadable(f"{source.name}: {error}") from error
    claims = [Claim.of_count(operation, "operation_count", total)]
    of_times = (
        ("latency_mean_ns", table.mean),
        ("latency_deviation_ns", table.deviation),
        ("latency_max_ns", table.most),
    )
    for quantity, number in of_times:
        if number is not None and (ends := time_ns(number, unit_ns)) is not None:
            claims.append(Claim(operation, quantity, number.text, *ends))
    is_complete = foot == rows[-1][1]
    return ParsedRun(
        format="hdr-percentiles",
        tool="hdrhistogram",
        tool_version=None,
        series=(ParsedSeries(operation, "operation", record, semantics=SEMANTICS),),
        state=EndState.FINISHED if is_complete else EndState.UNKNOWN,
        state_text="the table is whole" if is_complete else "the table has no foot that fits",
        claims=tuple(claims),
        problems=tuple(table.problems),
        missing=not_stated(
            "started_at", "tool_version", "address", "connections", "keys", "value_bytes", *facts
        ),
        parameters={"latency_unit": unit, "histogram_sub_buckets": table.sub_buckets},
    )


def record_of(rows: list[tuple[Printed, int]], total: int, unit_ns: int) -> LatencyRecord:
    """Return the record of `total` operations from rows of value (in `unit_ns`) and cumulative count.

    It has exact counts if the unit is 1 µs or every value has three decimals or more, else bounds of the
    distribution. Rows with an impossible value are ignored. Raise DomainError if rows contradict each other.
    """
    exact = unit_ns == NS_PER_US or all(value.ulp <= Fraction(1, 1_000) for value, _ in rows)
    if exact:
        return _exact_record(rows, total, unit_ns)
    statements = Statements(total)
    for value, count in rows:
        ends = time_ns(value, unit_ns)
        if ends is not None:
            statements.at_least(ends[1] + NS_PER_US, Fraction(count, total))
            statements.at_most(ends[0], Fraction(count, total))
    return statements.record()


def _exact_record(rows: list[tuple[Printed, int]], total: int, unit_ns: int) -> LatencyDist:
    """Return the counts between the values of the rows.

    An open bucket has the operations beyond the last value, and those of values from MAX_TIME_NS on.
    """
    below: dict[int, int] = {}
    for value, count in rows:
        edge_ns = int(value.value * unit_ns) + NS_PER_US
        if edge_ns < MAX_TIME_NS:
            below[edge_ns] = max(count, below.get(edge_ns, 0))
    return cumulative_distribution(below, total)


def _operation(source: Source) -> str:
    """Return the operation in the file's name; else `total` if that has the word `full`, else `all`."""
    words = source.stem.lower().replace("-", "_").split("_")
    name = next((word for word in words if word in _NAMES), None)
    return name if name is not None else ("total" if "full" in words else "all")

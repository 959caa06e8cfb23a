"""A histogram of a table: the share of operations at or over each limit, in per cent with two decimals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import Printed, amount
from tailroom.importers.problems import Problems
from tailroom.importers.statements import Statements, record_or_report

MAX_ROWS = 100_000
Shares = tuple[Printed, ...]


@dataclass(slots=True)
class LatencyTable:
    """One histogram of a table, with the printed shares at or over each limit, in per cent."""

    name: str
    limits_ns: tuple[int, ...]
    line: int
    """The line number of its head."""
    rows: list[tuple[str, Shares]] = field(default_factory=list)
    """Name of each slice or period (its number, or the time of its end) and its shares."""
    length_s: list[int] = field(default_factory=list)
    """Seconds of each row; empty if they are not printed."""
    rates: list[Printed] = field(default_factory=list)
    """Operations a second of each row; empty if they are not printed."""
    average: Shares | None = None
    """The printed row `avg`."""
    largest: Shares | None = None
    """The printed row `max`."""
    average_rate: Printed | None = None
    largest_rate: Printed | None = None


def shares_of(text: str) -> Shares:
    """Return the printed shares in per cent, without texts that are no number or over 100."""
    shares = tuple(amount(share) for share in text.split())
    return tuple(share for share in shares if share is not None and share.value <= 100)


def share_bounds(share: Printed) -> tuple[Fraction, Fraction]:
    """Return the smallest and the largest ratio that round to this printed percentage."""
    return max(Fraction(0), share.lower) / 100, min(Fraction(100), share.upper) / 100


def record_of(
    table: LatencyTable, bounds: Sequence[tuple[Fraction, Fraction]], problems: Problems
) -> KnotsRecord | None:
    """Return the record of the bounds at each limit; None, with a problem, if they contradict.

    `bounds` are of the share of operations at or over the limit, as ratios.
    """
    statements = Statements()
    for at_ns, (low, high) in zip(table.limits_ns, bounds, strict=True):
        statements.at_least(at_ns, 1 - high)
        statements.at_most(at_ns, 1 - low)
    return record_or_report(statements, Misses(), problems, table.name, table.line)


def share_claims(operation: str, table: LatencyTable, word: str, shares: Shares | None) -> Iterator[Claim]:
    """Yield a claim about the share at or over each limit; `word` names the row. Nothing without shares."""
    for at_ns, share in zip(table.limits_ns, shares or (), strict=False):
        low, high = share_bounds(share)
        yield Claim(
            operation,
            f"share_over_{at_ns}_ns_{word}_ratio",
            f"{share.text} %",
            float(low),
            float(high),
            line=table.line,
        )

"""The cumulative lines `hdr: read …` of asbench, and the operations between two of them.

The number of operations below a time is known between two bounds. The lower bound of a difference is the
lower bound of the later line less the upper bound of the earlier line, the upper bound the reverse.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.knots import StatementsContradict
from tailroom.importers.parsed_run import Claim
from tailroom.importers.statements import GRAIN, Statements, hdr_bucket_ns

_LAYOUT = HdrLayout()


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Count and latencies of all operations since the start; `values_us` are the printed percentiles."""

    line_no: int
    total: int
    least_us: int
    most_us: int
    values_us: tuple[int, ...]

    def statements(self, quantiles: Sequence[Fraction]) -> Statements:
        """Return the bounds of the distribution that the line proves, none without operations.

        `quantiles` are the shares of its percentiles, empty if unknown. Raise LatencyImpossible for a printed
        time over MAX_TIME_NS.
        """
        statements = Statements(self.total)
        if not self.total:
            return statements
        statements.span(_bucket_ns(self.least_us)[0], _bucket_ns(self.most_us)[1])
        for quantile, value_us in zip(quantiles, self.values_us, strict=False):
            statements.hdr_quantile(quantile, *_bucket_ns(value_us))
        return statements

    def claims(self, operation: str, quantiles: Sequence[Fraction]) -> Iterator[Claim]:
        """Yield the numbers of the line as claims, only the count without operations.

        Percentiles are numbered instead if `quantiles`, their shares, do not fit. Raise LatencyImpossible for
        a printed time over MAX_TIME_NS.
        """
        yield Claim.of_count(operation, "operation_count", self.total, self.line_no)
        if self.total == 0:
            return
        numbers: list[tuple[str, float | None, int]] = [
            ("latency_min_ns", None, self.least_us),
            ("latency_max_ns", None, self.most_us),
        ]
        if len(quantiles) == len(self.values_us):
            numbers += [
                ("latency_quantile_ns", float(share), value)
                for share, value in zip(quantiles, self.values_us, strict=True)
            ]
        else:
            numbers += [
                (f"latency_percentile_{at}_ns", None, value) for at, value in enumerate(self.values_us, 1)
            ]
        for quantity, share, value_us in numbers:
            yield Claim(operation, quantity, f"{value_us} µs", *_bucket_ns(value_us), share, self.line_no)


def _bucket_ns(value_us: int) -> tuple[int, int]:
    """Return the edges in ns of the histogram bucket of a time: lower (inclusive) and upper (exclusive).

    Raise LatencyImpossible if the time is below 0 or over MAX_TIME_NS.
    """
    return hdr_bucket_ns(_LAYOUT, value_us)


def difference(earlier: Statements, later: Statements) -> Statements:
    """Return bounds of the distribution of the operations that only the later cumulative statements count.

    Both must have counts. Raise StatementsContradict if the earlier operations are no part of the later.
    """
    before, after = earlier.count or 0, later.count or 0
    count = after - before
    if count < 0:
        raise StatementsContradict(f"{before} operations are no part of {after}")
    statements = Statements(count)
    if count == 0:
        return statements
    of_earlier, of_later = _Bounds(earlier), _Bounds(later)
    for time_ns in sorted({*of_earlier.times, *of_later.times}):
        least_before, most_before = of_earlier.grains_below(time_ns)
        least_after, most_after = of_later.grains_below(time_ns)
        if most_after < least_before or after * GRAIN - least_after < before * GRAIN - most_before:
            raise StatementsContradict(
                f"more operations lie below or over {time_ns} ns earlier than later: what is printed later "
                "does not hold what was printed earlier"
            )
        statements.least_part(time_ns, least_after - most_before)
        statements.most_part(time_ns, most_after - least_before)
    return statements


class _Bounds:
    """Bounds of the number of operations below any time, in grains (`GRAIN` of them are one operation)."""

    def __init__(self, statements: Statements) -> None:
        parts = statements.parts()
        self.times = [at for at, _, _ in parts]
        self._least: list[int] = [0, *(least for _, least, _ in parts)]
        self._most: list[int] = [*(most for _, _, most in parts), (statements.count or 0) * GRAIN]

    def grains_below(self, time_ns: int) -> tuple[int, int]:
        """Return lower and upper bound of the number of grains strictly below a time."""
        return self._least[bisect_right(self.times, time_ns)], self._most[bisect_left(self.times, time_ns)]

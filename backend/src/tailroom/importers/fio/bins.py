"""The latency bins of fio: the bounds and the printed number of each.

A bin keeps the six bits after the leading one: values below 128 units have bins of their own, and every
further octave has 64 bins of equal width. fio names a bin by its middle (`plat_idx_to_val`), rounded down; so
from the name follow the exact edges, and a name that is no middle is no bin. Since 3.0 the unit is a
nanosecond and there are 29 groups of 64; before, a microsecond (cut, not rounded) and 19. The last bin also
counts everything above it. Source: fio `stat.h`, `stat.c`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

from tailroom.domain.latency.layouts import NEVER_NS, ExplicitLayout
from tailroom.domain.units import NS_PER_US
from tailroom.importers.statements import MAX_TIME_NS, Statements

_PER_OCTAVE = 64
MAX_COARSENESS = 6


@dataclass(frozen=True)
class Bins:
    """Histogram bins of fio since 3.0 (unit 1 ns, 29 groups of 64) or before (unit 1,000 ns, 19 groups)."""

    unit_ns: int
    groups: int

    @property
    def size(self) -> int:
        """Number of bins."""
        return self.groups * _PER_OCTAVE

    def lower(self, index: int) -> int:
        """Return the lower edge of a bin, as a multiple of `unit_ns`."""
        if index < 2 * _PER_OCTAVE:
            return index
        shift = index // _PER_OCTAVE - 1
        return (_PER_OCTAVE + index % _PER_OCTAVE) << shift

    def middle(self, index: int) -> int:
        """Return the middle of a bin as a multiple of `unit_ns`, rounded down: fio's name of the bin."""
        if index < 2 * _PER_OCTAVE:
            return index
        return self.lower(index) + (1 << (index // _PER_OCTAVE - 2))

    def index_of(self, value: int) -> int:
        """Return the bin of a value in `unit_ns` (fio's `plat_val_to_idx`), at most the last bin."""
        shift = max(0, value.bit_length() - 1 - 6)
        index = value if shift == 0 else (shift + 1) * _PER_OCTAVE + (value >> shift) % _PER_OCTAVE
        return min(index, self.size - 1)

    def named(self, value: int) -> int | None:
        """Return the index of the bin that fio names by this middle, in `unit_ns`; None if there is none."""
        return self._by_middle.get(value)

    @cached_property
    def _by_middle(self) -> dict[int, int]:
        return {self.middle(index): index for index in range(self.size)}

    def edges_of_middles(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the outer edges in ns of all bins with middles from `first` to `last`, both in `unit_ns`.

        None if no bin has its middle there; the upper edge is `NEVER_NS` with the last bin.
        """
        low, high = self.index_of(max(0, first)), self.index_of(last)
        low += self.middle(low) < first
        high -= self.middle(high) > last
        return (self.edges_ns(low)[0], self.edges_ns(high)[1]) if 0 <= low <= high < self.size else None

    def layout(self, coarseness: int = 0) -> ExplicitLayout:
        """Return the layout in ns with one bucket for `2 ** coarseness` bins; the last is open-ended."""
        return _layout(self.unit_ns, self.groups, coarseness)

    def edges_ns(self, index: int) -> tuple[int, int]:
        """Return lower and upper edge of one bin in ns; the upper edge of the last is `NEVER_NS`."""
        upper = NEVER_NS if index == self.size - 1 else self.lower(index + 1) * self.unit_ns
        return self.lower(index) * self.unit_ns, upper


@cache
def _layout(unit_ns: int, groups: int, coarseness: int) -> ExplicitLayout:
    """Return the layout of `Bins.layout`; equal arguments return the same object."""
    bins = Bins(unit_ns, groups)
    edges = tuple(bins.lower(index) * unit_ns for index in range(0, bins.size, 1 << coarseness))
    return ExplicitLayout(edges, open_ended=True)


NANOSECONDS = Bins(1, 29)
"""Since 3.0."""
MICROSECONDS = Bins(NS_PER_US, 19)
"""Before 3.0."""


def printed_edges_ns(at: int, unit_ns: int, *, old: bool | None, rounded_up: bool) -> tuple[int, int] | None:
    """Return the outer edges in ns of all bins whose middle fio prints as `at` `unit_ns`; None without any.

    Middles are rounded up to the unit if `rounded_up`, else cut. `old`: counted in µs, None for both kinds.
    """
    edges = []
    for bins, fits in ((NANOSECONDS, old is not True), (MICROSECONDS, old is not False)):
        if fits and unit_ns >= bins.unit_ns and at * unit_ns < MAX_TIME_NS:
            step = unit_ns // bins.unit_ns
            first = (at - 1) * step + 1 if rounded_up else at * step
            edges.append(bins.edges_of_middles(first, first + step - 1))
    printable = [pair for pair in edges if pair is not None]
    return (min(low for low, _ in printable), max(high for _, high in printable)) if printable else None


def add_percentile(
    statements: Statements, share: Fraction, half: Fraction, edges_ns: tuple[int, int], count: int | None
) -> None:
    """Add that a share of the operations, give or take `half`, is reached between these edges of bins.

    If the `count` of operations is known, the share is a whole number of them.
    """
    least, most = share - half, share + half
    if count:
        least = Fraction(max(1, math.ceil(least * count)), count)
        most = Fraction(max(0, math.ceil(min(most, Fraction(1)) * count) - 1), count)
    if edges_ns[1] != NEVER_NS:
        statements.at_least(edges_ns[1], least)
    statements.at_most(edges_ns[0], most)


def logged_bins(number: int) -> tuple[Bins, int] | None:
    """Return bins and coarseness of a log with `number` counts in a line; None for any other number."""
    for bins in (NANOSECONDS, MICROSECONDS):
        for coarseness in range(MAX_COARSENESS + 1):
            if bins.size >> coarseness == number:
                return bins, coarseness
    return None

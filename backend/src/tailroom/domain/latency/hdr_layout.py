"""Bucket edges of an HdrHistogram, and the bucket of a value.

A histogram counts whole units (usually microseconds, rounded down), so the bucket of the values `a … b−1`
holds the latencies `[a·unit, b·unit)`. With three digits the first 2,048 buckets are one unit wide, and every
further octave has 1,024 of equal width: no bucket is wider than 0.098 % of its latencies. A histogram whose
lowest discernible value is over 1 counts in larger units (memtier: 10, so steps of 8 µs); its buckets are
those of that larger unit. Source: docs/method.md section 5; HdrHistogram's
`AbstractHistogram.countsArrayIndex`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError

Int64s = npt.NDArray[np.int64]

_MAX_DIGITS = 5
_LARGEST_UNIT_NS = 1 << 40
_LAST_NS = (1 << 63) - 2


class HdrLayoutInvalid(DomainError):
    """The unit, the number of significant digits or a bucket is outside the limits of the format."""


@dataclass(frozen=True, slots=True)
class HdrLayout:
    """Log-linear buckets over units of `unit_ns`; one of several units is at most 1 / 10^`significant_digits`
    of its latencies wide. Raise `HdrLayoutInvalid` for a unit outside 1 to 2**40 ns or digits outside 0 to
    5.
    """

    unit_ns: int = 1_000
    significant_digits: int = 3

    def __post_init__(self) -> None:
        for name in ("unit_ns", "significant_digits"):
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise HdrLayoutInvalid(f"{name} is {value!r}: it must be a whole number")
            object.__setattr__(self, name, int(value))
        if not 0 < self.unit_ns <= _LARGEST_UNIT_NS:
            raise HdrLayoutInvalid(
                f"unit_ns is {self.unit_ns}: a bucket must be at least 1 ns and at most 2**40 ns wide"
            )
        if not 0 <= self.significant_digits <= _MAX_DIGITS:
            raise HdrLayoutInvalid(
                f"significant_digits is {self.significant_digits}: 0 to {_MAX_DIGITS} are allowed"
            )

    @property
    def edge_tolerance_ns(self) -> int:
        """Always 0: edges are exact."""
        return 0

    @property
    def half_magnitude(self) -> int:
        """Base-2 logarithm of the buckets per octave (10 for three digits)."""
        finest: int = 2 * 10**self.significant_digits
        return (finest - 1).bit_length() - 1

    @property
    def index_limit(self) -> int:
        """Number of buckets: the index of the largest 62-bit value, plus 1."""
        return (62 - self.half_magnitude + 1) << self.half_magnitude

    def index_of(self, values: Int64s) -> Int64s:
        """Return the bucket of each value in whole units (not nanoseconds); from 2**62 on a bucket that does
        not exist. Raise `HdrLayoutInvalid` for a value below 0.
        """
        units = np.asarray(values, dtype=np.int64)
        if units.size and int(units.min()) < 0:
            raise HdrLayoutInvalid(f"a latency of {int(units.min())} units lies in no bucket")
        half = self.half_magnitude
        shift = np.maximum(_bit_length(units) - (half + 1), 0)
        result: Int64s = (shift << half) + (units >> shift)
        return result

    def edges_units(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return lower (inclusive), upper (exclusive) edges in units. Raise HdrLayoutInvalid if none."""
        index = np.asarray(indices, dtype=np.int64)
        half = self.half_magnitude
        if index.size and (int(index.min()) < 0 or int(index.max()) >= self.index_limit):
            wrong = int(index.min()) if int(index.min()) < 0 else int(index.max())
            raise HdrLayoutInvalid(f"bucket {wrong}: there are only buckets 0 to {self.index_limit - 1}")
        shift = np.maximum((index >> half) - 1, 0)
        lower = (index - (shift << half)) << shift
        return lower, lower + (np.int64(1) << shift)

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower (inclusive) and upper (exclusive) edges of buckets in ns. Raise HdrLayoutInvalid
        beyond 2^63 ns (292 years), and for a bucket that does not exist.
        """
        lower, upper = self.edges_units(indices)
        if upper.size and int(upper.max()) * self.unit_ns > _LAST_NS:
            raise HdrLayoutInvalid(
                f"a bucket at {int(upper.max())} units of {self.unit_ns} ns lies beyond 292 years"
            )
        return lower * self.unit_ns, upper * self.unit_ns


_EXACT_IN_DOUBLE = 1 << 53


def _bit_length(values: Int64s) -> Int64s:
    """Return the exact bit length of non-negative integers below 2**62."""
    if values.size and int(values.max()) >= _EXACT_IN_DOUBLE:
        return 32 * (values >> 32 > 0) + _bit_length(np.where(values >> 32 > 0, values >> 32, values))
    # The exponent of a double is the place of the highest bit.
    exponents = values.astype(np.float64).view(np.int64) >> 52
    bits: Int64s = np.maximum(exponents - 1022, 0)
    return bits

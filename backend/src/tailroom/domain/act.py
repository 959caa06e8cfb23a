"""Load and limits of ACT, the Aerospike Certification Tool, unchanged in its README since 2013.

Source: docs/method.md 6.1.

Other languages repeat some of these numbers; docs/contracts/constants.md names the places.
"""

from collections.abc import Mapping

from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS

LIMITS_NS = (NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS)
"""Latencies that ACT judges reads by: 1, 8 and 64 ms."""
LIMIT_RATIOS = (0.05, 0.01, 0.001)
"""Share of reads at or over each of `LIMITS_NS` that must not be reached."""
LIMITS: Mapping[int, float] = dict(zip(LIMITS_NS, LIMIT_RATIOS, strict=True))
"""Limit in ns → share of reads at or over it that must not be reached."""
NEAR_US_NS = (1_024_000, 8_192_000, 65_536_000)
"""Powers of two in µs next to `LIMITS_NS`, by which ACT with microsecond histograms judges instead."""

READS_PER_S = 2_000
"""Reads a second of one drive at a load of 1x."""
WRITES_PER_S = 1_000
"""Writes a second of one drive at a load of 1x."""
LENGTH_NS = 24 * NS_PER_HOUR
"""Duration of a certification test: 24 h."""

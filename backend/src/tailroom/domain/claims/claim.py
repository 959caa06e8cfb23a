"""Published claims: one printed number each, with its quantity, conditions and place in the document.

Quantities in use (the statistic, threshold, operation and so on say the rest):

* of one table row of a drive under ACT: `exceedance` (share of requests slower than `threshold_ns`),
  `endurance`;
* of database runs: `latency`, `share_below` (share faster than `threshold_ns`), `throughput`, `runtime`,
  `gain` (relative change between two configurations, as the document states it), `update_rate`, `read_rate`;
* of the workload and its data: `object_count`, `object_size`, `operation_count`, `concurrency`,
  `record_count`, `data_volume`, `read_share`, `write_share`, `reads_per_transaction`, `transaction_rate`,
  `write_rate`, `cluster_count`, `node_count`, `run_count`;
* of limits and durations: `criterion` (a limit the document itself sets), `duration`, `ramp_up`, `sla`,
  `over_provisioning`, `write_amplification`, `load`;
* of hardware: `capacity`, `power`, `random_read`, `random_write`, `sequential_read`, `sequential_write`,
  `bandwidth`, `device_latency`, `speed_factor`, `core_count`, `device_count`, `memory`, `transfer_rate`,
  `cpu_usage`.

A number is stored as printed, with its value and both bounds in a canonical unit: the interval of all numbers
that round to it. Numbers with a comparison (“under 7 ms”) have one end, and approximate ones (“roughly
250,000”) have none: nothing says how far they may be off. Source: docs/method.md 1.2 (rounded numbers) and
8.3 (data handling).

A record of printed latencies bounds their distribution. Exceedances of ACT before 2.0 are differences of
clocks that tick in whole milliseconds: label L counts differences of at least 2L. Nothing is averaged, fitted
or extrapolated beyond the last statement; a printed mean limits the tail. Source: docs/method.md 5.1, 6.3;
oracle `pbox-kioxia-A-read`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.published import NOT_ROUNDED, Rounding, RoundingMode, exact, joined
from tailroom.domain.units import NS_PER_MS


class PrintedUnreadable(DomainError):
    """A text that is no printed decimal number, or a unit that is not in `UNITS`."""


class Relation(StrEnum):
    """How the document relates a quantity to the number."""

    EQUAL = "="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    ABOUT = "~"


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number in `unit`, with the bounds that its rounding and comparison allow; a bound is None if
    open. A text without a number (“the better part of a second”) has neither value nor bounds.
    """

    as_printed: str
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    comparison: Relation = Relation.EQUAL
    unit_as_printed: str = ""
    """Unit of the digits in `as_printed`, such as `%` or `us`; empty if they are words."""


_BYTES = {"B": 1, "bytes": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "GiB": 2**30}
UNITS: dict[str, tuple[str, Fraction]] = {
    "ns": ("ns", Fraction(1)),
    "us": ("ns", Fraction(10**3)),
    "ms": ("ns", Fraction(10**6)),
    "s": ("s", Fraction(1)),
    "min": ("s", Fraction(60)),
    "h": ("h", Fraction(1)),
    "years": ("years", Fraction(1)),
    "ratio": ("ratio", Fraction(1)),
    "%": ("ratio", Fraction(1, 100)),
    "ops/s": ("ops/s", Fraction(1)),
    "K ops/s": ("ops/s", Fraction(10**3)),
    "M ops/s": ("ops/s", Fraction(10**6)),
    "count": ("count", Fraction(1)),
    "billion": ("count", Fraction(10**9)),
    **{name: ("bytes", Fraction(factor)) for name, factor in _BYTES.items()},
    "MB/s": ("bytes/s", Fraction(10**6)),
    "GB/s": ("bytes/s", Fraction(10**9)),
    "Gbit/s": ("bits/s", Fraction(10**9)),
    "GT/s": ("transfers/s", Fraction(10**9)),
    "MT/s": ("transfers/s", Fraction(10**6)),
    "GHz": ("Hz", Fraction(10**9)),
    "K rpm": ("rpm", Fraction(10**3)),
    "W": ("W", Fraction(1)),
    "DWPD": ("DWPD", Fraction(1)),
    "x": ("x", Fraction(1)),
    **{currency: (currency, Fraction(1)) for currency in ("CNY", "EUR", "GBP", "JPY", "USD")},
}
"""Unit as printed → canonical unit and factor. Latencies are in ns, durations of tests and runs in s or h.

Currencies are not converted: a rate would be of a day and a source of its own.
"""

_NUMBER = re.compile(r"(?P<whole>\d[\d,]*)?(?:\.(?P<decimals>\d*))?")


def last_digit(number: str) -> Fraction:
    """Return the worth of the last printed digit: 0.01 for `5.38`, 1 without decimals, also for `250,000`.
    Raise PrintedUnreadable for a text that is no decimal number.
    """
    match = _NUMBER.fullmatch(number)
    if match is None or not any(match.groups()):
        raise PrintedUnreadable(f"{number[:40]!r} is no printed decimal number")
    return Fraction(1, 10 ** len(match["decimals"] or ""))


def printed_number(
    number: str,
    unit: str,
    *,
    as_printed: str | None = None,
    comparison: Relation = Relation.EQUAL,
    rounding: RoundingMode | None = RoundingMode.HALF,
    ulp: Fraction | None = None,
) -> PrintedNumber:
    """Return the value and bounds of a decimal number such as `1,005,768` or `.04` in a unit of `UNITS`,
    converted to the canonical unit. A comparison leaves the other bound open, `ABOUT` both. `rounding` None:
    the number was set (a target rate, a count of parts), so it is exact. `ulp` (in the printed unit) replaces
    the worth of the last digit. Raise PrintedUnreadable for no decimal number or an unknown unit.
    """
    if unit not in UNITS:
        raise PrintedUnreadable(f"unit {unit!r} is not known; known are {', '.join(sorted(UNITS))}")
    canonical, factor = UNITS[unit]
    digit = last_digit(number)
    plain = number.replace(",", "")
    value = exact(f"0{plain}" if plain.startswith(".") else plain)
    rounded = NOT_ROUNDED if rounding is None else Rounding(digit if ulp is None else ulp, rounding)
    low, high = rounded.ends(value)
    lower: Fraction | None = max(Fraction(0), low)
    upper: Fraction | None = high
    if comparison in (Relation.LESS, Relation.AT_MOST):
        lower, upper = None, value
    elif comparison in (Relation.MORE, Relation.AT_LEAST):
        lower, upper = value, None
    elif comparison is Relation.ABOUT:
        lower, upper = None, None
    return PrintedNumber(
        as_printed=as_printed if as_printed is not None else number,
        value=float(value * factor),
        lower=None if lower is None else float(lower * factor),
        upper=None if upper is None else float(upper * factor),
        unit=canonical,
        comparison=comparison,
        unit_as_printed=unit,
    )


def printed_text(as_printed: str) -> PrintedNumber:
    """Return a printed text without a number: value and bounds are None."""
    return PrintedNumber(as_printed, None, None, None, "text")


ConditionValue = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Load:
    """The load at which a number was measured, per drive; a field is None if it is not stated."""

    multiple: float | None = None
    """ACT's load multiple: 1 is 2,000 reads and 1,000 writes of 1.5 KB a second and drive."""
    reads_per_s: float | None = None
    writes_per_s: float | None = None
    operations_per_s: float | None = None
    as_printed: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedClaim:
    """A printed number, the quantity and conditions that it is about, and its place in the document.

    `table` is the id of its table; `config` names the measured configuration, None if not stated.
    `conditions` hold further conditions of its row or document, None if not stated: `capacity_bytes`,
    `over_provisioned`, `record_bytes`, `duration_h`, `tool`, `tool_version`, `generation`.
    """

    key: str
    """Unique in its publication and stable: `t2-r14/exceedance/1ms/total`."""
    row: str
    """Key of the table row, such as `t2-r14`; claims with the same key were printed together."""
    table: str
    table_title: str | None
    row_label: str | None
    position: int
    """Place of the claim among the claims of its document, from 0."""
    subject: str
    """Name of the drive, configuration or system that the number is about, as printed."""
    item: str | None
    """Slug of the catalogue item of the subject; None if it is linked to no item."""
    quantity: str
    statistic: str | None
    """`mean` or a percentile such as `p95`, for example; None if the quantity needs none."""
    threshold_ns: int | None
    operation: str | None
    workload: str | None
    metric_class: str | None
    """`total` (whole operation), `device` (drive alone) or `unstated`; None without latencies."""
    config: str | None
    load: Load | None
    conditions: Mapping[str, ConditionValue]
    printed: PrintedNumber
    test_date_as_printed: str | None


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """A table of a document, or the statements of its text on one subject.

    `title_as_printed` is None without a title. `rows` holds the keys of its rows, as in `PublishedClaim.row`.
    """

    id: str
    title_as_printed: str | None
    title: str
    """Title as this product words it."""
    note: str | None
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """The numbers of a published document; no sentence of it is stored. `measurement` has the conditions of
    all its measurements by name, `not_disclosed` the facts that it does not state.
    """

    slug: str
    title: str
    publisher: str
    kind: str
    """Relation of the publisher to the product: `vendor`, `third_party` or `commissioned` by a vendor."""
    url: str | None
    date_as_printed: str | None
    document: str
    measurement: Mapping[str, ConditionValue]
    not_disclosed: tuple[str, ...]
    tables: tuple[ClaimTable, ...]
    claims: tuple[PublishedClaim, ...]

    def claims_of_row(self, row: str) -> tuple[PublishedClaim, ...]:
        """Return the claims with this row key; empty if there are none."""
        return tuple(claim for claim in self.claims if claim.row == row)


BEFORE_2 = "before-2.0"
"""Generation of ACT whose clocks tick in whole milliseconds."""
PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d+)?)")


class NoStatement(DomainError):
    """Claims that bound no distribution, or a part of the operations that is not over 0 and at most 1."""


def record_of_latencies(claims: Sequence[PublishedClaim]) -> KnotsRecord:
    """Return bounds of the distribution of an operation by its printed percentiles (`p95`), shares under
    thresholds and mean, as far as these are bounded. Raise `NoStatement` without percentiles and shares,
    `StatementsContradict` for contradictions.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    quantiles: list[tuple[float, int]] = []
    mean = None
    for claim in claims:
        printed = claim.printed
        match = PERCENTILE.fullmatch(claim.statistic or "")
        if claim.quantity == "latency" and match and printed.lower is not None and printed.upper is not None:
            share = Fraction(match[1]) / 100
            first, end = math.ceil(printed.lower), math.floor(printed.upper) + 1
            at_least[end] = max(at_least.get(end, share), share)
            at_most[first] = min(at_most.get(first, share), share)
            quantiles.append((float(share), first))
        elif claim.quantity == "latency" and claim.statistic == "mean" and printed.lower is not None:
            mean = (printed.lower, math.inf if printed.upper is None else printed.upper)
        elif claim.quantity == "share_below" and claim.threshold_ns is not None:
            time_ns = claim.threshold_ns + bool(claim.conditions.get("threshold_included"))
            at_least[time_ns] = _share(printed.lower, 0)
            at_most[time_ns] = _share(printed.upper, 1)
    if not at_least:
        raise NoStatement("neither a percentile nor a share under a threshold is printed")
    limits = mean if mean is not None and math.isfinite(mean[1]) else None
    return KnotsRecord(joined(at_least, at_most), mean_limits_ns=limits, quantiles=tuple(sorted(quantiles)))


def record_of_exceedances(claims: Sequence[PublishedClaim], *, count: int | None = None) -> KnotsRecord:
    """Return bounds of the distribution by printed exceedances (shares over thresholds), of one table row and
    metric class. `count` is the number of requests, None if unknown. Raise `NoStatement` without exceedances,
    `StatementsContradict` for contradictions.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    legacy = False
    for claim in claims:
        if claim.quantity != "exceedance" or claim.threshold_ns is None or claim.printed.value is None:
            continue
        legacy = claim.conditions.get("generation") == BEFORE_2
        below_most, below_least = 1 - _share(claim.printed.lower, 0), 1 - _share(claim.printed.upper, 1)
        first_ns = last_ns = claim.threshold_ns
        if legacy:
            first_ns, last_ns = 2 * claim.threshold_ns - NS_PER_MS + 1, 2 * claim.threshold_ns
        at_least[last_ns], at_most[first_ns] = below_least, below_most
    if not at_least:
        raise NoStatement("no share over a threshold is printed")
    words = "ACT before 2.0: differences of whole-millisecond clocks" if legacy else ""
    return KnotsRecord(joined(at_least, at_most), count, semantics=words)


def bounds_of_part(record: KnotsRecord, part_ratio: float) -> KnotsRecord:
    """Return the bounds for one operation, which is the share `part_ratio` of a record of several. With F as
    the share of all operations below a time, the share of the part below it is at least `1 − (1 − F) /
    part_ratio` (all slower operations are its own) and at most `F / part_ratio` (none are); its mean is at
    most that of all, divided by `part_ratio`. Raise NoStatement for a ratio outside (0, 1].
    """
    if not 0.0 < part_ratio <= 1.0:
        raise NoStatement(f"a part of {part_ratio} of the operations is none")
    knots = tuple(
        (time_ns, max(0.0, 1.0 - (1.0 - lower) / part_ratio), min(1.0, upper / part_ratio))
        for time_ns, lower, upper in record.knots
    )
    mean = record.mean_limits_ns
    limits = None if mean is None else (0.0, mean[1] / part_ratio)
    return KnotsRecord(knots, mean_limits_ns=limits, semantics=record.semantics)


def by_operation(claims: Sequence[PublishedClaim]) -> Mapping[str, list[PublishedClaim]]:
    """Return the claims by operation, in document order; claims without an operation are left out."""
    groups: dict[str, list[PublishedClaim]] = {}
    for claim in claims:
        if claim.operation is not None:
            groups.setdefault(claim.operation, []).append(claim)
    return groups


def _share(value: float | None, unknown: int) -> Fraction:
    """Return a printed share as an exact fraction, cut to 0 to 1; `unknown` if it is None."""
    return Fraction(unknown) if value is None else min(Fraction(1), max(Fraction(0), Fraction(repr(value))))

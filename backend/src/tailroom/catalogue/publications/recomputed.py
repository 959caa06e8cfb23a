"""Printed numbers recalculated from other printed numbers of the same publication, shown beside them.

The calculation is that of the checks P1, P2 and P4 (docs/method.md 7), so that both agree. Gains follow from
the two numbers they compare, runtimes from operations and throughput, operations in flight from throughput
and mean latency.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import NumberBounds, keys_of
from tailroom.domain.plausibility.gains import GainClass, GainKind, classify, gain
from tailroom.domain.plausibility.material import claims_about, run_series
from tailroom.domain.plausibility.rates import TimedOperations, flight_of


@dataclass(frozen=True, slots=True)
class RecomputedNumber:
    """A number in `unit`, calculated from the claims with the keys `rests_on`, shown beside another claim.

    `agrees` is whether it is compatible with the printed number, None if none was printed. `how` is how a
    printed gain was rounded (`GainClass`), None for other numbers.
    """

    beside: PublishedClaim
    label: str
    rests_on: tuple[str, ...]
    number: NumberBounds
    unit: str
    agrees: bool | None
    how: str | None = None


def recomputed(publication: Publication) -> list[RecomputedNumber]:
    """Return the numbers of a publication that follow from its other numbers, in document order."""
    values = [*_gains(publication), *_runtimes(publication), *_in_flight(publication)]
    return sorted(values, key=lambda value: value.beside.position)


def _gains(publication: Publication) -> Iterator[RecomputedNumber]:
    """Yield each printed gain, recomputed from the two numbers that it compares.

    A gain is skipped if its row does not print exactly two such numbers, or its kind is unknown.
    """
    for claim in claims_about(publication, "gain"):
        sides = [
            c
            for c in publication.claims_of_row(claim.row)
            if c.config is not None and c.printed.value is not None
        ]
        kind = claim.conditions.get("gain_kind")
        if len(sides) != 2 or kind not in set(GainKind):
            continue
        new, old = sides
        number = gain(NumberBounds.of(new.printed), NumberBounds.of(old.printed), GainKind(str(kind)))
        how = classify(number, 100.0 * (claim.printed.value or 0.0))
        agrees = how is not GainClass.WRONG
        yield RecomputedNumber(claim, "gain, recomputed", keys_of((new, old)), number, "ratio", agrees, how)


def _runtimes(publication: Publication) -> Iterator[RecomputedNumber]:
    """Yield operations by throughput beside each runtime, if one number of operations is printed."""
    counts = claims_about(publication, "operation_count")
    for series in run_series(publication):
        rate, runtime = series.claim("throughput"), series.claim("runtime")
        if len(counts) != 1 or rate is None or runtime is None:
            continue
        stated = NumberBounds.of(runtime.printed)
        timed = TimedOperations("", NumberBounds.of(counts[0].printed), NumberBounds.of(rate.printed), stated)
        agrees = not timed.expected_s.surely_differs(stated)
        keys = keys_of((counts[0], rate))
        yield RecomputedNumber(runtime, "operations by throughput", keys, timed.expected_s, "s", agrees)


def _in_flight(publication: Publication) -> Iterator[RecomputedNumber]:
    """Yield operations in flight (throughput × mean latency) beside the throughput of series with both."""
    for series in run_series(publication):
        flight, rate = flight_of(series), series.claim("throughput")
        if flight is not None and rate is not None:
            number, keys = flight
            yield RecomputedNumber(
                rate, "operations in flight (throughput × mean)", keys, number, "count", None
            )

"""Measure false alarms and detected slow units in fleets whose units are compared with each other.

A simulated fleet has 1,000 units with a slice per minute: lognormal reads whose level is autocorrelated from
minute to minute, occasional slow minutes, and a random level per unit, because equal drives are not equally
fast. In every fleet, ten units are 5 % slower and have a link of half the width. Every unit passes the
computation of a stored run (`measured`) before it is judged. Goals: less than one false alarm in 1,000 units,
and a 5 % slower unit detected within 30 minutes.

`python -m backend.bench.siblings --fleets 20`
"""

import argparse
from collections.abc import Iterator
from time import process_time

import numpy as np
from backend.bench.hdr_distributions import hdr_distribution

from tailroom.domain.comparison.comparison import Measured, Side, measured
from tailroom.domain.comparison.conditions import Conditions
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.siblings import Unit, judge_siblings
from tailroom.domain.comparison.unit_causes import likely_causes
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence

MINUTE_NS = 60 * NS_PER_S
READS_PER_MINUTE = 12_000
"""200 reads a second: a tenth of ACT's rate for a drive at 1x."""
_LAYOUT = HdrLayout()


def simulated_unit(
    rng: np.random.Generator, *, minutes: int, slower: float = 1.0, of_units: float, wander: float = 0.02
) -> Measured:
    """Return the figures of one unit; `of_units` is the standard deviation of the levels of units."""
    unit_level = of_units * rng.standard_normal()
    level, pieces = rng.standard_normal(), []
    for _ in range(minutes):
        level = 0.5 * level + np.sqrt(0.75) * rng.standard_normal()
        pieces.append(_minute(rng, slower * np.exp(unit_level + wander * level)))
    course = IntervalRecords.of(pieces, np.arange(minutes) * MINUTE_NS, np.full(minutes, MINUTE_NS))
    operation = OperationEvidence("read", "response", course.total(), course, measured_ns=course.end_ns)
    conditions = Conditions("simulation", None, "read", "response", closed_loop=False, target_per_s=200.0)
    return measured(Side(RunEvidence((operation,)), operation, conditions))


def _minute(rng: np.random.Generator, factor: float) -> LatencyDist:
    """Return a minute of reads with a median of 100 µs times `factor`, recorded as the agent records them."""
    at_us = np.exp(0.5 * rng.standard_normal(READS_PER_MINUTE)) * 100.0 * factor
    if rng.random() < 0.02:
        at_us[: READS_PER_MINUTE // 50] *= 3.0
    whole_us = at_us.astype(np.int64)
    counts = np.bincount(_LAYOUT.index_of(whole_us))
    indices = np.flatnonzero(counts)
    return hdr_distribution(
        Counts(indices, counts[indices]),
        sum_ns=int(whole_us.sum()) * NS_PER_US,
        min_ns=int(whole_us.min()) * NS_PER_US,
        max_ns=int(whole_us.max()) * NS_PER_US,
    )


def fleet(
    seed: int, *, units: int, slow: int, slower: float, minutes: int, of_units: float, wander: float
) -> list[Unit]:
    """Return a fleet whose first `slow` units are slower, each with its inventory."""
    rng = np.random.default_rng(seed)
    fleet_units = []
    for number in range(units):
        factor = slower if number < slow else 1.0
        facts = {
            "serial": f"S{number}",
            "firmware": "1.1" if rng.random() < 0.3 else "1.0",
            "link_width": "2" if number < slow else "4",
            "slot": str(number % 24),
            "temperature_c": f"{rng.normal(45.0, 2.0):.0f}",
        }
        measurement = simulated_unit(rng, minutes=minutes, slower=factor, of_units=of_units, wander=wander)
        fleet_units.append(Unit(f"unit {number}", measurement, minutes * MINUTE_NS, facts))
    return fleet_units


def results(
    fleets: int,
    *,
    units: int = 1_000,
    slow: int = 10,
    slower: float = 1.05,
    minutes: int,
    of_units: float,
    wander: float,
) -> Iterator[tuple[int, int, int, float]]:
    """Yield per fleet: false alarms, detected slow units, those with the right cause first, and seconds."""
    for seed in range(1, fleets + 1):
        of_fleet = fleet(
            seed, units=units, slow=slow, slower=slower, minutes=minutes, of_units=of_units, wander=wander
        )
        begun = process_time()
        judgement = judge_siblings(of_fleet)
        took_s = process_time() - begun
        odd = [
            position for position, result in enumerate(judgement.units) if result.effect is not Effect.SAME
        ]
        shown = [position for position in odd if position < slow]
        usual = [unit.facts for position, unit in enumerate(of_fleet) if position not in odd]
        facts = [of_fleet[position].facts for position in odd]
        right = sum(
            1
            for position in shown
            if [cause.name for cause in likely_causes(of_fleet[position].facts, usual, facts)][:1]
            == ["link_width"]
        )
        yield len(odd) - len(shown), len(shown), right, took_s


def main() -> None:
    """Print a line for each duration and each spread of units."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fleets", type=int, default=20)
    parser.add_argument("--units", type=int, default=1_000)
    parser.add_argument("--minutes", type=int, nargs="+", default=[30])
    parser.add_argument("--spread", type=float, nargs="+", default=[0.005])
    parser.add_argument("--wander", type=float, default=0.02)
    arguments = parser.parse_args()
    for minutes in arguments.minutes:
        for of_units in arguments.spread:
            rows = list(
                results(
                    arguments.fleets,
                    units=arguments.units,
                    minutes=minutes,
                    of_units=of_units,
                    wander=arguments.wander,
                )
            )
            alarms, shown, right = (sum(row[place] for row in rows) for place in range(3))
            total = arguments.fleets * arguments.units
            print(
                f"{minutes:3d} min, units differ by {of_units:.2%}, their minutes by {arguments.wander:.1%}:"
                f" {alarms} false alarms in {total:,} units"
                f" (most {max(row[0] for row in rows)} in a fleet), {shown} of {10 * arguments.fleets} slow"
                f" units shown, {right} with the cause first; judged in"
                f" {max(row[3] for row in rows):.2f} s of processor time",
                flush=True,
            )


if __name__ == "__main__":
    main()

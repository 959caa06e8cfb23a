"""How many independent blocks a record holds: all where slices are alike, fewer where they are not."""

import numpy as np
import pytest

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.block_counts import BlockCounts, next_size, smaller_sizes

LAYOUT = HdrLayout()


def course(medians_us: list[float], operations: int = 10_000, seed: int = 1) -> IntervalRecords:
    rng = np.random.default_rng(seed)
    return joined([rng.lognormal(np.log(median), 0.5, operations).astype(np.int64) for median in medians_us])


def joined(slices_us: list[Int64s]) -> IntervalRecords:
    pieces = []
    for latencies_us in slices_us:
        filled, amounts = np.unique(LAYOUT.index_of(np.maximum(latencies_us, 1)), return_counts=True)
        pieces.append(LatencyDist(LAYOUT, Counts(filled, amounts.astype(np.int64))))
    return IntervalRecords.of(
        pieces, [place * NS_PER_S for place in range(len(pieces))], [NS_PER_S for _ in pieces]
    )


@pytest.mark.parametrize("slices", [6, 24, 60])
def test_slices_that_differ_by_chance_alone_are_worth_all_their_blocks(slices: int) -> None:
    counts = BlockCounts.from_course(course([400.0] * slices))
    assert counts.independent(250) == slices * 40


def test_slow_spells_are_worth_few_blocks() -> None:
    counts = BlockCounts.from_course(course([*[400.0] * 50, *[800.0] * 10]))
    assert counts.independent(250) < 60


def test_slices_whose_sums_differ_are_worth_few_blocks_however_alike_their_slowest_are() -> None:
    slices = [np.repeat([usual_us, 5_000], [9_900, 100]) for usual_us in (400, 440)]
    counts = BlockCounts.from_course(joined(slices * 30))
    assert counts.independent(250) < 60
    assert counts.independent(1) > 60


def test_longer_blocks_are_never_more() -> None:
    counts = BlockCounts.from_course(course([400.0, 500.0, 600.0] * 10))
    values = [counts.independent(size) for size in range(1, 1_200, 7)]
    assert values == sorted(values, reverse=True)


def test_a_record_without_counts_holds_no_block() -> None:
    assert BlockCounts.from_total(None).independent(1) == 0


def test_steps_of_a_tenth() -> None:
    assert [next_size(size) for size in (1, 9, 11, 250)] == [1, 9, 11, 259]
    assert smaller_sizes(12) == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

"""Nodes by hand-calculated cases, and refusals of demands that are none."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.transactions import sizing as nodes
from tailroom.domain.transactions.sizing import DemandInvalid, Operations, Part

READ = Operations("read", 250, 1_000_000.0)


def test_a_million_reads_are_four_thousand_transactions() -> None:
    assert nodes.nodes_for_rate(READ, 4_000.0, 1.0).nodes == 1
    assert nodes.nodes_for_rate(READ, 4_000.1, 1.0).nodes == 2
    part = nodes.nodes_for_rate(READ, 10_000.0, 0.7)
    assert part.nodes == 4
    assert part.arithmetic == (
        "10,000 transactions/s × 250 `read` operations ÷ (1,000,000/s × 0.7) = 3.57143 → 4"
    )


def test_a_quotient_that_is_whole_is_not_rounded_up() -> None:
    # 0.7 · 3 is 2.0999999999999996 in doubles: the exact quotient is 1.
    assert nodes.nodes_for_rate(Operations("read", 1, 3.0), 2.1, 0.7).nodes == 1
    assert nodes.nodes_for_writes(2.1, 3.0, 1, 0.7).nodes == 1
    assert nodes.nodes_for_data(21 * 10**11, 3 * 10**12, 1, 0.7).nodes == 1


def test_writes_and_data_count_once_for_each_copy() -> None:
    assert nodes.nodes_for_writes(100_000.0, 50_000.0, 3, 0.6).nodes == 10
    part = nodes.nodes_for_data(10 * 10**12, 4 * 10**12, 2, 0.5)
    assert (part.nodes, part.arithmetic) == (10, "10 TB × 2 ÷ (4 TB × 0.5) = 10 → 10")
    assert nodes.nodes_for_data(10**15, 10**14, 1, 1.0).arithmetic == "1 PB × 1 ÷ (100 TB × 1) = 10 → 10"


def test_each_part_rounds_up_and_the_largest_decides() -> None:
    parts = [
        nodes.nodes_for_rate(Operations("read", 250, 300_000.0), 4_000.0, 0.7),
        nodes.nodes_for_writes(300_000.0, 200_000.0, 2, 0.7),
        nodes.nodes_for_data(20 * 10**12, 6 * 10**12, 2, 0.8),
        nodes.tolerated(1),
    ]
    assert {part.name: part.nodes for part in parts} == {
        "reads": math.ceil(1_000_000 / 210_000),
        "writes": math.ceil(600_000 / 140_000),
        "data": math.ceil(40e12 / 4.8e12),
        "tolerated_failures": 1,
    }
    assert nodes.total(parts) == 9 + 1
    assert "4,000 transactions/s × 250" in parts[0].arithmetic


def test_the_largest_demand_wins_and_failures_come_on_top() -> None:
    parts = [Part("reads", 4, ""), Part("data", 10, ""), nodes.nodes_for_copies(3), nodes.tolerated(2)]
    assert nodes.total(parts) == 12
    assert nodes.total([]) == 0


@settings(deadline=None, max_examples=100)
@given(
    st.floats(0.001, 1e6),
    st.integers(1, 1000),
    st.floats(1e3, 1e7),
    st.floats(0.01, 1.0),
    st.floats(1.0, 5.0),
)
def test_more_to_do_never_takes_fewer_nodes(
    rate: float, reads: int, per_node: float, headroom: float, factor: float
) -> None:
    def asked(times: float) -> int:
        try:
            return nodes.nodes_for_rate(Operations("read", reads, per_node), rate * times, headroom).nodes
        except DemandInvalid:
            return nodes.MOST_NODES + 1

    assert asked(1.0) <= asked(factor)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, -math.inf])
def test_rates_that_are_none(bad: float) -> None:
    with pytest.raises(DemandInvalid):
        nodes.nodes_for_rate(READ, bad, 0.7)
    with pytest.raises(DemandInvalid):
        nodes.nodes_for_rate(READ, 1.0, bad)
    with pytest.raises(DemandInvalid):
        nodes.nodes_for_rate(Operations("read", 250, bad), 1.0, 0.7)
    with pytest.raises(DemandInvalid):
        nodes.nodes_for_writes(1.0, bad, 1, 0.7)
    with pytest.raises(DemandInvalid):
        nodes.nodes_for_data(1, 1, 1, bad)


def test_other_numbers_that_no_demand_has() -> None:
    demands: list[Callable[[], Part]] = [
        lambda: nodes.nodes_for_rate(READ, 1.0, 1.01),
        lambda: nodes.nodes_for_writes(-1.0, 1.0, 1, 0.7),
        lambda: nodes.nodes_for_data(-1, 1, 1, 0.7),
        lambda: nodes.nodes_for_data(1, 0, 1, 0.7),
        lambda: nodes.nodes_for_copies(0),
        lambda: nodes.tolerated(-1),
        lambda: nodes.nodes_for_rate(READ, 1e18, 0.7),
    ]
    for refused in demands:
        with pytest.raises(DemandInvalid):
            refused()

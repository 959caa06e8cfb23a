"""How many nodes: the arithmetic, the scalability law, and what is assumed."""

import math
from typing import Any

import pytest

from tailroom.domain.transactions.sizing import (
    LINEAR_SCALING,
    Demand,
    Node,
    SizingInvalid,
    fit_scalability,
    nodes_needed,
)


def test_each_part_rounds_up_and_the_largest_decides() -> None:
    demand = Demand(
        4_000, 250, headroom_ratio=0.7, tolerated_failures=1, replication_factor=2, writes_per_s=300_000,
        data_bytes=20e12, fill_ratio=0.8,
    )  # fmt: skip
    found = nodes_needed(demand, Node(300_000, 200_000, 6e12))
    assert {part.name: part.nodes for part in found.parts} == {
        "reads": math.ceil(1_000_000 / 210_000),
        "writes": math.ceil(600_000 / 140_000),
        "data": math.ceil(40e12 / 4.8e12),
    }
    assert found.nodes == 9 + 1
    assert found.spare == 1
    assert LINEAR_SCALING in found.assumptions
    assert any("tail" in one for one in found.assumptions)
    assert "4,000/s × 250" in found.parts[0].arithmetic


def test_a_million_reads_on_one_node_of_a_million() -> None:
    assert nodes_needed(Demand(4_000, 250, headroom_ratio=1.0), Node(1_000_000)).nodes == 1
    assert nodes_needed(Demand(4_001, 250, headroom_ratio=1.0), Node(1_000_000)).nodes == 2
    assert nodes_needed(Demand(1, 1, replication_factor=3), Node(1_000_000)).nodes == 3
    # 0.1 · 3 / 0.3 is a little over 1 in doubles.
    assert nodes_needed(Demand(0.1, 3, headroom_ratio=0.3), Node(1.0)).nodes == 1


def test_scalability_law_is_found_again() -> None:
    def rate(nodes: int) -> float:
        return 50_000 * nodes / (1 + 0.03 * (nodes - 1) + 0.0005 * nodes * (nodes - 1))

    law = fit_scalability([(nodes, rate(nodes)) for nodes in (1, 2, 4, 8, 16)])
    assert law.rate_of_one == pytest.approx(50_000, rel=1e-9)
    assert (law.contention, law.coherency) == pytest.approx((0.03, 0.0005), rel=1e-6)
    assert law.residual_ratio < 1e-9
    found = nodes_needed(Demand(1_000, 250, headroom_ratio=0.7), Node(50_000), law)
    assert found.nodes is not None
    assert rate(found.nodes) * 0.7 >= 250_000 > rate(found.nodes - 1) * 0.7
    assert LINEAR_SCALING not in found.assumptions
    # Beyond its peak near 44 nodes no number of them is enough.
    peak = max(rate(nodes) for nodes in range(1, 200))
    assert law.nodes_for(peak * 1.001) is None
    assert law.nodes_for(peak * 0.999) is not None
    assert nodes_needed(Demand(peak, 1, headroom_ratio=0.9), Node(50_000), law).nodes is None


def test_linear_clusters_have_no_contention() -> None:
    law = fit_scalability([(1, 100.0), (3, 300.0), (9, 900.0)])
    assert (law.contention, law.coherency) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert law.nodes_for(1000.0) == 10
    assert law.nodes_for(1e12) is None


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        ([(1, 5.0), (2, 9.0)], "three different"),
        ([(1, 5.0), (2, 9.0), (2, 9.5)], "three different"),
        ([(0, 5.0), (2, 9.0), (3, 9.5)], "0 nodes"),
        ([(1, 5.0), (2, math.nan), (3, 9.5)], "greater than 0"),
    ],
)
def test_fits_without_enough_to_fit(measured: list[tuple[int, float]], words: str) -> None:
    with pytest.raises(SizingInvalid, match=words):
        fit_scalability(measured)


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        ({"transactions_per_s": 0}, "target rate"),
        ({"transactions_per_s": math.nan}, "target rate"),
        ({"operations_per_transaction": -1}, "operations per transaction"),
        ({"headroom_ratio": 0.0}, "headroom"),
        ({"headroom_ratio": 1.1}, "headroom"),
        ({"tolerated_failures": -1}, "failures"),
        ({"replication_factor": 0}, "at least once"),
        ({"writes_per_s": -1.0}, "writes"),
        ({"data_bytes": math.inf}, "data"),
        ({"writes_per_s": 5.0}, "writes per second one node"),
        ({"data_bytes": 5.0}, "usable capacity"),
    ],
)
def test_demands_that_cannot_be(demand: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"transactions_per_s": 10, "operations_per_transaction": 5}
    with pytest.raises(SizingInvalid, match=words):
        nodes_needed(Demand(**(usual | demand)), Node(1_000))
    with pytest.raises(SizingInvalid, match="one node within the SLA"):
        nodes_needed(Demand(**usual), Node(0.0))

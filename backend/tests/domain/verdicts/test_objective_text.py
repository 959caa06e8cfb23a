"""Objectives in one line: what they ask, and how a wrong one is refused."""

import pytest

from tailroom.domain.verdicts.budget_kinds import OWN_OPERATION, QuantileLimit
from tailroom.domain.verdicts.objective_text import ObjectiveInvalid, is_objective, objective_of
from tailroom.domain.verdicts.other_tools import own_operations


@pytest.mark.parametrize(
    ("text", "operation", "limit", "title"),
    [
        ("p99 get < 10ms", "get", QuantileLimit(0.99, 10_000_000), "p99 of get < 10 ms"),
        ("p99 of get ≤ 10 ms", "get", QuantileLimit(0.99, 10_000_001), "p99 of get ≤ 10 ms"),
        ("99.9% read < 1ms", "read", QuantileLimit(0.999, 1_000_000), "99.9 % of read < 1 ms"),
        (" p99.9<5ms ", OWN_OPERATION, QuantileLimit(0.999, 5_000_000), "p99.9 of operations < 5 ms"),
        ("P50 batch-read <= 250us", "batch-read", QuantileLimit(0.5, 250_001), "p50 of batch-read ≤ 250 µs"),
    ],
)
def test_a_line_is_a_budget(text: str, operation: str, limit: QuantileLimit, title: str) -> None:
    budget = objective_of(text)
    assert is_objective(text)
    assert (budget.operation, budget.limits, budget.title) == (operation, (limit,), title)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "a share between 0 and 100"),
        (
            "99.9 read < 1ms",
            "a share between 0 and 100, such as p99 or 99.9%, at '99.9 read < 1ms' (character 1)",
        ),
        ("p100 read < 1ms", "a share between 0 and 100"),
        ("p0 read < 1ms", "a share between 0 and 100"),
        ("p99 get 10ms", "< and a time at '10ms' (character 9)"),
        ("p99 get < 10", "a time with its unit, such as 10ms or 250us, at '10' (character 11)"),
        ("p99 get <", "a time with its unit, such as 10ms or 250us, at its end"),
        ("p99 get < 0ms", "a time greater than 0"),
        ("p99 get < 10ms or so", "a time with its unit"),
        ("p99 " + "x" * 400 + " < 1ms", "at most 300 characters"),
    ],
)
def test_a_wrong_line_is_refused_with_the_place_and_the_way(text: str, wrong: str) -> None:
    with pytest.raises(ObjectiveInvalid) as refused:
        objective_of(text)
    assert wrong in str(refused.value)
    assert "write it as p99 get < 10ms" in str(refused.value)


def test_a_share_alone_is_none() -> None:
    assert not is_objective("99.9%")


@pytest.mark.parametrize(
    ("operations", "read", "own"),
    [
        (["update", "read"], "read", ("read",)),
        (["get", "set"], "get", ("read",)),
        (["set"], None, ("set",)),
        (["all"], None, ("all",)),
        (["all", "a", "b"], None, ("a", "b")),
        (["transaction"], None, ("transaction",)),
        (["transaction", "write"], None, ("write",)),
        (["insert", "cleanup", "insert-failed"], None, ("insert",)),
        ([], None, ()),
    ],
)
def test_a_records_own_operation(operations: list[str], read: str | None, own: tuple[str, ...]) -> None:
    assert own_operations(operations, read) == own

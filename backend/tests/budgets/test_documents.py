"""Budget documents: what is built in never changes, what is read is read strictly."""

from typing import Any

import pytest

from tailroom.budgets.documents import BudgetDocumentInvalid, json_schema, parse
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Plan, PlanInvalid, RandomCount, Scheduling, Stage
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget import BUDGETS, BudgetUnknown, budget_of
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    BudgetInvalid,
    RuleSet,
    TransactionBudget,
    document_of,
    fingerprint,
)

FINGERPRINTS = {
    ("act-limits", 1): "0e88c3db3d3b21eb6e2ec7ba8bff9c5247200785903be516fcf075764a42cd4b",
    ("act-performance", 1): "c7eeeaed3773837753f8663fbd3988eb9b51c23a44273f72d6aa5c87709b7650",
    ("act-stress", 1): "a54022d0c6fcf043d6332a3658cd5f3d36c63805b3b68db421158f4246f6a040",
    ("fraud-250-sequential", 1): "f1187f9658f1e49f31b4b2633bbac0c0be32c88ded446e4ea568d6702a785b73",
    ("fraud-250-parallel", 1): "ad64660831190b3724b916e211f7b9bcd05f2dfe5d5e3dc483051d1c4b956c85",
    ("m2g2", 1): "22df523927ed2f60b1c4cc33ce286d4d614a5a98c80e8a80ab06d77dcdceb738",
    ("sync-write", 1): "6fefb3272ac7a9a0d2ff54934760894145d70016bb04fbd460c78593b429a773",
}
"""A changed rule is a new version: add a line, never change one."""


def transaction(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "transaction",
        "name": "mine",
        "version": 1,
        "plan": {"stages": [{"operation": "read", "count": 250}]},
        "window_ns": NS_PER_S,
        "objective_ratio": 0.999,
        **changes,
    }


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda one: one.name)
def test_built_in_budgets_never_change(budget: Budget) -> None:
    assert fingerprint(budget) == FINGERPRINTS[budget.name, budget.version]


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda one: one.name)
def test_a_document_gives_the_budget_back(budget: Budget) -> None:
    assert parse(document_of(budget)) == budget


def test_the_newest_version_answers_for_a_name() -> None:
    assert budget_of("m2g2").version == max(one.version for one in BUDGETS if one.name == "m2g2")
    with pytest.raises(BudgetUnknown, match=r"there is no version 99 of the budget 'm2g2'; there is 1$"):
        budget_of("m2g2", 99)
    with pytest.raises(BudgetUnknown, match="act-limits, act-performance"):
        budget_of("nothing")


def test_what_is_left_out_has_its_default() -> None:
    budget = parse(transaction())
    assert isinstance(budget, TransactionBudget)
    assert (budget.reserve_ns, budget.plan) == (0, Plan.sequential("read", 250))


@pytest.mark.parametrize(
    ("fan_out", "count", "expected"),
    [
        (1, 250, Scheduling.SEQUENTIAL),
        (10, 250, Scheduling.POOL),
        (250, 250, Scheduling.PARALLEL),
        (300, 250, Scheduling.PARALLEL),
    ],
)
def test_scheduling_follows_from_the_fan_out(fan_out: int, count: int, expected: Scheduling) -> None:
    plan = {"stages": [{"count": count, "fan_out": fan_out}]}
    budget = parse(transaction(plan=plan))
    assert isinstance(budget, TransactionBudget)
    assert budget.plan.only_stage.scheduling is expected


def test_stages_and_random_counts_go_through() -> None:
    stages = [
        {"operation": "read", "count": {"weights": {"10": 0.5, "250": 0.5}}},
        {"operation": "batch-25", "count": 4, "fan_out": 2, "scheduling": "waves", "overhead_ns": 1000},
    ]
    budget = parse(transaction(plan={"stages": stages}))
    assert isinstance(budget, TransactionBudget)
    assert budget.plan.stages[0].count == RandomCount({10: 0.5, 250: 0.5})
    assert budget.plan.stages[1] == Stage("batch-25", 4, 2, Scheduling.WAVES, 1000)
    assert parse(document_of(budget)) == budget


LIMITS = {
    "kind": "exceedance",
    "name": "l",
    "operation": "read",
    "limits": [{"threshold_ns": 1, "ratio": 0.5}],
}


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (7, "JSON object"),
        ({}, "the kind of a budget is one of"),
        ({"kind": "sum"}, "'sum'"),
        (transaction(colour="red"), "not permitted, at `colour`"),
        (
            transaction(plan={"stages": [{"count": 5, "speed": 1}]}),
            r"at `plan.stages.0.speed`",
        ),
        (transaction(name="Not A Name"), "'Not A Name'"),
        (transaction(version=0), "versions are whole numbers from 1 on, not 0"),
        (transaction(window_ns=0), "greater than 0, not 0"),
        (transaction(window_ns=1.5), "valid integer, at `window_ns`"),
        (transaction(window_ns="1s"), "valid integer, at `window_ns`"),
        (transaction(objective_ratio=1), "between 0 and 1, not at 1"),
        (transaction(objective_ratio=float("nan")), "finite number, at `objective_ratio`"),
        (transaction(objective_ratio=-0.5), "not at -0.5"),
        (transaction(reserve_ns=NS_PER_S), "a reserve of 1 s leaves nothing of a window of 1 s"),
        (transaction(reserve_ns=-1), "not -1"),
        (transaction(plan={"stages": []}), "at least 1 item after validation, not 0, at `plan.stages`"),
        (transaction(plan={"stages": [{"count": 0}]}), "not 0"),
        (transaction(plan={"stages": [{"count": True}]}), "valid integer, at `plan.stages.0.count"),
        (transaction(plan={"stages": [{"count": 5, "overhead_ns": NS_PER_S}]}), "leave nothing"),
        (transaction(plan={"stages": [{"count": {"weights": {"x": 1.0}}}]}), "'x'"),
        (transaction(plan={"stages": [{"count": {"weights": {"5": 0.4}}}]}), "not to 1"),
        ({**LIMITS, "limits": []}, "at least 1 item after validation, not 0, at `limits`"),
        ({**LIMITS, "limits": LIMITS["limits"] * 2}, "more than one limit for 1"),  # type: ignore[operator]
        ({**LIMITS, "limits": [{"threshold_ns": 1, "ratio": 1.0}]}, "ratio of a limit"),
        ({**LIMITS, "clock": "wall"}, "'response', 'service'.*at `clock`"),
        ({**LIMITS, "certification": {"duration_ns": 5, "slice_ns": 6}}, "longer than the certification"),
        (
            {
                "kind": "percentile",
                "name": "p",
                "operation": "read",
                "limits": [{"quantile": 99, "below_ns": 1}],
            },
            "not at 99",
        ),
        (
            {"kind": "throughput", "name": "t", "floors": [{"quantity": "operations_per_s", "above": -1}]},
            "not -1",
        ),
        (
            {"kind": "throughput", "name": "t", "floors": [{"quantity": "speed", "above": 1}]},
            "at `floors.0.quantity`",
        ),
        ({"kind": "completion", "name": "c", "duration_ns": 0}, "greater than 0"),
        (
            {"kind": "rule_set", "name": "r", "criteria": []},
            "at least 1 item .* at `criteria`",
        ),
        ({"kind": "rule_set", "name": "R", "criteria": [LIMITS]}, "lower-case words joined by hyphens"),
        ({"kind": "rule_set", "name": "r", "criteria": [LIMITS, LIMITS]}, "more than one criterion for l"),
    ],
)
def test_a_broken_rule_is_named_with_its_value(document: object, rule: str) -> None:
    with pytest.raises(DomainError, match=rule) as refused:
        parse(document)
    assert isinstance(refused.value, BudgetInvalid | PlanInvalid)


def test_rule_sets_do_not_nest() -> None:
    inner = {"kind": "rule_set", "name": "r", "criteria": [LIMITS]}
    with pytest.raises(BudgetDocumentInvalid, match="rule_set"):
        parse({"kind": "rule_set", "name": "s", "criteria": [inner]})
    assert isinstance(parse(inner), RuleSet)


def test_the_schema_names_every_kind_and_forbids_other_keys() -> None:
    schema = json_schema()
    kinds = schema["discriminator"]["mapping"]
    assert set(kinds) == {"transaction", "exceedance", "percentile", "throughput", "completion", "rule_set"}
    for reference in kinds.values():
        part = schema["$defs"][reference.rsplit("/", 1)[1]]
        assert part["additionalProperties"] is False
        assert "name" in part["required"]

"""What a run of transactions is asked by default: what it was made to answer."""

from typing import Any

import pytest

from tailroom.domain.transactions.plan import Scheduling
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.order import OWN_QUESTION, lead, own_question

POOL = {
    "keys_per_transaction": 200,
    "fan_out": 10,
    "scheduling": "pool",
    "batch": 1,
    "window_ns": 600_000_000,
}


def test_it_is_the_plan_and_the_window_of_the_run() -> None:
    found = own_question("fraud", POOL)
    assert found is not None
    (stage,) = found.plan.stages
    assert (stage.count, stage.fan_out, stage.scheduling) == (200, 10, Scheduling.POOL)
    assert (found.window_ns, found.objective_ratio) == (600_000_000, 0.999)
    assert found.title == "200 reads, 10 at a time, in 600 ms"
    assert found.question == "Do 99.9 % of transactions finish 200 reads, 10 at a time, within 600 ms?"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"scheduling": "barrier"}, "200 reads in waves of 10 within 600 ms?"),
        ({"scheduling": "barrier", "fan_out": 200}, "200 reads at once within 600 ms?"),
        ({"reads_per_transaction": 20}, "20 reads, one after another, within 600 ms?"),
    ],
)
def test_its_words_name_how_the_reads_follow_each_other(changed: dict[str, Any], text: str) -> None:
    found = own_question("fraud-transaction", POOL | changed)
    assert found is not None
    assert found.question.endswith(text)


def test_where_the_built_in_question_is_the_same_it_is_that() -> None:
    same = {"reads_per_transaction": 250, "window_ns": 1_000_000_000}
    assert own_question("fraud", same) is FRAUD_250_SEQUENTIAL_1


@pytest.mark.parametrize(
    ("workload", "changed"),
    [
        ("act-storage", {}),
        ("ycsb", {}),
        ("fraud", {"window_ns": None}),
        ("fraud", {"window_ns": 0}),
        ("fraud", {"window_ns": True}),
        ("fraud", {"batch": 25}),
        ("fraud", {"fan_out": None}),
    ],
)
def test_what_is_not_stated_is_not_asked(workload: str, changed: dict[str, Any]) -> None:
    assert own_question(workload, POOL | changed) is None


@pytest.mark.parametrize(
    ("verdicts", "first"),
    [
        ({OWN_QUESTION: "PASS", "fraud-250-sequential": "PASS"}, OWN_QUESTION),
        ({OWN_QUESTION: "INDETERMINATE", "fraud-250-sequential": "FAIL"}, OWN_QUESTION),
        ({OWN_QUESTION: "INDETERMINATE", "fraud-250-sequential": "INDETERMINATE"}, OWN_QUESTION),
        ({OWN_QUESTION: "PASS", "of-our-own": "FAIL"}, "of-our-own"),
        ({OWN_QUESTION: "INDETERMINATE", "of-our-own": "INDETERMINATE"}, OWN_QUESTION),
    ],
)
def test_it_is_the_answer_of_the_run_unless_an_organisation_has_decided_another(
    verdicts: dict[str, str], first: str
) -> None:
    found = [
        lead(word, name, "transaction", workload="fraud", is_built_in=name != "of-our-own")
        for name, word in verdicts.items()
    ]
    assert min(found).budget_name == first

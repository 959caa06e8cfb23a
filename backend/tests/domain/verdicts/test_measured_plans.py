"""Measured transactions with several reads at a time: about their plan, plans beside it, and the model."""

import heapq

import pytest
from backend.tests.domain.verdicts.judging import record
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import share_lower, share_upper
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.verdicts import plan_verdict
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.measured_transactions import (
    Evidence,
    TransactionAssessment,
    Transfer,
    ends_no_later,
    transfers,
)
from tailroom.domain.verdicts.order import issued_plan
from tailroom.domain.verdicts.verdict import Bounds, Verdict

MS = 1_000_000
SEQUENTIAL, PARALLEL, WAVES, POOL = Scheduling


def plan(count: int, fan_out: int = 1, scheduling: Scheduling = SEQUENTIAL) -> Plan:
    return Plan((Stage("read", count, fan_out, scheduling),))


def took(stage: Stage, times: list[int]) -> int:
    """How long reads take that need these times, begun in this order."""
    times = times[: stage.largest_count]
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            return sum(times)
        case Scheduling.PARALLEL:
            return max(times)
        case Scheduling.WAVES:
            starts = range(0, len(times), stage.fan_out)
            return sum(max(times[start : start + stage.fan_out]) for start in starts)
        case Scheduling.POOL:
            free = [0] * stage.fan_out
            for time in times:
                heapq.heappush(free, heapq.heappop(free) + time)
            return max(free)


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    count, scheduling = draw(st.integers(1, 12)), draw(st.sampled_from(list(Scheduling)))
    several = scheduling in (WAVES, POOL)
    return Stage("read", count, draw(st.integers(1, 6)) if several else 1, scheduling)


@given(stages(), stages(), st.lists(st.integers(1, 9), min_size=12, max_size=12))
def test_what_cannot_end_later_never_does(one: Stage, other: Stage, times: list[int]) -> None:
    if ends_no_later(one, other):
        assert took(one, times) <= took(other, times)


@pytest.mark.parametrize(
    ("asked", "of_waves", "of_reads_in_a_row", "of_a_pool"),
    [
        (plan(250), Transfer.NO_EARLIER, Transfer.EXACT, Transfer.NO_EARLIER),
        (plan(250, 10, WAVES), Transfer.EXACT, Transfer.NO_LATER, Transfer.NO_EARLIER),
        (plan(240, 20, WAVES), Transfer.NO_LATER, Transfer.NO_LATER, Transfer.UNRELATED),
        (plan(250, 12, WAVES), Transfer.UNRELATED, Transfer.NO_LATER, Transfer.UNRELATED),
        (plan(250, 10, POOL), Transfer.NO_LATER, Transfer.NO_LATER, Transfer.EXACT),
        (plan(250, 1, PARALLEL), Transfer.NO_LATER, Transfer.NO_LATER, Transfer.NO_LATER),
        (plan(300, 5, WAVES), Transfer.NO_EARLIER, Transfer.UNRELATED, Transfer.NO_EARLIER),
        (plan(100), Transfer.UNRELATED, Transfer.NO_LATER, Transfer.UNRELATED),
        (Plan((Stage("update", 1), Stage("read", 250))), None, None, None),
    ],
)
def test_in_which_direction_they_bear(
    asked: Plan, of_waves: Transfer | None, of_reads_in_a_row: Transfer | None, of_a_pool: Transfer | None
) -> None:
    measured = plan(250, 10, WAVES), plan(250), plan(250, 10, POOL)
    assert [transfers(asked, one) for one in measured] == [of_waves, of_reads_in_a_row, of_a_pool]


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ({"reads_per_transaction": 250}, plan(250)),
        (
            {"keys_per_transaction": 250, "fan_out": 10, "scheduling": "barrier", "batch": 1},
            plan(250, 10, WAVES),
        ),
        ({"keys_per_transaction": 250, "fan_out": 10, "scheduling": "pool", "batch": 1}, plan(250, 10, POOL)),
        ({"keys_per_transaction": 250, "fan_out": 10, "scheduling": "barrier", "batch": 25}, None),
        ({"keys_per_transaction": 250, "fan_out": 10, "scheduling": "sideways", "batch": 1}, None),
        ({"keys_per_transaction": 250, "scheduling": "pool", "batch": 1}, None),
        ({"reads_per_transaction": True}, None),
        ({"reads_per_transaction": 0}, None),
        ({}, None),
    ],
)
def test_the_plan_that_a_run_states(stated: dict[str, object], found: Plan | None) -> None:
    assert issued_plan(stated) == found


def asked(of: Plan, window_ns: int, objective: float = 0.95) -> TransactionAssessment:
    """Ten reads in waves of five: by chance one in five waves would meet a read of 10 ms, but slow reads come
    together, in one transaction of 50.
    """
    evidence = RunEvidence(
        (
            OperationEvidence("read", "service", record({MS: 19_600, 10 * MS: 400})),
            OperationEvidence(
                TRANSACTION, "service", record({2 * MS: 1_960, 20 * MS: 40}), issued=plan(10, 5, WAVES)
            ),
        )
    )
    budget = TransactionBudget("mine", 1, "", "", of, window_ns, objective)
    return plan_verdict.assess(budget, evidence, bins=1 << 12)


def test_waves_that_were_measured_refute_the_model_and_decide_about_themselves() -> None:
    found = asked(plan(10, 5, WAVES), 5 * MS)
    assert found.measured is not None
    assert found.model is not None
    assert found.measured.contradicts
    assert found.model.at_window[2] < 0.9 < found.measured.confident.lower
    assert (found.judgement.verdict, found.evidence) == (
        Verdict.PASS,
        Evidence.MEASURED,
    )
    assert found.judgement.reason_text.startswith("1,960 of 2,000 measured transactions kept 5 ms; at least")
    assert "independent" not in found.judgement.reason_text
    assert found.largest is not None
    assert found.largest.guaranteed == 10


def test_plans_beside_them_follow() -> None:
    assert asked(plan(10, 5, POOL), 5 * MS).judgement.verdict is Verdict.PASS
    assert asked(plan(10), 5 * MS).judgement.verdict is Verdict.INDETERMINATE
    assert asked(plan(10), 5 * MS, objective=0.995).judgement.verdict is Verdict.FAIL
    text = asked(plan(9, 1, PARALLEL), 5 * MS).judgement.reason_text
    assert "measured transactions of 10 reads in waves of 5 kept 5 ms, and this plan ends no later" in text


def test_transactions_that_are_slow_together_count_as_fewer() -> None:
    transactions = OperationEvidence(
        *(TRANSACTION, "service", record({2 * MS: 1_960, 20 * MS: 40})),
        issued=plan(10),
        effects=lambda _: DesignEffect(phi=4.0, tau=1.0),
    )
    budget = TransactionBudget("mine", 1, "", "", plan(10), 5 * MS, 0.95)
    measured = plan_verdict.assess(budget, RunEvidence((transactions,)), bins=1 << 12).measured
    assert measured is not None
    assert measured.confident == Bounds(1.0 - share_upper(10, 500), 1.0 - share_lower(10, 500))


def test_a_longer_plan_ends_no_earlier_than_measured_transactions() -> None:
    evidence = RunEvidence(
        (
            OperationEvidence("read", "service", record({MS: 20_000})),
            OperationEvidence(TRANSACTION, "service", record({10 * MS: 2_000}), issued=plan(10)),
        )
    )
    budget = TransactionBudget("mine", 1, "", "", plan(20), 50 * MS, 0.95)
    found = plan_verdict.assess(budget, evidence, bins=1 << 12)
    assert found.transfer is Transfer.NO_EARLIER
    assert found.model is not None
    assert found.quantile == found.model.quantile
    assert found.quantile.lower_ns > 19 * MS


def test_reads_alone_refute_a_plan_with_further_stages() -> None:
    slow = record({MS: 19_600, 10 * MS: 400})
    evidence = RunEvidence(
        (
            OperationEvidence("read", "service", slow),
            OperationEvidence("update", "service", slow),
            OperationEvidence(TRANSACTION, "service", record({12 * MS: 1_960, 20 * MS: 40}), issued=plan(10)),
        )
    )
    with_update = Plan((Stage("read", 10), Stage("update", 1)))
    budget = TransactionBudget("mine", 1, "", "", with_update, 5 * MS, 0.95)
    found = plan_verdict.assess(budget, evidence, bins=1 << 12)
    assert (found.judgement.verdict, found.evidence, found.transfer) == (
        Verdict.FAIL,
        Evidence.MEASURED,
        Transfer.NO_EARLIER,
    )

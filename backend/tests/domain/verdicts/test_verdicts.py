"""Three-state verdicts: what decides, what does not, and what is said to be missing."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from backend.tests.domain.verdicts.judging import explicit, record
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.design_effects import DesignEffectAt
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import (
    NS_PER_HOUR,
    NS_PER_S,
    duration_text,
    exact_percent,
    latency_text,
    least_percent_text,
    most_percent_text,
    percent_text,
)
from tailroom.domain.verdicts import plan_verdict
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget import (
    ACT_LIMITS_1,
    ACT_PERFORMANCE_1,
    FRAUD_250_SEQUENTIAL_1,
    BudgetUnknown,
    budget_of,
    budgets_for,
)
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, HourSlice, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.headline import headline
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.measured_transactions import Evidence, TransactionAssessment
from tailroom.domain.verdicts.verdict import (
    Bounds,
    Judgement,
    LengthStage,
    Reason,
    Strength,
    Verdict,
    stage_of,
)

MS = 1_000_000
BINS = 1 << 14


def load(dist: LatencyDist) -> GeneratedLoad:
    return GeneratedLoad(dist.total, dist.total)


def act(
    dist: LatencyDist,
    generation: GeneratedLoad | None = None,
    *,
    measured_ns: int = 30 * NS_PER_S,
    slices: Sequence[HourSlice] = (),
    effects: DesignEffectAt | None = None,
    budget: ExceedanceBudget = ACT_LIMITS_1,
) -> BudgetAssessment:
    reads = OperationEvidence(
        "read",
        "response",
        dist,
        generation=generation or load(dist),
        measured_ns=measured_ns,
        hours=lambda _: slices,
        effects=effects,
    )
    return judge_budget(budget, RunEvidence((reads,)))


def certification(assessment: BudgetAssessment) -> Judgement:
    assert assessment.limits is not None
    assert assessment.limits.certification is not None
    return assessment.limits.certification


def fraud(
    reads: LatencyDist | None, measured: LatencyDist | None = None, generation: GeneratedLoad | None = None
) -> TransactionAssessment:
    found: list[OperationEvidence] = []
    if reads:
        found.append(OperationEvidence("read", "response", reads, generation=generation or load(reads)))
    if measured:
        applied = generation or load(measured)
        found.append(
            OperationEvidence(
                TRANSACTION, "response", measured, generation=applied, issued=Plan.sequential("read", 250)
            )
        )
    return plan_verdict.assess(FRAUD_250_SEQUENTIAL_1, RunEvidence(tuple(found)), bins=BINS)


class TestExceedance:
    def test_few_slow_reads_pass(self) -> None:
        found = act(record({400_000: 60_000, 2 * MS: 100})).judgement
        assert (found.verdict, found.strength) == (Verdict.PASS, Strength.PROVEN)
        assert found.reason is None
        assert found.decided_by is None

    def test_many_slow_reads_fail_and_the_text_names_the_limit(self) -> None:
        found = act(record({400_000: 60_000, 9 * MS: 2_000})).judgement
        assert found.verdict is Verdict.FAIL
        assert "8 ms" in found.reason_text

    def test_misses_count_as_slow(self) -> None:
        assert act(record({400_000: 60_000}, misses=300)).judgement.verdict is Verdict.FAIL

    def test_a_share_exactly_at_the_limit_does_not_pass(self) -> None:
        assert act(record({400_000: 95 * 10**7, 2 * MS: 5 * 10**7})).judgement.verdict is not Verdict.PASS

    def test_few_reads_pass_for_themselves_and_say_how_many_would_prove_it(self) -> None:
        found = act(record({400_000: 500})).judgement
        assert (found.verdict, found.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert (found.reason, found.unproven) == (None, Reason.SAMPLES)
        assert found.decided_by is not None
        assert found.decided_by.startswith("3,000 reads")
        assert found.meter is not None
        assert found.meter.needed == 2_995.0
        one_short = act(record({400_000: 2_994})).judgement
        assert one_short.meter is not None
        assert [way.amount for way in one_short.meter.ways] == [1.0]

    def test_fewer_than_a_hundred_reads_are_too_few_for_a_pass_and_enough_for_a_fail(self) -> None:
        found = act(record({400_000: 99})).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)
        assert found.decided_by == "1 more operations"
        assert act(record({400_000: 100})).judgement.verdict is Verdict.PASS
        bad = act(record({400_000: 58, 2 * MS: 2})).judgement
        assert (bad.verdict, bad.strength) == (Verdict.INDETERMINATE, None)
        worse = act(record({400_000: 56, 2 * MS: 4})).judgement
        assert (worse.verdict, worse.strength) == (Verdict.FAIL, Strength.OBSERVED)

    def test_nothing_measured_is_no_verdict(self) -> None:
        found = act(record({})).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)

    def test_buckets_without_an_edge_at_the_limit_leave_it_open(self) -> None:
        found = act(explicit((0, 512_000, 4 * MS), [90_000, 10_000])).judgement
        assert found.reason is Reason.RESOLUTION
        assert found.reason_text.startswith("buckets too coarse at 1 ms")
        assert found.decided_by is not None
        assert "1 ms" in found.decided_by

    def test_clumps_keep_a_pass_from_being_proven(self) -> None:
        dist = record({400_000: 60_000, 2 * MS: 2_700})
        assert act(dist).judgement.strength is Strength.PROVEN
        clumped = act(dist, effects=lambda _: DesignEffect(phi=50.0, tau=4.0)).judgement
        assert (clumped.verdict, clumped.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert clumped.unproven is Reason.SAMPLES
        assert "independent ones" in clumped.reason_text

    def test_a_generator_that_fell_behind_cannot_pass_but_can_fail(self) -> None:
        good, bad = record({400_000: 60_000}), record({400_000: 30_000, 9 * MS: 30_000})
        found = act(good, GeneratedLoad(62_000, 60_000)).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.GENERATOR)
        assert act(bad, GeneratedLoad(62_000, 60_000)).judgement.verdict is Verdict.FAIL
        assert act(bad, GeneratedLoad(50_000, 60_000)).judgement.reason is Reason.GENERATOR

    def test_a_load_may_differ_by_the_allowance(self) -> None:
        at_most = round(GeneratedLoad(60_000, 0).allowance)
        assert not GeneratedLoad(60_000, 60_000 - at_most).is_too_little
        assert GeneratedLoad(60_000, 60_000 - at_most - 1).is_too_little
        assert not GeneratedLoad(60_000, 60_000 + at_most).is_too_much
        assert GeneratedLoad(60_000, 60_000 + at_most + 1).is_too_much

    def test_missing_intervals_prove_nothing(self) -> None:
        found = act(record({400_000: 60_000}), GeneratedLoad(60_000, 60_000, missing_intervals=2)).judgement
        assert found.reason is Reason.GENERATOR
        assert found.decided_by is not None
        assert "drain" in found.decided_by

    def test_half_a_minute_is_far_from_a_certificate(self) -> None:
        found = certification(act(record({400_000: 60_000})))
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.DURATION)
        assert "23 h 59 min more" in found.reason_text

    def test_a_day_of_good_hours_certifies_and_one_bad_hour_does_not(self) -> None:
        hours = [HourSlice(i * NS_PER_HOUR, 1000, (49, 9, 0)) for i in range(24)]
        dist, day = record({400_000: 24_000}), 24 * NS_PER_HOUR
        passed = certification(act(dist, measured_ns=day, slices=hours))
        assert (passed.verdict, passed.strength) == (Verdict.PASS, Strength.OBSERVED)
        hours[7] = replace(hours[7], over=(50, 9, 0))
        found = certification(act(dist, measured_ns=day, slices=hours))
        assert found.verdict is Verdict.FAIL
        assert "from 7 h" in found.reason_text
        assert "worst" not in found.reason_text
        hours[9] = replace(hours[9], over=(90, 9, 0))
        found = certification(act(dist, measured_ns=day, slices=hours))
        assert found.reason_text.startswith("the hour from 7 h")
        assert found.reason_text.endswith("; the worst, from 9 h, has 9 %")

    def test_a_fail_by_an_hour_alone_is_not_explained_by_the_share_of_the_day(self) -> None:
        hours = [HourSlice(i * NS_PER_HOUR, 1000, (50 if i == 7 else 9, 9, 0)) for i in range(24)]
        dist, day = record({400_000: 24_000}), 24 * NS_PER_HOUR
        found = act(dist, measured_ns=day, slices=hours, budget=ACT_PERFORMANCE_1)
        assert found.judgement.verdict is Verdict.FAIL
        assert headline(found).text == "a full hour breaks a limit; every full hour must keep all"
        failed = act(record({4_000_000: 24_000}), measured_ns=day, slices=hours, budget=ACT_PERFORMANCE_1)
        assert headline(failed).text == "100 % take 1 ms or longer; less than 5 % asked"


class TestTransactions:
    def test_enough_reads_without_a_slow_one_show_three_nines(self) -> None:
        found = fraud(record({200_000: 776_000}))
        assert (found.judgement.verdict, found.judgement.strength) == (Verdict.PASS, Strength.PROVEN)
        assert found.model is not None
        assert found.model.confident.lower >= 0.999

    def test_few_reads_pass_for_themselves_and_name_the_number_that_would_prove_it(self) -> None:
        found = fraud(record({200_000: 60_000})).judgement
        assert (found.verdict, found.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert found.unproven is Reason.SAMPLES
        assert "240 transactions' worth of reads; proves 98.7 %" in found.reason_text
        assert found.decided_by == "750,000 reads like these"
        assert fraud(record({200_000: 748_750})).judgement.strength is Strength.PROVEN

    def test_fewer_than_a_hundred_transactions_worth_are_too_few_for_a_pass(self) -> None:
        found = fraud(record({200_000: 24_999})).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)
        assert "99 transactions' worth" in found.reason_text
        assert fraud(record({200_000: 25_000})).judgement.verdict is Verdict.PASS

    def test_reads_that_are_too_slow_fail(self) -> None:
        assert fraud(record({5 * MS: 750_000})).judgement.verdict is Verdict.FAIL

    def test_coarse_buckets_leave_it_open(self) -> None:
        dist = explicit((0, 2 * MS, 8 * MS), [1, 10**7])
        assert fraud(dist).judgement.reason is Reason.RESOLUTION

    def test_measured_transactions_decide_alone_when_there_are_enough(self) -> None:
        reads = record({200_000: 60_000})
        assert fraud(reads, record({50 * MS: 2_995}, pins=(NS_PER_S,))).judgement.verdict is Verdict.PASS
        found = fraud(record({200_000: 10**7}), record({50 * MS: 3_000, 2_000 * MS: 150}, pins=(NS_PER_S,)))
        assert found.judgement.verdict is Verdict.FAIL

    def test_one_late_transaction_of_3150_passes_for_this_run_alone(self) -> None:
        measured = record({50 * MS: 3_149, 2_000 * MS: 1}, pins=(NS_PER_S,))
        found = fraud(record({200_000: 787_500}), measured).judgement
        assert (found.verdict, found.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert found.reason_text.startswith("3,149 of 3,150 measured transactions kept 1 s; proves 99.84 %")

    def test_measured_transactions_that_contradict_the_model_block_it(self) -> None:
        measured = record({50 * MS: 1_990, 2_000 * MS: 10}, pins=(NS_PER_S,))
        found = fraud(record({200_000: 10**7}), measured)
        assert found.measured is not None
        assert found.measured.contradicts
        assert found.evidence is Evidence.MEASURED
        assert found.quantile == found.measured.quantile
        assert (found.judgement.verdict, found.judgement.strength) == (Verdict.FAIL, Strength.PROVEN)
        few = fraud(record({200_000: 10**7}), record({500 * MS: 90}, pins=(NS_PER_S,)))
        assert (few.judgement.verdict, few.judgement.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)
        assert "contradict the model" in few.judgement.reason_text

    def test_errors_are_late_transactions(self) -> None:
        measured = record({50 * MS: 3_000}, misses=100)
        assert fraud(None, measured).judgement.verdict is Verdict.FAIL

    def test_nothing_measured_is_no_verdict(self) -> None:
        assert fraud(None).judgement.reason is Reason.SAMPLES


class TestScopes:
    @given(
        st.dictionaries(st.sampled_from([10**5, 10**6, 4 * 10**6, 10**7]), st.integers(1, 10**6), min_size=1),
        st.booleans(),
        st.integers(1, 900),
    )
    @settings(deadline=None, max_examples=60)
    def test_proven_bounds_contain_those_of_the_run(
        self, amounts: dict[int, int], closed_loop: bool, window_ms: int
    ) -> None:
        dist = record(amounts)
        reads = OperationEvidence("read", "response", dist, closed_loop=closed_loop)
        window = replace(FRAUD_250_SEQUENTIAL_1, window_ns=window_ms * MS)
        for budget in (ACT_LIMITS_1, window):
            found = judge_budget(budget, RunEvidence((reads,)), bins=1 << 12).judgement
            in_run, in_next = found.observed.bounds, found.proven.bounds
            assert in_run is not None
            assert in_next is not None
            assert in_next.lower <= in_run.lower <= in_run.upper <= in_next.upper
            if found.strength is Strength.PROVEN:
                assert found.observed.verdict is found.verdict
            assert not (closed_loop and found.strength is Strength.PROVEN and found.verdict is Verdict.PASS)

    def test_clumps_are_worth_fewer_blocks(self) -> None:
        calm, rough = record({200_000: 20_000}), record({200_000: 15_000, 6 * MS: 5_000})
        pieces = [rough if i % 10 == 9 else calm for i in range(100)]
        intervals = IntervalRecords.of(pieces, [i * NS_PER_S for i in range(100)], [NS_PER_S for _ in pieces])
        reads = OperationEvidence("read", "response", intervals.total(), intervals)
        window = replace(FRAUD_250_SEQUENTIAL_1, window_ns=300 * MS, objective_ratio=0.89)
        found = plan_verdict.assess(window, RunEvidence((reads,)), bins=1 << 12)
        assert found.model is not None
        assert found.model.observed.lower == pytest.approx(0.9, abs=1e-3)
        # A tenth of a hundred slices is bad: what so many slices prove, and not what 8,000 blocks would.
        assert found.model.confident.lower == pytest.approx(0.82, abs=0.03)


def test_the_share_that_misses_an_objective_is_the_rest() -> None:
    assert Bounds(0.25, 0.5).complement == Bounds(0.5, 0.75)


def test_stages() -> None:
    hours = [0, 5, 6, 23, 24]
    assert [stage_of(hour * NS_PER_HOUR) for hour in hours] == [
        LengthStage.PREVIEW,
        LengthStage.PREVIEW,
        LengthStage.INDICATIVE,
        LengthStage.INDICATIVE,
        LengthStage.FULL,
    ]


def test_budgets_are_found_by_name_and_version() -> None:
    assert budget_of("act-limits", 1) is ACT_LIMITS_1
    assert budgets_for("fraud-transaction") == (FRAUD_250_SEQUENTIAL_1,)
    assert budgets_for("something-else") == ()
    with pytest.raises(BudgetUnknown):
        budget_of("act-limits", 99)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(0.9999999999999, "99.99999999999 %"), (1.0 - 0.999, "0.1 %"), (0.12345, "12.345 %"), (0.1, "10 %")],
)
def test_an_objective_has_all_its_digits(ratio: float, words: str) -> None:
    assert exact_percent(ratio) == words


def test_words_for_people() -> None:
    assert latency_text(1_280_000) == "1.28 ms"
    assert latency_text(999) == "999 ns"
    assert duration_text(24 * NS_PER_HOUR - 30 * NS_PER_S) == "23 h 59 min"
    assert [percent_text(ratio) for ratio in (0.05, 0.001, 0.99905, 0.0, 1.0)] == [
        "5 %",
        "0.1 %",
        "99.905 %",
        "0 %",
        "100 %",
    ]


@pytest.mark.parametrize(
    ("ratio", "least", "most"),
    [
        (0.999, "99.9 %", "99.9 %"),
        (0.18394, "18.3 %", "18.4 %"),
        (0.9995149, "99.951 %", "99.952 %"),
        (1.0, "100 %", "100 %"),
    ],
)
def test_words_never_say_more_than_the_limit(ratio: float, least: str, most: str) -> None:
    """At least is rounded down, at most up; what has few digits stays as it is."""
    assert (least_percent_text(ratio), most_percent_text(ratio)) == (least, most)

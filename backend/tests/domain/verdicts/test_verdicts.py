"""Three-state verdicts: what decides, what does not, and what is said to be missing."""

from dataclasses import replace

import numpy as np
import pytest
from tailroom.domain.transactions.confidence import lower_edges_ns, p_within_lower, p_within_upper

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.latency.distribution import LatencyDist, Misses, hdr_distribution
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import (
    NS_PER_HOUR,
    NS_PER_S,
    duration_text,
    latency_text,
    least_percent_text,
    most_percent_text,
    percent_text,
)
from tailroom.domain.verdicts import exceedance, plan_verdict
from tailroom.domain.verdicts.budget import (
    ACT_LIMITS_1,
    FRAUD_250_SEQUENTIAL_1,
    BudgetUnknown,
    budget_of,
    budgets_for,
)
from tailroom.domain.verdicts.evidence import TRANSACTION, HourSlice, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.verdict import Reason, Stage, Verdict, stage_of

MS = 1_000_000
LAYOUT = HdrLayout()
BINS = 1 << 14


def record(amounts: dict[int, int], misses: int = 0, pins: tuple[int, ...] = ()) -> LatencyDist:
    """Latencies in ns and how often each was seen."""
    at = np.array(sorted(amounts), dtype=np.int64)
    counts = Counts(LAYOUT.index_of(at // 1000), np.array([amounts[int(one)] for one in at]))
    return hdr_distribution(
        counts,
        pins={pin: sum(n for latency, n in amounts.items() if latency >= pin) for pin in pins},
        misses=Misses(errors=misses),
    )


def load(dist: LatencyDist) -> Generation:
    return Generation(dist.total, dist.total)


def act(
    dist: LatencyDist, generation: Generation | None = None, **more: object
) -> exceedance.ExceedanceAssessment:
    arguments: dict[str, object] = {"measured_ns": 30 * NS_PER_S, **more}
    return exceedance.assess(ACT_LIMITS_1, dist, generation or load(dist), **arguments)  # type: ignore[arg-type]


def fraud(
    reads: LatencyDist | None, measured: LatencyDist | None = None, generation: Generation | None = None
) -> plan_verdict.TransactionAssessment:
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
        assert found.verdict is Verdict.PASS
        assert found.reason is None

    def test_many_slow_reads_fail_and_the_text_names_the_limit(self) -> None:
        found = act(record({400_000: 60_000, 9 * MS: 2_000})).judgement
        assert found.verdict is Verdict.FAIL
        assert "8 ms" in found.reason_text

    def test_misses_count_as_slow(self) -> None:
        assert act(record({400_000: 60_000}, misses=300)).judgement.verdict is Verdict.FAIL

    def test_a_share_exactly_at_the_limit_does_not_pass(self) -> None:
        assert act(record({400_000: 95 * 10**7, 2 * MS: 5 * 10**7})).judgement.verdict is not Verdict.PASS

    def test_few_reads_leave_it_open_and_say_how_many_would_do(self) -> None:
        found = act(record({400_000: 500})).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)
        assert found.decided_by is not None
        assert "2,995" in found.decided_by

    def test_nothing_measured_is_no_verdict(self) -> None:
        found = act(hdr_distribution(Counts(np.empty(0, np.int64), np.empty(0, np.int64)))).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)

    def test_buckets_without_an_edge_at_the_limit_leave_it_open(self) -> None:
        dist = LatencyDist(
            ExplicitLayout((0, 512_000, 4 * MS)), Counts(np.arange(2), np.array([90_000, 10_000]))
        )
        found = act(dist).judgement
        assert found.reason is Reason.RESOLUTION
        assert found.decided_by is not None
        assert "1 ms" in found.decided_by

    def test_clumps_widen_the_limits(self) -> None:
        dist = record({400_000: 60_000, 2 * MS: 2_700})
        assert act(dist).judgement.verdict is Verdict.PASS
        clumped = act(dist, effect_at=lambda _: DesignEffect(phi=50.0, tau=4.0))
        assert clumped.judgement.reason is Reason.SAMPLES

    def test_a_generator_that_fell_behind_cannot_pass_but_can_fail(self) -> None:
        good, bad = record({400_000: 60_000}), record({400_000: 30_000, 9 * MS: 30_000})
        found = act(good, Generation(62_000, 60_000)).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.GENERATOR)
        assert act(bad, Generation(62_000, 60_000)).judgement.verdict is Verdict.FAIL
        assert act(bad, Generation(50_000, 60_000)).judgement.reason is Reason.GENERATOR

    def test_missing_intervals_prove_nothing(self) -> None:
        found = act(record({400_000: 60_000}), Generation(60_000, 60_000, missing_intervals=2)).judgement
        assert found.reason is Reason.GENERATOR
        assert found.decided_by is not None
        assert "drain" in found.decided_by

    def test_half_a_minute_is_far_from_a_certificate(self) -> None:
        found = act(record({400_000: 60_000})).certification
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.DURATION)
        assert "23 h 59 min more" in found.reason_text

    def test_a_day_of_good_hours_certifies_and_one_bad_hour_does_not(self) -> None:
        hours = [HourSlice(i * NS_PER_HOUR, 1000, (49, 9, 0)) for i in range(24)]
        dist, day = record({400_000: 24_000}), 24 * NS_PER_HOUR
        assert act(dist, measured_ns=day, slices=hours).certification.verdict is Verdict.PASS
        hours[7] = replace(hours[7], over=(50, 9, 0))
        found = act(dist, measured_ns=day, slices=hours).certification
        assert found.verdict is Verdict.FAIL
        assert "from 7 h" in found.reason_text


class TestTransactions:
    def test_enough_reads_without_a_slow_one_show_three_nines(self) -> None:
        found = fraud(record({200_000: 776_000}))
        assert found.judgement.verdict is Verdict.PASS
        assert found.model is not None
        assert found.model.confident.lower >= 0.999

    def test_too_few_reads_name_the_number_that_would_do(self) -> None:
        found = fraud(record({200_000: 60_000})).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)
        assert found.decided_by is not None
        assert "774,886" in found.decided_by
        assert "2,995 measured" in found.decided_by

    def test_reads_that_are_too_slow_fail(self) -> None:
        assert fraud(record({5 * MS: 750_000})).judgement.verdict is Verdict.FAIL

    def test_coarse_buckets_leave_it_open(self) -> None:
        dist = LatencyDist(ExplicitLayout((0, 2 * MS, 8 * MS)), Counts(np.arange(2), np.array([1, 10**7])))
        assert fraud(dist).judgement.reason is Reason.RESOLUTION

    def test_measured_transactions_decide_alone_when_there_are_enough(self) -> None:
        reads = record({200_000: 60_000})
        assert fraud(reads, record({50 * MS: 2_995}, pins=(NS_PER_S,))).judgement.verdict is Verdict.PASS
        found = fraud(record({200_000: 10**7}), record({50 * MS: 3_000, 2_000 * MS: 150}, pins=(NS_PER_S,)))
        assert found.judgement.verdict is Verdict.FAIL

    def test_one_late_transaction_of_3150_is_not_enough(self) -> None:
        measured = record({50 * MS: 3_149, 2_000 * MS: 1}, pins=(NS_PER_S,))
        found = fraud(record({200_000: 787_500}), measured).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.SAMPLES)

    def test_too_few_measured_ones_that_contradict_the_model_block_it(self) -> None:
        measured = record({50 * MS: 1_990, 2_000 * MS: 10}, pins=(NS_PER_S,))
        found = fraud(record({200_000: 10**7}), measured)
        assert found.measured is not None
        assert found.measured.contradicts
        assert found.evidence is plan_verdict.Evidence.MEASURED
        assert found.quantile == found.measured.quantile
        assert found.judgement.verdict is Verdict.FAIL
        mild = fraud(record({200_000: 10**7}), record({50 * MS: 1_997, 2_000 * MS: 3}, pins=(NS_PER_S,)))
        assert (mild.judgement.verdict, mild.judgement.reason) == (Verdict.INDETERMINATE, Reason.DEPENDENCE)

    def test_errors_are_late_transactions(self) -> None:
        measured = hdr_distribution(
            Counts(LAYOUT.index_of(np.array([50_000])), np.array([3_000])), misses=Misses(timeouts=100)
        )
        assert fraud(None, measured).judgement.verdict is Verdict.FAIL

    def test_nothing_measured_is_no_verdict(self) -> None:
        assert fraud(None).judgement.reason is Reason.SAMPLES


class TestConfidenceOfTheModel:
    def test_edges_are_fixed_by_the_number_of_reads(self) -> None:
        sizes = [len(lower_edges_ns(250, NS_PER_S, 0.999, n)) for n in (10**4, 750_000, 1_600_000, 10**7)]
        assert sizes[:3] == [1, 1, 3]
        assert sizes[3] > 30

    def test_it_covers_the_truth_as_often_as_stated(self) -> None:
        rng = np.random.default_rng(11)
        reads, window_ns, objective = 10, 100 * MS, 0.9
        slow, share = 60 * MS, 0.02
        truth = (1.0 - share) ** reads + reads * share * (1.0 - share) ** (reads - 1)
        wrong_low = wrong_high = 0
        for _ in range(300):
            over = int(rng.binomial(4_000, share))
            dist = record({1 * MS: 4_000 - over, slow: max(over, 0)})
            wrong_low += p_within_lower(dist, reads, window_ns, objective, bins=1 << 11) > truth
            wrong_high += p_within_upper(dist, reads, window_ns, bins=1 << 11) < truth
        assert wrong_low <= 25
        assert wrong_high <= 25

    def test_clumps_lower_it(self) -> None:
        dist = record({200_000: 10**6, 5 * MS: 3})
        plain = p_within_lower(dist, 250, NS_PER_S, 0.999, bins=BINS)
        clumped = p_within_lower(
            dist, 250, NS_PER_S, 0.999, effect_at=lambda _: DesignEffect(phi=3.0), bins=BINS
        )
        assert clumped < plain


def test_stages() -> None:
    hours = [0, 5, 6, 23, 24]
    assert [stage_of(hour * NS_PER_HOUR) for hour in hours] == [
        Stage.PREVIEW,
        Stage.PREVIEW,
        Stage.INDICATIVE,
        Stage.INDICATIVE,
        Stage.FULL,
    ]


def test_budgets_are_found_by_name_and_version() -> None:
    assert budget_of("act-limits", 1) is ACT_LIMITS_1
    assert budgets_for("fraud-transaction") == (FRAUD_250_SEQUENTIAL_1,)
    assert budgets_for("something-else") == ()
    with pytest.raises(BudgetUnknown):
        budget_of("act-limits", 99)


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

"""Verdicts on every kind of budget, with reasons for what is missing."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from backend.tests.domain.verdicts.judging import course, explicit, judged, published, record, run_of

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout, Pow2Layout
from tailroom.domain.transactions.plan import Plan, Stage
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import (
    ACT_PERFORMANCE_1,
    ACT_STRESS_1,
    BUDGETS,
    FRAUD_250_PARALLEL_1,
    FRAUD_250_SEQUENTIAL_1,
    M2G2_1,
    budget_of,
)
from tailroom.domain.verdicts.budget_kinds import (
    DISK_BYTES_PER_S,
    NETWORK_BITS_PER_S,
    OPERATIONS_PER_S,
    PercentileBudget,
    QuantileLimit,
    TransactionBudget,
)
from tailroom.domain.verdicts.evidence import EvidenceInvalid, OperationEvidence, RateBounds, RunEvidence
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.rates import rate_text
from tailroom.domain.verdicts.verdict import Reason, Strength, Verdict


class TestReasons:
    def test_a_closed_loop_passes_for_itself_and_proves_no_pass(self) -> None:
        good = run_of(record({100_000: 10**7}), closed_loop=True)
        for budget in (FRAUD_250_SEQUENTIAL_1, FRAUD_250_PARALLEL_1, budget_of("act-limits")):
            found = judged(budget, good).judgement
            assert (found.verdict, found.strength) == (Verdict.PASS, Strength.OBSERVED)
            assert found.unproven is Reason.GENERATOR
            assert "closed loop" in found.reason_text

    def test_a_fail_in_a_closed_loop_stands(self) -> None:
        bad = run_of(record({10 * NS_PER_MS: 10**6}), closed_loop=True)
        for budget in (FRAUD_250_SEQUENTIAL_1, budget_of("act-limits"), M2G2_1):
            assert judged(budget, bad).judgement.verdict is Verdict.FAIL
        limits = judged(budget_of("act-limits"), bad).judgement
        assert (limits.verdict, limits.strength) == (Verdict.FAIL, Strength.PROVEN)

    def test_a_generator_that_says_it_fell_behind_proves_no_pass(self) -> None:
        behind = GeneratedLoad(None, 10**7, fell_behind="the tool could not keep up")
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(record({100_000: 10**7}), generation=behind)).judgement
        assert (found.reason, found.reason_text) == (Reason.GENERATOR, "the tool could not keep up")

    def test_published_percentiles_lack_the_tail(self) -> None:
        """docs/method.md 1.2: mean, p95 and p99 guarantee 98.2 % of 250 reads in 1 s and can show no 99.9
        %.
        """
        kioxia = published(n=100_000_000, mean_ns=70_930, percentiles=[[0.95, 129_000], [0.99, 160_000]])
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(kioxia))
        assert found.summary()["p_lower"] == pytest.approx(0.982, abs=1e-3)
        assert found.judgement.reason is Reason.RESOLUTION
        assert found.judgement.decided_by is not None
        assert found.judgement.decided_by.startswith("p99.9996 of read, the maximum, or the histogram")

    def test_a_source_without_a_number_of_operations_passes_in_its_test_and_proves_nothing(self) -> None:
        found = judged(
            FRAUD_250_SEQUENTIAL_1, run_of(published(percentiles=[[0.999, 1_000]], max_ns=200_000))
        )
        limits = judged(budget_of("act-limits"), run_of(published(percentiles=[[0.99999, 1_000]])))
        for judgement in (found.judgement, limits.judgement):
            assert (judgement.verdict, judgement.strength) == (Verdict.PASS, Strength.OBSERVED)
            assert judgement.unproven is Reason.SAMPLES
            assert "does not state how many" in judgement.reason_text
        open_limit = judged(budget_of("act-limits"), run_of(published(percentiles=[[0.9, 1_000]]))).judgement
        assert "the published figures allow 0–10 % at or over 1 ms" in open_limit.reason_text

    def test_power_of_two_buckets_ask_for_finer_ones(self) -> None:
        coarse = LatencyDist(Pow2Layout(NS_PER_MS), Counts(np.array([2]), np.array([10**7])))
        tight = replace(FRAUD_250_SEQUENTIAL_1, window_ns=900 * NS_PER_MS)
        found = judged(tight, run_of(coarse)).judgement
        assert found.reason is Reason.RESOLUTION
        assert found.decided_by is not None
        assert found.decided_by.startswith("finer buckets")
        at_once = replace(FRAUD_250_PARALLEL_1, window_ns=3 * NS_PER_MS)
        found = judged(at_once, run_of(coarse)).judgement
        assert found.decided_by == "a bucket edge or an exact counter at 3 ms"

    def test_the_named_edge_decides(self) -> None:
        at_once = replace(FRAUD_250_PARALLEL_1, window_ns=3 * NS_PER_MS)
        good = explicit((0, 3 * NS_PER_MS, 4 * NS_PER_MS), [10**7, 0])
        assert judged(at_once, run_of(good)).judgement.verdict is Verdict.PASS
        bad = explicit((0, 3 * NS_PER_MS, 4 * NS_PER_MS), [10**7, 10**5])
        assert judged(at_once, run_of(bad)).judgement.verdict is Verdict.FAIL

    def test_the_named_length_of_a_record_proves_it(self) -> None:
        slow = {200_000: 1_000_000, 1_500 * NS_PER_MS: 1}
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(record(slow))).judgement
        assert (found.verdict, found.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert found.decided_by is not None
        millions, unit, *_ = found.decided_by.split()
        assert unit == "million"
        needed = round(float(millions) * 1e6)
        times = -(-needed // 1_000_001)
        longer = record({at: count * times for at, count in slow.items()})
        assert judged(FRAUD_250_SEQUENTIAL_1, run_of(longer)).judgement.strength is Strength.PROVEN

    def test_reads_that_use_up_94_percent_of_the_window_are_shown_to_fit(self) -> None:
        reads = record({3 * NS_PER_MS: 10**7, 4_500_000: 10**7})
        assert judged(FRAUD_250_SEQUENTIAL_1, run_of(reads)).judgement.verdict is Verdict.PASS
        found = judge_budget(FRAUD_250_SEQUENTIAL_1, run_of(reads)).judgement
        assert found.verdict is Verdict.PASS

    def test_a_plan_with_an_operation_of_unknown_number_has_no_blocks(self) -> None:
        plan = Plan((Stage("read", 10), Stage("update", 4)))
        reads = OperationEvidence("read", "response", record({NS_PER_MS: 10**6}))
        updates = OperationEvidence("update", "response", published(percentiles=[[0.999, 1_000]]))
        budget = TransactionBudget("two-stages", 1, "", "", plan, NS_PER_S, 0.9)
        assessment = judged(budget, RunEvidence((reads, updates))).transaction
        assert assessment is not None
        assert assessment.model is not None
        assert (assessment.model.samples, assessment.model.blocks) == (None, 0)

    def test_an_operation_that_is_not_there_is_named(self) -> None:
        plan = Plan((Stage("read", 10), Stage("batch-25", 4)))
        budget = TransactionBudget("two-stages", 1, "", "", plan, NS_PER_S, 0.999)
        found = judged(budget, run_of(record({NS_PER_MS: 10**6})))
        assert found.judgement.reason is Reason.SAMPLES
        assert "`batch-25`" in found.judgement.reason_text
        assert found.judgement.decided_by == "measured `batch-25` operations"

    def test_data_that_contradict_themselves_are_said_to(self) -> None:
        wrong = LatencyDist(ExplicitLayout((0, NS_PER_MS)), Counts(np.array([5]), np.array([10])))
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(wrong)).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.METADATA)


class TestOtherKinds:
    def test_stress_wants_the_end_of_the_run(self) -> None:
        day = 24 * NS_PER_HOUR
        slow = run_of(record({900 * NS_PER_MS: 10}))
        assert (
            judged(ACT_STRESS_1, replace(slow, measured_ns=day, completed=True)).judgement.verdict
            is Verdict.PASS
        )
        failed = judged(ACT_STRESS_1, replace(slow, measured_ns=60, completed=False)).judgement
        assert failed.verdict is Verdict.FAIL
        short = judged(ACT_STRESS_1, replace(slow, measured_ns=day // 2, completed=True)).judgement
        assert (short.reason, short.decided_by) == (Reason.DURATION, "12 h more")
        assert short.reason_text == "the run lasted 12 h of 24 h; needs 12 h more"
        of_unknown_length = judged(ACT_STRESS_1, replace(slow, measured_ns=0, completed=True)).judgement
        assert of_unknown_length.reason_text == "how long the run lasted is not on record; it takes 24 h"
        unknown = judged(ACT_STRESS_1, replace(slow, measured_ns=day)).judgement
        assert unknown.reason is Reason.METADATA

    def test_performance_wants_every_hour_of_a_day(self) -> None:
        edges = (0, NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS, NS_PER_S)
        good, bad = explicit(edges, [96_000, 3_900, 90, 10]), explicit(edges, [95_000, 5_000, 0, 0])

        def of(hours: Sequence[LatencyDist]) -> RunEvidence:
            intervals = course(hours, NS_PER_HOUR)
            one = OperationEvidence(
                "read", "service", intervals.total(), intervals, measured_ns=intervals.end_ns
            )
            return RunEvidence((one,))

        assert judged(ACT_PERFORMANCE_1, of([good] * 24)).judgement.verdict is Verdict.PASS
        found = judged(ACT_PERFORMANCE_1, of([good] * 23 + [bad])).judgement
        assert found.verdict is Verdict.FAIL
        assert "from 23 h" in found.reason_text
        assert judged(ACT_PERFORMANCE_1, of([good] * 23)).judgement.reason is Reason.DURATION
        # Five in a hundred is not fewer than five in a hundred.
        assert judged(ACT_PERFORMANCE_1, of([bad] * 24)).judgement.verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        ("hours", "slow", "verdict", "text"),
        [
            (24, 4_000, Verdict.PASS, "; published for the whole test, not for every hour"),
            (0, 4_000, Verdict.PASS, "; published for the whole test, not for every hour"),
            (23, 4_000, Verdict.INDETERMINATE, "the test lasted 23 h; certification needs 24 h"),
            (23, 9_000, Verdict.FAIL, "; published for the whole test, not for every hour"),
        ],
    )
    def test_a_published_test_is_certified_as_a_whole(
        self, hours: int, slow: int, verdict: Verdict, text: str
    ) -> None:
        edges = (0, NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS)
        reads = OperationEvidence(
            "read", "service", explicit(edges, [100_000 - slow, slow, 0]), measured_ns=hours * NS_PER_HOUR
        )
        found = judged(ACT_PERFORMANCE_1, RunEvidence((reads,), is_published=True)).judgement
        assert found.verdict is verdict
        assert found.reason_text.endswith(text)

    def test_hours_without_an_edge_at_the_limit_leave_it_open(self) -> None:
        wide = explicit((0, NS_PER_MS // 2, 2 * NS_PER_MS), [90_000, 10_000])
        intervals = course([wide] * 24, NS_PER_HOUR)
        one = OperationEvidence("read", "service", intervals.total(), intervals, measured_ns=intervals.end_ns)
        found = judged(ACT_PERFORMANCE_1, RunEvidence((one,))).judgement
        assert (found.reason, found.decided_by) == (
            Reason.RESOLUTION,
            "an exact counter or a bucket edge at 1 ms",
        )

    @pytest.mark.parametrize(
        ("quantile", "below_ns", "verdict", "text"),
        [
            (0.99, NS_PER_MS, Verdict.FAIL, "p99 is 1.24 ms or longer; it must be less than 1 ms"),
            (0.99, 1_240_000, Verdict.FAIL, "p99 is 1.24 ms or longer; it must be less than 1.24 ms"),
            (0.99, 1_240_001, Verdict.INDETERMINATE, "the published figures allow 0-5 % at or over"),
            (0.99, 2 * NS_PER_MS, Verdict.PASS, "99 % or more took less than 2 ms"),
            (0.98, NS_PER_MS, Verdict.INDETERMINATE, "the published figures allow 1-5 % at or over"),
            (0.995, NS_PER_MS, Verdict.FAIL, "95-99 % took less than 1 ms; at least 99.5 % must"),
        ],
    )
    def test_a_percentile_that_is_stated_to_be_later_fails_its_limit(
        self, quantile: float, below_ns: int, verdict: Verdict, text: str
    ) -> None:
        """Its tool would have printed an earlier time if just this share of operations had been faster."""
        knots = [[728_000, 0.0, 0.95], [736_000, 0.95, 0.99], [1_240_000, 0.95, 0.99], [1_248_000, 0.99, 1.0]]
        later = run_of(published(knots=knots, quantiles=[[0.99, 1_240_000]]))
        budget = PercentileBudget("own", 1, "", "", "read", (QuantileLimit(quantile, below_ns),))
        judgement = judged(budget, later).judgement
        assert judgement.verdict is verdict
        assert judgement.reason_text.replace("\u2013", "-").startswith(text)
        shares_alone = judged(budget, run_of(published(knots=knots))).judgement.verdict
        assert shares_alone in (verdict, Verdict.INDETERMINATE)

    def test_a_percentile_is_named_with_all_its_nines(self) -> None:
        later = run_of(published(knots=[[10**6, 0.5, 0.999_999_9]], quantiles=[[0.999_999_9, 2 * 10**6]]))
        budget = PercentileBudget("own", 1, "", "", "read", (QuantileLimit(0.999_999_9, NS_PER_MS),))
        assert judged(budget, later).judgement.reason_text.startswith("p99.99999 is 2 ms or longer")

    def test_percentiles_are_shares_under_a_time(self) -> None:
        limits = (QuantileLimit(0.999, NS_PER_MS),)
        budget = PercentileBudget("p", 1, "", "", "read", limits)
        assert judged(budget, run_of(record({900_000: 10_000}))).judgement.verdict is Verdict.PASS
        # Exactly 99.9 % under the limit do for this run, and prove nothing of the next.
        edge = judged(budget, run_of(record({900_000: 999_000, 5 * NS_PER_MS: 1_000})))
        assert (edge.judgement.verdict, edge.judgement.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert edge.judgement.reason_text.endswith("proves only 99.89–99.906 % with 95 % confidence")
        # No number of reads at this very share would prove it.
        assert edge.judgement.decided_by == "another run: the share lies at the 0.1 % allowed"
        (row,) = edge.rows()
        assert row["kind"] == "percentile"
        assert row["value"] == pytest.approx(0.999)
        assert row["value_lower"] < row["value"] < row["value_upper"]
        slow = judged(budget, run_of(record({900_000: 99_000, 5 * NS_PER_MS: 1_000}))).judgement
        assert slow.verdict is Verdict.FAIL

    def test_m2g2_names_the_rate_that_is_missing(self) -> None:
        fast = run_of(record({500_000: 10**6}))
        rates = {OPERATIONS_PER_S: RateBounds(1.2e6, 1.3e6), DISK_BYTES_PER_S: RateBounds(1.1e9, 1.1e9)}
        found = judged(M2G2_1, replace(fast, rates=rates)).judgement
        assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.METADATA)
        assert "network_bits_per_s" in found.reason_text
        whole = {**rates, NETWORK_BITS_PER_S: RateBounds(2e9, 2e9)}
        assert judged(M2G2_1, replace(fast, rates=whole)).judgement.verdict is Verdict.PASS
        around = {**whole, OPERATIONS_PER_S: RateBounds(0.9e6, 1.1e6)}
        assert judged(M2G2_1, replace(fast, rates=around)).judgement.reason is Reason.RESOLUTION
        at = {**whole, OPERATIONS_PER_S: RateBounds(1e6, 1e6)}
        assert judged(M2G2_1, replace(fast, rates=at)).judgement.verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        ("quantity", "rate", "text"),
        [
            (OPERATIONS_PER_S, 999.0, "999/s"),
            (OPERATIONS_PER_S, 1_000.0, "1 thousand/s"),
            (OPERATIONS_PER_S, 1e6, "1 million/s"),
            (DISK_BYTES_PER_S, 3.1e9, "3.1 GB/s"),
            (NETWORK_BITS_PER_S, 1e3, "1 kbit/s"),
        ],
    )
    def test_rates_in_words(self, quantity: str, rate: float, text: str) -> None:
        assert rate_text(quantity, rate) == text

    def test_every_operation_must_keep_it(self) -> None:
        reads = OperationEvidence("read", "response", record({500_000: 10**6}))
        writes = OperationEvidence("write", "response", record({2 * NS_PER_MS: 10**5}))
        found = judged(M2G2_1, RunEvidence((reads, writes)))
        assert found.judgement.verdict is Verdict.FAIL
        assert {row["operation"] for row in found.rows() if row["kind"] == "percentile"} == {"read", "write"}
        assert judged(M2G2_1, RunEvidence((writes, reads))).document() == found.document()

    def test_a_rule_set_has_no_bounds_of_one_of_its_parts(self) -> None:
        slow = OperationEvidence("read", "response", record({2 * NS_PER_MS: 10**6}))
        rules, part = judged(M2G2_1, RunEvidence((slow,))).summary(), {"lower": None, "upper": None}
        assert rules["observed"] == rules["proven"] == {"verdict": "FAIL", **part}
        assert rules["criteria"][1]["observed"] == {"verdict": "FAIL", "lower": 0.0, "upper": 0.0}

    @pytest.mark.parametrize("rate", [(-1.0, 1.0), (2.0, 1.0), (0.0, float("nan")), (0.0, float("inf"))])
    def test_rates_that_cannot_be_are_refused(self, rate: tuple[float, float]) -> None:
        with pytest.raises(EvidenceInvalid):
            RateBounds(*rate)


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda one: one.name)
@pytest.mark.parametrize("what", ["nothing", "pooled", "pieces"])
def test_both_forms_are_strict_json(budget: Any, what: str) -> None:
    evidence = {
        "nothing": RunEvidence(()),
        "pooled": run_of(record({NS_PER_MS: 1000})),
        "pieces": run_of([record({NS_PER_MS: 20_000}) for _ in range(4)]),
    }[what]
    found = judged(budget, evidence)
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    summary = json.loads(json.dumps(found.summary(), allow_nan=False))
    assert {
        "budget",
        "kind",
        "verdict",
        "reason",
        "reason_text",
        "decided_by",
        "stage",
        "provisional",
    } <= set(document)
    assert {"method_version", "data_through_ns", "exceedance", "transaction"} <= set(document)
    assert {
        "p_lower",
        "p_estimate",
        "p_upper",
        "room_ms",
        "n_guaranteed",
        "n_possible",
        "models",
        "rows",
    } <= set(summary)
    assert set(summary["models"]) == {"independent", "interval_mixture", "measured", "worst_case"}

"""The one entry: every kind of budget, every kind of evidence, and what is said of what is missing."""

import gc
import json
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.document import distributions_of
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout, Pow2Layout
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.assessment import BudgetAssessment
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
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    EvidenceInvalid,
    OperationEvidence,
    RateBounds,
    RunEvidence,
)
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Reason, Strength, Verdict

BINS = 1 << 12
LAYOUT = HdrLayout()
MODEST = settings(deadline=None, max_examples=25)


def record(amounts: dict[int, int], misses: int = 0) -> LatencyDist:
    """Latencies in ns and how often each was seen, in fine buckets."""
    at = np.array(sorted(amounts), dtype=np.int64)
    counts = Counts(LAYOUT.index_of(at // 1000), np.array([amounts[int(one)] for one in at], np.int64))
    return LatencyDist(LAYOUT, counts, misses=Misses(errors=misses))


def explicit(edges: Sequence[int], counts: Sequence[int], *, open_ended: bool = False) -> LatencyDist:
    layout = ExplicitLayout(tuple(edges), open_ended)
    return LatencyDist(layout, Counts(np.arange(len(counts)), np.array(counts, np.int64)))


def course(pieces: Sequence[LatencyDist], piece_ns: int = 10 * NS_PER_S) -> IntervalRecords:
    return IntervalRecords.of(pieces, [i * piece_ns for i in range(len(pieces))], [piece_ns for _ in pieces])


def run_of(
    one: LatencyRecord | Sequence[LatencyDist], *, operation: str = "read", **more: Any
) -> RunEvidence:
    """A run with one operation; a sequence is its course over time."""
    if isinstance(one, Sequence):
        intervals = course(one)
        found = OperationEvidence(
            operation, "response", intervals.total(), intervals, measured_ns=intervals.end_ns, **more
        )
    else:
        found = OperationEvidence(operation, "response", one, **more)
    return RunEvidence((found,))


def published(**document: Any) -> LatencyRecord:
    (found,) = distributions_of(document)
    return found.record


def judged(budget: Any, evidence: RunEvidence) -> BudgetAssessment:
    return judge_budget(budget, evidence, bins=BINS)


class TestQuotable:
    @pytest.mark.parametrize("bins", [BINS, 1 << 17])
    def test_a_drive_exactly_at_the_act_limits_is_guaranteed_77_9_percent(self, bins: int) -> None:
        edges = (0, NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS)
        drive = explicit(edges, [950_000, 40_000, 9_000, 1_000], open_ended=True)
        found = judge_budget(FRAUD_250_SEQUENTIAL_1, run_of(drive), bins=bins)
        summary = found.summary()
        assert found.judgement.verdict is Verdict.INDETERMINATE
        assert found.judgement.reason is Reason.RESOLUTION
        assert summary["p_lower"] == pytest.approx(0.7787, abs=5e-5)
        assert summary["p_upper"] > 0.999
        assert "bucket edges from 64 ms to 1 s" in summary["decided_by"]


class TestMixture:
    def test_slow_minutes_are_not_averaged_away(self) -> None:
        """docs/method.md 1.5: 90 % of the time 1 ms and 10 % 5 ms; pooled, no transaction would be in
        time.
        """
        # A tenth of the reads lies in slow pieces.
        pieces = [record({5 * NS_PER_MS if i % 10 == 9 else NS_PER_MS - 1: 20_000}) for i in range(60)]
        summary = judged(FRAUD_250_SEQUENTIAL_1, run_of(pieces)).summary()
        assert summary["p_estimate"] == pytest.approx(0.9, abs=1e-6)
        assert summary["models"]["independent"]["p_upper"] > 0.999
        assert summary["models"]["interval_mixture"]["piece_count"] == 60
        assert summary["verdict"] == "FAIL"

    def test_parallel_reads_are_not_judged_by_the_pool_of_all_pieces(self) -> None:
        """Mixture exceedance 0.114 where the pooled law says 0.239."""
        edges, budget = (0, NS_PER_S, 2 * NS_PER_S), FRAUD_250_PARALLEL_1
        calm, rough = explicit(edges, [999_900, 100]), explicit(edges, [990_000, 10_000])
        summary = judged(budget, run_of([rough if i % 10 == 5 else calm for i in range(40)])).summary()
        assert 1.0 - summary["p_estimate"] == pytest.approx(0.9 * 0.0247 + 0.1 * 0.9189, abs=2e-4)
        assert 1.0 - summary["models"]["independent"]["p_estimate"] == pytest.approx(0.239, abs=1e-3)

    def test_pieces_with_few_operations_are_joined(self) -> None:
        """One slow read in a piece of 100 is no slow piece."""
        pieces = [
            record({NS_PER_MS: 99 + (i % 10 != 0), 500 * NS_PER_MS: int(i % 10 == 0)}) for i in range(400)
        ]
        summary = judged(FRAUD_250_PARALLEL_1, run_of(pieces)).summary()
        assert summary["models"]["interval_mixture"]["piece_count"] == 4
        few = judged(FRAUD_250_PARALLEL_1, run_of(pieces[:50])).summary()
        assert few["models"]["interval_mixture"] is None
        assert few["models"]["independent"] is not None

    def test_operations_outside_of_all_pieces_are_unknown(self) -> None:
        pieces = [record({NS_PER_MS: 20_000}) for _ in range(40)]
        intervals = course(pieces)
        whole = record({NS_PER_MS: 1_600_000})
        one = OperationEvidence("read", "response", whole, intervals, measured_ns=intervals.end_ns)
        summary = judged(FRAUD_250_SEQUENTIAL_1, RunEvidence((one,))).summary()
        assert summary["p_lower"] == pytest.approx(0.5, abs=1e-6)
        assert summary["p_upper"] == pytest.approx(1.0)

    def test_room_and_count_are_the_mixtures(self) -> None:
        pieces = [record({5 * NS_PER_MS if i % 10 == 9 else NS_PER_MS: 20_000}) for i in range(60)]
        summary = judged(FRAUD_250_SEQUENTIAL_1, run_of(pieces)).summary()
        assert summary["n_possible"] <= 200
        assert summary["n_guaranteed"] <= summary["n_possible"]
        assert summary["room_ms"]["upper"] <= 0.0

    def test_many_pieces_are_not_averaged_for_the_search(self) -> None:
        """Every tenth piece of a long run is slow: room and count are those of the slow pieces."""
        slow, fast = record({3 * NS_PER_MS: 20_000}), record({NS_PER_MS: 20_000})
        pieces = [slow if i % 10 == 9 else fast for i in range(300)]
        found = judge_budget(FRAUD_250_SEQUENTIAL_1, run_of(pieces), bins=1 << 16).summary()
        assert found["room_ms"]["upper"] <= 260.0
        assert found["room_ms"]["lower"] >= 200.0
        assert found["n_guaranteed"] <= found["n_possible"] <= 340
        assert found["n_guaranteed"] >= 300


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

    def test_the_named_number_of_reads_proves_it(self) -> None:
        few = judged(FRAUD_250_PARALLEL_1, run_of(record({NS_PER_MS: 60_000}))).judgement
        assert (few.verdict, few.strength) == (Verdict.PASS, Strength.OBSERVED)
        assert few.decided_by == "750,000 reads like these"
        # The text is rounded up; the exact amount proves it already.
        more = judged(FRAUD_250_PARALLEL_1, run_of(record({NS_PER_MS: 748_750}))).judgement
        assert (more.verdict, more.strength) == (Verdict.PASS, Strength.PROVEN)

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


class TestPlans:
    def test_stages_of_different_operations_are_added_up(self) -> None:
        plan = Plan(
            (Stage("read", 100), Stage("write", 10, 10, Scheduling.PARALLEL, overhead_ns=50 * NS_PER_MS))
        )
        budget = TransactionBudget("two-stages", 1, "", "", plan, 200 * NS_PER_MS, 0.99)
        reads = OperationEvidence("read", "response", record({NS_PER_MS: 10**7}))
        writes = OperationEvidence("write", "response", record({20 * NS_PER_MS: 10**7}))
        found = judged(budget, RunEvidence((reads, writes)))
        assert found.judgement.verdict is Verdict.PASS
        assert found.summary()["n_guaranteed"] is None
        tight = judged(replace(budget, window_ns=120 * NS_PER_MS), RunEvidence((reads, writes)))
        assert tight.judgement.verdict is Verdict.FAIL

    @pytest.mark.parametrize("scheduling", [Scheduling.POOL, Scheduling.WAVES])
    def test_fan_out_helps(self, scheduling: Scheduling) -> None:
        reads = run_of(record({10 * NS_PER_MS: 10**7}))
        assert judged(FRAUD_250_SEQUENTIAL_1, reads).judgement.verdict is Verdict.FAIL
        plan = Plan((Stage("read", 250, 10, scheduling),))
        assert judged(replace(FRAUD_250_SEQUENTIAL_1, plan=plan), reads).judgement.verdict is Verdict.PASS

    def test_measured_transactions_answer_for_plans_that_they_dominate(self) -> None:
        whole = OperationEvidence(
            TRANSACTION, "response", record({50 * NS_PER_MS: 5_000}), issued=Plan.sequential("read", 250)
        )
        evidence = RunEvidence((whole,))
        found = judged(FRAUD_250_SEQUENTIAL_1, evidence)
        assert found.judgement.verdict is Verdict.PASS
        assert found.summary()["evidence"] == "measured"
        at_once = judged(FRAUD_250_PARALLEL_1, evidence)
        assert at_once.judgement.verdict is Verdict.PASS
        assert "measured transactions of 250 reads" in at_once.judgement.reason_text
        fewer = replace(FRAUD_250_SEQUENTIAL_1, plan=Plan.sequential("read", 180))
        assert judged(fewer, evidence).summary()["evidence"] == "measured"
        assert judged(fewer, evidence).judgement.verdict is Verdict.PASS
        more = replace(FRAUD_250_SEQUENTIAL_1, plan=Plan.sequential("read", 251))
        assert judged(more, evidence).judgement.verdict is Verdict.INDETERMINATE


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

    def test_hours_without_an_edge_at_the_limit_leave_it_open(self) -> None:
        wide = explicit((0, NS_PER_MS // 2, 2 * NS_PER_MS), [90_000, 10_000])
        intervals = course([wide] * 24, NS_PER_HOUR)
        one = OperationEvidence("read", "service", intervals.total(), intervals, measured_ns=intervals.end_ns)
        found = judged(ACT_PERFORMANCE_1, RunEvidence((one,))).judgement
        assert (found.reason, found.decided_by) == (
            Reason.RESOLUTION,
            "an exact counter or a bucket edge at 1 ms",
        )

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

    def test_every_operation_must_keep_it(self) -> None:
        reads = OperationEvidence("read", "response", record({500_000: 10**6}))
        writes = OperationEvidence("write", "response", record({2 * NS_PER_MS: 10**5}))
        found = judged(M2G2_1, RunEvidence((reads, writes)))
        assert found.judgement.verdict is Verdict.FAIL
        assert {row["operation"] for row in found.rows() if row["kind"] == "percentile"} == {"read", "write"}

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


_RANK = {Verdict.FAIL: 0, Verdict.INDETERMINATE: 1, Verdict.PASS: 2}
_AMOUNTS = st.dictionaries(
    st.sampled_from([50_000, 400_000, 1_500_000, 4_000_000, 20_000_000, 300_000_000]),
    st.integers(1, 3_000_000),
    min_size=1,
    max_size=4,
)


def rank(budget: TransactionBudget, evidence: RunEvidence) -> int:
    return _RANK[judge_budget(budget, evidence, bins=1 << 11).judgement.verdict]


class TestMonotone:
    @MODEST
    @given(_AMOUNTS, st.integers(10, 900), st.integers(10, 900))
    def test_a_wider_window_never_turns_pass_into_fail(
        self, amounts: dict[int, int], first_ms: int, second_ms: int
    ) -> None:
        evidence = run_of(record(amounts))
        narrow, wide = (
            rank(replace(FRAUD_250_SEQUENTIAL_1, window_ns=at * NS_PER_MS), evidence)
            for at in sorted((first_ms, second_ms))
        )
        assert not (narrow == 2 and wide == 0)

    @MODEST
    @given(_AMOUNTS, st.floats(0.5, 0.9999), st.floats(0.5, 0.9999))
    def test_a_lower_objective_never_turns_pass_into_fail(
        self, amounts: dict[int, int], one: float, other: float
    ) -> None:
        evidence = run_of(record(amounts))
        low, high = sorted((one, other))
        strict = rank(replace(FRAUD_250_PARALLEL_1, objective_ratio=high), evidence)
        mild = rank(replace(FRAUD_250_PARALLEL_1, objective_ratio=low), evidence)
        assert mild >= strict

    @MODEST
    @given(_AMOUNTS, st.integers(1, 400), st.integers(1, 400))
    def test_more_reads_never_turn_fail_into_pass(
        self, amounts: dict[int, int], one: int, other: int
    ) -> None:
        evidence = run_of(record(amounts))
        few, many = (
            rank(replace(FRAUD_250_SEQUENTIAL_1, plan=Plan.sequential("read", count)), evidence)
            for count in sorted((one, other))
        )
        assert not (few == 0 and many == 2)

    @MODEST
    @given(_AMOUNTS)
    def test_coarser_buckets_never_decide_otherwise(self, amounts: dict[int, int]) -> None:
        fine = record(amounts)
        edges = (0, *(1 << power for power in range(15, 40)))
        held, _ = np.histogram(list(amounts), edges, weights=list(amounts.values()))
        coarse = explicit(edges, held.astype(int).tolist())
        exact = rank(FRAUD_250_SEQUENTIAL_1, run_of(fine))
        vague = rank(FRAUD_250_SEQUENTIAL_1, run_of(coarse))
        assert 1 in (vague, exact) or vague == exact

    @MODEST
    @given(_AMOUNTS, st.integers(1, 100_000))
    def test_misses_never_help(self, amounts: dict[int, int], misses: int) -> None:
        without = rank(FRAUD_250_PARALLEL_1, run_of(record(amounts)))
        with_misses = rank(FRAUD_250_PARALLEL_1, run_of(record(amounts, misses)))
        assert not (without == 0 and with_misses == 2)

    @MODEST
    @given(_AMOUNTS)
    def test_the_same_evidence_gives_the_same_bytes(self, amounts: dict[int, int]) -> None:
        pieces = [record(amounts) for _ in range(5)]
        first, second = (judged(FRAUD_250_SEQUENTIAL_1, run_of(pieces)).document() for _ in range(2))
        assert json.dumps(first) == json.dumps(second)

    @MODEST
    @given(_AMOUNTS, _AMOUNTS)
    def test_bounds_are_in_order(self, one: dict[int, int], other: dict[int, int]) -> None:
        summary = judged(FRAUD_250_SEQUENTIAL_1, run_of([record(one), record(other)] * 3)).summary()
        assert 0.0 <= summary["p_lower_confident"] <= summary["p_lower"] <= summary["p_estimate"]
        assert summary["p_estimate"] <= summary["p_upper"] <= summary["p_upper_confident"] <= 1.0
        room = summary["room_ms"]
        assert room["lower"] is None or room["lower"] <= room["upper"]
        assert summary["n_possible"] is None or summary["n_guaranteed"] <= summary["n_possible"]


@pytest.mark.parametrize("pieces", [1, 3])
def test_the_sums_behind_an_answer_end_with_it(pieces: int) -> None:
    """They take up to 50 MB, so a list of answers must not wait for a collection of garbage."""
    evidence = run_of([record({NS_PER_MS: 40_000, 9 * NS_PER_MS: 400})] * pieces)
    gc.disable()
    try:
        assessment = judge_budget(FRAUD_250_SEQUENTIAL_1, evidence, bins=BINS)
        assert assessment.transaction is not None
        assert assessment.transaction.model is not None
        assessment.summary()
        model = weakref.ref(assessment.transaction.model.default)
        assert model() is not None
        del assessment
        assert model() is None
    finally:
        gc.enable()

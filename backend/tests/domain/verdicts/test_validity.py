"""Slices in doubt: which they are, and that they never prove a FAIL, whatever is asked."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from backend.tests.domain.verdicts.judging import LAYOUT, judged
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import (
    ACT_LIMITS_1,
    ACT_PERFORMANCE_1,
    FRAUD_250_SEQUENTIAL_1,
)
from tailroom.domain.verdicts.budget_kinds import Budget, PercentileBudget, QuantileLimit, RuleSet
from tailroom.domain.verdicts.compaction import compact_evidence
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence, with_reliability
from tailroom.domain.verdicts.validity import (
    Validity,
    confirm_fail,
    late_limit_of_question,
    unreliable_slices,
    unreliable_slices_of,
)
from tailroom.domain.verdicts.verdict import Judgement, Reason, Scope, Strength, Verdict, combined

PINS = (NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS)
LATE_NS = 2_300_000
P99_9_UNDER_8_MS = PercentileBudget(
    name="p999",
    version=1,
    title="",
    question="",
    operation="read",
    limits=(QuantileLimit(0.999, 8 * NS_PER_MS),),
)


def piece(quick: int, slow: int, errors: int = 0, slow_ns: int = 20 * NS_PER_MS) -> LatencyDist:
    """Some reads of 0.4 ms and some that are slow."""
    at = np.array([400, slow_ns // 1000])
    amounts = np.array([quick, slow], np.int64)
    filled = amounts > 0
    return LatencyDist(
        LAYOUT,
        Counts(LAYOUT.index_of(at)[filled], amounts[filled]),
        pins={limit: slow if limit <= slow_ns else 0 for limit in PINS},
        misses=Misses(errors=errors),
    )


def course(
    pieces: Sequence[LatencyDist],
    late: Collection[int] = (),
    busy: Collection[int] = (),
    piece_ns: int = 10 * NS_PER_S,
    late_ns: int = LATE_NS,
) -> IntervalRecords:
    """Pieces one after another; nothing is noted of those that are neither late nor busy."""
    size = len(pieces)
    records = IntervalRecords.of(pieces, np.arange(size) * piece_ns, np.full(size, piece_ns))
    return replace(
        records,
        optional_columns={
            "lateness_p99_ns": np.array([late_ns if i in late else UNKNOWN for i in range(size)], np.int64),
            "busy_ns": np.array([piece_ns * 3 // 4 if i in busy else UNKNOWN for i in range(size)], np.int64),
        },
    )


def run_of(intervals: IntervalRecords, operation: str = "read", **more: Any) -> RunEvidence:
    one = OperationEvidence(
        operation, "response", intervals.total(), intervals, measured_ns=intervals.end_ns, **more
    )
    return RunEvidence((with_reliability(one),))


class TestGates:
    def test_a_tenth_of_the_smallest_threshold_is_not_late_and_more_is(self) -> None:
        lateness = np.array([UNKNOWN, 0, 100_000, 100_001, 1 << 62])
        found = unreliable_slices(lateness, np.full(5, UNKNOWN), np.full(5, NS_PER_S), 100_000)
        assert found.late.tolist() == [False, False, False, True, True]
        assert not found.busy.any()
        assert found.busy_ppm.tolist() == [UNKNOWN] * 5

    def test_without_a_threshold_nothing_is_late(self) -> None:
        found = unreliable_slices(np.array([1 << 62]), np.array([0]), np.array([NS_PER_S]), None)
        assert not found.any.any()

    def test_seven_tenths_of_the_time_are_not_busy_and_more_is(self) -> None:
        busy = np.array([UNKNOWN, 0, 7, 8, 700_000_000, 700_000_001, 1 << 61, 5])
        length = np.array([10, 10, 10, 10, NS_PER_S, NS_PER_S, 1 << 61, 0])
        found = unreliable_slices(np.full(8, UNKNOWN), busy, length, 100_000)
        assert found.busy.tolist() == [False, False, False, True, False, True, True, False]
        assert found.busy_ppm.tolist() == [UNKNOWN, 0, 700_000, 800_000, 700_000, 700_000, 1_000_000, UNKNOWN]

    def test_pieces_that_are_added_up_are_as_doubtful_as_the_worst_of_them(self) -> None:
        records = course([piece(10, 0)] * 6, late={1}, busy={4})
        pairs = records.grouped(np.array([0, 0, 1, 1, 2, 2]))
        assert unreliable_slices_of(pairs, 100_000).late.tolist() == [True, False, False]
        assert unreliable_slices_of(pairs, 100_000).busy.tolist() == [False, False, True]
        assert pairs.busy_ns.tolist() == [UNKNOWN, UNKNOWN, 15 * NS_PER_S]


class TestFail:
    """Every other piece is so slow that the run misses the limits; with these in doubt nothing is left."""

    pieces = (piece(20_000, 0), piece(10_000, 10_000)) * 30
    slow = frozenset(range(1, 60, 2))

    @pytest.mark.parametrize(
        ("budget", "limit_ns"),
        [(ACT_LIMITS_1, 100_000), (P99_9_UNDER_8_MS, 500_000), (FRAUD_250_SEQUENTIAL_1, 200_000)],
    )
    def test_it_is_one_as_long_as_nothing_is_in_doubt(self, budget: Budget, limit_ns: int) -> None:
        found = judged(budget, run_of(course(self.pieces)))
        assert found.judgement.verdict is Verdict.FAIL
        assert found.validity is not None
        assert found.document()["validity"] == {
            "slices": 60,
            "doubtful": 0,
            "late": 0,
            "busy": 0,
            "lateness_p99_ns": None,
            "busy_ratio": None,
            "late_limit_ns": limit_ns,
            "is_known": False,
        }

    @pytest.mark.parametrize(
        ("budget", "limit"),
        [(ACT_LIMITS_1, "100 µs"), (P99_9_UNDER_8_MS, "500 µs"), (FRAUD_250_SEQUENTIAL_1, "200 µs")],
    )
    def test_it_is_none_when_it_needs_unreliable_slices(self, budget: Budget, limit: str) -> None:
        found = judged(budget, run_of(course(self.pieces, late=self.slow)))
        assert found.judgement.verdict is Verdict.INDETERMINATE
        assert found.judgement.reason is Reason.GENERATOR
        assert found.judgement.reason_text == (
            f"30 of 60 slices are unreliable: the load generator began 1 % of operations over {limit} late "
            "(largest 2.3 ms); without them this is no FAIL"
        )
        assert found.judgement.decided_by == (
            f"a run whose load generator begins 99 % of operations at most {limit} late in every slice"
        )
        assert not [row for row in found.rows() if row["verdict"] == "FAIL"]
        assert found.document()["validity"]["doubtful"] == 30

    def test_a_busy_generator_is_named_too(self) -> None:
        found = judged(ACT_LIMITS_1, run_of(course(self.pieces, late={1}, busy=self.slow)))
        assert "30 of 60 slices are unreliable" in found.judgement.reason_text
        assert "its busiest thread used more than 70 % (largest 75 %)" in (found.judgement.reason_text)
        document = found.document()["validity"]
        assert (document["late"], document["busy"], document["doubtful"]) == (1, 30, 30)
        assert document["busy_ratio"] == pytest.approx(0.75)

    @pytest.mark.parametrize("budget", [ACT_LIMITS_1, P99_9_UNDER_8_MS, FRAUD_250_SEQUENTIAL_1])
    def test_it_stands_where_it_does_not_need_them(self, budget: Budget) -> None:
        recorded = judged(budget, run_of(course(self.pieces)))
        found = judged(budget, run_of(course(self.pieces, late={0, 1, 2}, busy={4})))
        assert recorded.judgement.verdict is Verdict.FAIL
        assert found.judgement.verdict is Verdict.FAIL
        assert [row["verdict"] for row in found.rows()] == [row["verdict"] for row in recorded.rows()]

    def test_errors_are_not_the_fault_of_a_late_generator(self) -> None:
        pieces = [piece(1_000, 0, errors=100)] * 20
        found = judged(ACT_LIMITS_1, run_of(course(pieces, late=range(20))))
        assert found.judgement.verdict is Verdict.FAIL

    def test_operations_without_a_result_may_be(self) -> None:
        pieces = [*[piece(1_000, 0)] * 19, replace(piece(1_000, 0), misses=Misses(unfinished=5_000))]
        assert judged(ACT_LIMITS_1, run_of(course(pieces))).judgement.verdict is Verdict.FAIL
        found = judged(ACT_LIMITS_1, run_of(course(pieces, late={19})))
        assert found.judgement.reason is Reason.GENERATOR

    def test_it_stands_in_a_set_of_rules_where_one_of_them_stands(self) -> None:
        rules = RuleSet("both", 1, "", "", (ACT_LIMITS_1, P99_9_UNDER_8_MS))
        found = judged(rules, run_of(course(self.pieces, late=self.slow)))
        assert found.judgement.reason is Reason.GENERATOR
        assert found.document()["validity"]["doubtful"] == 30
        # The others are slow enough for the percentile, not for the limits.
        some = (piece(20_000, 100), piece(10_000, 10_000)) * 30
        half = judged(rules, run_of(course(some, late=self.slow)))
        assert [one.judgement.reason for one in half.criteria] == [Reason.GENERATOR, None]
        assert half.judgement == half.criteria[1].judgement
        assert half.judgement.verdict is Verdict.FAIL


class TestOtherEvidence:
    def test_measured_transactions_obey_the_same_rule(self) -> None:
        pieces = [piece(400, 0), piece(200, 200, slow_ns=2 * NS_PER_S)] * 10
        more = {"issued": Plan.sequential("read", 250)}
        recorded = judged(FRAUD_250_SEQUENTIAL_1, run_of(course(pieces), TRANSACTION, **more))
        assert recorded.judgement.verdict is Verdict.FAIL
        late = course(pieces, late=range(1, 20, 2), late_ns=200 * NS_PER_MS)
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(late, TRANSACTION, **more))
        assert found.judgement.reason is Reason.GENERATOR
        assert found.transaction is not None
        assert found.transaction.judgement == found.judgement

    def test_an_hour_fails_without_its_pieces_in_doubt_or_not_at_all(self) -> None:
        minutes = [piece(1_000, 0)] * 59 + [piece(0, 12_000)]
        minute_ns = NS_PER_HOUR // 60
        pieces = minutes * 3
        assert (
            judged(ACT_PERFORMANCE_1, run_of(course(pieces, piece_ns=minute_ns))).judgement.verdict
            is Verdict.FAIL
        )
        one_left = judged(ACT_PERFORMANCE_1, run_of(course(pieces, late={59, 119}, piece_ns=minute_ns)))
        assert one_left.judgement.verdict is Verdict.FAIL
        none_left = judged(ACT_PERFORMANCE_1, run_of(course(pieces, late={59, 119, 179}, piece_ns=minute_ns)))
        assert none_left.judgement.reason is Reason.GENERATOR
        assert none_left.limits is not None
        assert none_left.limits.certification == none_left.judgement

    def test_a_certification_that_does_not_decide_fails_no_more_than_one_that_does(self) -> None:
        assert ACT_PERFORMANCE_1.certification is not None
        beside = replace(
            ACT_PERFORMANCE_1, certification=replace(ACT_PERFORMANCE_1.certification, decides=False)
        )
        # One bad hour of ten: the whole run keeps the limits.
        pieces = [piece(1_000, 0)] * 599 + [piece(1_000, 5_000)]
        minute_ns = NS_PER_HOUR // 60
        recorded = judged(beside, run_of(course(pieces, piece_ns=minute_ns)))
        assert recorded.limits is not None
        assert recorded.limits.certification is not None
        assert recorded.judgement.verdict is not Verdict.FAIL
        assert recorded.limits.certification.verdict is Verdict.FAIL
        found = judged(beside, run_of(course(pieces, late={599}, piece_ns=minute_ns)))
        assert found.limits is not None
        assert found.limits.certification is not None
        assert found.limits.certification.reason is Reason.GENERATOR

    def test_a_pass_stands_however_much_is_in_doubt(self) -> None:
        pieces = [piece(50_000, 0)] * 20
        budgets: tuple[Budget, ...] = (ACT_LIMITS_1, P99_9_UNDER_8_MS, FRAUD_250_SEQUENTIAL_1)
        for budget in budgets:
            found = judged(budget, run_of(course(pieces, late=range(20), busy=range(20))))
            assert found.judgement.verdict is Verdict.PASS


COURSES = st.lists(
    st.tuples(st.integers(50, 2_000), st.integers(0, 120), st.sampled_from([0, 0, 0, 30])),
    min_size=2,
    max_size=25,
)


class TestProperties:
    @given(COURSES, st.data())
    @settings(deadline=None, max_examples=60)
    def test_doubt_only_ever_takes_a_fail_away(
        self, pieces: list[tuple[int, int, int]], data: st.DataObject
    ) -> None:
        dists = [piece(*one) for one in pieces]
        positions = st.sets(st.integers(0, len(pieces) - 1))
        few, more = data.draw(positions), data.draw(positions)
        budgets: list[Budget] = [ACT_LIMITS_1, P99_9_UNDER_8_MS]
        budget = data.draw(st.sampled_from(budgets))
        recorded = judged(budget, run_of(course(dists))).judgement
        some = judged(budget, run_of(course(dists, late=few))).judgement
        most = judged(budget, run_of(course(dists, late=few, busy=more))).judgement
        for found in (some, most):
            if found.verdict is not recorded.verdict:
                assert recorded.verdict is Verdict.FAIL
                assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.GENERATOR)
        if most.verdict is Verdict.FAIL:
            assert some.verdict is Verdict.FAIL

    @given(COURSES, st.data())
    @settings(deadline=None, max_examples=15)
    def test_nor_does_it_do_more_to_transactions(
        self, pieces: list[tuple[int, int, int]], data: st.DataObject
    ) -> None:
        dists = [piece(100 * quick, slow, errors) for quick, slow, errors in pieces]
        doubtful = data.draw(st.sets(st.integers(0, len(pieces) - 1)))
        recorded = judged(FRAUD_250_SEQUENTIAL_1, run_of(course(dists))).judgement
        found = judged(FRAUD_250_SEQUENTIAL_1, run_of(course(dists, late=doubtful))).judgement
        if found.verdict is not recorded.verdict:
            assert recorded.verdict is Verdict.FAIL
            assert (found.verdict, found.reason) == (Verdict.INDETERMINATE, Reason.GENERATOR)


class TestLimitOfTheQuestion:
    """How late a slice may be follows from what is asked: a tenth of the smallest threshold."""

    pieces = TestFail.pieces
    slow = TestFail.slow

    @pytest.mark.parametrize(
        ("threshold_ns", "limit_ns"),
        [(NS_PER_MS, 100_000), (20 * NS_PER_MS, 2 * NS_PER_MS), (4 * NS_PER_MS, 200_000), (7, 1)],
    )
    def test_it_is_a_tenth_rounded_down(self, threshold_ns: int, limit_ns: int) -> None:
        assert late_limit_of_question(threshold_ns) == limit_ns

    def test_compact_evidence_answers_where_the_counts_change_at_the_limit_of_the_record(self) -> None:
        """Two slices late by 70 µs count by a limit of 50 µs, and not by the record's own of 100 µs or by
        200 µs.
        """
        pieces = (piece(10_000, 10_000),) * 60
        intervals = course(pieces, late=range(2, 60))
        lateness_ns = intervals.lateness_p99_ns.copy()
        lateness_ns[:2] = 70_000
        lateness_ns[2:] = 900_000
        whole = run_of(
            replace(
                intervals, optional_columns={**intervals.optional_columns, "lateness_p99_ns": lateness_ns}
            )
        )
        compact = compact_evidence(whole, (("read",),))
        for window_ms in (100, 250, 500, 1_000, 2_000):
            budget = replace(FRAUD_250_SEQUENTIAL_1, window_ns=window_ms * NS_PER_MS)
            assert judged(budget, compact).judgement.verdict is judged(budget, whole).judgement.verdict

    @pytest.mark.parametrize("form", [lambda run: run, lambda run: compact_evidence(run, (("read",),))])
    def test_lateness_that_a_long_threshold_tolerates_makes_no_slice_unreliable(
        self, form: Callable[[RunEvidence], RunEvidence]
    ) -> None:
        evidence = form(run_of(course(self.pieces, late=self.slow)))
        # Slices began 2.3 ms late: too late for 8 ms, and early enough for 25 ms.
        strict = PercentileBudget("strict", 1, "", "", "read", (QuantileLimit(0.999, 8 * NS_PER_MS),))
        mild = PercentileBudget("mild", 1, "", "", "read", (QuantileLimit(0.999, 50 * NS_PER_MS),))
        found = judged(strict, evidence)
        assert (found.judgement.verdict, found.judgement.reason) == (Verdict.INDETERMINATE, Reason.GENERATOR)
        assert found.validity is not None
        assert found.validity.late_limit_ns == 500_000
        tolerant = judged(mild, evidence)
        assert tolerant.validity is not None
        assert (tolerant.validity.late, tolerant.validity.late_limit_ns) == (0, 5 * NS_PER_MS)


def test_one_note_of_either_kind_is_knowledge() -> None:
    assert Validity(lateness_p99_ns=1).is_known
    assert Validity(busy_ratio=0.0).is_known
    assert not Validity(slices=3).is_known


def failing(strength: Strength, proven: Verdict) -> Judgement:
    return Judgement(
        Verdict.FAIL,
        None,
        "Too slow",
        None,
        strength=strength,
        observed=Scope(Verdict.FAIL),
        proven=Scope(proven),
    )


@pytest.mark.parametrize("at_best", [Verdict.FAIL, Verdict.INDETERMINATE])
def test_a_proof_that_rests_on_slices_in_doubt_is_taken_back_and_nothing_else(at_best: Verdict) -> None:
    validity = Validity(slices=4, late=1, doubtful=1, lateness_p99_ns=LATE_NS, late_limit_ns=100_000)
    proven = failing(Strength.PROVEN, Verdict.FAIL)
    found = confirm_fail(proven, failing(Strength.PROVEN, at_best), validity)
    if at_best is Verdict.FAIL:
        assert found == proven
    else:
        stands = (found.verdict, found.strength, found.unproven)
        assert stands == (Verdict.FAIL, Strength.OBSERVED, Reason.GENERATOR)
        assert found.reason_text == f"Too slow; {validity.text}"
        assert found.proven.verdict is Verdict.INDETERMINATE
    observed = failing(Strength.OBSERVED, Verdict.INDETERMINATE)
    assert confirm_fail(observed, failing(Strength.OBSERVED, Verdict.INDETERMINATE), validity) == observed


def test_all_demands_that_pass_pass_together_in_both_scopes() -> None:
    passing = Judgement(
        Verdict.PASS,
        None,
        "Quick",
        None,
        strength=Strength.PROVEN,
        observed=Scope(Verdict.PASS),
        proven=Scope(Verdict.PASS),
    )
    found = combined([passing, passing], "All limits hold")
    assert (found.verdict, found.reason_text) == (Verdict.PASS, "All limits hold")
    assert found.observed.verdict is found.proven.verdict is Verdict.PASS
    mixed = combined([passing, failing(Strength.OBSERVED, Verdict.INDETERMINATE)], "All limits hold")
    assert (mixed.verdict, mixed.observed.verdict) == (Verdict.FAIL, Verdict.FAIL)
    assert mixed.proven.verdict is Verdict.INDETERMINATE

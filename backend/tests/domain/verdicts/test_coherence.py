"""Laws of coherence as properties: random records, random questions, and easier ones (docs/method.md)."""

import numpy as np
import pytest
from backend.bench.coherence import (
    FULL_BINS,
    KINDS,
    QUICK_BINS,
    contradictions,
    doors,
    easier,
    evidence_of_kind,
    question,
    unenclosed,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.plan_bounds import PlanBounds
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.compaction import compact_evidence
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import sort_key
from tailroom.domain.verdicts.plan_groups import prepared
from tailroom.domain.verdicts.verdict import Strength, Verdict

FEW = settings(deadline=None, max_examples=4, derandomize=True)


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(seed=st.integers(0, 2**32 - 1))
def test_easier_questions_get_no_worse_answers(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    evidence = evidence_of_kind(kind, rng)
    for _ in range(3):
        asked = question(evidence, rng)
        hard = judge_budget(asked, evidence, bins=QUICK_BINS)
        related, other = easier(asked, rng)
        found = judge_budget(other, evidence, bins=QUICK_BINS)
        assert list(contradictions(hard, found, related)) == []
        assert list(doors(hard)) == []


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(seed=st.integers(0, 2**32 - 1))
def test_quick_answers_enclose_full_ones(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    evidence = evidence_of_kind(kind, rng)
    asked = question(evidence, rng)
    quick = judge_budget(asked, compact_evidence(evidence, (("read",),)), bins=QUICK_BINS)
    full = judge_budget(asked, evidence, bins=FULL_BINS)
    assert list(unenclosed(quick, full)) == []


def test_wider_buckets_that_hide_all_variance_are_no_narrower() -> None:
    """Two latencies that share a bucket of two digits: there every operation takes the same time."""
    layout = HdrLayout()
    pair = np.unique(layout.index_of(np.array([10_050, 10_111])))
    piece = LatencyDist(layout, Counts(pair, np.array([120, 11_880])))
    course = IntervalRecords.of([piece] * 6, [k * 10 * NS_PER_S for k in range(6)], [10 * NS_PER_S] * 6)
    read = OperationEvidence("read", "response", course.total(), course, measured_ns=course.end_ns)
    evidence = RunEvidence((read,), measured_ns=course.end_ns)
    wide = compact_evidence(evidence, (("read",),))
    # Steps of the grid are nearly half as long as a read: moments alone say something.
    plan = Plan.sequential("read", 300)
    asked = TransactionBudget("asked", 1, "", "", plan, 300 * 10_112_100, 0.5)
    quick, full = (judge_budget(asked, one, bins=QUICK_BINS) for one in (wide, evidence))
    assert quick.summary()["p_lower"] > 0.999
    assert list(unenclosed(quick, full)) == []
    groups = prepared({"read": read}).groups
    assert groups is not None
    assert (
        PlanBounds(groups.distributions, groups.weights, QUICK_BINS).lower(plan, asked.window_ns).max() < 0.99
    )


def test_a_proven_miss_never_stands_above_an_unknown() -> None:
    proven, observed = Strength.PROVEN, Strength.OBSERVED
    order = [
        sort_key(Verdict.PASS, proven, None, 0.999),
        sort_key(Verdict.PASS, observed, None, 0.9999),
        sort_key(Verdict.INDETERMINATE, None, 0.9, 0.5),
        sort_key(Verdict.INDETERMINATE, None, 0.1, 0.99),
        sort_key(Verdict.FAIL, observed, None, 0.9),
        sort_key(Verdict.FAIL, proven, None, 0.9999),
    ]
    shuffled = [order[place] for place in (3, 5, 0, 4, 2, 1)]
    assert sorted(shuffled) == order


def test_an_undecided_case_says_how_much_evidence_there_is() -> None:
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(12):
        evidence = evidence_of_kind("few", rng)
        found = judge_budget(question(evidence, rng), evidence, bins=QUICK_BINS).summary()
        assert (found["meter"] is None) == (found["strength"] == "proven")
        if found["meter"] is not None and found["meter"]["share"] is not None:
            seen += 1
            assert 0.0 <= found["meter"]["share"] < 1.0
            assert all(way["amount"] > 0.0 for way in found["meter"]["ways"])
    assert seen > 0

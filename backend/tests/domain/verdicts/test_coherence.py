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

from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import knowledge
from tailroom.domain.verdicts.verdict import Verdict

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
    quick = judge_budget(asked, evidence, bins=QUICK_BINS)
    full = judge_budget(asked, evidence, bins=FULL_BINS)
    assert list(unenclosed(quick, full)) == []


def test_a_proven_miss_never_stands_above_an_unknown() -> None:
    passed = knowledge(Verdict.PASS, None, 0.999)
    close, far = knowledge(Verdict.INDETERMINATE, 0.9, 0.5), knowledge(Verdict.INDETERMINATE, 0.1, 0.99)
    missed = knowledge(Verdict.FAIL, None, 0.9999)
    assert sorted([missed, far, passed, close]) == [passed, close, far, missed]


def test_an_undecided_case_says_how_much_evidence_there_is() -> None:
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(12):
        evidence = evidence_of_kind("few", rng)
        found = judge_budget(question(evidence, rng), evidence, bins=QUICK_BINS).summary()
        assert (found["meter"] is None) == (found["verdict"] != "INDETERMINATE")
        if found["meter"] is not None and found["meter"]["share"] is not None:
            seen += 1
            assert 0.0 <= found["meter"]["share"] < 1.0
            assert all(way["amount"] > 0.0 for way in found["meter"]["ways"])
    assert seen > 0

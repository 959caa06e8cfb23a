"""The bracket of a search: the results of `golden/load-search.json`, which the agent finds as well."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailroom.domain.rating.load_search import (
    BracketEffect,
    LateCounts,
    LoadBracket,
    LoadProbe,
    ProbeWord,
    bracket_of,
    effect_of,
    word_of_judgement,
)
from tailroom.domain.verdicts.verdict import Reason, Verdict, undecided

GOLDEN = Path(__file__).parents[4] / "docs" / "contracts" / "golden" / "load-search.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))


def probes_of(case: dict[str, Any]) -> list[LoadProbe]:
    return [
        LoadProbe.from_slices(
            probe["load"], ProbeWord(probe["word"]), [LateCounts(*piece) for piece in probe["slices"]]
        )
        for probe in case["probes"]
    ]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_bracket_is_that_of_the_agent(case: dict[str, Any]) -> None:
    bracket, expected = bracket_of(case["allowed_share"], probes_of(case)), case["result"]
    assert (bracket.passed_per_s, bracket.failed_per_s, bracket.limited_per_s) == (
        expected["passed"],
        expected["failed"],
        expected["limited"],
    )
    assert (bracket.surely_passed_per_s, bracket.surely_failed_per_s, bracket.is_repeated) == (
        expected["surely_passed"],
        expected["surely_failed"],
        expected["is_repeated"],
    )
    assert list(bracket.passes_above_failure) == expected["passes_above_failure"]
    changes = [
        {
            "load": change.load_per_s,
            "before": change.before,
            "before_followed": change.before_followed,
            "after": change.after,
            "after_followed": change.after_followed,
            "is_beyond_scatter": change.is_beyond_scatter,
        }
        for change in bracket.changes
    ]
    assert changes == expected["changes"]


def test_the_cases_hold_what_is_hard() -> None:
    brackets = [bracket_of(case["allowed_share"], probes_of(case)) for case in CASES]
    assert any(change.is_hysteresis for bracket in brackets for change in bracket.changes)
    assert any(bracket.limited_per_s is not None for bracket in brackets)
    assert any(bracket.failed_per_s and bracket.surely_failed_per_s is None for bracket in brackets)


def test_the_dispersion_of_two_slices_is_their_variance_over_that_of_independent_operations() -> None:
    slices = [LateCounts(10, 100), LateCounts(30, 100)]
    assert LoadProbe.from_slices(1_000.0, ProbeWord.PASS, slices).dispersion == 200.0 / (100 * 0.2 * 0.8)


@pytest.mark.parametrize(
    ("verdict", "reason", "word"),
    [
        (Verdict.PASS, None, ProbeWord.PASS),
        (Verdict.FAIL, Reason.GENERATOR, ProbeWord.FAIL),
        (Verdict.INDETERMINATE, Reason.GENERATOR, ProbeWord.LIMITED),
        (Verdict.INDETERMINATE, Reason.SAMPLES, None),
    ],
)
def test_the_word_of_a_verdict(verdict: Verdict, reason: Reason | None, word: ProbeWord | None) -> None:
    judgement = replace(undecided(Reason.SAMPLES, "", ""), verdict=verdict, reason=reason)
    assert word_of_judgement(judgement) is word


def test_late_counts_of_a_load_are_added_up_exactly() -> None:
    probes = [LoadProbe(1_000.0, ProbeWord.PASS, LateCounts(1, total), 1.0) for total in (10, 9)]
    assert bracket_of(0.1, probes).failed_per_s == 1_000.0
    assert bracket_of(2 / 19, probes).passed_per_s == 1_000.0


def test_brackets_differ_where_they_lie_wholly_apart() -> None:
    def stated(lower: float | None, upper: float | None) -> LoadBracket:
        return LoadBracket(surely_passed_per_s=lower, surely_failed_per_s=upper)

    earlier = stated(1_000.0, 1_100.0)
    assert effect_of(earlier, stated(800.0, 1_000.0)) is BracketEffect.LOWER
    assert effect_of(earlier, stated(None, 900.0)) is BracketEffect.LOWER
    assert effect_of(earlier, stated(1_100.0, None)) is BracketEffect.HIGHER
    for other in (stated(900.0, 1_001.0), stated(800.0, None), stated(None, None), earlier):
        assert effect_of(earlier, other) is BracketEffect.NOT_SHOWN

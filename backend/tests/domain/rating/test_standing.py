"""How well a row is confirmed: by equal tests on other drives of others, and by repeats."""

import pytest

from tailroom.domain.rating.standing import ConfirmingTest, LimitShare, Standing, standing_of
from tailroom.domain.verdicts.verdict import Verdict

LIMIT_RATIO = 0.05


def made(
    tester: str,
    serial: str | None,
    late_ratio: float = 0.01,
    verdict: Verdict = Verdict.PASS,
    samples: float | None = 480_000.0,
) -> ConfirmingTest:
    share = LimitShare(late_ratio, late_ratio, LIMIT_RATIO)
    return ConfirmingTest(tester, frozenset({serial} if serial else ()), 1.0, verdict, (share,), samples)


@pytest.mark.parametrize(
    ("other", "standing"),
    [
        (made("b", "y"), Standing.CONFIRMED),
        (made("b", "y", 0.0149), Standing.CONFIRMED),
        (made("b", "y", 0.0151), Standing.CONTRADICTED),
        (made("b", "y", 0.0151, samples=None), Standing.CONTRADICTED),
        (made("b", "y", 0.0151, samples=500.0), Standing.CONFIRMED),
        (made("b", "y", 0.06, Verdict.FAIL), Standing.CONTRADICTED),
        (made("b", "y", verdict=Verdict.INDETERMINATE), Standing.SELF_REPORTED),
        (made("b", "x"), Standing.SELF_REPORTED),
        (made("b", None), Standing.SELF_REPORTED),
        (made("a", "y"), Standing.SELF_REPORTED),
    ],
)
def test_another_organisation_confirms_on_another_drive(other: ConfirmingTest, standing: Standing) -> None:
    for tests in ([made("a", "x"), other], [other, made("a", "x")]):
        assert standing_of(tests, 1.0).standing is standing
        assert standing_of(tests, 2.0).standing in {Standing.SELF_REPORTED, Standing.CONTRADICTED}


def test_three_tests_of_one_tester_that_agree_are_repeated() -> None:
    alike = [made("a", "x") for _ in range(3)]
    found = standing_of(alike, 1.0)
    assert (found.standing, found.reason) == (
        Standing.REPEATED,
        "3 tests of one tester agree with each other.",
    )
    assert standing_of(alike[:2], 1.0).standing is Standing.SELF_REPORTED
    assert standing_of([*alike, made("a", "x", 0.03)], 1.0).standing is Standing.SELF_REPORTED
    assert standing_of([*alike[:2], made("b", "x")], 1.0).standing is Standing.SELF_REPORTED


def test_drives_differ_by_a_part_of_the_limit() -> None:
    found = standing_of([made("a", "x"), made("b", "y", 0.02), made("b", "z", 0.03)], 1.0)
    assert found.spread_ratio == pytest.approx((0.03 - 0.01) / LIMIT_RATIO)
    assert (found.tests, found.testers, found.serials) == (3, 2, 3)
    assert standing_of([made("a", "x"), made("b", "x", 0.02)], 1.0).spread_ratio is None

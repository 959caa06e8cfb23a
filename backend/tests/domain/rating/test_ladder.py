"""A ladder proves what its final verdicts prove, and nothing of loads above a broken one."""

from tailroom.domain.rating.interval import LadderFinding, LadderStep, ladder_of
from tailroom.domain.verdicts.verdict import Verdict

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.INDETERMINATE


def found(*steps: tuple[float, Verdict | None]) -> LadderFinding:
    return ladder_of([LadderStep(load, verdict, is_complete=True) for load, verdict in steps])


def test_the_usual_ladder() -> None:
    finding = found((1, PASS), (2, PASS), (3, FAIL), (2, PASS), (4, FAIL))
    assert finding == LadderFinding(2, 3, None, every_step_passed=True)


def test_nothing_is_proven_without_verdicts() -> None:
    assert ladder_of([]) == LadderFinding(None, None, None, every_step_passed=False)
    assert found((1, None), (2, OPEN)) == LadderFinding(None, None, None, every_step_passed=False)
    assert found((1, FAIL)) == LadderFinding(None, 1, None, every_step_passed=False)


def test_a_pass_above_a_broken_load_proves_nothing() -> None:
    assert found((1, PASS), (2, FAIL), (3, PASS)) == LadderFinding(1, 2, None, every_step_passed=True)


def test_a_load_that_broke_while_it_was_held_is_broken() -> None:
    finding = found((1, PASS), (2, PASS), (3, FAIL), (2, FAIL))
    assert (finding.kept_load, finding.broken_load) == (1, 2)


def test_an_undecided_step_is_no_proof_and_said() -> None:
    assert found((1, OPEN), (2, PASS)) == LadderFinding(2, None, None, every_step_passed=False)
    assert found((1, PASS), (2, PASS), (2, None)) == LadderFinding(2, None, None, every_step_passed=False)


def test_a_step_that_was_cut_short_breaks_but_does_not_prove() -> None:
    cut = [LadderStep(1, PASS, is_complete=True), LadderStep(2, PASS, is_complete=False)]
    assert ladder_of(cut).kept_load == 1
    assert ladder_of([*cut, LadderStep(2, FAIL, is_complete=False)]).broken_load == 2


def test_certified_is_only_what_was_kept() -> None:
    steps = [
        LadderStep(1, PASS, is_complete=True, is_certified=True),
        LadderStep(2, PASS, is_complete=True),
        LadderStep(3, FAIL, is_complete=True, is_certified=True),
    ]
    assert ladder_of(steps).certified_load == 1
    assert ladder_of(steps[1:]).certified_load is None

"""Whether a record carries the load that production needs: by its verdict and by the load of its test."""

import pytest

from tailroom.domain.verdicts.carried_load import Carried, CarriedAnswer, carries, combined_answer
from tailroom.domain.verdicts.evidence import RateBounds
from tailroom.domain.verdicts.verdict import Verdict

YES, NO, NOT_SHOWN = (CarriedAnswer(carried, carried.value) for carried in Carried)


@pytest.mark.parametrize(
    ("verdict", "lower_per_s", "upper_per_s", "carried", "text"),
    [
        (Verdict.PASS, 400.0, 410.0, Carried.YES, "It passes at 400/s to 410/s; 400/s were needed."),
        (Verdict.PASS, 399.0, 410.0, Carried.NOT_SHOWN, "measure it at that load."),
        (Verdict.FAIL, 390.0, 400.0, Carried.NO, "It fails at 390/s to 400/s already; 400/s were needed."),
        (Verdict.FAIL, 390.0, 401.0, Carried.NOT_SHOWN, "measure it at that load."),
        (Verdict.INDETERMINATE, 400.0, 400.0, Carried.NOT_SHOWN, "Undecided at 400/s: too few reads."),
    ],
)
def test_verdict_and_load_decide(
    verdict: Verdict, lower_per_s: float, upper_per_s: float, carried: Carried, text: str
) -> None:
    answer = carries(verdict, "too few reads", RateBounds(lower_per_s, upper_per_s), 400.0)
    assert answer.carried is carried
    assert answer.text.endswith(text)


def test_a_record_of_unknown_load_shows_nothing() -> None:
    unknown = "the load at which it was measured is not on record"
    assert carries(Verdict.PASS, None, None, 400.0) == CarriedAnswer(Carried.NOT_SHOWN, f"PASS: {unknown}.")
    undecided = carries(Verdict.INDETERMINATE, "too few reads", None, 400.0)
    assert undecided == CarriedAnswer(Carried.NOT_SHOWN, "INDETERMINATE: too few reads.")


def test_tests_that_contradict_each_other_show_nothing() -> None:
    assert combined_answer([NOT_SHOWN, YES]) is YES
    assert combined_answer([NOT_SHOWN, NO]) is NO
    assert combined_answer([YES, NO]).carried is Carried.NOT_SHOWN
    assert combined_answer([]).carried is Carried.NOT_SHOWN

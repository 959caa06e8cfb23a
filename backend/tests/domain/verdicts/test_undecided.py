"""Which reason an undecided verdict names where no single removal would decide it."""

from tailroom.domain.verdicts.verdict import Doubt, Ends, Reason, Verdict, judge

OBJECTIVE = 0.999
UNDECIDED = Ends(0.4, 1.0)


def doubt(reason: Reason, without: Ends) -> Doubt:
    return Doubt(reason, without, f"because of {reason.value}", f"without {reason.value}")


def reason_of(*doubts: Doubt) -> Reason | None:
    judgement = judge(UNDECIDED, OBJECTIVE, doubts, when_pass="", when_fail="")
    assert judgement.verdict is Verdict.INDETERMINATE
    return judgement.reason


def test_the_first_whose_removal_decides() -> None:
    samples, resolution = Ends(0.9995, 1.0), Ends(0.5, 1.0)
    found = reason_of(doubt(Reason.SAMPLES, samples), doubt(Reason.RESOLUTION, resolution))
    assert found is Reason.SAMPLES


def test_a_doubtful_load_comes_first_where_nothing_alone_decides() -> None:
    """More samples of a load that proves nothing would be in vain."""
    still = Ends(0.5, 1.0)
    found = reason_of(
        doubt(Reason.RESOLUTION, UNDECIDED), doubt(Reason.SAMPLES, still), doubt(Reason.GENERATOR, still)
    )
    assert found is Reason.GENERATOR


def test_a_doubt_that_keeps_nothing_apart_is_not_named() -> None:
    found = reason_of(doubt(Reason.RESOLUTION, UNDECIDED), doubt(Reason.SAMPLES, Ends(0.6, 1.0)))
    assert found is Reason.SAMPLES

"""Which cause an open verdict names where no single removal would decide it."""

from tailroom.domain.verdicts.verdict import Bounds, Reason, Uncertainty, decisive

OBJECTIVE = 0.999
BOUNDS = Bounds(0.4, 1.0)


def cause(reason: Reason, without: Bounds) -> Uncertainty:
    return Uncertainty(reason, without, f"because of {reason.value}", f"without {reason.value}")


def reason_of(*causes: Uncertainty) -> Reason:
    return decisive(causes, BOUNDS, OBJECTIVE).reason


def test_the_first_whose_removal_decides() -> None:
    samples, resolution = Bounds(0.9995, 1.0), Bounds(0.5, 1.0)
    assert reason_of(cause(Reason.SAMPLES, samples), cause(Reason.RESOLUTION, resolution)) is Reason.SAMPLES


def test_an_unreliable_load_comes_first_where_nothing_alone_decides() -> None:
    """More samples of a load that decides nothing would be in vain."""
    still = Bounds(0.5, 1.0)
    causes = cause(Reason.RESOLUTION, BOUNDS), cause(Reason.SAMPLES, still), cause(Reason.GENERATOR, still)
    assert reason_of(*causes) is Reason.GENERATOR


def test_a_cause_that_keeps_nothing_apart_is_not_named() -> None:
    still = cause(Reason.SAMPLES, Bounds(0.6, 1.0))
    assert reason_of(cause(Reason.RESOLUTION, BOUNDS), still) is Reason.SAMPLES

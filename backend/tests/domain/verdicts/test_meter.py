"""The evidence so far, and the time that the rest takes."""

from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.verdict import EvidenceAmount, EvidenceMeter, Way

QUARTER = EvidenceMeter(effective=25.0, needed=100.0, ways=(EvidenceAmount(Way.OPERATIONS, 75.0),))


def test_the_rest_takes_as_long_as_what_was_measured_took() -> None:
    found = QUARTER.with_time(10 * NS_PER_S)
    assert found.ways == (*QUARTER.ways, EvidenceAmount(Way.TIME, 30.0 * NS_PER_S))
    assert found.with_time(20 * NS_PER_S) == found, "a time that is known stays"


def test_without_a_share_or_a_time_nothing_is_said_of_the_rest() -> None:
    for meter in (QUARTER, EvidenceMeter(), EvidenceMeter(0.0, 100.0), EvidenceMeter(5.0, 0.0)):
        assert meter.with_time(0) == meter
    for meter in (EvidenceMeter(), EvidenceMeter(0.0, 100.0), EvidenceMeter(5.0, 0.0)):
        assert meter.with_time(NS_PER_S) == meter


def test_an_open_case_is_never_full() -> None:
    assert EvidenceMeter(300.0, 100.0).share is not None
    assert 0.9 < EvidenceMeter(300.0, 100.0).share < 1.0  # type: ignore[operator]
    assert QUARTER.share == 0.25

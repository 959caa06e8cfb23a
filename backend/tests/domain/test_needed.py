"""Amounts that are still needed, in words; `frontend/src/lib/format.test.ts` has the same cases."""

import pytest

from tailroom.domain.units import needed_text

CASES = [
    (0, "0"),
    (0.2, "1"),
    (812, "812"),
    (1_000, "1,000"),
    (1_001, "1,100"),
    (2_995, "3,000"),
    (748_750, "750,000"),
    (990_001, "1 million"),
    (4_928_320, "5 million"),
    (1_900_001, "2 million"),
    (12_000_000, "12 million"),
    (586_349_398, "590 million"),
    (1_250_000_000, "1.3 billion"),
    (1_250_000_000_000, "1,300 billion"),
]


@pytest.mark.parametrize(("amount", "text"), CASES)
def test_an_amount_is_rounded_up_to_two_figures(amount: float, text: str) -> None:
    assert needed_text(amount) == text
